// SPDX-License-Identifier: BSL-1.0
/// The schema of the report of a run, and the end of every schema. `@key@` is replaced by a list of words.
#pragma once

#include <string_view>

namespace cordon::format::detail {

inline constexpr std::string_view schema_report = R"json(    "report": {
      "description": "What a run requested, what was in force, and how it ended.",
      "type": "object",
      "required": [
        "cordon_report", "cordon", "run", "started", "host", "executor", "argv", "program", "directory", "session", "published", "project", "profile", "selected", "backend", "reason", "guard", "mechanisms",
        "gaps", "limits", "arguments_added", "environment_added", "environment_dropped", "outcome", "number", "why", "refusal", "status", "wall_ns", "cpu_ns",
        "memory_bytes", "output_bytes", "denials_looked_for", "denials", "policy_digest", "policy"
      ],
      "additionalProperties": false,
      "properties": {
        "cordon_report": {"description": "The version of the format.", "const": 1},
        "cordon": {"description": "The version of cordon.", "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"},
        "run": {
          "description": "A random ID of the run; null if the report is not about a run.",
          "type": ["string", "null"], "pattern": "^[0-9a-f]{32}$"
        },
        "started": {
          "description": "The time of the request, in UTC (RFC 3339).",
          "type": ["string", "null"],
          "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
        },
        "host": {"description": "The name of the host.", "type": ["string", "null"], "minLength": 1},
        "executor": {
          "description": "The operating system, and the launcher that confined the program.",
          "type": "string", "pattern": "^(@platforms@)/[a-z]+$"
        },
        "argv": {
          "description": "The command line as given.",
          "type": "array", "minItems": 1, "items": {"type": "string"}
        },
        "program": {
          "description": "The file that was run; null if none was.",
          "type": ["string", "null"], "minLength": 1
        },
        "directory": {"description": "The working directory of the program.", "type": ["string", "null"], "minLength": 1},
        "session": {
          "description": "The session in which temporary files and caches are kept; null: they end with the run.",
          "type": ["string", "null"], "minLength": 1
        },
        "published": {
          "description": "Ports of the machine from which cordon passes connections on to the run: ADDRESS:PORT:PORT.",
          "type": "array", "items": {"type": "string", "minLength": 1}
        },
        "project": {
          "description": "The project directory and how it was found; path is null if there is no project. null: the policy names the writable paths.",
          "type": ["object", "null"],
          "required": ["path", "why"],
          "additionalProperties": false,
          "properties": {"path": {"type": ["string", "null"], "minLength": 1}, "why": {"type": "string", "minLength": 1}}
        },
        "profile": {"enum": [@profiles@]},
        "selected": {"description": "The decision about confinement.", "enum": [@selections@]},
        "backend": {"description": "The launcher that confined the program; none, or empty if no launcher was chosen.", "type": "string"},
        "reason": {"description": "Why the program was refused or not confined.", "type": ["string", "null"], "minLength": 1},
        "guard": {
          "description": "The guard's finding in the arguments: advice, without effect by itself.",
          "type": ["object", "null"],
          "required": ["code", "argument", "why"],
          "additionalProperties": false,
          "properties": {
            "code": {
              "enum": [
                "executable_refused", "interpreter_refused", "inline_code_refused", "path_leaves_workspace", "host_refused"
              ]
            },
            "argument": {"description": "The index of the argument; 0 is the program.", "type": "integer", "minimum": 0},
            "why": {"type": "string"}
          }
        },
        "mechanisms": {
          "description": "The mechanisms in force, and how each one was verified.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["name", "version", "verified"],
            "additionalProperties": false,
            "properties": {"name": {"type": "string"}, "version": {"type": "string"}, "verified": {"type": "string"}}
          }
        },
        "gaps": {
          "description": "What differs from the policy: tightened denies more, unenforced less.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["id", "kind", "why"],
            "additionalProperties": false,
            "properties": {
              "id": {
                "description": "backend.name or backend.name:path.",
                "type": "string", "pattern": @gap@
              },
              "kind": {"enum": [@gap_kinds@]},
              "why": {"type": "string"}
            }
          }
        },
        "limits": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["limit", "value", "class", "by"],
            "additionalProperties": false,
            "properties": {
              "limit": {"enum": [@limits@]},
              "value": {"description": "Nanoseconds, bytes, or a number.", "type": "integer", "minimum": 1},
              "class": {"description": "How strictly the limit is enforced.", "enum": ["enforced", "best_effort", "none"]},
              "by": {"description": "What enforces the limit.", "type": "string"}
            }
          }
        },
        "arguments_added": {
          "description": "Arguments that cordon added to argv, so that the program starts no sandbox of its own.",
          "type": "array", "items": {"type": "string"}
        },
        "environment_added": {
          "description": "Variables that cordon itself set.",
          "type": "array", "items": {"type": "string"}
        },
        "environment_dropped": {
          "description": "Names of the caller's variables that the policy does not let pass.",
          "type": "array", "items": {"type": "string"}
        },
        "outcome": {"description": "How the run ended.", "enum": [@outcomes@]},
        "number": {
          "description": "The exit code, the signal, or the error of the system.",
          "type": "integer", "minimum": 0
        },
        "why": {"description": "Why nothing was started, or output was lost.", "type": ["string", "null"], "minLength": 1},
        "refusal": {"description": "The ID of the reason if the run was refused, such as program.not_granted.", "type": ["string", "null"], "pattern": "^[a-z]+\\.[a-z0-9_]+$"},
        "status": {"description": "The exit status of cordon run: 8 bits, on Windows 32; null while the program runs.", "type": ["integer", "null"], "minimum": 0, "maximum": 4294967295},
        "wall_ns": {"description": "Nanoseconds from start to end.", "type": "integer", "minimum": 0},
        "cpu_ns": {"description": "Processor time of all processes that were waited for.", "type": "integer", "minimum": 0},
        "memory_bytes": {
          "description": "The peak memory of the largest of these processes.", "type": "integer", "minimum": 0
        },
        "output_bytes": {"description": "Bytes of output that cordon relayed.", "type": "integer", "minimum": 0},
        "denials_looked_for": {
          "description": "Where cordon looked: in the calls that the filter denied; in stderr, if cordon relays it.",
          "type": "array", "uniqueItems": true, "items": {"enum": ["seccomp", "stderr"]}
        },
        "denials": {
          "description": "Calls that the filter denied, and lines of stderr that report a denial.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["seen", "what", "times"],
            "additionalProperties": false,
            "properties": {
              "seen": {"description": "The source: the filter, or a line of stderr.", "enum": ["seccomp", "inferred"]},
              "what": {"description": "The name of the call, or the line.", "type": "string"},
              "times": {"type": "integer", "minimum": 1}
            }
          }
        },
        "policy_digest": {
          "description": "SHA-256 of the policy that was in force, in canonical form.",
          "type": ["string", "null"], "pattern": "^sha256:[0-9a-f]{64}$"
        },
        "attestation": {
          "description": "HMAC-SHA-256 of the text without this member, under the key of the user who ran the program.",
          "type": "object",
          "required": ["algorithm", "mac"],
          "additionalProperties": false,
          "properties": {
            "algorithm": {"const": "HMAC-SHA-256"},
            "mac": {"type": "string", "pattern": "^[0-9a-f]{64}$"}
          }
        },
        "policy": {
          "description": "That policy, without the values of variables with names of secrets; null if there was no policy.",
          "anyOf": [{"type": "null"}, {"$ref": "#/$defs/document"}]
        }
      }
    }
  }
}
)json";

} // namespace cordon::format::detail
