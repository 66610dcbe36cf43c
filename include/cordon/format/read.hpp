// SPDX-License-Identifier: BSL-1.0
/// Reads a document of any known format. The content decides the format.
#pragma once

#include "capability_policy.hpp"
#include "cordon_json.hpp"
#include "lower.hpp"
#include "notation.hpp"
#include "permission_policy.hpp"
#include "place.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace cordon::format {

/// Larger documents are refused: a million patterns are 40 MB.
inline constexpr std::size_t largest_document = std::size_t{256} << 20;

namespace detail {

/// True if the object looks like CapabilityPolicy. Both formats have `capabilities`: there it is a list, here an
/// object.
inline bool is_capability_policy(const boost::json::value& v) {
  if (!v.is_object()) return false;
  const auto& o = v.get_object();
  if (o.contains("cordon")) return false;
  for (const char* key :
       {"workspace_roots", "read_only_roots", "process_sandbox", "sandbox_profile", "side_effect_level"})
    if (o.contains(key)) return true;
  if (const auto* c = o.if_contains("capabilities")) return !c->is_array() && !c->is_string();
  for (const auto& m : o)
    if ((" " + std::string(cordon_keys) + " ").find(" " + std::string(m.key()) + " ") != std::string::npos)
      return false;
  return true;
}

/// True if the object looks like a permission policy. One of its keys is enough; any other key is then an error.
inline bool is_permission_policy(const boost::json::value& v) {
  if (!v.is_object() || v.get_object().contains("cordon")) return false;
  for (const std::string_view key : permission_keys)
    if (v.get_object().contains({key.data(), key.size()})) return true;
  return false;
}

} // namespace detail

/// Reads a text; `name` is its name in messages. JSON begins with a brace or a bracket; any other text is notation.
/// Throws: bad_document.
[[nodiscard]] inline document read(std::string name, std::string content, const host_facts& facts) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first != content.npos && content[first] != '{' && content[first] != '[' && content[first] != '"')
    return read_notation(name, content, facts);
  const json::text text(std::move(name), std::move(content));
  if (detail::is_permission_policy(text.root())) return read_permission_policy(text, facts);
  return detail::is_capability_policy(text.root()) ? read_capability_policy(text, facts)
                                                   : read_cordon_json(text, facts);
}

/// The content of a regular file. Throws: bad_document (`unreadable`) with the reason.
[[nodiscard]] inline std::string content_of(const std::string& file) {
  const auto refuse = [&](const std::string& why) -> std::string {
    throw bad_document(errc::unreadable, file, 0, 0, why);
  };
  std::error_code ec;
  const std::filesystem::file_status status = std::filesystem::status(file, ec);
  if (status.type() == std::filesystem::file_type::not_found) return refuse("no such file");
  if (std::filesystem::is_directory(status)) return refuse("is a directory, not a document");
  if (ec) return refuse(ec.message());
  std::ifstream in(file, std::ios::binary);
  if (!in) return refuse(std::strerror(errno));
  std::string content;
  char chunk[1 << 16];
  while (in.read(chunk, sizeof chunk), in.gcount() > 0) {
    content.append(chunk, static_cast<std::size_t>(in.gcount()));
    if (content.size() > largest_document) return refuse("larger than 256 MiB");
  }
  return content;
}

/// The base directory of relative paths in a file.
[[nodiscard]] inline std::string directory_of(const std::string& file) {
  return place_of(std::filesystem::absolute(file).lexically_normal().parent_path());
}

/// Reads a file; relative paths in it are relative to its directory. Throws: bad_document.
[[nodiscard]] inline document read_file(const std::string& file, host_facts facts) {
  facts.base = directory_of(file);
  return read(file, content_of(file), facts);
}

} // namespace cordon::format
