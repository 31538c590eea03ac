// SPDX-License-Identifier: MIT
// The parts of the studio's server that need no socket: what a request must show, the files of the
// page, arguments, names of records, and the queues between the two threads.
#include "support/check.h"

#include "studio/server/server_gate.h"
#include "studio/server/server_link.h"
#include "studio/server/server_options.h"
#include "studio/server/server_record.h"
#include "studio/server/server_site.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static server_gate gate_with_key(void)
{
    server_gate gate = {.port = 4711};
    (void)snprintf(gate.key, sizeof gate.key, "0123456789abcdef0123456789abcdef");
    return gate;
}

static void only_own_hosts_are_accepted(void** state)
{
    (void)state;
    const server_gate gate = gate_with_key();
    assert_true(server_gate_accepts_host(&gate, "127.0.0.1:4711"));
    assert_true(server_gate_accepts_host(&gate, "localhost:4711"));
    static const char* const foreign[] = {
        "",           "127.0.0.1",       "127.0.0.1:471",         "127.0.0.1:47110",
        "evil:4711",  "localhost:4711.", "localhost:4711.evil",   " localhost:4711",
        "[::1]:4711", "LOCALHOST:4711",  "127.0.0.1:4711,evil:1", "0.0.0.0:4711"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; ++i)
    {
        assert_false(server_gate_accepts_host(&gate, foreign[i]));
    }
    assert_false(server_gate_accepts_host(&gate, NULL));
}

static void only_own_origins_are_accepted(void** state)
{
    (void)state;
    const server_gate gate = gate_with_key();
    static const char host[] = "127.0.0.1:4711";
    assert_true(server_gate_accepts_origin(&gate, host, "http://127.0.0.1:4711"));
    assert_true(server_gate_accepts_origin(&gate, "localhost:4711", "http://localhost:4711"));
    static const char* const foreign[] = {"",
                                          "null",
                                          "http://",
                                          "http://evil",
                                          "http://localhost:4711",
                                          "https://127.0.0.1:4711",
                                          "http://127.0.0.1:4711/",
                                          "http://127.0.0.1:47110"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; ++i)
    {
        assert_false(server_gate_accepts_origin(&gate, host, foreign[i]));
    }
    assert_false(server_gate_accepts_origin(&gate, host, NULL));
    assert_false(server_gate_accepts_origin(&gate, "evil:4711", "http://evil:4711"));
    assert_false(server_gate_accepts_origin(&gate, NULL, "http://127.0.0.1:4711"));
}

static void the_key_is_found_among_the_words(void** state)
{
    (void)state;
    const server_gate gate = gate_with_key();
    static const char word[] = "wadi-studio, key.0123456789abcdef0123456789abcdef";
    assert_true(server_gate_read_wish(&gate, word).has_key);
    assert_false(server_gate_read_wish(&gate, word).takes);
    const server_wish both =
        server_gate_read_wish(&gate, "take,key.0123456789abcdef0123456789abcdef,wadi-studio");
    assert_true(both.has_key && both.takes);
    static const char* const wrong[] = {"",
                                        "key.",
                                        "wadi-studio",
                                        "0123456789abcdef0123456789abcdef",
                                        "key.0123456789abcdef0123456789abcde",
                                        "key.0123456789abcdef0123456789abcdef0",
                                        "key.0123456789abcdef0123456789abcdeF",
                                        "xkey.0123456789abcdef0123456789abcdef"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        assert_false(server_gate_read_wish(&gate, wrong[i]).has_key);
    }
    assert_false(server_gate_read_wish(&gate, NULL).has_key);
    assert_false(server_gate_read_wish(&gate, "taken").takes);
}

static void keys_differ(void** state)
{
    (void)state;
    server_gate a = {.port = 1};
    server_gate b = {.port = 1};
    assert_true(server_gate_make_key(&a) && server_gate_make_key(&b));
    assert_int_equal(strlen(a.key), SERVER_KEY_LENGTH);
    assert_int_equal(strspn(a.key, "0123456789abcdef"), SERVER_KEY_LENGTH);
    assert_string_not_equal(a.key, b.key);
}

