/* SPDX-License-Identifier: BSL-1.0 */
/** Checks of a C program: each prints its fault, and the sum decides about the exit status. */
#pragma once

#include <cordon.h>

#include <stdio.h>
#include <string.h>

static int passed, failed;
static char* error;
static char folder[512], inside[600];

static void check(int good, const char* what, const char* file, int line) {
  if (good) {
    ++passed;
    return;
  }
  ++failed;
  printf("%s:%d: failed: %s\n", file, line, what);
}

static void check_has(const char* text, const char* part, const char* file, int line) {
  const int good = text != NULL && strstr(text, part) != NULL;
  check(good, part, file, line);
  if (!good) printf("  the text is: %.1000s\n", text == NULL ? "(null)" : text);
}

#define CHECK(what) check((what), #what, __FILE__, __LINE__)
#define CHECK_HAS(text, part) check_has((text), (part), __FILE__, __LINE__)

static int sum(void) {
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0 || passed == 0;
}

static void work_in(const char* path) {
  snprintf(folder, sizeof folder, "%s", path);
  snprintf(inside, sizeof inside, "%s/inside", folder);
}

/** Frees the text of the last error. */
static void forget(void) {
  cordon_free(error);
  error = NULL;
}

static cordon_policy* parsed(const char* text) {
  cordon_policy* policy = cordon_policy_parse(text, strlen(text), NULL, &error);
  CHECK(policy != NULL);
  CHECK(error == NULL);
  return policy;
}
