/* SPDX-License-Identifier: BSL-1.0 */
/**
 * Runs a tool that you do not trust, and prints what it was refused.
 *
 *     untrusted FOLDER TOOL [ARGUMENT...]
 *
 * The tool may read the system's programs and write FOLDER. Ends with the status of the tool.
 */
#include <cordon.h>

#include <stdio.h>
#include <string.h>

static void show(void* user, int stream, const char* bytes, size_t size) {
  (void)user;
  fwrite(bytes, 1, size, stream == 1 ? stdout : stderr);
}

/** Prints the lines of one list of the report; each entry is a line. */
static void print_list(const char* report, const char* key) {
  const char* line = strstr(report, key);
  if (line == NULL || (line = strchr(line, '\n')) == NULL) return;
  for (++line; strncmp(line, "    {", 5) == 0; line = strchr(line, '\n') + 1)
    printf("refused: %.*s\n", (int)strcspn(line + 4, "\n"), line + 4);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "untrusted FOLDER TOOL [ARGUMENT...]\n");
    return 2;
  }
  char text[4096];
  const int length = snprintf(text, sizeof text,
                              "level process_exec\n"
                              "run /usr\n"
                              "write \"%s\"\n"
                              "network none\n"
                              "limit timeout 1min\n"
                              "pass PATH LANG\n",
                              argv[1]);
  if (length < 0 || (size_t)length >= sizeof text) return 2;

  char *error = NULL, *report = NULL;
  cordon_policy* policy = cordon_policy_parse(text, strlen(text), "the policy of untrusted", &error);
  const cordon_request request = {.size = sizeof request,
                                  .policy = policy,
                                  .argv = (const char* const*)argv + 2,
                                  .directory = argv[1],
                                  .on_output = show};
  int status = policy == NULL ? -1 : cordon_run_to_end(&request, &report, &error);
  if (status < 0) fprintf(stderr, "untrusted: %s\n", error == NULL ? "not enough memory" : error);
  else if (status == 125) fprintf(stderr, "untrusted: it was not started: %s\n", report);
  else print_list(report, "\"denials\": [");
  cordon_free(error);
  cordon_free(report);
  cordon_policy_free(policy);
  return status < 0 ? 125 : status;
}