static void put(const char* path, const char* text)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void only_files_of_the_site_are_found(void** state)
{
    (void)state;
    char problem[256];
    server_site site;
    assert_false(server_site_read("nowhere", &site, problem));
    assert_int_equal(mkdir("site", 0777), 0);
    assert_int_equal(mkdir("site/deep", 0777), 0);
    put("secret", "secret");
    put("site/deep/a.wasm", "");
    put("site/.hidden", "hidden");
    assert_false(server_site_read("site", &site, problem));
    assert_non_null(strstr(problem, "index.html"));
    put("site/index.html", "hello");
    assert_int_equal(symlink("../secret", "site/link"), 0);
    assert_true(server_site_read("site", &site, problem));
    assert_int_equal(site.count, 2);
    assert_int_equal(site.bytes, 5);
    const server_file* index = server_site_find(&site, "/");
    assert_non_null(index);
    assert_ptr_equal(index, server_site_find(&site, "/index.html"));
    assert_memory_equal(index->bytes, "hello", 5);
    assert_string_equal(server_site_find(&site, "/deep/a.wasm")->type, "application/wasm");
    static const char* const none[] = {"",         "/secret", "/../secret",         "../secret",
                                       "/link",    "/deep",   "/deep/../../secret", "index.html",
                                       "/.hidden", "//"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i)
    {
        assert_null(server_site_find(&site, none[i]));
    }
    server_site_free(&site);
    assert_null(server_site_find(&site, "/"));
}

