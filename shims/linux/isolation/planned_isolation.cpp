// SPDX-License-Identifier: BSL-1.0
#include "planned_isolation.hpp"

#include "../../posix/pipe.hpp"
#include "../files/memory_file.hpp"
#include "own_view.hpp"
#include "reaper_image.hpp"
#include "view_writer.hpp"

#include <cordon/policy/default_devices.hpp>
#include <cordon/policy/preset.hpp>
#include <cordon/run/resolve.hpp>

#include <utility>

namespace cordon::linux_shim {
namespace {

[[nodiscard]] descriptor make_lifeline() {
  shim::pipe_ends ends = shim::make_pipe();
  (void)ends.to.release(); // it stays open until this process ends
  return std::move(ends.from);
}

/// The private paths of a view, apart from its devices, and a process's rights there. Device commands are allowed only
/// on terminals, which are new.
struct private_place {
  std::string_view place;
  rights allowed;
  std::uint32_t more = 0;
};
constexpr private_place private_places[]{
    {"/proc", right::read | right::list},
    {"/dev", right::list},
    {"/dev/pts", right::read | right::write | right::list, landlock::IOCTL_DEV},
    {mounts::own_shared_memory, verb::everything},
    {mounts::own_queues, right::read | right::write | right::list | right::create | right::remove},
    {mounts::own_temp, verb::everything},
    {mounts::own_run, verb::everything},
};

} // namespace

planned_isolation::planned_isolation(const on_linux::rules<heap>& rules, const view_options& options)
    : view_(std::in_place, rules.view, options), user_map_(id_map(::geteuid())), group_map_(id_map(::getegid())) {
  plan(rules, options.temp);
  it_.network = rules.view.network != namespaces::network_mode::host;
  it_.loopback = it_.network && rules.calls.network;
  it_.view = view_->steps();
  it_.user_map = user_map_.c_str();
  it_.group_map = group_map_.c_str();
}

planned_isolation::planned_isolation(const on_linux::rules<heap, on_linux::bwrap_view>& rules,
                                     const view_options& options)
    : wrapper_(std::in_place, rules.view, options) {
  plan(rules, options.temp);
  it_.by = &wrapper_->get();
}

template <class View> void planned_isolation::plan(const on_linux::rules<heap, View>& rules, const std::string& temp) {
  if (rules.files.abi > 0) {
    it_.ruleset = {landlock::handled(rules.files.abi), 0, landlock::scoped(rules.files.abi)};
    it_.ruleset_size = landlock::ruleset_size(rules.files.abi);
    add_rules(rules.files, temp);
    add_private_rules(rules.files, mounts::view(rules.view.mounts));
  }
  it_.keyring = rules.calls.lifts(ability::keyring);
  it_.rules = rules_;
  it_.reaper = reaper_program();
  it_.lifeline = linux_shim::lifeline();
}

void planned_isolation::add_private_rules(const landlock::rules<heap>& files, mounts::list shown) {
  // A program could otherwise write a file to a private path and execute it there.
  const std::uint32_t never = landlock::runs_what_is_written(files) ? 0U : std::uint32_t{landlock::EXECUTE};
  const auto add = [this, kept = landlock::handled(files.abi) & ~never,
                    abi = files.abi](std::string_view place, rights allowed, std::uint32_t more) {
    // A mount of the machine's in a private directory has the rights of its rule too, and may hold another program's
    // socket. Sockets of the run need no right.
    const std::uint32_t bits = (landlock::access_of(allowed - right::connect, abi) | more) & kept;
    rules_.push_back({place.data(), landlock::for_inode(bits, allowed.has(right::list))});
  };
  for (const private_place& own : private_places)
    if (!mounts::is_own_directory(own.place) || mounts::has_own(shown, own.place)) // else the host's
      add(own.place, own.allowed, own.more);
  for (const default_device& d : default_devices)
    add(d.place, d.allowed_in_view, d.terminal ? std::uint32_t{landlock::IOCTL_DEV} : 0U);
}

void planned_isolation::add_rules(const landlock::rules<heap>& files, const std::string& temp) {
  const auto grants = files.view(files.grants);
  for (std::uint32_t i = 0; i < grants.size(); ++i) {
    const std::string& place =
        texts_.emplace_back(grants.place(i) == run_temp ? std::string_view(temp) : grants.place(i));
    const found_inode there = look(place);
    if (there.what == file_type::absent) continue;
    const std::uint32_t bits = landlock::for_inode(grants[i].value, sure(there, place).what == file_type::directory);
    if (bits != 0) rules_.push_back({place.c_str(), bits});
  }
}

void planned_isolation::narrow_to(const std::vector<std::string>& programs) {
  if (it_.ruleset_size == 0) return;
  for (own_rule& r : rules_) r.access &= ~std::uint64_t{landlock::EXECUTE};
  std::erase_if(rules_, [](const own_rule& r) { return r.access == 0; });
  for (const std::string& program : programs)
    rules_.push_back({texts_.emplace_back(program).c_str(), landlock::EXECUTE});
  it_.rules = rules_;
}

std::string id_map(unsigned outside) {
  return std::to_string(id_inside(outside)) + " " + std::to_string(outside) + " 1\n";
}

int reaper_program() {
  static const descriptor file = own_program(reaper_image, "the program that reaps in a pid namespace");
  return file.get();
}

int lifeline() {
  static const descriptor end = make_lifeline();
  return end.get();
}

} // namespace cordon::linux_shim
