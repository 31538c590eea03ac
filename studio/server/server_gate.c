// SPDX-License-Identifier: MIT
#include "studio/server/server_gate.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool server_gate_make_key(server_gate* gate)
{
    unsigned char bytes[SERVER_KEY_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    {
        return false;
    }
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof bytes; ++i)
    {
        gate->key[2 * i] = digits[bytes[i] >> 4];
        gate->key[2 * i + 1] = digits[bytes[i] & 15];
    }
    gate->key[SERVER_KEY_LENGTH] = '\0';
    return true;
}

bool server_gate_accepts_host(const server_gate* gate, const char* host)
{
    static const char* const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; host != NULL && i < sizeof names / sizeof names[0]; ++i)
    {
        char own[64];
        (void)snprintf(own, sizeof own, "%s:%d", names[i], gate->port);
        if (strcmp(host, own) == 0)
        {
            return true;
        }
    }
    return false;
}

bool server_gate_accepts_origin(const server_gate* gate, const char* host, const char* origin)
{
    static const char scheme[] = "http://";
    return server_gate_accepts_host(gate, host) && origin != NULL &&
           strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcmp(origin + sizeof scheme - 1, host) == 0;
}

// Compare a word of `length` bytes with the key in a time that does not depend on where they
// differ.
static bool gate_is_key(const server_gate* gate, const char* word, size_t length)
{
    if (length != SERVER_KEY_LENGTH)
    {
        return false;
    }
    unsigned difference = 0;
    for (size_t i = 0; i < length; ++i)
    {
        difference |= (unsigned)(unsigned char)word[i] ^ (unsigned)(unsigned char)gate->key[i];
    }
    return difference == 0;
}

server_wish server_gate_read_wish(const server_gate* gate, const char* protocols)
{
    static const char mark[] = "key.";
    const size_t skip = sizeof mark - 1;
    server_wish wish = {0};
    const char* word = protocols != NULL ? protocols : "";
    while (*word != '\0')
    {
        word += strspn(word, ", \t");
        const size_t length = strcspn(word, ", \t");
        if (length > skip && strncmp(word, mark, skip) == 0)
        {
            wish.has_key |= gate_is_key(gate, word + skip, length - skip);
        }
        wish.takes |= length == 4 && strncmp(word, "take", 4) == 0;
        word += length;
    }
    return wish;
}