static void arguments_are_checked(void** state)
{
    (void)state;
    char problem[256];
    server_options options;
    const char* const full[] = {"wadi-studio", "--port",       "0",      "a.yaml", "--threads",
                                "2",           "--no-browser", "--site", "x",      "--no-save"};
    assert_true(server_options_read(10, full, &options, problem));
    assert_string_equal(options.scene, "a.yaml");
    assert_string_equal(options.site, "x");
    assert_int_equal(options.threads, 2);
    assert_false(options.browser || options.saves);
    static const char* const wrong[][2] = {
        {"--port", "65536"}, {"--port", "-1"}, {"--port", "1x"}, {"--port", ""},
        {"--threads", "0"},  {"--what", "1"},  {"a", "b"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        const char* const words[] = {"wadi-studio", wrong[i][0], wrong[i][1]};
        assert_false(server_options_read(3, words, &options, problem));
    }
    const char* const short_words[] = {"wadi-studio", "--port"};
    assert_false(server_options_read(2, short_words, &options, problem));
    assert_true(server_options_read(1, short_words, &options, problem));
    assert_true(options.browser && options.saves && options.scene == NULL);
}

static void records_have_names_of_their_own(void** state)
{
    (void)state;
    wadi_context* context = NULL;
    assert_int_equal(wadi_context_create(NULL, &context), WADI_OK);
    assert_int_equal(mkdir("records", 0777), 0);
    server_record record;
    server_record_create("records/desert.yaml", &record);
    server_record_choose(&record, "desert");
    assert_string_equal(record.path, "records/desert.studio.yaml");
    CHECK_OK(context, server_record_write(context, &record, "one"));
    CHECK_OK(context, server_record_write(context, &record, "two"));
    server_record_choose(&record, "desert");
    assert_string_equal(record.path, "records/desert.studio-2.yaml");
    server_record_choose(&record, "../../etc/pass wd\n");
    assert_string_equal(record.path, "records/etcpasswd.studio.yaml");
    server_record_choose(&record, "..");
    assert_string_equal(record.path, "records/studio.studio.yaml");
    server_record_create(NULL, &record);
    server_record_choose(&record, "x");
    assert_string_equal(record.path, "x.studio.yaml");
    wadi_context_destroy(context);
}

static int link_wakes;

static void link_on_wake(void* user)
{
    (void)user;
    link_wakes += 1;
}

static server_message* message_of(size_t size)
{
    server_message* message = server_message_create(true, NULL, size);
    assert_non_null(message);
    memset(message->bytes, 1, SERVER_ROOM + size);
    return message;
}

static void queues_are_bounded(void** state)
{
    (void)state;
    server_link link;
    server_link_create(&link);
    link.wake = link_on_wake;
    server_link_connect(&link, true);
    int sent = 0;
    while (!server_link_is_full(&link) && sent < 2 * SERVER_OUT_COUNT)
    {
        server_link_send(&link, 1, message_of(8));
        sent += 1;
    }
    assert_int_equal(sent, SERVER_OUT_COUNT + 1);
    server_link_send(&link, 1, message_of(8)); // dropped
    assert_int_equal(link.out.count, SERVER_OUT_COUNT + 1);
    int taken = 0;
    while (!server_link_receive(&link, message_of(1000)))
    {
        taken += 1;
    }
    assert_in_range(taken, 500, 1100);
    assert_false(server_link_release(&link));
    link_wakes = 0;
    uint32_t page = 1;
    while (link_wakes == 0)
    {
        free(server_link_take(&link, 0, &page));
    }
    assert_true(server_link_release(&link));
    server_link_destroy(&link);
}

static void another_page_gets_nothing_of_the_one_before(void** state)
{
    (void)state;
    server_link link;
    server_link_create(&link);
    link.wake = link_on_wake;
    server_link_send(&link, 0, message_of(8)); // to nobody
    server_link_connect(&link, true);
    server_link_send(&link, 1, message_of(8));
    (void)server_link_receive(&link, message_of(8));
    server_link_connect(&link, true);
    server_link_send(&link, 1, message_of(8)); // to the page before
    assert_null(server_link_next(&link));
    uint32_t page = 1;
    assert_null(server_link_take(&link, -1, &page)); // does not wait: the page is another
    assert_int_equal(page, 2);
    assert_null(server_link_take(&link, 1, &page));
    server_link_stop(&link);
    assert_null(server_link_take(&link, -1, &page));
    server_link_destroy(&link);
}

enum
{
    ECHOES = 20000
};

// The engine's side: every message goes back.
static void* link_echo(void* user)
{
    server_link* link = user;
    uint32_t page = 0;
    while (!server_link_is_stopping(link))
    {
        server_message* message = server_link_take(link, -1, &page);
        if (message != NULL)
        {
            server_link_send(link, page, message);
        }
    }
    return NULL;
}

static void two_threads_lose_nothing(void** state)
{
    (void)state;
    server_link link;
    server_link_create(&link);
    link.wake = link_on_wake;
    server_link_connect(&link, true);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, link_echo, &link), 0);
    int sent = 0;
    int back = 0;
    bool is_held = false;
    while (back < ECHOES)
    {
        is_held = is_held && !server_link_release(&link);
        if (!is_held && sent < ECHOES)
        {
            server_message* message = message_of(1000); // so that a thousand wait at most
            memcpy(message->bytes + SERVER_ROOM, &sent, sizeof sent);
            is_held = server_link_receive(&link, message);
            sent += 1;
        }
        server_message* answer = server_link_next(&link);
        if (answer != NULL)
        {
            assert_memory_equal(answer->bytes + SERVER_ROOM, &back, sizeof back);
            back += 1;
            free(answer);
        }
    }
    server_link_stop(&link);
    assert_int_equal(pthread_join(thread, NULL), 0);
    server_link_destroy(&link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_own_hosts_are_accepted),
        cmocka_unit_test(only_own_origins_are_accepted),
        cmocka_unit_test(the_key_is_found_among_the_words),
        cmocka_unit_test(keys_differ),
        cmocka_unit_test(only_files_of_the_site_are_found),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(records_have_names_of_their_own),
        cmocka_unit_test(queues_are_bounded),
        cmocka_unit_test(another_page_gets_nothing_of_the_one_before),
        cmocka_unit_test(two_threads_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
