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
        "level": {"description": "What may happen at most, least first.", "enum": [@levels@]},
        "capabilities": {
          "description": "Named operations of the host.",
          "anyOf": [
            {"$ref": "#/$defs/any_or_none"},
            {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/capability"}}
          ]
        },
        "workspace": {"description": "What the host's own file tools may touch.", "$ref": "#/$defs/grants"},
        "files": {"description": "What a spawned process may touch.", "$ref": "#/$defs/grants"},
        "presets": {
          "description": "Places that processes usually need, or must not see, added to files. Left out: all.",
          "type": "array",
          "items": {"enum": [@presets@]}
        },
        "network": {
          "description": "The hosts that may be reached: those allowed which are not denied.",
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
          "description": "Ports to listen on, this machine's loopback, unix sockets to connect to.",
          "anyOf": [
            {"$ref": "#/$defs/any_or_none"},
            {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "listen": {"type": "array", "items": {"$ref": "#/$defs/ports"}},
                "loopback": {"type": "boolean"},
                "unix": {"type": "array", "items": {"$ref": "#/$defs/place"}}
              }
            }
          ]
        },
        "abilities": {
          "description": "Powers over the whole machine that no place describes.",
          "anyOf": [
            {"$ref": "#/$defs/any_or_none"},
            {"type": "array", "minItems": 1, "items": {"enum": [@abilities@]}}
          ]
        },
        "syscalls": {
          "description": "inherit refuses dangerous calls, strict all that ordinary tools do not need.",
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
          "description": "It starts empty: some variables pass, then some are set, and removal wins.",
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
          "description": "An advisory look at a command line before it is started. It is never the boundary.",
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
          "description": "What worktree does where a mechanism is missing. Left out: warn.",
          "enum": [@fallbacks@]
        }
      }
    },
    "any_or_none": {"enum": ["any", "none"]},
    "path": {
      "description": "Absolute, relative to the document's directory, or ~ and below. No variables; a star is a star.",
      "type": "string",
      "pattern": @path@,
      "not": {"pattern": "^glob:"}
    },
    "glob": {
      "description": "A pattern as in .gitignore, for the places that match when the policy is resolved.",
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
      "description": "Each place has what its most specific grant says; a place without one has no rights.",
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
      "description": "A verb (run has read, and write has run; hide is nothing), or the exact rights.",
      "anyOf": [
        {"enum": ["read", "run", "write", "hide"]},
        {"type": "array", "minItems": 1, "items": {"enum": [@rights@]}}
      ]
    },
    "capability": {
      "anyOf": [
        {"enum": [@capabilities@]},
        {
          "description": "A name of the host's own: words joined by dots, none of cordon's groups.",
          "type": "string",
          "pattern": @host_capability@,
          "not": {"pattern": @known_groups@}
        }
      ]
    },
    "host_pattern": {
      "description": "A host, perhaps with a port or a range of ports behind it.",
      "type": "string",
      "anyOf": [
        {"description": "* is every name and every public address.", "pattern": @every_host@},
        {
          "description": "example.com covers its sub-domains, *.example.com these alone, =example.com the host.",
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
      "description": "A name of a variable, or a prefix of names with a star behind it.",
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
