// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/guard/nested_sandbox.hpp>
#include <cordon/policy/dsl.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace guard_nested_sandbox_test {

namespace {

using namespace cordon;
using namespace cordon::dsl;
using text = std::string_view;
using words = std::initializer_list<text>;
using rows = std::span<const nested_sandbox>;
using small = basic_policy<fixed_storage<32, 512>>;

constexpr small job =
    policy_of<small>({can_run("/usr"), can_write("/ws"), can_run("/ws/tools"), can_run("/opt/x/run"),
                      grant("/usr/var", right::run | right::create), grant("/usr/old", right::run | right::remove),
                      grant("/usr/txt", right::run | right::write), can_read("/etc")});
constexpr resolved_program driver{"/usr/bin/swift", "/usr/lib/swift/bin/swift-driver"};
/// In an expected command: all arguments that SwiftPM gets.
constexpr text all = "(all)";
constexpr text paths = "(all but the flag)";
constexpr std::array<text, 7> told{
    "--disable-sandbox",        "--cache-path",    "/ws/.build/cordon/cache",   "--config-path",
    "/ws/.build/cordon/config", "--security-path", "/ws/.build/cordon/security"};

constexpr resolved_program at(text place) { return {place, place}; }

/// Compares a command with the expected one, word by word.
class matcher {
public:
  constexpr explicit matcher(words expected) : expected_(expected) {}
  constexpr void operator()(text argument) {
    const text expected = at_ < expected_.size() ? expected_.begin()[at_] : text();
    const bool is_stated = expected == all || expected == paths;
    if (expected == paths && told_ == 0) told_ = 1;
    equal_ = equal_ && at_ < expected_.size() && argument == (is_stated ? told[told_] : expected);
    told_ = is_stated ? (told_ + 1) % told.size() : 0;
    at_ += told_ == 0 ? 1 : 0;
  }
  [[nodiscard]] constexpr bool is_whole() const { return equal_ && at_ == expected_.size(); }

private:
  words expected_;
  std::size_t at_ = 0, told_ = 0;
  bool equal_ = true;
};

constexpr bool gives(const resolved_program& program, words given, words expected, rows own = {},
                     text workspace = "/ws", const small& p = job) {
  matcher m(expected);
  const bool changed = without_nested_sandbox(
      p, program, {given.begin(), given.size()}, workspace, [&](text a) { m(a); }, own);
  return m.is_whole() && changed == (expected.size() != given.size());
}

constexpr bool keeps(const resolved_program& program, words given, rows own = {}, text workspace = "/ws",
                     const small& p = job) {
  return gives(program, given, given, own, workspace, p);
}

} // namespace

TEST_CASE("nested_sandbox: SwiftPM gets the option once, directly after the subcommand") {
  HOLDS(gives(driver, {"build"},
              {"build", "--disable-sandbox", "--cache-path", "/ws/.build/cordon/cache", "--config-path",
               "/ws/.build/cordon/config", "--security-path", "/ws/.build/cordon/security"}));
  HOLDS(gives(driver, {"test", "--filter", "A"}, {"test", all, "--filter", "A"}));
  HOLDS(gives(driver, {"run", "-c", "release", "app", "x"}, {"run", all, "-c", "release", "app", "x"}));
  HOLDS(gives(driver, {"package", "update"}, {"package", all, "update"}));
  HOLDS(gives(at("/usr/bin/swift-build"), {}, {all}));
  HOLDS(gives(at("/usr/bin/swift-test"), {"list"}, {all, "list"}));
  HOLDS(gives(at("/usr/bin/swift-run"), {"app"}, {all, "app"}));
  HOLDS(gives({"/usr/bin/swift-package", "/usr/lib/swift/bin/swift-package"}, {"clean"}, {all, "clean"}));
  HOLDS(gives(driver, {"build"},
              {"build", "--disable-sandbox", "--cache-path", "/.build/cordon/cache", "--config-path",
               "/.build/cordon/config", "--security-path", "/.build/cordon/security"},
              {}, "/"));
}

