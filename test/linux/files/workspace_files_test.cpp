// SPDX-License-Identifier: BSL-1.0
#include "opening.hpp"

#include "holds.hpp"

#include <cordon/policy/widen.hpp>

#include <algorithm>
#include <fcntl.h>
#include <memory>
#include <type_traits>

namespace files_workspace_files_test {

using namespace opening;

namespace {

constexpr auto constant = [](auto... entries) {
  basic_policy<fixed_storage<16, 256>> p;
  p.level = level::workspace_write;
  (void)p.write_any<axis_id::capabilities>();
  (void)p.write<axis_id::workspace>([&](auto& out) { (out.add(entries), ...); });
  return p;
};
constexpr auto grant_of = [](std::string_view place, rights r) { return entry{place, r.bits(), {}}; };

constexpr auto moving = constant(grant_of("/w", verb::write), grant_of("/w/fixed", verb::read),
                                 grant_of("/w/sub/key", verb::hide), grant_of("/w/drop", right::create | right::remove),
                                 grant_of("/w/in", right::create | right::remove | right::read),
                                 grant_of("/w/out", right::read | right::remove));

constexpr bool moves(std::string_view from, std::string_view to) { return may_move(moving, from, to).allowed(); }

} // namespace

TEST_CASE("workspace files: look needs the level, a capability and any right at the path") {
  HOLDS(may_look(moving, "/w/a").allowed());
  HOLDS(may_look(moving, "/w/drop/a").allowed());
  HOLDS(!may_look(moving, "/w/sub/key").allowed());
  HOLDS(!may_look(moving, "/x").allowed());
  HOLDS(may_look(moving, "/w/").ruling == ruling::malformed);
  constexpr auto without = [](auto change) {
    auto p = moving;
    change(p);
    return may_look(p, "/w/a").axis;
  };
  HOLDS(without([](auto& p) { p.level = level::none; }) == axis::level);
  constexpr auto with_capability = [](std::string_view c) {
    basic_policy<fixed_storage<16, 256>> p;
    p.level = level::read_only;
    (void)p.write<axis_id::capabilities>([&](auto& out) { out.add({c, 1, {}}); });
    (void)p.write<axis_id::workspace>([](auto& out) { out.add({"/w", 1, {}}); });
    return may_look(p, "/w/a");
  };
  HOLDS(with_capability(capability::exists).allowed());
  HOLDS(with_capability(capability::list).axis == axis::capabilities);
  HOLDS(!with_capability(capability::list).allowed());
}

TEST_CASE("workspace files: a move that would give a file more rights is refused") {
  HOLDS(moves("/w/a", "/w/b"));
  HOLDS(!moves("/w/fixed/a", "/w/b"));
  HOLDS(!moves("/w/a", "/w/fixed/b"));
  HOLDS(!moves("/w/a", "/w/out/b"));
  HOLDS(moves("/w/a", "/w/drop/a"));
  HOLDS(!moves("/w/drop/a", "/w/a"));
  HOLDS(moves("/w/in/a", "/w/drop/a"));
  HOLDS(!moves("/w/drop/a", "/w/in/a"));
  HOLDS(may_move(moving, "/w/drop/a", "/w/a").clause.place == "/w");
}

TEST_CASE("workspace files: a path with rights of its own cannot be moved along or replaced") {
  HOLDS(!moves("/w/sub", "/w/other"));
  HOLDS(!moves("/w/other", "/w/sub"));
  HOLDS(moves("/w/sub/a", "/w/other"));
  HOLDS(may_move(moving, "/w/sub", "/w/other").clause.place == "/w/sub/key");
  HOLDS(moves("/w/subs", "/w/su"));
}

TEST_CASE("workspace files: a writable directory allows every operation") {
  both_ways([](const tree& t, lookup how) {
    const workspace_files o(t.policy(), how);
    CHECK(content(o.read(t.at("work/a/file"))) == "inside");
    CHECK(put(o.write(t.at("work/a/file")), "IN"));
    CHECK(content(t.at("work/a/file")) == "INside");
    CHECK(put(o.append(t.at("work/a/file")), "!"));
    CHECK(content(t.at("work/a/file")) == "INside!");
    CHECK(put(o.write(t.at("work/a/file"), workspace_files::content::drop), "new"));
    CHECK(content(t.at("work/a/file")) == "new");
    CHECK(put(o.create(t.at("work/a/made"), workspace_files::existing::refuse, 0600), "made"));
    CHECK(content(t.at("work/a/made")) == "made");
    CHECK(o.look(t.at("work/a/made"))->mode == 0600);
    CHECK(put(o.create(t.at("work/a/made"), workspace_files::existing::replace), "x"));
    CHECK(content(t.at("work/a/made")) == "x");
    o.make_directory(t.at("work/a/dir"));
    o.copy(t.at("work/fixed/file"), t.at("work/a/dir/copy"));
    CHECK(content(t.at("work/a/dir/copy")) == "inside");
    o.rename(t.at("work/a/made"), t.at("work/a/dir/moved"));
    CHECK_FALSE(o.exists(t.at("work/a/made")));
    auto names = o.list(t.at("work/a/dir"));
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    REQUIRE(names.size() == 2);
    CHECK((names[0].name == "copy" && names[1].name == "moved"));
    CHECK(names[0].type == workspace_files::entry_type::file);
    o.set_attributes(t.at("work/a/dir/copy"), {.mode = 0640, .accessed = {}, .modified = -1'500'000'000});
    const auto seen = o.look(t.at("work/a/dir/copy"));
    CHECK((seen->mode == 0640 && seen->modified == -1'500'000'000 && seen->size == 6 && seen->links == 1));
    CHECK(error_of([&](problem& p) { o.remove_directory(t.at("work/a/dir"), p); }) == ENOTEMPTY);
    o.remove(t.at("work/a/dir/copy"));
    o.remove(t.at("work/a/dir/moved"));
    o.remove_directory(t.at("work/a/dir/"));
    o.remove_tree(t.at("work/a"));
    CHECK_FALSE(o.exists(t.at("work/a")));
    CHECK(o.exists(t.at("work")));
  });
}

TEST_CASE("workspace files: level, capabilities and profile are checked") {
  const tree t;
  const grants all{{t.at("work"), verb::write}};
  const workspace_files reader(tools(all, level::read_only));
  CHECK(content(reader.read(t.at("work/a/file"))) == "inside");
  problem p;
  (void)reader.append(t.at("work/a/file"), p);
  CHECK(p.text == "write at " + t.at("work/a/file") + " is refused: level read_only does not reach that far");
  CHECK((p.refused && p.wanted == right::write));

  loaded_policy few;
  few.level = level::read_only;
  (void)few.write<axis_id::capabilities>([](auto& out) { out.add({capability::read_text, 1, {}}); });
  (void)few.write<axis_id::workspace>([&](auto& out) { out.add({t.at("work"), verb::write.bits(), {}}); });
  few.profile = profile::unrestricted;
  const workspace_files anywhere(few);
  CHECK(content(anywhere.read(t.at("outside/secret"))) == "outside");
  (void)anywhere.exists(t.at("work"), p);
  CHECK(p.text.find("capability workspace.exists") != p.text.npos);
  few.profile = profile::worktree;
  CHECK(refuses(
      [&](problem& e) { (void)workspace_files(few).read(t.at("outside/secret"), workspace_files::kinds::regular, e); },
      t.at("outside/secret")));
}

TEST_CASE("workspace files: an operation without a problem argument throws") {
  const tree t;
  const workspace_files o(t.policy());
  try {
    (void)o.read(t.at("work/key/file"));
    FAIL("nothing was thrown");
  } catch (const workspace_files::file_error& e) {
    CHECK(e.code() == std::errc::permission_denied);
    CHECK((e.why().refused && e.why().place == t.at("work/key/file") && e.why().wanted == right::read));
    CHECK(std::string(e.what()).find("the workspace allows nothing at " + t.at("work/key")) != std::string::npos);
  }
  CHECK_THROWS_AS(o.remove(t.at("work/none")), workspace_files::file_error);
  CHECK_THROWS_AS(o.remove(t.at("work/none")), cordon::error);
  problem p{std::make_error_code(std::errc::io_error)};
  CHECK(o.exists(t.at("work/a"), p));
  CHECK_FALSE(p);
}

TEST_CASE("workspace files: copies of an error have its problem for as long as one of them lives") {
  using file_error = workspace_files::file_error;
  static_assert(std::is_nothrow_copy_constructible_v<file_error> && std::is_nothrow_copy_assignable_v<file_error>);
  const auto error_at = [](const char* place) {
    return std::make_unique<file_error>(
        problem{std::make_error_code(std::errc::io_error), true, place, right::read, std::string(100, 'x')});
  };
  auto first = error_at("/a"), other = error_at("/b");
  const file_error copy = *first; // NOLINT(performance-unnecessary-copy-initialization): of an object that goes
  CHECK(&copy.why() == &first->why());
  *first = *first;
  *first = *other;
  CHECK(first->why().place == "/b");
  first.reset();
  CHECK(other->why().place == "/b");
  other.reset();
  CHECK(copy.why().place == "/a");
  CHECK(copy.code() == std::errc::io_error);
  CHECK(std::string(copy.what()).find(std::string(100, 'x')) == 0);
}

TEST_CASE("workspace files: FIFOs and devices are opened with kinds::any alone, without waiting") {
  both_ways([](const tree& t, lookup how) {
    const workspace_files o(t.policy(), how);
    REQUIRE(::mkfifo(t.at("work/fifo").c_str(), 0600) == 0);
    CHECK(refuses([&](problem& p) { (void)o.read(t.at("work/fifo"), workspace_files::kinds::regular, p); },
                  t.at("work/fifo")));
    CHECK(refuses([&](problem& p) { (void)o.append(t.at("work/fifo"), p); }, t.at("work/fifo")));
    CHECK(refuses([&](problem& p) { o.copy(t.at("work/fifo"), t.at("work/x"), workspace_files::existing::refuse, p); },
                  t.at("work/fifo")));
    CHECK(refuses([&](problem& p) { (void)o.create(t.at("work/fifo"), workspace_files::existing::replace, 0600, p); },
                  t.at("work/fifo")));
    CHECK(o.read(t.at("work/fifo"), workspace_files::kinds::any)); // does not wait for a writer
    CHECK(error_of([&](problem& p) { (void)o.read(t.at("work/a"), workspace_files::kinds::any, p); }) == EISDIR);
    if (::geteuid() == 0 && ::mknod(t.at("work/null").c_str(), S_IFCHR | 0600, 0x103) == 0) {
      CHECK(refuses([&](problem& p) { (void)o.read(t.at("work/null"), workspace_files::kinds::regular, p); },
                    t.at("work/null")));
    }
    const workspace_files over_dev(tools({{"/dev", verb::write}}), how);
    CHECK(refuses([&](problem& p) { (void)over_dev.read("/dev/zero", workspace_files::kinds::regular, p); },
                  "/dev/zero"));
    CHECK(content(over_dev.read("/dev/zero", workspace_files::kinds::any)).size() == 4096);
    CHECK(refuses([&](problem& p) { (void)o.read("/dev/null", workspace_files::kinds::any, p); }, "/dev/null"));
  });
}

TEST_CASE("workspace files: modes are permission bits alone") {
  const tree t;
  const workspace_files o(t.policy());
  CHECK(error_of([&](problem& p) { (void)o.create(t.at("work/x"), workspace_files::existing::refuse, 04755, p); }) ==
        EINVAL);
  CHECK(error_of([&](problem& p) { o.make_directory(t.at("work/x"), 02777, p); }) == EINVAL);
  CHECK(error_of([&](problem& p) {
          o.set_attributes(t.at("work/a"), {.mode = 01777, .accessed = {}, .modified = {}}, p);
        }) == EINVAL);
  CHECK_FALSE(o.exists(t.at("work/x")));
}

TEST_CASE("workspace files: an opened file is close-on-exec, and closed with its owner") {
  const tree t;
  const workspace_files o(t.policy());
  workspace_files::file f = o.append(t.at("work/a/file"));
  const int fd = f.native_handle();
  CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  CHECK((::fcntl(fd, F_GETFL) & (O_NONBLOCK | O_APPEND)) == O_APPEND);
  const workspace_files::file moved = std::move(f);
  CHECK(moved.native_handle() == fd);
  { workspace_files::file gone(::dup(fd)); }
  CHECK((o.create(t.at("work/new")) && ::fcntl(fd, F_GETFD) >= 0));
}

} // namespace files_workspace_files_test
