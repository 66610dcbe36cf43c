// SPDX-License-Identifier: BSL-1.0
/// The schema of the report of a run, and the end of every schema. `@key@` is replaced by a list of words.
#pragma once

#include <string_view>

namespace cordon::format::detail {

inline constexpr std::string_view schema_report = R"json(    "report": {
      "description": "What was asked of a run, what was in force, and how it ended.",
      "type": "object",
      "required": [
        "cordon_report", "cordon", "run", "started", "host", "executor", "argv", "program", "directory", "project", "profile", "selected", "backend", "reason", "guard", "mechanisms",
        "gaps", "limits", "arguments_added", "environment_added", "environment_dropped", "outcome", "number", "why", "status", "wall_ns", "cpu_ns",
        "memory_bytes", "output_bytes", "denials_looked_for", "denials", "policy_digest", "policy"
      ],
      "additionalProperties": false,
      "properties": {
        "cordon_report": {"description": "The version of the format.", "const": 1},
        "cordon": {"description": "The version of cordon.", "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"},
        "run": {
          "description": "Random, another one for each run; null where the report is of none.",
          "type": ["string", "null"], "pattern": "^[0-9a-f]{32}$"
        },
        "started": {
          "description": "When cordon was asked, in UTC (RFC 3339).",
          "type": ["string", "null"],
          "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
        },
        "host": {"description": "The machine's own name.", "type": ["string", "null"], "minLength": 1},
        "executor": {
          "description": "The system, and what confined the program there.",
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
        "directory": {"description": "Where it ran.", "type": ["string", "null"], "minLength": 1},
        "project": {
          "description": "The directory that was taken for the project, and why; path is null where there is none. null: the policy names what may be written.",
          "type": ["object", "null"],
          "required": ["path", "why"],
          "additionalProperties": false,
          "properties": {"path": {"type": ["string", "null"], "minLength": 1}, "why": {"type": "string", "minLength": 1}}
        },
        "profile": {"enum": [@profiles@]},
        "selected": {"description": "Was the program to be confined?", "enum": [@selections@]},
        "backend": {"description": "What confined it; none, or empty where it did not come to that.", "type": "string"},
        "reason": {"description": "Why it was not simply confined.", "type": ["string", "null"], "minLength": 1},
        "guard": {
          "description": "What the guard has found in the arguments: advice, which changes nothing by itself.",
          "type": ["object", "null"],
          "required": ["code", "argument", "why"],
          "additionalProperties": false,
          "properties": {
            "code": {
              "enum": [
                "executable_refused", "interpreter_refused", "inline_code_refused", "path_leaves_workspace", "host_refused"
              ]
            },
            "argument": {"description": "Which word; 0 is the program.", "type": "integer", "minimum": 0},
            "why": {"type": "string"}
          }
        },
        "mechanisms": {
          "description": "What was in force, and how it was seen to work.",
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
                "description": "backend.topic, or backend.topic:place; --accept-gap takes it.",
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
              "class": {"description": "How well it holds.", "enum": ["enforced", "best_effort", "none"]},
              "by": {"description": "Who holds it.", "type": "string"}
            }
          }
        },
        "arguments_added": {
          "description": "Words that the program was given beside those of argv, so that it starts no sandbox of its own.",
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
        "status": {"description": "The exit status of cordon run: 8 bits, on Windows 32.", "type": "integer", "minimum": 0, "maximum": 4294967295},
        "wall_ns": {"description": "Nanoseconds from start to end.", "type": "integer", "minimum": 0},
        "cpu_ns": {"description": "Processor time of all that was waited for.", "type": "integer", "minimum": 0},
        "memory_bytes": {
          "description": "What the largest of these processes had at most.", "type": "integer", "minimum": 0
        },
        "output_bytes": {"description": "Bytes of output that cordon relayed.", "type": "integer", "minimum": 0},
        "denials_looked_for": {
          "description": "Who looked: the supervisor of the filter; whoever reads stderr, where that goes through cordon.",
          "type": "array", "uniqueItems": true, "items": {"enum": ["seccomp", "stderr"]}
        },
        "denials": {
          "description": "Calls that the filter refused, and lines of stderr that say so of anything.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["seen", "what", "times"],
            "additionalProperties": false,
            "properties": {
              "seen": {"description": "How cordon knows.", "enum": ["seccomp", "inferred"]},
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
          "description": "HMAC-SHA-256 of the text without this member, under the key of whoever ran it.",
          "type": "object",
          "required": ["algorithm", "mac"],
          "additionalProperties": false,
          "properties": {
            "algorithm": {"const": "HMAC-SHA-256"},
            "mac": {"type": "string", "pattern": "^[0-9a-f]{64}$"}
          }
        },
        "policy": {
          "description": "The same, without values of variables that are secrets by their names; null where there was none.",
          "anyOf": [{"type": "null"}, {"$ref": "#/$defs/document"}]
        }
      }
    }
  }
}
)json";

} // namespace cordon::format::detail