TEST_CASE("nested_sandbox: other programs keep their arguments") {
  HOLDS(keeps(at("/usr/bin/swiftc"), {"build"}));
  HOLDS(keeps(at("/usr/bin/Swift"), {"build"}));
  HOLDS(keeps(at("/usr/bin/my-swift"), {"build"}));
  HOLDS(keeps(at("/usr/bin/swift.sh"), {"build"}));
  HOLDS(keeps(at("/usr/bin/x\\swift"), {"build"})); // a backslash is part of a name
  HOLDS(keeps(at("/usr/bin/env"), {"swift", "build"}));
  HOLDS(keeps({"/usr/bin/tool", "/usr/bin/swift"}, {"build"})); // it is started as `tool`
  constexpr auto root = policy_of<small>({can_run("/")});
  static constexpr std::array<added_option, 1> any{{{"--any"}}};
  static constexpr std::array<nested_sandbox, 1> nameless{{{"", "", any}}};
  HOLDS(keeps(at("/"), {"build"}, nameless, "/ws", root));
  HOLDS(gives(driver, {"build"}, {"build", all}, {}, "/ws", root));
}

TEST_CASE("nested_sandbox: a program that the policy lets be changed, or denies to run, is not recognised") {
  HOLDS(keeps(at("/ws/swift"), {"build"}));
  HOLDS(keeps({"/ws/swift", "/usr/bin/swift"}, {"build"})); // a link of the workspace
  HOLDS(keeps({"/usr/bin/swift", "/ws/toolchain/swift"}, {"build"}));
  HOLDS(gives(at("/ws/tools/swift"), {"build"}, {"build", all}));
  HOLDS(gives(at("/opt/x/run/swift"), {"build"}, {"build", all}));
  HOLDS(keeps(at("/opt/x/swift"), {"build"})); // nothing is granted there
  HOLDS(keeps(at("/etc/swift"), {"build"}));   // only read
  HOLDS(keeps(at("/usr/var/swift"), {"build"}));
  HOLDS(keeps(at("/usr/old/swift"), {"build"}));
  HOLDS(keeps(at("/usr/txt/swift"), {"build"}));
  HOLDS(keeps({"swift", "/usr/bin/swift"}, {"build"}));
  HOLDS(keeps({"/usr/../ws/swift", "/usr/bin/swift"}, {"build"}));
  HOLDS(keeps({"/usr/bin/swift", "/usr/../ws/swift"}, {"build"}));
  HOLDS(keeps({"/usr/bin/swift", ""}, {"build"}));
}

TEST_CASE("nested_sandbox: without an outer sandbox, no option is added") {
  constexpr auto open = [] {
    small p = job;
    p.profile = profile::unrestricted;
    return p;
  }();
  HOLDS(keeps(driver, {"build"}, {}, "/ws", open));
  constexpr auto any_file = policy_of<small>({can_write("/")});
  HOLDS(keeps(driver, {"build"}, {}, "/ws", any_file));
}

TEST_CASE("nested_sandbox: only the first argument can be the subcommand") {
  HOLDS(keeps(driver, {}));
  HOLDS(keeps(driver, {"--version"}));
  HOLDS(keeps(driver, {"-v", "build"}));
  HOLDS(keeps(driver, {"--", "build"}));
  HOLDS(keeps(driver, {"main.swift", "build"}));
  HOLDS(keeps(driver, {"repl"}));
  HOLDS(keeps(driver, {"builds"}));
  HOLDS(keeps(driver, {"Build"}));
  HOLDS(keeps(driver, {""}));
  HOLDS(keeps(driver, {"build\n"}));
}

TEST_CASE("nested_sandbox: an option that the caller gave is kept") {
  HOLDS(keeps(driver, {"build", "--disable-sandbox", "--cache-path", "a", "--config-path=b", "--security-path", "c"}));
  HOLDS(gives(driver, {"build", "-v", "--disable-sandbox"}, {"build", paths, "-v", "--disable-sandbox"}));
  HOLDS(gives(driver, {"test", "--cache-path", "/tmp/c"},
              {"test", told[0], told[3], told[4], told[5], told[6], "--cache-path", "/tmp/c"}));
  HOLDS(gives(driver, {"test", "--cache-path=/tmp/c", "list"},
              {"test", told[0], told[3], told[4], told[5], told[6], "--cache-path=/tmp/c", "list"}));
  HOLDS(gives(driver, {"run", "-c", "release", "--security-path", "s", "app", "--config-path", "x"},
              {"run", told[0], told[1], told[2], told[3], told[4], "-c", "release", "--security-path", "s", "app",
               "--config-path", "x"}));
  HOLDS(gives(driver, {"build", "--cache-paths", "-disable-sandbox", "--disable-sandboxes"},
              {"build", all, "--cache-paths", "-disable-sandbox", "--disable-sandboxes"}));
}

