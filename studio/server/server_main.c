// SPDX-License-Identifier: MIT
// wadi-studio: the engine behind a page on this machine. `wadi studio` starts it.
#include "studio/server/server_browser.h"
#include "studio/server/server_engine.h"
#include "studio/server/server_options.h"
#include "studio/server/server_socket.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct server_program
{
    server_options options;
    server_gate gate;
    server_site site;
    server_link link;
    server_engine engine;
    server_socket* socket;
} server_program;

static int main_fail(const char* text)
{
    (void)fprintf(stderr, "wadi: %s\n", text);
    return 1;
}

// The folder of the page: as given, or share/wadi/studio beside the folder of the program, or
// out/studio, where `make studio` builds it.
static void main_find_site(const char* given, char path[PATH_MAX])
{
    static const char installed[] = "/../share/wadi/studio";
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof installed);
    path[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(path, '/');
    if (slash != NULL)
    {
        (void)snprintf(slash, sizeof installed, "%s", installed);
    }
    if (given != NULL || access(path, R_OK) != 0)
    {
        (void)snprintf(path, PATH_MAX, "%s", given != NULL ? given : "out/studio");
    }
}

static bool main_read_site(server_program* program, char problem[256])
{
    char path[PATH_MAX];
    main_find_site(program->options.site, path);
    return server_site_read(path, &program->site, problem);
}

static void main_say_address(const server_program* program, server_browser* browser)
{
    char address[128];
    (void)snprintf(address, sizeof address, "http://127.0.0.1:%d/#key=%s", program->gate.port,
                   program->gate.key);
    if (program->options.browser && server_browser_open(address, browser))
    {
        (void)printf("The studio opens in the browser; if not, open this address:\n");
    }
    (void)printf("%s\n", address);
    (void)fflush(stdout);
}

// Serve until a signal says to stop. All threads but this one leave signals alone.
static int main_serve(server_program* program, const sigset_t* signals)
{
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, server_engine_run, &program->engine) != 0)
    {
        return main_fail("cannot start a thread");
    }
    int status = 0;
    if (pthread_create(&threads[1], NULL, server_socket_run, program->socket) != 0)
    {
        status = main_fail("cannot start a thread");
    }
    else
    {
        server_browser browser = {{0}};
        main_say_address(program, &browser);
        int number = 0;
        (void)sigwait(signals, &number);
        server_browser_close(&browser);
        server_socket_stop(program->socket);
        (void)pthread_join(threads[1], NULL);
    }
    server_link_stop(&program->link);
    (void)pthread_join(threads[0], NULL);
    if (program->engine.has_saved)
    {
        (void)printf("The record is in %s\n", program->engine.record.path);
    }
    return status;
}

static int main_with_engine(server_program* program, const sigset_t* signals)
{
    const server_engine_def engine = {.link = &program->link,
                                      .scene = program->options.scene,
                                      .threads = program->options.threads,
                                      .saves = program->options.saves};
    int status = 1;
    if (!server_engine_open(&engine, &program->engine))
    {
        (void)main_fail(program->engine.problem);
    }
    else
    {
        const server_socket_def socket = {.gate = &program->gate,
                                          .site = &program->site,
                                          .link = &program->link,
                                          .port = program->options.port};
        program->socket = server_socket_open(&socket);
        status = program->socket != NULL ? main_serve(program, signals)
                                         : main_fail("cannot open the port; is it in use?");
    }
    if (program->socket != NULL)
    {
        server_socket_close(program->socket);
    }
    server_engine_close(&program->engine);
    return status;
}

int main(int argc, char** argv)
{
    static server_program program;
    char problem[256];
    if (!server_options_read(argc, (const char* const*)argv, &program.options, problem))
    {
        (void)main_fail(problem);
        return 2;
    }
    if (!main_read_site(&program, problem))
    {
        (void)fprintf(stderr, "wadi: the page is not there: %s; 'make studio' builds it\n",
                      problem);
        return 1;
    }
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    server_link_create(&program.link);
    const int status = server_gate_make_key(&program.gate)
                           ? main_with_engine(&program, &signals)
                           : main_fail("the system has no random numbers");
    server_link_destroy(&program.link);
    server_site_free(&program.site);
    return status;
}
