/* SPDX-License-Identifier: BSL-1.0 */
/**
 * The C interface of cordon: policies, and programs that run under them. Link with `pkg-config --libs cordon-c`.
 *
 *     cordon_policy *policy = cordon_policy_load("job.policy", &error);
 *     const char *argv[] = {"make", "-j4", NULL};
 *     cordon_request request = {.size = sizeof request, .policy = policy, .argv = argv};
 *     int status = policy == NULL ? -1 : cordon_run_to_end(&request, &report, &error);
 *
 * Version 0: the interface may change until cordon 1.0. Programs compare `cordon_api_version()` with 0.
 *
 * Texts. Arguments are borrowed during the call. Results are texts of the caller, who frees each with `cordon_free`.
 * All texts are UTF-8 or the bytes of the system; they end with a zero byte.
 *
 * Errors. A function that can fail returns NULL or a negative number, and stores in `*error` a text "what failed: why;
 * what to do". On success it stores NULL there. `error` may be NULL, like every `char **` that receives a result.
 * No C++ exception leaves a function. A NULL argument that is needed is an error, never a crash.
 *
 * Threads. Different objects are independent. Several threads may use one policy at once, as no function changes it.
 * A run belongs to one thread at a time; only `cordon_run_cancel` may be called from any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns: the major version of this interface; 0 until cordon 1.0. */
int cordon_api_version(void);
/** Returns: the version of the library, such as "0.1.0"; never freed. */
const char* cordon_version(void);
/** Frees a text that a function of cordon has returned. NULL is ignored. */
void cordon_free(char* text);

/** What a program may do. It is resolved for this host: its home, its current directory, its existing files. */
typedef struct cordon_policy cordon_policy;

/**
 * Reads a policy in any format that `cordon check` reads; the content decides which. `name` is the file name in messages;
 * NULL: "policy". Relative paths are relative to the current directory. Errors have line and column.
 */
cordon_policy* cordon_policy_parse(const char* text, size_t size, const char* name, char** error);
/** The same from a file. Relative paths are relative to its directory. */
cordon_policy* cordon_policy_load(const char* path, char** error);
cordon_policy* cordon_policy_copy(const cordon_policy* policy, char** error);
/** Ends the life of a policy. NULL is ignored. A run has a copy of its policy. */
void cordon_policy_free(cordon_policy* policy);

/** Returns: the canonical text, in the policy language. */
char* cordon_policy_text(const cordon_policy* policy, char** error);
/** Returns: the policy that allows what both allow. */
cordon_policy* cordon_policy_meet(const cordon_policy* a, const cordon_policy* b, char** error);
/**
 * Does `policy` allow no more than `ceiling`? Returns: 1 or 0; -1 for an error. For 0, `*excess` receives a line for
 * each thing that the policy allows and the ceiling does not; for 1, an empty text.
 */
int cordon_policy_within(const cordon_policy* policy, const cordon_policy* ceiling, char** excess, char** error);

/**
 * Returns: the rules that a backend makes of the policy's documents as written, and a line for each gap, as `cordon
 * compile` prints them. `backend`: landlock, seatbelt, bubblewrap and others; the error for an unknown one lists them.
 * `system`: linux, macos, windows or openbsd, whose presets count; NULL: that of the backend. On a system other than this
 * one the home is /home/USER or /Users/USER.
 */
char* cordon_compile(const cordon_policy* policy, const char* backend, const char* system, char** error);
/**
 * Does the policy allow one thing? `kind`: a right of a path (read, list, run, write, create, remove, attributes,
 * connect) with an absolute path as the subject; or host, url, syscall, ability, env or capability. Returns: 1 or 0; -1
 * for an error. `*text` receives the answer with the clause that decides, as `cordon explain` prints it.
 */
int cordon_explain(const cordon_policy* policy, const char* kind, const char* subject, char** text, char** error);
/**
 * Does the policy allow a command line, as far as its arguments show? `argv` ends with NULL. Relative paths are relative
 * to `directory`; NULL: the current one. Advice: a run enforces the policy whatever this returns.
 */
int cordon_explain_command(const cordon_policy* policy, const char* const* argv, const char* directory, char** text,
                           char** error);

/** A program that runs under a policy, with its whole process tree. */
typedef struct cordon_run cordon_run;

/**
 * Receives output of the program as it arrives: `stream` is 1 for stdout and 2 for stderr. Called by the thread that
 * waits for the run, during `cordon_run_advance` and `cordon_run_wait`. A C++ exception from it ends the run.
 */
typedef void (*cordon_output)(void* user, int stream, const char* bytes, size_t size);

/**
 * What to run. A structure instead of a builder: any language can lay it out, and all of it is checked in one call. It
 * grows at its end. `size` lets an old program call a new library, and a new program an old one, as long as the members
 * that the library does not know are zero. Every member that is zero has its default.
 */
typedef struct cordon_request {
  size_t size;                 /**< sizeof(cordon_request); needed */
  const cordon_policy* policy; /**< needed */
  const char* const* argv;     /**< the program and its arguments, then NULL; needed */
  const char* directory;       /**< working directory; NULL: the current one */
  const char* const*
      environment;     /**< `NAME=VALUE`, then NULL; NULL: that of this process. The policy chooses from it. */
  const char* input;   /**< stdin; NULL: empty */
  size_t input_size;   /**< bytes at `input` */
  uint64_t timeout_ms; /**< ends the run after this time, if the policy does not sooner; 0: the policy's limit */
  const char* const* accepted_gaps; /**< IDs of gaps that profile os_hardened may leave, then NULL; NULL: none */
  cordon_output on_output; /**< receives stdout and stderr; NULL: the program writes to those of this process */
  void* user;              /**< first argument of `on_output` */
  /** Keeps temporary files and caches for the next run of this name; NULL: they end with the run. */
  const char* session;
  /** `[ADDRESS:]PORT[:PORT]`, then NULL: ports of the machine, for servers in the network of the run; NULL: those of the
   * policy's text alone. */
  const char* const* publish;
} cordon_request;

/**
 * Starts a program. If the policy or the host refuses, that is no error: the run is over at once, and its report has the
 * outcome `refused` and the reason. Returns: NULL for an invalid request.
 */
cordon_run* cordon_run_start(const cordon_request* request, char** error);
/**
 * Passes output on and enforces limits for up to `milliseconds`, for callers with a loop of their own. A signal handler
 * of this thread makes it return early. Returns: 1 if the run is over, 0 if not, -1 for an error.
 */
int cordon_run_advance(cordon_run* run, uint32_t milliseconds, char** error);
/**
 * Waits until the run is over. `*report` receives the report as JSON: outcome, exit status, mechanisms, gaps, denials;
 * `cordon schema report` describes it. Returns: the exit status that `cordon run` has, from 0 (125: refused, 124:
 * timeout, 128+N: signal N); -1 for an error. A second call is an error.
 */
int cordon_run_wait(cordon_run* run, char** report, char** error);
/** Ends the whole process tree; the outcome is `interrupted`. Takes effect in the thread that waits or will wait. */
void cordon_run_cancel(cordon_run* run);
/** Ends the process tree if it still runs, and the life of the run. NULL is ignored. */
void cordon_run_free(cordon_run* run);
/** Start, wait and free in one call. */
int cordon_run_to_end(const cordon_request* request, char** report, char** error);

#ifdef __cplusplus
}
#endif
