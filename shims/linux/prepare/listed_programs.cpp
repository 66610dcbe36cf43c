// SPDX-License-Identifier: BSL-1.0
#include "listed_programs.hpp"

#include "../../common/host.hpp"
#include "../child/descriptor.hpp"

#include <cordon/gap/run_gap_types.hpp>
#include <cordon/guard/interpreter.hpp>
#include <cordon/policy/preset.hpp>
#include <cordon/run/links/links.hpp>

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace cordon::linux_shim {
namespace {

namespace fs = std::filesystem;

/// Returns: the loader's path in PT_INTERP of an ELF file of this machine's class; empty without one. elf(5).
[[nodiscard]] std::string loader_of(const std::string& file) {
  const descriptor in(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  Elf64_Ehdr head{};
  if (!in || ::pread(in.get(), &head, sizeof head, 0) != sizeof head ||
      !std::equal(head.e_ident, head.e_ident + SELFMAG, ELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  constexpr Elf64_Half most_parts = 64;
  for (Elf64_Half i = 0; i < std::min(head.e_phnum, most_parts); ++i) {
    Elf64_Phdr part{};
    const auto at = static_cast<off_t>(head.e_phoff + i * std::uint64_t{head.e_phentsize});
    if (::pread(in.get(), &part, sizeof part, at) != sizeof part) return {};
    if (part.p_type != PT_INTERP) continue;
    char name[256] = {};
    const ssize_t size = ::pread(in.get(), name, std::min<std::size_t>(part.p_filesz, sizeof name - 1),
                                 static_cast<off_t>(part.p_offset));
    return size > 0 ? std::string(name) : std::string();
  }
  return {};
}

class collection {
public:
  explicit collection(const loaded_policy& p) : policy_(p) {}

  /// By name, and only where the program can neither put a file nor lead elsewhere.
  void add_directory(const std::string& directory) {
    std::error_code ec;
    if (is_writable(fs::canonical(directory, ec).string()) || passes_writable_link(directory)) return;
    for (const fs::directory_entry& e : fs::directory_iterator(directory, ec))
      if (is_listed(e.path().filename().string()) || is_listed(e.path().string())) add(e.path().string());
  }
  void add_listed_places() {
    const auto all = policy_.executables();
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (all[i].value != 0 && all.place(i).starts_with('/')) add(std::string(all.place(i)));
  }
  /// Adds a file, its interpreters and their loaders.
  void add(const std::string& file) {
    if (!keep(file)) return;
    for (const std::string& interpreter : shim::interpreters_of(file))
      if (policy_.interpreters || !guard::is_interpreter(interpreter))
        if (const std::string loader = keep(interpreter) ? loader_of(interpreter) : ""; !loader.empty())
          (void)keep(loader);
    if (const std::string loader = loader_of(file); !loader.empty()) (void)keep(loader);
  }
  [[nodiscard]] std::vector<std::string> take() const { return {files_.begin(), files_.end()}; }

private:
  [[nodiscard]] bool is_writable(std::string_view directory) const {
    return cordon::detail::is_replaceable(policy_, axis_id::files, std::string(directory) + "/x");
  }
  [[nodiscard]] bool passes_writable_link(const std::string& name) const {
    const std::vector<link_on_the_way> links = cordon::detail::follow(name).links;
    return std::any_of(links.begin(), links.end(), [&](const link_on_the_way& l) {
      return cordon::detail::is_replaceable(policy_, axis_id::files, l.place);
    });
  }
  [[nodiscard]] bool is_listed(const std::string& name) const { return policy_.executables().lookup(name) != 0; }
  /// Returns: false if the policy's files do not allow it to be run.
  [[nodiscard]] bool keep(const std::string& name) {
    std::error_code ec;
    const fs::path real = fs::canonical(name, ec);
    // A file that may not also be read cannot be run under any mechanism.
    const rights allowed = rights::from_bits(policy_.files().lookup(real.string()));
    if (ec || !fs::is_regular_file(real, ec) || !allowed.has(right::run) || !allowed.has(right::read)) return false;
    if (real != name && passes_writable_link(name)) return false;
    files_.insert(real.string());
    return true;
  }

  const loaded_policy& policy_;
  std::set<std::string> files_;
};

} // namespace

std::optional<std::vector<std::string>> listed_programs(const loaded_policy& p, std::string_view search,
                                                        const std::string& started) {
  if (p.is_any<axis_id::executables>()) return {};
  collection all(p);
  std::set<std::string, std::less<>> directories;
  for (std::string_view rest = search; !rest.empty();) {
    const std::size_t end = rest.find(':');
    if (rest.starts_with('/')) directories.emplace(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  for (const std::string_view d : preset_places::programs(platform::linux_)) directories.emplace(d);
  for (const std::string& d : directories) all.add_directory(d);
  all.add_listed_places();
  if (!started.empty()) all.add(started);
  return all.take();
}

void state_listed_programs(std::vector<reported_gap>& to, const loaded_policy& p, bool narrowed) {
  const bool lists = !p.is_any<axis_id::executables>();
  if (lists && !narrowed) to.push_back(gap_of(run_gaps::guard_children));
  if (lists && narrowed) to.push_back(gap_of(run_gaps::guard_code));
  if (!lists && !p.interpreters) to.push_back(gap_of(run_gaps::guard_interpreters));
}

} // namespace cordon::linux_shim
