// SPDX-License-Identifier: BSL-1.0
#include "crowd.hpp"
#include "dice.hpp"
#include "effort.hpp"
#include "holds.hpp"
#include "plain_policy.hpp"

#include <cordon.hpp>
#include <cordon/backend/mounts/compile.hpp>
#include <cordon/policy/heap.hpp>

#include <string>

namespace backend_mounts_test {

using namespace cordon;
using namespace cordon::dsl;
using mounts::file_type;
using mounts::mount_access;

namespace {

using small = basic_policy<fixed_storage<32, 512>>;

constexpr gap_type words[]{mounts::not_readable("m.blind"), mounts::partial("m.part"),    mounts::mount_point("m.busy"),
                           mounts::private_tree("m.own"),   mounts::connect("m.connect"), mounts::run("m.run")};

template <class S> struct made {
  S mounts{};
  gap_list<S> gaps{};
  bool fits = false;
  [[nodiscard]] constexpr mounts::list view() const { return mounts::view(mounts); }
};
template <class S> constexpr made<S> view_of(const basic_policy<S>& p, bool noexec = true) {
  made<S> m;
  m.fits = mounts::compile(p.files(), {words[0], words[1], words[2], words[3], words[4], noexec ? nullptr : &words[5]},
                           m.mounts, m.gaps);
  return m;
}

struct line {
  std::string_view place;
  mount_access directory;
  bool bind_to_itself = false;
};
template <class S> constexpr bool is_list(const made<S>& m, std::initializer_list<line> lines) {
  std::uint32_t i = 0;
  for (const line& l : lines) {
    const mounts::list all = m.view();
    if (i == all.size() || all.place(i) != l.place) return false;
    const mounts::mount x = mounts::at(all, i++);
    if (x.directory != l.directory || x.bind_to_itself != l.bind_to_itself) return false;
  }
  return i == m.view().size();
}

constexpr auto of(rights r, bool noexec = true) { return mounts::mount_for(r, {noexec}); }
constexpr rights most = right::read | right::list | right::write | right::create | right::remove;

constexpr auto job = view_of(policy_of<small>({can_run("/usr"), can_write("/w"), can_read("/w/.git/hooks"),
                                               can_read("/w/.git/config"), hidden("/w/key"), can_read("/etc")}));

constexpr bool may(right what, std::string_view place) { return mounts::permits(job.view(), what, place); }

constexpr auto partial = view_of(policy_of<small>({grant("/f", right::read), grant("/s", right::connect),
                                                   grant("/d", verb::read | right::write | right::attributes)}));
constexpr bool says(right what, std::string_view place, file_type i) {
  return mounts::permits(partial.view(), what, place, i);
}

} // namespace

TEST_CASE("mounts: rights become the most permissive mount that does not exceed them") {
  HOLDS(of(verb::hide).directory == mount_access::hidden && of(verb::hide).file == mount_access::hidden &&
        !of(verb::hide).socket);
  HOLDS(of(verb::read).directory == mount_access::read_only_noexec &&
        of(verb::read).file == mount_access::read_only_noexec);
  HOLDS(of(verb::run).directory == mount_access::read_only);
  HOLDS(of(verb::write).directory == mount_access::writable);
  HOLDS(of(verb::write - right::run).directory == mount_access::writable_noexec);
  HOLDS(of(most).directory == mount_access::read_only_noexec);
  HOLDS(of(right::read).directory == mount_access::hidden && of(right::read).file == mount_access::read_only_noexec);
  HOLDS(of(right::list).file == mount_access::hidden && of(right::list).directory == mount_access::hidden);
  HOLDS(of(right::run).file == mount_access::hidden);
  HOLDS(of(right::read | right::write).file == mount_access::read_only_noexec);
  HOLDS(of(right::read | right::write | right::attributes).file == mount_access::writable_noexec);
  HOLDS(of(right::connect).socket && of(right::connect).directory == mount_access::hidden);
  HOLDS(!of(verb::write).socket);
}

TEST_CASE("mounts: without noexec, a readable path can be executed") {
  HOLDS(of(verb::read, false).directory == mount_access::read_only);
  HOLDS(of(verb::write - right::run, false).directory == mount_access::writable);
  HOLDS(of(right::run, false).directory == mount_access::hidden);
}

TEST_CASE("mounts: a mount permits no more than granted, and fewer rights never permit more") {
  for (const bool noexec : {true, false})
    for (unsigned a = 0; a < 256; ++a) {
      const rights r = rights::from_bits(a);
      const mounts::mount m = of(r, noexec);
      const rights leaks = noexec ? rights(right::connect) : right::connect | right::run;
      const rights for_file = right::list | right::create | right::remove;
      CHECK(mounts::rights_of(m.directory) - leaks <= r);
      CHECK(mounts::rights_of(m.file) - leaks - for_file <= r);
      CHECK(m.socket == r.has(right::connect));
      CHECK(mounts::mount::from_bits(m.bits()).bits() == m.bits());
      for (unsigned b = 0; b < 256; ++b) {
        if ((a & b) != a) continue;
        const mounts::mount more = of(rights::from_bits(b), noexec);
        CHECK((m.directory & more.directory) == m.directory);
        CHECK((m.file & more.file) == m.file);
      }
    }
}

TEST_CASE("mounts: each path with other rights is a mount, parents first and pinned if writable") {
  HOLDS(job.fits);
  HOLDS(is_list(job, {{"/etc", mount_access::read_only_noexec},
                      {"/usr", mount_access::read_only},
                      {"/w", mount_access::writable},
                      {"/w/.git", mount_access::writable, true},
                      {"/w/.git/config", mount_access::read_only_noexec},
                      {"/w/.git/hooks", mount_access::read_only_noexec},
                      {"/w/key", mount_access::hidden}}));
  constexpr auto nested =
      view_of(policy_of<small>({can_read("/r"), can_write("/r/a/b"), can_read("/r/a/b/c/d/e"), hidden("/r/a/b/c/d/f"),
                                can_write("/r/a/b/c/d/e/g"), hidden("/n")}));
  HOLDS(is_list(nested, {{"/r", mount_access::read_only_noexec},
                         {"/r/a/b", mount_access::writable},
                         {"/r/a/b/c", mount_access::writable, true},
                         {"/r/a/b/c/d", mount_access::writable, true},
                         {"/r/a/b/c/d/e", mount_access::read_only_noexec},
                         {"/r/a/b/c/d/e/g", mount_access::writable},
                         {"/r/a/b/c/d/f", mount_access::hidden}}));
  HOLDS(nested.view().parent(4) == 3 && nested.view().parent(6) == 3 && nested.view().parent(5) == 4 &&
        nested.view().parent(0) == no_slot);
}

TEST_CASE("mounts: a path whose rights need no other mount gets none of its own") {
  constexpr auto same = view_of(policy_of<small>(
      {can_write("/w"), grant("/w/a", verb::everything), can_read("/w/a/b"), grant("/r", verb::read | right::write),
       grant("/r/x", verb::read | right::create), hidden("/r/y"), grant("/r/y/z", right::list)}));
  HOLDS(is_list(same, {{"/r", mount_access::read_only_noexec},
                       {"/r/y", mount_access::hidden},
                       {"/w", mount_access::writable},
                       {"/w/a", mount_access::writable, true},
                       {"/w/a/b", mount_access::read_only_noexec}}));
  HOLDS(view_of(policy_of<small>({})).view().empty());
  HOLDS(is_list(
      view_of(policy_of<small>({can_read("/"), hidden("/h"), can_run("/h/r")})),
      {{"/", mount_access::read_only_noexec}, {"/h", mount_access::hidden}, {"/h/r", mount_access::read_only}}));
}

TEST_CASE("mounts: the deepest mount decides, and a path without a mount does not exist") {
  HOLDS(may(right::write, "/w") && may(right::create, "/w/new") && may(right::attributes, "/w/a/b"));
  HOLDS(may(right::read, "/w/.git/hooks/x") && !may(right::write, "/w/.git/hooks/x") &&
        !may(right::run, "/w/.git/hooks/x"));
  HOLDS(!may(right::create, "/w/.git/hooks") && !may(right::remove, "/w/.git/hooks"));
  HOLDS(may(right::create, "/w/.git/index") && may(right::remove, "/w/.git"));
  HOLDS(!may(right::read, "/w/key") && !may(right::list, "/w/key/x") && !may(right::connect, "/w/key"));
  HOLDS(!may(right::create, "/w") && !may(right::remove, "/w") && may(right::run, "/w/x"));
  HOLDS(!may(right::list, "/") && !may(right::read, "/usrx") && may(right::connect, "/usr/s"));
  HOLDS(may(right::run, "/usr/bin/cc") && !may(right::run, "/etc/rc") && may(right::read, "/etc/rc"));
  constexpr auto all = view_of(policy_of<small>({grant("/", verb::everything)}));
  HOLDS(mounts::permits(all.view(), right::create, "/x") && !mounts::permits(all.view(), right::create, "/"));
}

TEST_CASE("mounts: an answer that depends on the file type needs the type") {
  HOLDS(!says(right::read, "/f", file_type::unknown) && says(right::read, "/f", file_type::file));
  HOLDS(!says(right::read, "/f", file_type::directory) && !says(right::read, "/f/x", file_type::file));
  HOLDS(says(right::connect, "/s", file_type::socket) && !says(right::connect, "/s", file_type::file));
  HOLDS(!says(right::connect, "/f", file_type::socket) && !says(right::write, "/s", file_type::socket));
  HOLDS(says(right::write, "/d", file_type::file) && !says(right::write, "/d", file_type::unknown));
  HOLDS(!says(right::write, "/d/x", file_type::file));
}

TEST_CASE("mounts: rights that mounts cannot express are gaps at their path") {
  HOLDS(job.gaps.has("m.busy", "/w") && job.gaps.has("m.busy", "/w/.git") && !job.gaps.has("m.busy", "/w/.git/hooks"));
  HOLDS(job.gaps.has("m.connect") && !job.gaps.has("m.run", "/etc") && job.gaps.size() == 3);
  constexpr auto some = view_of(policy_of<small>({grant("/f", right::read), grant("/d", verb::read | right::write),
                                                  grant("/r", verb::read | right::connect), hidden("/d/h")}),
                                false);
  HOLDS(some.gaps.has("m.blind", "/f") && some.gaps.has("m.part", "/d") && !some.gaps.has("m.blind", "/d/h"));
  HOLDS(some.gaps.has("m.run", "/d") && some.gaps.has("m.run", "/r") && !some.gaps.has("m.run", "/d/h"));
  HOLDS(!view_of(policy_of<small>({grant("/r", verb::run | right::connect)}), false).gaps.any_unenforced());
  HOLDS(!view_of(policy_of<small>({grant("/f", right::read)})).gaps.has("m.connect"));
  HOLDS(view_of(policy_of<small>({can_read("/")})).gaps.has("m.own", "/proc"));
  HOLDS(view_of(policy_of<small>({can_read("/dev/sda")})).gaps.has("m.own", "/dev"));
  HOLDS(!view_of(policy_of<small>({can_read("/dev/kvm")})).gaps.has("m.own", "/dev"));
  HOLDS(!view_of(policy_of<small>({can_read("/"), hidden("/proc")})).gaps.has("m.own", "/proc"));
  HOLDS(!job.gaps.has("m.own", "/proc"));
}

template <class S> constexpr bool is_made(const basic_policy<S>& p, std::string_view place) {
  const auto m = view_of(p);
  const std::uint32_t i = m.view().find(place);
  return m.view().place(i) == place && mounts::is_made(m.view(), i, mounts::at(m.view(), i).directory);
}

TEST_CASE("mounts: /run is the run's own unless the policy shows it, and so is its other name") {
  constexpr auto own = [](std::initializer_list<clause> clauses) {
    return mounts::has_own(view_of(policy_of<small>(clauses)).view(), mounts::own_run);
  };
  constexpr auto other = [](std::initializer_list<clause> clauses) {
    return mounts::wants_var_run(view_of(policy_of<small>(clauses)).view());
  };
  HOLDS(own({can_read("/usr")}) && own({can_read("/run/x")}) && own({can_read("/"), hidden("/run")}));
  HOLDS(!own({can_read("/run")}) && !own({can_read("/")}));
  HOLDS(other({can_read("/usr")}) && other({can_read("/var/tmp")}));
  HOLDS(!other({can_read("/var")}) && !other({can_read("/var/run/x")}) && !other({can_read("/run")}));
  HOLDS(!is_made(policy_of<small>({can_read("/"), hidden("/run")}), "/run"));
  constexpr auto below = view_of(policy_of<small>({can_read("/"), hidden("/run"), can_read("/run/x")}));
  HOLDS(mounts::is_in_own_memory(below.view(), "/run/x") && !mounts::is_in_own_memory(below.view(), "/tmp/x"));
  HOLDS(mounts::is_in_own_memory(below.view(), "/dev/shm/x") && !mounts::is_in_own_memory(below.view(), "/usr"));
}

TEST_CASE("mounts: a private /dev shows the devices that a policy can grant, if it names them") {
  constexpr auto named =
      policy_of<small>({can_write("/dev/kvm"), can_write("/dev/dri"), hidden("/dev/dri/card0"),
                        can_write("/dev/nvidia0"), can_write("/dev/net/tun"), can_write("/dev/kvms")});
  HOLDS(is_made(named, "/dev/kvm") && is_made(named, "/dev/dri") && is_made(named, "/dev/nvidia0"));
  HOLDS(is_made(named, "/dev/dri/card0") && !is_made(named, "/dev/net/tun") && !is_made(named, "/dev/kvms"));
  HOLDS(!is_made(policy_of<small>({can_write("/dev")}), "/dev"));
  // Neither a mount nor Landlock could keep it from being written.
  HOLDS(!is_made(policy_of<small>({can_write("/dev"), can_read("/dev/kvm")}), "/dev/kvm"));
  constexpr auto inside = view_of(policy_of<small>({can_write("/dev/dri"), can_read("/dev/dri/card0")}));
  HOLDS(!mounts::permits(inside.view(), right::read, "/dev/dri/card0") && inside.gaps.has("m.blind", "/dev/dri/card0"));
  HOLDS(mounts::permits(inside.view(), right::read, "/dev/dri/card1"));
  HOLDS(!is_made(policy_of<small>({can_write("/"), hidden("/dev/kvm")}), "/dev/kvm"));
}

TEST_CASE("mounts: the run's own mounts") {
  constexpr auto granted = policy_of<small>({can_write("/proc"), can_read("/proc/cpuinfo"), can_write("/dev/sda"),
                                             can_write("/tmp"), can_write("/dev/shm/w"), hidden("/dev/shm/w/h")});
  HOLDS(!is_made(granted, "/proc") && !is_made(granted, "/proc/cpuinfo") && !is_made(granted, "/dev/sda"));
  HOLDS(is_made(granted, "/tmp") && is_made(granted, "/dev/shm/w") && is_made(granted, "/dev/shm/w/h"));
  constexpr auto taken = policy_of<small>({can_write("/"), hidden("/proc/kcore"), hidden("/dev/x"), hidden("/tmp"),
                                           hidden("/dev/shm/h"), hidden("/device")});
  HOLDS(!is_made(policy_of<small>({can_write("/"), hidden("/proc")}), "/proc") && is_made(taken, "/proc/kcore") &&
        !is_made(taken, "/dev/x"));
  HOLDS(!is_made(taken, "/tmp") && !is_made(taken, "/dev/shm/h") && is_made(taken, "/device"));
  // The directories on the path are pinned in a writable directory, which is missing here.
  HOLDS(!is_made(policy_of<small>({can_write("/dev"), hidden("/dev/shm/o/x")}), "/dev/shm/o/x"));
  constexpr auto bin = mounts::usr_links[0], lib = mounts::usr_links[2];
  HOLDS(mounts::wants(job.view(), bin) && mounts::wants(job.view(), lib));
  constexpr auto own =
      view_of(policy_of<small>({can_run("/usr"), can_run("/bin/sh"), hidden("/usr/lib"), can_read("/lib64")}));
  HOLDS(!mounts::wants(own.view(), bin) && !mounts::wants(own.view(), lib) &&
        mounts::wants(own.view(), mounts::usr_links[1]));
  HOLDS(!mounts::wants(view_of(policy_of<small>({can_read("/")})).view(), bin));
  HOLDS(!mounts::wants(view_of(policy_of<small>({can_read("/etc")})).view(), bin));
  HOLDS(mounts::wants(view_of(policy_of<small>({can_read("/usr/bin/sh")})).view(), bin));
}

TEST_CASE("mounts: a view that does not fit its storage is an error") {
  constexpr auto crowded =
      policy_of<basic_policy<fixed_storage<8, 64>>>({can_write("/a"), hidden("/a/b/c/d/e/f/g/h/i/j/k")});
  HOLDS(!view_of(crowded).fits);
  // The gaps alone would fit.
  constexpr auto deep = policy_of<basic_policy<fixed_storage<20, 2000>>>(
      {can_write("/w"), hidden("/w/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/p"), hidden("/w/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/q"),
       hidden("/w/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/r"), hidden("/w/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/s"),
       hidden("/w/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/t"), hidden("/w/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/u")});
  HOLDS(!view_of(deep).fits && view_of(deep).gaps.size() == 17);
}

TEST_CASE("mounts: random policies agree with the table of rights at every path") {
  const plain::world& w = plain::paths();
  for (int seed = 0; seed < effort(2000); ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    plain::policy p = plain::random(d);
    constexpr auto files = static_cast<std::size_t>(axis_id::files);
    // More of those sets that lead to different mounts than a uniform choice has.
    constexpr plain::value usual[]{0x03, 0x07, 0x7F, 0x7B, 0xFB, 0x00, 0x01, 0x80, 0x49, 0x4D};
    for (auto& item : p.entries[files].items) item.v = d.percent(80) ? d.one_of(usual) : item.v;
    p.settle();
    const auto policy = plain::made<basic_policy<fixed_storage<80, 800>>>(p);
    for (const bool noexec : {true, false}) {
      const auto m = view_of(policy, noexec);
      REQUIRE(m.fits);
      for (std::size_t place = 0; place < w.places.size(); ++place)
        for (unsigned i = 0; i < right_names.size(); ++i) {
          const auto what = static_cast<right>(i);
          const auto access_of = [&](std::size_t at) {
            return of(rights::from_bits(p.parts[files][at]), noexec).directory;
          };
          mount_access k = access_of(place);
          if (what == right::create || what == right::remove) {
            const std::string parent(path::parent(w.places[place]));
            std::size_t best = 0;
            for (std::size_t at = 0; at < w.named; ++at)
              for (const auto& item : p.entries[files])
                if (item.at == at && (w.places[at] == "/" || parent == w.places[at] ||
                                      parent.compare(0, w.places[at].size() + 1, w.places[at] + "/") == 0))
                  best = at;
            bool covered = false;
            for (const auto& item : p.entries[files]) covered = covered || (item.at == best && w.covers[best][place]);
            k = place == 0 || !covered ? mount_access::hidden : k & access_of(best);
          }
          const std::string question = std::string(right_names[i]) + " " + w.places[place];
          CAPTURE(seed);
          CAPTURE(question);
          CHECK(mounts::permits(m.view(), what, w.places[place]) == mounts::rights_of(k).has(what));
        }
    }
  }
}

TEST_CASE("mounts: no directory between a writable mount and a nested one can be renamed") {
  for (int seed = 0; seed < effort(500); ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const auto m = view_of(plain::made<basic_policy<fixed_storage<80, 800>>>(plain::random(d)));
    for (std::uint32_t i = 0; i < m.view().size(); ++i) {
      const std::string_view place = m.view().place(i);
      if (place == "/" || !mounts::is_writable(mounts::access_at(m.view(), path::parent(place)))) continue;
      const std::uint32_t up = m.view().parent(i);
      CHECK(up != no_slot);
      CHECK(m.view().place(up) == path::parent(place));
    }
  }
}

TEST_CASE("mounts: a hundred thousand grants are compiled quickly") {
  const loaded_policy p = crowd::policy();
  decltype(view_of(p)) m;
  CHECK(crowd::is_quick([&] { m = view_of(p); }));
  CHECK(m.fits);
  CHECK(m.view().size() == 100'301);
}

} // namespace backend_mounts_test
