/* SPDX-License-Identifier: BSL-1.0 */
/** Calls the functions for runs. runs FOLDER: a writable folder of its own. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void test_null(void) {
  CHECK(cordon_run_start(NULL, &error) == NULL && error != NULL);
  forget();
  CHECK(cordon_run_advance(NULL, 0, &error) == -1 && error != NULL);
  forget();
  CHECK(cordon_run_wait(NULL, NULL, &error) == -1 && error != NULL);
  forget();
  CHECK(cordon_run_to_end(NULL, NULL, NULL) == -1);
  cordon_run_cancel(NULL);
  cordon_run_free(NULL);
}

static void test_bad_requests(void) {
  const char* argv[] = {"true", NULL};
  cordon_policy* policy = parsed("level process_exec\nrun /usr\n");
  cordon_request request = {.size = sizeof request, .argv = argv};
  CHECK(cordon_run_start(&request, &error) == NULL);
  CHECK_HAS(error, "policy is NULL");
  forget();
  request.policy = policy;
  request.argv = NULL;
  CHECK(cordon_run_start(&request, &error) == NULL);
  CHECK_HAS(error, "argv is NULL");
  forget();
  request.argv = argv;
  request.size = 0;
  CHECK(cordon_run_start(&request, &error) == NULL);
  CHECK_HAS(error, "sizeof(cordon_request)");
  forget();
  request.size = sizeof request;
  request.input_size = 1;
  CHECK(cordon_run_start(&request, &error) == NULL);
  CHECK_HAS(error, "input_size");
  forget();
  cordon_policy_free(policy);
}

/** The policy of the programs here: the system, and FOLDER/inside. */
static cordon_policy* confining(void) {
  char text[2048];
  snprintf(text, sizeof text, "level process_exec\nrun /usr\nwrite %s\nnetwork none\n", inside);
  return parsed(text);
}

/** A program of tomorrow, whose request has one more member. */
static void test_larger_request(void) {
  struct {
    cordon_request known;
    const char* unknown;
  } request;
  const char* argv[] = {"true", NULL};
  cordon_policy* policy = confining();
  memset(&request, 0, sizeof request);
  request.known.size = sizeof request;
  request.known.policy = policy;
  request.known.argv = argv;
  request.known.directory = inside;
  CHECK(cordon_run_to_end(&request.known, NULL, &error) == 0);
  request.unknown = "a request that this library does not understand";
  CHECK(cordon_run_to_end(&request.known, NULL, &error) == -1);
  CHECK_HAS(error, "does not know");
  forget();
  cordon_policy_free(policy);
}

/** A program of yesterday, whose request ends before the session. */
static void test_smaller_request(void) {
  const char* argv[] = {"true", NULL};
  const char* ports[] = {"no port", NULL};
  cordon_policy* policy = confining();
  cordon_request request = {.size = sizeof request, .policy = policy, .argv = argv, .directory = inside};
  request.session = "../outside";
  CHECK(cordon_run_to_end(&request, NULL, &error) == 125);
  request.session = NULL;
  request.publish = ports;
  CHECK(cordon_run_to_end(&request, NULL, &error) == -1);
  CHECK_HAS(error, "publishes no port");
  forget();
  request.size = offsetof(cordon_request, session);
  CHECK(cordon_run_to_end(&request, NULL, &error) == 0);
  cordon_policy_free(policy);
}

struct streams {
  char bytes[3][4096];
  size_t size[3];
};

static void keep(void* user, int stream, const char* bytes, size_t size) {
  struct streams* to = user;
  if (to->size[stream] + size >= sizeof to->bytes[stream]) return;
  memcpy(to->bytes[stream] + to->size[stream], bytes, size);
  to->size[stream] += size;
}

static int run_script(const char* script, struct streams* out, char** report) {
  const char* argv[] = {"sh", "-c", script, NULL};
  const char* environment[] = {"PATH=/usr/bin:/bin", "WORD=from outside", NULL};
  cordon_policy* policy = confining();
  cordon_request request = {.size = sizeof request,
                            .policy = policy,
                            .argv = argv,
                            .directory = inside,
                            .environment = environment,
                            .input = "one\ntwo\n",
                            .input_size = 8,
                            .on_output = keep,
                            .user = out};
  const int status = cordon_run_to_end(&request, report, &error);
  CHECK(error == NULL);
  forget();
  cordon_policy_free(policy);
  return status;
}

static void test_runs(void) {
  static struct streams out;
  char* report = NULL;
  CHECK(run_script("cat && echo \"$WORD\" && echo wrong >&2 && exit 7", &out, &report) == 7);
  CHECK(strcmp(out.bytes[1], "one\ntwo\nfrom outside\n") == 0);
  CHECK_HAS(out.bytes[2], "wrong\n");
  CHECK_HAS(report, "\"outcome\": \"exited\"");
  CHECK_HAS(report, "\"status\": 7");
  cordon_free(report);
}