TEST_CASE("nested_sandbox: arguments for other programs are not interpreted") {
  HOLDS(gives(driver, {"build", "--", "--disable-sandbox"}, {"build", all, "--", "--disable-sandbox"}));
  HOLDS(gives(driver, {"run", "--", "app", "--cache-path", "x"}, {"run", all, "--", "app", "--cache-path", "x"}));
  HOLDS(gives(driver, {"run", "app", "--disable-sandbox"}, {"run", all, "app", "--disable-sandbox"}));
  HOLDS(gives(driver, {"run", "-", "--disable-sandbox"}, {"run", all, "-", "--disable-sandbox"}));
  HOLDS(gives(driver, {"run", "", "--disable-sandbox"}, {"run", all, "", "--disable-sandbox"}));
  HOLDS(gives(driver, {"build", "-Xcc", "--disable-sandbox"}, {"build", all, "-Xcc", "--disable-sandbox"}));
  HOLDS(
      gives(driver, {"build", "-Xcc", "--", "--disable-sandbox"}, {"build", paths, "-Xcc", "--", "--disable-sandbox"}));
  HOLDS(gives(driver, {"build", "--cache-path", "--config-path"},
              {"build", told[0], told[3], told[4], told[5], told[6], "--cache-path", "--config-path"}));
  HOLDS(gives(driver, {"run", "-c=x", "--disable-sandbox"}, {"run", paths, "-c=x", "--disable-sandbox"}));
}

TEST_CASE("nested_sandbox: arguments after a subcommand are SwiftPM's, after a plug-in they are the plug-in's") {
  constexpr text own = "--disable-sandbox";
  HOLDS(gives(driver, {"package", "edit", "name", own}, {"package", paths, "edit", "name", own}));
  HOLDS(gives(at("/usr/bin/swift-package"), {"edit", "name", own}, {paths, "edit", "name", own}));
  HOLDS(gives(at("/usr/bin/swift-package"), {"plugin", own, "docs"}, {paths, "plugin", own, "docs"}));
  HOLDS(gives(at("/usr/bin/swift-test"), {"list", own}, {paths, "list", own}));
  HOLDS(gives(driver, {"package", "edit", "--", own}, {"package", all, "edit", "--", own}));
  HOLDS(gives(driver, {"package", "docs", own}, {"package", all, "docs", own}));
  HOLDS(gives(driver, {"package", "docs", "update", own}, {"package", all, "docs", "update", own}));
  HOLDS(gives(driver, {"package", "plugin", "docs", own}, {"package", all, "plugin", "docs", own}));
  HOLDS(gives(driver, {"package", "plugin", "--package", "p", own, "docs"},
              {"package", paths, "plugin", "--package", "p", own, "docs"}));
}

TEST_CASE("nested_sandbox: unusual arguments are passed unchanged") {
  HOLDS(gives(driver, {"build", "", "a b", "\n", "\"'$(x)\\", "--disable-sandbox\n", " --disable-sandbox"},
              {"build", all, "", "a b", "\n", "\"'$(x)\\", "--disable-sandbox\n", " --disable-sandbox"}));
  HOLDS(gives(driver, {"build", "-c -j", "--disable-sandbox"}, {"build", paths, "-c -j", "--disable-sandbox"}));
  HOLDS(gives(driver, {"build", text("a\0b", 3)}, {"build", all, text("a\0b", 3)}));
}

TEST_CASE("nested_sandbox: if the workspace cannot hold a row's paths, nothing is added") {
  HOLDS(keeps(driver, {"build"}, {}, ""));
  HOLDS(keeps(driver, {"build"}, {}, "ws"));
  HOLDS(keeps(driver, {"build"}, {}, "/ws/"));
  static constexpr std::array<added_option, 2> out{{{"--flat"}, {"--at", "../x"}}};
  static constexpr std::array<added_option, 1> home{{{"--at", "~/x"}}};
  static constexpr std::array<added_option, 1> absolute{{{"--at", "/x"}}};
  static constexpr std::array<nested_sandbox, 3> own{{{"a", "", out}, {"b", "", home}, {"c", "", absolute}}};
  HOLDS(keeps(at("/usr/bin/a"), {"x"}, own));
  HOLDS(keeps(at("/usr/bin/b"), {"x"}, own));
  HOLDS(keeps(at("/usr/bin/c"), {"x"}, own));
  HOLDS(keeps(at("/usr/bin/c"), {"x"}, own, ""));
  HOLDS(keeps(at("/usr/bin/c"), {"x"}, own, "y"));
  HOLDS(gives(at("/usr/bin/c"), {"x"}, {"--at", "/x", "x"}, own, "/"));
  const std::string fits = "/" + std::string(path::longest - 1 - text("/.build/cordon/security").size(), 'w');
  std::vector<std::string> made;
  const text build = "build";
  const auto keep = [&](text a) { made.emplace_back(a); };
  CHECK(without_nested_sandbox(job, driver, {&build, 1}, fits, keep));
  CHECK(made.size() == 8);
  CHECK(made.back() == fits + "/.build/cordon/security");
  made.clear();
  CHECK(!without_nested_sandbox(job, driver, {&build, 1}, fits + "w", keep));
  CHECK(made == std::vector<std::string>{"build"});
}

