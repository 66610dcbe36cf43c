/* SPDX-License-Identifier: BSL-1.0 */
/** Calls the functions for policies. policies FOLDER: a writable folder of its own. */
#include "check.h"

static void test_versions(void) {
  CHECK(cordon_api_version() == 0);
  CHECK(strcmp(cordon_version(), CORDON_MESON_VERSION) == 0);
  cordon_free(NULL);
}

static void test_policies(void) {
  cordon_policy* wide = parsed("level process_exec\nrun /usr\nwrite /srv\n");
  cordon_policy* narrow = parsed("level process_exec\nrun /usr\n");
  cordon_policy* copy = cordon_policy_copy(wide, &error);
  cordon_policy* both = cordon_policy_meet(copy, narrow, &error);
  char* excess = NULL;
  CHECK(cordon_policy_within(narrow, wide, &excess, &error) == 1);
  CHECK(excess != NULL && *excess == '\0');
  cordon_free(excess);
  CHECK(cordon_policy_within(wide, narrow, &excess, &error) == 0);
  CHECK_HAS(excess, "processes may write /srv; the ceiling allows nothing there");
  cordon_free(excess);
  CHECK(cordon_policy_within(both, narrow, NULL, NULL) == 1);
  char* text = cordon_policy_text(wide, &error);
  CHECK_HAS(text, "write /srv\n");
  cordon_free(text);
  cordon_policy_free(wide);
  text = cordon_policy_text(copy, &error); /* a copy outlives its origin */
  CHECK_HAS(text, "write /srv\n");
  cordon_free(text);
  cordon_policy_free(copy);
  cordon_policy_free(both);
  cordon_policy_free(narrow);
  cordon_policy_free(NULL);
}

static void test_files(void) {
  char path[700];
  snprintf(path, sizeof path, "%s/job.policy", folder);
  FILE* file = fopen(path, "w");
  CHECK(file != NULL);
  if (file == NULL) return;
  fputs("level process_exec\nwrite inside\n", file);
  fclose(file);
  cordon_policy* policy = cordon_policy_load(path, &error);
  char* text = cordon_policy_text(policy, &error);
  snprintf(path, sizeof path, "write %s/inside\n", folder);
  CHECK_HAS(text, path); /* relative to the directory of the file */
  cordon_free(text);
  cordon_policy_free(policy);
  CHECK(cordon_policy_load("/no/such/job.policy", &error) == NULL);
  CHECK_HAS(error, "/no/such/job.policy");
  forget();
}

static void test_bad_policies(void) {
  const char text[] = "level process_exec\nreed /usr\n";
  CHECK(cordon_policy_parse(text, strlen(text), "job.policy", &error) == NULL);
  CHECK_HAS(error, "job.policy:2:1: ");
  forget();
  const char json[] = "{\"cordon\": 1,\n \"fils\": []}";
  CHECK(cordon_policy_parse(json, strlen(json), NULL, &error) == NULL);
  CHECK_HAS(error, "policy:2:");
  forget();
  CHECK(cordon_policy_parse(json, strlen(json), NULL, NULL) == NULL); /* the error is not requested */
}