static int file_exists(const char* path) {
  FILE* file = fopen(path, "r");
  if (file != NULL) fclose(file);
  return file != NULL;
}

/** The same act inside and outside, under the policy and without it. */
static void test_escape(void) {
  static struct streams out;
  char script[2200], path[700];
  snprintf(path, sizeof path, "%s/outside/escaped", folder);
  snprintf(script, sizeof script, "echo in > %s/kept; echo out > %s", inside, path);
  CHECK(run_script(script, &out, NULL) != 0);
  CHECK(!file_exists(path));
  CHECK_HAS(out.bytes[2], "outside/escaped");
  CHECK(system(script) == 0); /* the control */
  CHECK(file_exists(path));
  remove(path);
  snprintf(path, sizeof path, "%s/kept", inside);
  CHECK(file_exists(path));
}

static void test_refused(void) {
  const char* argv[] = {"/usr/bin/true", NULL};
  cordon_policy* policy = parsed("level process_exec\nread /etc\n"); /* no program at all */
  cordon_request request = {.size = sizeof request, .policy = policy, .argv = argv};
  char* report = NULL;
  CHECK(cordon_run_to_end(&request, &report, &error) == 125);
  CHECK(error == NULL);
  CHECK_HAS(report, "\"outcome\": \"refused\"");
  cordon_free(report);
  cordon_policy_free(policy);
}

static void cancel_it(void* user, int stream, const char* bytes, size_t size) {
  (void)stream, (void)bytes, (void)size;
  cordon_run_cancel(*(cordon_run**)user);
}

static void test_ends(void) {
  const char* argv[] = {"sh", "-c", "echo started; exec sleep 100", NULL};
  cordon_policy* policy = confining();
  cordon_run* run = NULL;
  cordon_request request = {.size = sizeof request,
                            .policy = policy,
                            .argv = argv,
                            .directory = inside,
                            .on_output = cancel_it,
                            .user = &run};
  char* report = NULL;
  run = cordon_run_start(&request, &error);
  CHECK(run != NULL);
  CHECK(cordon_run_advance(run, 0, &error) == 0);
  CHECK(cordon_run_wait(run, &report, &error) == 128 + 9);
  CHECK_HAS(report, "\"outcome\": \"interrupted\"");
  cordon_free(report);
  CHECK(cordon_run_advance(run, 0, &error) == 1);
  CHECK(cordon_run_wait(run, NULL, &error) == -1); /* a second time */
  CHECK_HAS(error, "taken before");
  forget();
  cordon_run_free(run);
  cordon_policy* shorter = parsed("limit timeout 100ms\n");
  cordon_policy* both = cordon_policy_meet(policy, shorter, &error);
  request.on_output = NULL;
  request.timeout_ms = 40000;
  request.policy = both; /* the shorter time holds */
  const time_t start = time(NULL);
  CHECK(cordon_run_to_end(&request, NULL, &error) == 124);
  CHECK(time(NULL) - start < 20);
  cordon_policy_free(shorter);
  cordon_policy_free(both);
  request.policy = policy;
  request.timeout_ms = 100;
  CHECK(cordon_run_to_end(&request, NULL, &error) == 124);
  cordon_run_free(cordon_run_start(&request, &error)); /* ends what still runs */
  cordon_policy_free(policy);
}

static void* cancel_later(void* run) {
  const struct timespec pause = {0, 200000000};
  nanosleep(&pause, NULL);
  cordon_run_cancel(run);
  return NULL;
}

static void test_cancel_from_another_thread(void) {
  const char* argv[] = {"sleep", "50", NULL};
  cordon_policy* policy = confining();
  cordon_request request = {.size = sizeof request, .policy = policy, .argv = argv, .directory = inside};
  cordon_run* run = cordon_run_start(&request, &error);
  pthread_t other;
  char* report = NULL;
  const time_t start = time(NULL);
  CHECK(pthread_create(&other, NULL, cancel_later, run) == 0);
  CHECK(cordon_run_wait(run, &report, &error) == 128 + 9);
  CHECK(time(NULL) - start < 20);
  CHECK_HAS(report, "\"outcome\": \"interrupted\"");
  pthread_join(other, NULL);
  cordon_free(report);
  cordon_run_free(run);
  cordon_policy_free(policy);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  work_in(argv[1]);
  test_null();
  test_bad_requests();
  test_larger_request();
  test_smaller_request();
  test_runs();
  test_escape();
  test_refused();
  test_ends();
  test_cancel_from_another_thread();
  return sum();
}