TEST_CASE("nested_sandbox: rows of the caller come first") {
  static constexpr std::array<added_option, 1> local{{{"--strategy=local", "", "--remote --no-strategy"}}};
  static constexpr std::array<added_option, 1> cache{{{"--cache", "c/../d"}}};
  static constexpr std::array<nested_sandbox, 6> own{{{"", "", local},
                                                      {"maker", "build", local, "--config", "", "sub"},
                                                      {"maker", "", cache},
                                                      {"/usr/bin/only", "", local},
                                                      {"swift", "build"},
                                                      {"swift", "test", local}}};
  HOLDS(gives(at("/usr/bin/maker"), {"build", "//x"}, {"build", "--strategy=local", "//x"}, own));
  HOLDS(keeps(at("/usr/bin/maker"), {"build", "--strategy=remote"}, own));
  HOLDS(keeps(at("/usr/bin/maker"), {"build", "--strategy", "remote"}, own));
  HOLDS(keeps(at("/usr/bin/maker"), {"build", "--remote"}, own));
  HOLDS(keeps(at("/usr/bin/maker"), {"build", "--no-strategy=1"}, own));
  HOLDS(keeps(at("/usr/bin/maker"), {"build", "sub", "--config", "x", "--remote"}, own));
  HOLDS(gives(at("/usr/bin/maker"), {"build", "--config", "--remote"},
              {"build", "--strategy=local", "--config", "--remote"}, own));
  HOLDS(gives(at("/usr/bin/maker"), {"clean"}, {"--cache", "/ws/d", "clean"}, own));
  HOLDS(gives(at("/usr/bin/only"), {}, {"--strategy=local"}, own));
  HOLDS(keeps(at("/usr/lib/only"), {}, own));
  HOLDS(keeps(at("/ws/maker"), {"build"}, own));
  HOLDS(keeps(driver, {"build"}, own)); // removed
  HOLDS(gives(driver, {"test"}, {"test", "--strategy=local"}, own));
  HOLDS(gives(driver, {"run"}, {"run", all}, own));
}

TEST_CASE("nested_sandbox: adding the options twice is the same as once") {
  const std::vector<text> alphabet{
      "build", "test",         "run", "package", "plugin",          "edit",           "app", "--", "-Xcc", "-v",
      told[0], "--cache-path", "-",   "",        "--config-path=x", "--security-path"};
  const auto apply = [](const std::vector<std::string>& from, std::vector<std::string>& to) {
    const std::vector<text> arguments(from.begin(), from.end());
    return without_nested_sandbox(job, driver, arguments, "/ws", [&](text a) { to.emplace_back(a); });
  };
  std::size_t changed = 0, wrong = 0;
  for (std::size_t n = 0; n < alphabet.size() * alphabet.size() * alphabet.size() * 4; ++n) {
    const std::size_t k = alphabet.size();
    const std::vector<std::string> given{std::string(alphabet[n % 4]), std::string(alphabet[n / 4 % k]),
                                         std::string(alphabet[n / 4 / k % k]), std::string(alphabet[n / 4 / k / k])};
    std::vector<std::string> once, twice;
    changed += apply(given, once) ? 1 : 0;
    wrong += apply(once, twice) || once != twice ? 1 : 0;
    wrong +=
        once.size() < 4 || once[0] != given[0] || !std::equal(given.begin() + 1, given.end(), once.end() - 3) ? 1 : 0;
  }
  CHECK(changed > 10'000);
  CHECK(wrong == 0);
}

} // namespace guard_nested_sandbox_test
