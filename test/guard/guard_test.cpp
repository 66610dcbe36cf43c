// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../host/lists.hpp"
#include "../vectors.hpp"
#include "guard_refused_rows.hpp"
#include "guard_rows.hpp"

#include <cordon/guard/guard.hpp>

#include <initializer_list>
#include <utility>

namespace guard_guard_test {

using namespace cordon;
using enum guard_code;
using guard_rows::row;

namespace {

constexpr guard::surroundings job{"/srv/job", "/srv/job"};

/// Names of executables, `any` among them, in the form of a policy.
template <class Storage> class listed {
public:
  constexpr explicit listed(std::string_view names) {
    (void)policy_.template write<axis_id::executables>([&](auto& to) {
      while (!names.empty()) {
        const std::size_t end = names.find(' ');
        const std::string_view name = names.substr(0, end);
        to.add({name == "any" ? "*" : name, 1, {}});
        names.remove_prefix(end == names.npos ? names.size() : end + 1);
      }
    });
  }
  [[nodiscard]] constexpr step_function<name_tree> view() const { return policy_.executables(); }

private:
  basic_policy<Storage> policy_;
};

/// The strings of a JSON array; supports the escapes that the tables use.
std::vector<std::string> strings_of(std::string_view json) {
  std::vector<std::string> all;
  for (std::size_t i = json.find('"'); i < json.size(); i = json.find('"', i + 1)) {
    std::string text;
    for (++i; json.at(i) != '"'; ++i) {
      if (json[i] != '\\') text += json[i];
      else if (json.at(++i) == 't') text += '\t';
      else if (json[i] == 'n') text += '\n';
      else if (std::string_view("\"\\/").find(json[i]) != json.npos) text += json[i];
      else throw std::runtime_error("an escape that this reader does not know");
    }
    all.push_back(text);
  }
  return all;
}

template <class Storage> constexpr bool is_answered(const row& r) {
  std::size_t size = 0;
  while (size != r.argv.size() && r.argv[size].data() != nullptr) ++size;
  const lists::axis<Storage> hosts(r.hosts);
  const listed<Storage> names(r.executables);
  const guard_finding f = check_guard(std::span(r.argv.data(), size), names.view(), r.interpreters, hosts.view(), job);
  return hosts.fine && f.code == r.verdict && f.argument == r.argument;
}

template <const auto& Rows, std::size_t I> constexpr bool proven() {
  static_assert(is_answered<fixed_storage<8, 200>>(Rows[I]));
  return true;
}
template <const auto& Rows, std::size_t... I> constexpr bool all_proven(std::index_sequence<I...>) {
  return (proven<Rows, I>() && ...);
}
/// Each row is proven by the compiler and executed too.
template <const auto& Rows> void check_rows() {
  static_assert(all_proven<Rows>(std::make_index_sequence<std::size(Rows)>{}));
  for (const row& r : Rows) {
    CAPTURE(&r - std::data(Rows));
    CAPTURE(r.argv[0]);
    CAPTURE(r.argv[1]);
    CHECK(is_answered<heap>(r));
  }
}

/// One check: every program is listed, every interpreter may run, no host is allowed.
constexpr guard_finding found(std::initializer_list<std::string_view> argv, const guard::surroundings& where = job) {
  constexpr slot any{0, 1, no_slot, 1};
  return check_guard(std::span(argv.begin(), argv.size()), {&any, 1, "*"}, true, {}, where);
}
constexpr guard_code code_of(std::initializer_list<std::string_view> argv, const guard::surroundings& where = job) {
  return found(argv, where).code;
}

/// The words that result when the word at index 1 is split.
constexpr bool splits(std::string_view text, std::initializer_list<std::string_view> into) {
  const std::string_view argv[]{"env", text, "last"};
  guard::words w(argv);
  w.split(1, 2, text);
  if (w.is_cut() || w.size() != into.size() + 2 || w[w.size() - 1].argument != 2) return false;
  for (std::size_t i = 0; i < into.size(); ++i)
    if (w[i + 1].text != into.begin()[i] || w[i + 1].argument != 1) return false;
  return w[0].text == "env" && w[w.size() - 1].text == "last";
}

} // namespace

TEST_CASE("guard: the table") {
  for (const vectors::row& row : vectors::table("guard.tsv", 75)) {
    CAPTURE(row.line());
    CAPTURE(row.raw("argv"));
    const std::vector<std::string> strings = strings_of(row.raw("argv"));
    const std::vector<std::string_view> argv(strings.begin(), strings.end());
    const listed<heap> names(row.text("executables"));
    const lists::large hosts(row.text("hosts"));
    CHECK(hosts.fine);
    const guard_finding f = check_guard(argv, names.view(), row.text("interpreters") == "yes", hosts.view(), job);
    CHECK(name(f.code) == row.text("verdict"));
    CHECK(f.argument < argv.size());
  }
}

TEST_CASE("guard: ordinary commands are fine under the strictest lists") { check_rows<guard_rows::ordinary>(); }
TEST_CASE("guard: interpreters that may run take scripts") { check_rows<guard_rows::scripts>(); }
TEST_CASE("guard: a refusal has its code and argument") { check_rows<guard_rows::refused>(); }

TEST_CASE("guard: an empty command line or argument passes") {
  HOLDS(check_guard(policy{}, {}).code == ok);
  HOLDS(code_of({""}) == ok);
  HOLDS(code_of({"ls", ""}) == ok);
  HOLDS(code_of({"ls", "=", "@", "-", "--", "--="}) == ok);
}

TEST_CASE("guard: the policy's lists of programs and hosts are checked") {
  constexpr std::string_view fetch[]{"curl", "https://example.com/"}, script[]{"bash", "../x"};
  basic_policy<fixed_storage<2, 8>> p;
  CHECK(check_guard(p, fetch).code == executable_refused);
  (void)p.write_any<axis_id::hosts>();
  CHECK(check_guard(p, fetch).code == executable_refused);
  (void)p.write_any<axis_id::executables>();
  CHECK(check_guard(p, fetch).code == ok);
  CHECK(check_guard(p, script).code == interpreter_refused);
  p.interpreters = true;
  CHECK(check_guard(p, script).code == ok);
  CHECK(check_guard(p, script, "/srv/job").code == path_leaves_workspace); // no file may be accessed
  basic_policy<fixed_storage<4, 32>> inside;
  (void)inside.write<axis_id::workspace>([](auto& out) { out.add({"/srv/job", verb::write.bits(), {}}); });
  (void)inside.write_any<axis_id::executables>();
  inside.interpreters = true;
  CHECK(check_guard(inside, script, "/srv/job").code == path_leaves_workspace);
  CHECK(check_guard(inside, script, "/srv/job/sub").code == ok);
  CHECK(check_guard(inside, script).code == ok);
  basic_policy<fixed_storage<8, 64>> of_files;
  (void)of_files.write<axis_id::workspace>([](auto& out) { out.add({"/srv/job", verb::write.bits(), {}}); });
  (void)of_files.write_any<axis_id::executables>();
  (void)of_files.write<axis_id::files>([](auto& out) {
    out.add({"/usr", verb::run.bits(), {}}), out.add({"/usr/x", 0, {}});
  });
  constexpr std::string_view granted[]{"ls", "/usr/bin"}, hidden[]{"ls", "/usr/x/a"}, other[]{"ls", "/etc"};
  CHECK(check_guard(inside, granted, "/srv/job").code == path_leaves_workspace);
  CHECK(check_guard(of_files, granted, "/srv/job").code == ok);
  CHECK(check_guard(of_files, hidden, "/srv/job").code == path_leaves_workspace);
  CHECK(check_guard(of_files, other, "/srv/job").code == path_leaves_workspace);
  (void)of_files.write_any<axis_id::workspace>();
  CHECK(check_guard(of_files, other, "/srv/job").code == path_leaves_workspace);
  CHECK(check_guard(of_files, granted, "/srv/job").code == ok);
  (void)of_files.write_any<axis_id::files>();
  CHECK(check_guard(of_files, other, "/srv/job").code == ok);
  basic_policy<fixed_storage<2, 8>> offline;
  (void)offline.write_any<axis_id::executables>();
  CHECK(check_guard(offline, fetch).code == host_refused);
}

TEST_CASE("guard: each code has a name and a reason") {
  for (std::size_t i = 0; i < guard_code_names.size(); ++i) {
    const guard_finding f{static_cast<guard_code>(i), 0};
    CHECK(f.refused() == (i != 0));
    CHECK(!f.why().empty());
    CHECK(!name(f.code).empty());
  }
  HOLDS(name(path_leaves_workspace) == "path_leaves_workspace");
}

TEST_CASE("guard: without a workspace no path is checked; relative paths start at the current directory") {
  HOLDS(code_of({"cat", "/etc/passwd", ".."}, {}) == ok);
  HOLDS(code_of({"cat", "../a"}, {"/srv/job", "/srv/job/sub"}) == ok);
  HOLDS(code_of({"cat", "../../a"}, {"/srv/job", "/srv/job/sub"}) == path_leaves_workspace);
  HOLDS(code_of({"cat", "../a"}, {"/srv/job", {}}) == path_leaves_workspace);
  HOLDS(code_of({"cat", "a/../b"}, {"/srv/job", {}}) == ok);
  HOLDS(code_of({"cat", "/etc/passwd", "../../.."}, {"/", "/srv/job"}) == ok);
}

TEST_CASE("guard: find_path passes each path to the caller as written") {
  constexpr auto names = [](std::string_view wanted) { return [=](std::string_view path) { return path == wanted; }; };
  constexpr std::string_view argv[]{"env",         "A=1",    "cat", "-n",           "a link",
                                    "--out=sub/x", "-xf./y", "@z",  "file:///t%20u"};
  HOLDS(find_path(argv, names("a link")).argument == 4);
  HOLDS(find_path(argv, names("sub/x")).argument == 5);
  HOLDS(find_path(argv, names("./y")).argument == 6);
  HOLDS(find_path(argv, names("z")).argument == 7);
  HOLDS(find_path(argv, names("/t u")).code == path_leaves_workspace);
  HOLDS(find_path(argv, names("cat")).code == ok);
  HOLDS(find_path({}, names("")).code == ok);
}

TEST_CASE("guard: a caller that resolves links decides about a path") {
  constexpr guard::surroundings where{
      "/srv/job", "/srv/job", {}, {}, [](const guard::surroundings&, std::string_view path) {
        return path == "/link/a";
      }};
  HOLDS(code_of({"cat", "/link/a"}, where) == ok);
  HOLDS(code_of({"cat", "/link/b"}, where) == path_leaves_workspace);
}

TEST_CASE("guard: a policy that lists programs or denies interpreters limits programs") {
  basic_policy<fixed_storage<2, 8>> p;
  p.interpreters = true;
  CHECK(limits_programs(p));
  (void)p.write_any<axis_id::executables>();
  CHECK(!limits_programs(p));
  p.interpreters = false;
  CHECK(limits_programs(p));
}

TEST_CASE("guard: the first check decides, not the first argument") {
  HOLDS(found({"curl", "https://a.example", "../x"}).argument == 2);
  HOLDS(code_of({"bash", "../x", "https://a.example"}) == path_leaves_workspace);
  HOLDS(code_of({"env", "A=/etc", "bash", "-c", "x"}) == inline_code_refused);
}

TEST_CASE("guard: env -S texts are split as env does") {
  HOLDS(splits("", {}));
  HOLDS(splits("  a\tb\n c ", {"a", "b", "c"}));
  HOLDS(splits("'a b'c \"\" d", {"a bc", "", "d"}));
  HOLDS(splits("a#b #c d", {"a#b"}));
  HOLDS(splits("a\\_b\\_\\_c \"d\\_e\"", {"a", "b", "c", "d e"}));
  HOLDS(splits("a\\cb c", {"a"}));
  HOLDS(splits("a \\c b", {"a"}));
  HOLDS(splits("'a\\'b\\nc' \\#d\\$ e\\n", {"a'b\\nc", "#d$", "e\n"}));
  HOLDS(splits("\"a'b\" 'c\"d'", {"a'b", "c\"d"}));
  HOLDS(splits("'a\\cb' d", {"a\\cb", "d"}));
  HOLDS(splits("'a b", {"a b"}));
  HOLDS(splits("a\\", {"a\\"}));
}

TEST_CASE("guard: the words of a nested env -S replace it") {
  HOLDS(found({"env", "-S", "env -S 'nice -S' x", "-S", "y"}).code == ok);
  HOLDS(found({"env", "-S", "A=1 env", "B=1", "env", "-S", "sh -c", "x"}).code == inline_code_refused);
  HOLDS(found({"env", "-S", "A=1 env", "B=1", "env", "-S", "sh -c", "x"}).argument == 6);
  HOLDS(found({"env", "-S", "-S -S"}).code == ok);
  HOLDS(found({"env", "-S", "env -S 'cat ../x' y", "z"}).argument == 2);
  HOLDS(found({"env", "-S", "env -S cat ../x", "z"}).argument == 2);
}

TEST_CASE("guard: a split text that does not fit is refused by the first active rule") {
  const std::string many(2 * guard::words::most, 'x'), long_word(guard::words::most_bytes + 1, 'x');
  std::string words;
  for (const char c : many) words += {c, ' '};
  for (const std::string& text : {words, long_word}) {
    const std::string_view argv[]{"env", "-S", text};
    const listed<heap> any("any"), env("env x");
    CHECK(check_guard(argv, env.view(), true, host::any_host).code == executable_refused);
    CHECK(check_guard(argv, any.view(), false, host::any_host).code == interpreter_refused);
    CHECK(check_guard(argv, any.view(), true, host::any_host).code == inline_code_refused);
  }
  const std::string fits(guard::words::most_bytes, 'x');
  const std::string_view argv[]{"env", "-S", fits};
  CHECK(check_guard(argv, listed<heap>("any").view(), false, host::any_host).code == ok);
}

TEST_CASE("guard: too many nested programs are refused by the first active rule") {
  std::vector<std::string_view> argv(100'000, "flock");
  CHECK(check_guard(argv, listed<heap>("flock").view(), true, host::any_host).code == executable_refused);
  CHECK(check_guard(argv, listed<heap>("any").view(), false, host::any_host).code == interpreter_refused);
  CHECK(check_guard(argv, listed<heap>("any").view(), true, host::any_host).code == inline_code_refused);
  argv.resize(2 * guard::program_walk::most);
  CHECK(check_guard(argv, listed<heap>("flock").view(), true, host::any_host).code == ok);
}

TEST_CASE("guard: interpreters are recognised by name and version") {
  for (const guard::interpreter& i : guard::known_interpreters) {
    const std::string name(i.name);
    CAPTURE(name);
    for (const std::string& shape : {name, name + "3", name + "3.11", name + "-5.4", "/usr/bin/" + name, name + ".exe"})
      CHECK(guard::is_interpreter(shape));
    for (const std::string& shape : {name + "-config", name + "mon", "x" + name, name + "/", name + ".", name + ".d",
                                     name + "-", name + "3-dbg", name + ".exe.bak"})
      CHECK_FALSE(guard::is_interpreter(shape));
  }
  HOLDS(guard::known_interpreters.size() == 25);
  HOLDS(!guard::is_interpreter("BASH"));
  HOLDS(!guard::is_interpreter("3.11"));
  HOLDS(!guard::is_interpreter(""));
}

TEST_CASE("guard: time for long arguments is linear in their size") {
  const std::string long_path = "/" + std::string(path::longest, 'x'), equals(100'000, '=');
  std::string places, hosts;
  while (places.size() < 100'000) places += "=/srv/job/a", hosts += "=a@b";
  for (const std::string& text : {long_path, equals, places, hosts}) {
    const std::string_view argv[]{"tool", text};
    CHECK(check_guard(argv, listed<heap>("any").view(), true, {}, job).code == ok);
  }
  const std::string fits = long_path.substr(1), outside = places + "=/etc";
  for (const std::string& text : {"/" + fits.substr(1), outside}) {
    const std::string_view argv[]{"tool", text};
    CHECK(check_guard(argv, listed<heap>("any").view(), true, {}, job).code == path_leaves_workspace);
  }
}

} // namespace guard_guard_test