static void test_compile(void) {
  cordon_policy* policy = parsed("level process_exec\nrun /usr\nwrite /srv/job\n");
  cordon_policy* other = parsed("level process_exec\nrun /usr\nread /srv\n");
  cordon_policy* both = cordon_policy_meet(policy, other, &error);
  cordon_policy* presets = parsed(
      "{\"cordon\": 1, \"files\": [{\"path\": \"/srv\", \"rights\": [\"read\"]}], \"presets\": [\"system_runtime\"]}");
  char* rules = cordon_compile(presets, "seatbelt", NULL, &error);
  CHECK_HAS(rules, "(version 1)");
  CHECK(rules != NULL && strstr(rules, "/opt/homebrew") != NULL); /* a preset of macOS */
  cordon_free(rules);
  rules = cordon_compile(presets, "seatbelt", "linux", &error);
  CHECK(rules != NULL && strstr(rules, "/opt/homebrew") == NULL);
  cordon_free(rules);
  cordon_policy_free(presets);
  rules = cordon_compile(policy, "landlock", "linux", &error);
  CHECK_HAS(rules, "grant /srv/job EXECUTE WRITE_FILE");
  CHECK_HAS(rules, "\ngap unenforced landlock.");
  cordon_free(rules);
  rules = cordon_compile(both, "landlock", NULL, &error);
  CHECK_HAS(rules, "/srv/job");
  CHECK(rules != NULL && strstr(rules, "WRITE_FILE READ_FILE") == strstr(rules, "WRITE_FILE"));
  cordon_free(rules);
  CHECK(cordon_compile(policy, "firewall", NULL, &error) == NULL);
  CHECK_HAS(error, "unknown backend firewall; known here: ");
  forget();
  CHECK(cordon_compile(policy, "landlock", "plan9", &error) == NULL);
  CHECK_HAS(error, "the system plan9 is unknown");
  forget();
  CHECK(cordon_compile(NULL, "landlock", NULL, &error) == NULL && error != NULL);
  forget();
  CHECK(cordon_compile(policy, NULL, NULL, NULL) == NULL);
  cordon_policy_free(policy);
  cordon_policy_free(other);
  cordon_policy_free(both);
}

static void test_explain(void) {
  cordon_policy* policy = parsed("level network\nrun /usr\nwrite /srv/job\nhide /srv/job/.env\nconnect example.com\n");
  const char* curl[] = {"/usr/bin/curl", "http://example.org", NULL};
  char* text = NULL;
  CHECK(cordon_explain(policy, "write", "/srv/job/a", &text, &error) == 1);
  CHECK_HAS(text, "allow  --path /srv/job/a --right write  (files: /srv/job ");
  cordon_free(text);
  CHECK(cordon_explain(policy, "read", "/srv/job/.env", &text, &error) == 0);
  CHECK_HAS(text, "refuse  ");
  cordon_free(text);
  CHECK(cordon_explain(policy, "host", "example.com", NULL, NULL) == 1);
  CHECK(cordon_explain(policy, "host", "example.org", NULL, NULL) == 0);
  CHECK(cordon_explain_command(policy, curl, NULL, &text, &error) == 0);
  CHECK_HAS(text, "example.org");
  cordon_free(text);
  curl[1] = "http://example.com";
  CHECK(cordon_explain_command(policy, curl, "/srv/job", NULL, NULL) == 1);
  CHECK(cordon_explain(policy, "smell", "/", &text, &error) == -1);
  CHECK_HAS(error, "the question smell is unknown; it is host,");
  CHECK(text == NULL);
  forget();
  CHECK(cordon_explain(NULL, "read", "/", NULL, NULL) == -1);
  CHECK(cordon_explain(policy, NULL, "/", NULL, NULL) == -1);
  CHECK(cordon_explain(policy, "read", NULL, NULL, NULL) == -1);
  CHECK(cordon_explain_command(policy, NULL, NULL, NULL, NULL) == -1);
  cordon_policy_free(policy);
}

static void test_null(void) {
  cordon_policy* policy = parsed("level none\n");
  CHECK(cordon_policy_parse(NULL, 0, NULL, &error) == NULL);
  CHECK_HAS(error, "cordon_policy_parse: text is NULL, but needed; pass one");
  forget();
  CHECK(cordon_policy_load(NULL, &error) == NULL && error != NULL);
  forget();
  CHECK(cordon_policy_copy(NULL, &error) == NULL && error != NULL);
  forget();
  CHECK(cordon_policy_text(NULL, &error) == NULL && error != NULL);
  forget();
  CHECK(cordon_policy_meet(policy, NULL, &error) == NULL && error != NULL);
  forget();
  CHECK(cordon_policy_within(NULL, policy, NULL, &error) == -1 && error != NULL);
  forget();
  CHECK(cordon_policy_within(policy, NULL, NULL, NULL) == -1);
  cordon_policy_free(policy);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  work_in(argv[1]);
  test_versions();
  test_policies();
  test_files();
  test_bad_policies();
  test_compile();
  test_explain();
  test_null();
  return sum();
}
