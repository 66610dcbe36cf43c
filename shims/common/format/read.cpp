// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/read.hpp>

#include <cordon/format/capability_policy.hpp>
#include <cordon/format/cordon_json.hpp>
#include <cordon/format/notation.hpp>
#include <cordon/format/permission_policy.hpp>
#include <cordon/format/place.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace cordon::format {

namespace {

/// True if the object looks like CapabilityPolicy. Both formats have `capabilities`: there it is a list, here an
/// object.
bool is_capability_policy(const boost::json::value& v) {
  if (!v.is_object()) return false;
  const auto& o = v.get_object();
  if (o.contains("cordon")) return false;
  for (const char* key :
       {"workspace_roots", "read_only_roots", "process_sandbox", "sandbox_profile", "side_effect_level"})
    if (o.contains(key)) return true;
  if (const auto* c = o.if_contains("capabilities")) return !c->is_array() && !c->is_string();
  for (const auto& m : o)
    if ((" " + std::string(detail::cordon_keys) + " ").find(" " + std::string(m.key()) + " ") != std::string::npos)
      return false;
  return true;
}

/// True if the object looks like a permission policy. One of its keys is enough; any other key is then an error.
bool is_permission_policy(const boost::json::value& v) {
  if (!v.is_object() || v.get_object().contains("cordon")) return false;
  for (const std::string_view key : detail::permission_keys)
    if (v.get_object().contains({key.data(), key.size()})) return true;
  return false;
}

} // namespace

bool abi_0::is_notation(std::string_view content) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  return first != content.npos && content[first] != '{' && content[first] != '[' && content[first] != '"';
}

document abi_0::read(std::string name, std::string content, const host_facts& facts) {
  if (is_notation(content)) return read_notation(name, content, facts);
  const json::text text(std::move(name), std::move(content));
  if (is_permission_policy(text.root())) return read_permission_policy(text, facts);
  return is_capability_policy(text.root()) ? read_capability_policy(text, facts) : read_cordon_json(text, facts);
}

std::string abi_0::content_of(const std::string& file) {
  const auto refuse = [&](const std::string& why) -> std::string {
    throw bad_document(diagnostic_code::unreadable, file, 0, 0, why);
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

std::string abi_0::directory_of(const std::string& file) {
  return place_of(std::filesystem::absolute(file).lexically_normal().parent_path());
}

document abi_0::read_file(const std::string& file, host_facts facts) {
  facts.base = directory_of(file);
  return read(file, content_of(file), facts);
}

} // namespace cordon::format
