// SPDX-License-Identifier: MIT
#include "studio/server/server_browser.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char** environ;

static bool browser_write(const char* address, server_browser* browser)
{
    // browsers in containers see neither hidden folders nor /tmp; a folder of the session is shared
    const char* folder = getenv("XDG_RUNTIME_DIR");
    (void)snprintf(browser->path, sizeof browser->path, "%.200s/wadi-studio-XXXXXX.html",
                   folder != NULL && folder[0] == '/' ? folder : "/tmp");
    const int descriptor = mkstemps(browser->path, 5); // readable by its owner only
    FILE* file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL)
    {
        browser->path[0] = '\0';
        return false;
    }
    (void)fprintf(file,
                  "<!doctype html><meta charset=utf-8><title>wadi studio</title>"
                  "<meta name=referrer content=no-referrer>"
                  "<meta http-equiv=refresh content=\"0;url=%s\"><a href=\"%s\">wadi studio</a>\n",
                  address, address);
    return fclose(file) == 0;
}

bool server_browser_open(const char* address, server_browser* browser)
{
    browser->path[0] = '\0';
    if ((getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) ||
        !browser_write(address, browser))
    {
        return false;
    }
    char program[] = "xdg-open";
    char* arguments[] = {program, browser->path, NULL};
    posix_spawnattr_t attributes;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigmask(&attributes, &none); // the server's threads block signals
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, program, NULL, &attributes, arguments, environ);
    (void)posix_spawnattr_destroy(&attributes);
    return failed == 0;
}

void server_browser_close(server_browser* browser)
{
    if (browser->path[0] != '\0')
    {
        (void)unlink(browser->path);
        browser->path[0] = '\0';
    }
}
