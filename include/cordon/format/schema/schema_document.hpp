// SPDX-License-Identifier: BSL-1.0
/// The schema of cordon JSON, and the head of every schema. `@key@` is replaced by a list of words or a pattern.
#pragma once

#include <string_view>

namespace cordon::format::detail {

inline constexpr std::string_view schema_document = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:cordon:schema:@root@:1",
  "title": "@title@",
  "$ref": "#/$defs/@root@",
  "$defs": {
    "document": {
      "description": @of_document@,
      "type": "object",
      "required": ["cordon"],
      "additionalProperties": false,
      "properties": {
        "cordon": {"description": "The version of the format.", "const": 1},
        "profile": {"description": "How strictly the policy is enforced. Left out: worktree.", "enum": [@profiles@]},
        "level": {"description": "The greatest effect that is allowed, in ascending order.", "enum": [@levels@]},
        "capabilities": {
          "description": "Operations of the calling program, by name.",
          "anyOf": [
            {"$ref": "#/$defs/any_or_none"},
            {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/capability"}}
          ]
        },
        "workspace": {"description": "The paths that the caller's own file tools may use.", "$ref": "#/$defs/grants"},
        "files": {"description": "The paths that a spawned process may use.", "$ref": "#/$defs/grants"},
        "presets": {
          "description": "Paths that processes usually need or must not see, added to files. Left out: all.",
          "type": "array",
          "items": {"enum": [@presets@]}
        },
        "network": {
          "description": "The hosts that may be reached: allowed ones that are not denied.",
          "anyOf": [
            {"$ref": "#/$defs/any_or_none"},
            {
              "type": "object",
              "required": ["allowed_domains"],
              "additionalProperties": false,
              "properties": {
                "allowed_domains": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/host_pattern"}},
                "denied_domains": {"type": "array", "items": {"$ref": "#/$defs/host_pattern"}}
              }
            }
          ]
        },
        "sockets": {
          "description": "Sockets among the processes of the run, ports to listen on, this machine's loopback, unix sockets to connect to.",
          "anyOf": [
            {"enum": ["none", "own", "any"]},
            {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "own": {"type": "boolean"},
                "listen": {"type": "array", "items": {"$ref": "#/$defs/ports"}},
                "publish": {
                  "description": "Ports of the machine, which lead to servers of the run: [ADDRESS:]PORT[:PORT].",
                  "type": "array",
                  "items": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 65535}, {"type": "string", "minLength": 1}]}
                },
                "loopback": {"type": "boolean"},
                "unix": {"type": "array", "items": {"$ref": "#/$defs/place"}}
              }
            }
          ]
        },
        "abilities": {
          "description": "Powers over the whole machine, beyond paths and hosts.",
          "anyOf": [
            {"$ref": "#/$defs/any_or_none"},
            {"type": "array", "minItems": 1, "items": {"enum": [@abilities@]}}
          ]
        },
        "syscalls": {
          "description": "inherit denies dangerous calls, strict denies all that ordinary tools do not need.",
          "anyOf": [
            {"enum": [@syscalls@]},
            {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "mode": {"enum": [@syscalls@]},
                "deny": {"type": "array", "items": {"$ref": "#/$defs/system_call"}}
              }
            }
          ]
        },
        "limits": {
          "description": "How much of a resource a run may use. Left out: no limit.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            @limit_members@
          }
        },
        "environment": {
          "description": "It starts empty; variables of pass are copied, those of set are added, those of remove are dropped.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "pass": {"anyOf": [{"const": "any"}, {"type": "array", "items": {"$ref": "#/$defs/variable"}}]},
            "set": {
              "type": "object",
              "propertyNames": {"pattern": @variable_name@},
              "additionalProperties": {"type": "string", "pattern": @text@}
            },
            "remove": {"type": "array", "items": {"$ref": "#/$defs/variable"}}
          }
        },
        "guard": {
          "description": "An advisory check of the command line before the start; no security boundary.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "executables": {
              "description": "Names that are looked up in PATH, and paths as they are written on the command line.",
              "anyOf": [
                {"$ref": "#/$defs/any_or_none"},
                {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": @program@}}
              ]
            },
            "interpreters": {
              "description": "May shells and language runtimes be started? Left out: yes.",
              "type": "boolean"
            }
          }
        },
        "fallback": {
          "description": "What profile worktree does if a mechanism is missing. Left out: warn.",
          "enum": [@fallbacks@]
        }
      }
    },
    "any_or_none": {"enum": ["any", "none"]},
    "path": {
      "description": "Absolute, relative to the document's directory, or ~ and below. Variables and stars are not expanded.",
      "type": "string",
      "pattern": @path@,
      "not": {"pattern": "^glob:"}
    },
    "glob": {
      "description": "A pattern as in .gitignore, for the paths that match when the policy is resolved.",
      "type": "string",
      "pattern": @glob@
    },
    "place": {
      "anyOf": [
        {"$ref": "#/$defs/path"},
        {
          "type": "object",
          "required": ["glob"],
          "additionalProperties": false,
          "properties": {"glob": {"$ref": "#/$defs/glob"}}
        }
      ]
    },
    "grants": {
      "description": "The most specific grant for a path decides; a path without a grant has no rights.",
      "anyOf": [{"$ref": "#/$defs/any_or_none"}, {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/grant"}}]
    },
    "grant": {
      "type": "object",
      "required": ["rights"],
      "oneOf": [{"required": ["path"]}, {"required": ["glob"]}],
      "additionalProperties": false,
      "properties": {
        "path": {"$ref": "#/$defs/place"},
        "glob": {"$ref": "#/$defs/glob"},
        "rights": {"$ref": "#/$defs/rights"}
      }
    },
    "rights": {
      "description": "A verb (run includes read, write includes run, hide is no right), or the exact rights.",
      "anyOf": [
        {"enum": [@verbs@]},
        {"type": "array", "minItems": 1, "items": {"enum": [@rights@]}}
      ]
    },
    "capability": {
      "anyOf": [
        {"enum": [@capabilities@]},
        {
          "description": "A name of the caller's own: words joined by dots, outside the groups of cordon.",
          "type": "string",
          "pattern": @host_capability@,
          "not": {"pattern": @known_groups@}
        }
      ]
    },
    "host_pattern": {
      "description": "A host, optionally with a port or a range of ports.",
      "type": "string",
      "anyOf": [
        {"description": "* matches every name and every public address.", "pattern": @every_host@},
        {
          "description": "example.com covers itself and its subdomains, *.example.com the subdomains, =example.com the name alone.",
          "allOf": [{"pattern": @name@}, {"pattern": @name_size@}],
          "not": {"pattern": @number_last@}
        },
        {"description": "A name with letters beyond ASCII, which the reader converts.", "pattern": @international@},
        {"description": "An IPv4 address or prefix.", "pattern": @ipv4@},
        {"description": "An IPv6 address or prefix, in brackets.", "pattern": @ipv6@}
      ]
    },
    "ports": {
      "description": "A port, or a range such as 8000-8999.",
      "anyOf": [{"type": "integer", "minimum": 1, "maximum": @last_port@}, {"type": "string", "pattern": @ports@}]
    },
    "variable": {
      "description": "The name of a variable, or a prefix of names followed by a star.",
      "type": "string",
      "pattern": @variable@
    },
    "duration": {
      "description": "A number and a unit, such as 30s or 1.5h.",
      "type": "string",
      "allOf": [{"pattern": @duration@}, {"pattern": @not_zero@}]
    },
    "size": {
      "description": "A number of bytes, or a number and a unit, such as 512MiB.",
      "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": @greatest@},
        {"type": "string", "allOf": [{"pattern": @size@}, {"pattern": @not_zero@}]}
      ]
    },
    "count": {
      "description": "A number.",
      "anyOf": [{"type": "integer", "minimum": 1, "maximum": @greatest@}, {"type": "string", "pattern": @count@}]
    },
    "system_call": {
      "description": "The name of a system call of Linux, on any machine.",
      "enum": [
        @calls@
      ]
    },
)json";

} // namespace cordon::format::detail
