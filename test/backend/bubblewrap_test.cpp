// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/bubblewrap.hpp>

#include <algorithm>
#include <map>

namespace backend_bubblewrap_test {

using namespace cordon;
using namespace cordon::dsl;
using bubblewrap::found;
using mounts::file_type;

namespace {

using small = basic_policy<fixed_storage<64, 1024>>;
using words = std::vector<std::string>;

/// The type of file at a path, from the first letter of its name: d, f, s, or n for missing.
found by_name(std::string_view place) {
  switch (place[place.rfind('/') + 1]) {
  case 'f': return {file_type::file};
  case 's': return {file_type::socket};
  case 'n': return {file_type::absent};
  default: return {file_type::directory};
  }
}

words arguments(const small& p, const bubblewrap::target& t = {}) {
  words all;
  bubblewrap::each_argument(bubblewrap::compile(p, t).rules, [&](std::string_view w) { all.emplace_back(w); });
  return all;
}
template <class Look> words looked(const small& p, Look&& look) {
  words all;
  bubblewrap::each_argument(bubblewrap::compile(p, {}).rules, look, [&](std::string_view w) { all.emplace_back(w); });
  return all;
}

/// Does the list contain these words in a row?
bool has(const words& all, const words& some) {
  return std::search(all.begin(), all.end(), some.begin(), some.end()) != all.end();
}
std::ptrdiff_t at(const words& all, const words& some) {
  return std::search(all.begin(), all.end(), some.begin(), some.end()) - all.begin();
}

std::string shell_word(std::string_view text) {
  std::string out;
  bubblewrap::shell_word(text, [&](std::string_view piece) { out += piece; });
  return out;
}

/// Expands the double-quoted part at the front of a text, `$newline` or printf of octal digits, and removes it from the
/// text. Returns: "?" if a shell would do more.
std::string read_expansion(std::string_view& text) {
  constexpr std::string_view variable = "\"$newline\"", begin = "\"$(printf '", end = "')\"";
  if (text.starts_with(variable)) {
    text.remove_prefix(variable.size());
    return "\n";
  }
  if (!text.starts_with(begin)) return "?";
  text.remove_prefix(begin.size());
  std::string out;
  for (; text.starts_with('\\') && text.size() > 4; text.remove_prefix(4))
    out += static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
  if (!text.starts_with(end) || out.empty() || out.back() == '\n') return "?";
  text.remove_prefix(end.size());
  return out;
}

/// The words that a shell reads, by the POSIX rules that a quoted text may need; "?" if it would do more.
words read_by_shell(std::string line) {
  if (line.starts_with(bubblewrap::newline_setting)) line.erase(0, bubblewrap::newline_setting.size());
  words all(1);
  bool inside = false, open = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (inside) {
      if (c == '\'') inside = false;
      else all.back() += c;
    } else if (c == '\'') inside = open = true;
    else if (c == '"') {
      std::string_view rest = std::string_view(line).substr(i);
      const std::string expansion = read_expansion(rest);
      if (expansion == "?") return {"?"};
      all.back() += expansion;
      i = line.size() - rest.size() - 1, open = true;
    } else if (c == '\\') {
      if (line[++i] == '\n') continue;
      all.back() += line[i], open = true;
    } else if (c == ' ' || c == '\n') {
      if (open) all.emplace_back();
      open = false;
    } else if (std::string_view("$`\"*?[]#~&|;<>(){}!=^").find(c) != std::string_view::npos) return {"?"};
    else all.back() += c, open = true;
  }
  all.pop_back();
  return all;
}

constexpr auto job =
    policy_of<small>({can_run("/usr"), can_write("/w"), can_read("/w/d.git/dhooks"), can_read("/w/d.git/fconfig"),
                      hidden("/w/fkey"), hidden("/w/dkeys"), hidden("/w/nkeys"), can_read("/w/nothing"), can_read("/r"),
                      hidden("/r/nkey"), hidden("/r/fkey"), can_write("/r/nw"), can_read("/nowhere")});

} // namespace

TEST_CASE("bubblewrap: every run has these options") {
  const words all = arguments(policy_of<small>({}));
  for (const char* const word :
       {"--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"})
    CHECK(has(all, {word}));
  CHECK(has(all, {"--cap-drop", "ALL"}));
  CHECK(has(all, {"--chmod", "0111", "/"}));
  CHECK(has(all, {"--ro-bind-try", "/proc/sys", "/proc/sys"}));
  CHECK(at(all, {"--proc", "/proc"}) < at(all, {"--ro-bind-try", "/proc/sys"}));
  CHECK(at(all, {"--dev", "/dev"}) < at(all, {"--tmpfs", "/dev/shm", "--remount-ro", "/dev"}));
  CHECK(has(all, {"--perms", "1777", "--size", "1073741824", "--tmpfs", "/tmp"}));
  CHECK(words(all.end() - 3, all.end()) == words{"--remount-ro", "/", "--"});
  for (const char* const never : {"--setenv", "--clearenv", "--share-net", "--seccomp", "--rlimit-as", "--dev-bind"})
    CHECK(!has(all, {never}));
}

TEST_CASE("bubblewrap: granted devices are in the run's own /dev before it is closed") {
  const words all = arguments(policy_of<small>({can_read("/usr"), can_write("/dev/dri/card1"), can_read("/dev/kvm")}));
  CHECK(has(all, {"--perms", "0111", "--dir", "/dev/dri", "--dev-bind", "/dev/dri/card1", "/dev/dri/card1",
                  "--dev-bind", "/dev/kvm", "/dev/kvm", "--remount-ro", "/dev"}));
  CHECK(std::count(all.begin(), all.end(), "/dev/kvm") == 2);
  constexpr auto made = bubblewrap::compile(policy_of<small>({can_write("/dev/kvm"), hidden("/dev/kfd")}));
  HOLDS(made.gaps.has("bubblewrap.device", "/dev/kvm") && !made.gaps.has("bubblewrap.device", "/dev/kfd"));
}

TEST_CASE("bubblewrap: grants in /dev/shm are mounted into the run's own tmpfs there") {
  const words all = arguments(policy_of<small>(
      {can_read("/"), can_write("/dev/shm/w/x"), hidden("/dev/shm/w/x/h"), hidden("/dev/shm/k"), can_run("/dev/shm")}));
  CHECK(has(all, {"--perms", "0111", "--dir", "/dev/shm/w", "--bind-try", "/dev/shm/w/x", "/dev/shm/w/x"}));
  CHECK(has(all, {"--perms", "0111", "--tmpfs", "/dev/shm/w/x/h"}));
  CHECK(at(all, {"--tmpfs", "/dev/shm"}) < at(all, {"--dir", "/dev/shm/w"}));
  CHECK(std::count(all.begin(), all.end(), "--dir") == 1);
  CHECK(!has(all, {"/dev/shm/k"}));
  CHECK(std::count(all.begin(), all.end(), "/dev/shm") == 1);
  const words pinned = arguments(policy_of<small>({can_write("/dev"), hidden("/dev/shm/o/x")}));
  CHECK(!has(pinned, {"/dev/shm/o"}));
  CHECK(!has(pinned, {"/dev/shm/o/x"}));
}

TEST_CASE("bubblewrap: options follow the target and the policy") {
  CHECK(has(arguments(job, {7}), {"--seccomp", "7"}));
  CHECK(has(arguments(job, {0}), {"--seccomp", "0"}));
  CHECK(has(arguments(job), {"--symlink", "usr/bin", "/bin"}));
  CHECK(!has(arguments(job, {-1, false}), {"--symlink"}));
  CHECK(has(arguments(job, {-1, true, 0}), {"--perms", "1777", "--tmpfs", "/tmp"}));
  CHECK(!has(arguments(policy_of<small>({can_use(ability::namespaces)})), {"--disable-userns"}));
  small reaching = policy_of<small>({can_connect("*")});
  CHECK(!has(arguments(reaching), {"--share-net"}));
  small any;
  any.level = level::network;
  REQUIRE(any.write_any<axis_id::hosts>().code == diagnostic_code::ok);
  CHECK(has(arguments(any), {"--share-net"}));
  CHECK(bubblewrap::compile(any, {}).gaps.has("bubblewrap.host_network"));
  REQUIRE(any.write<axis_id::sockets>([](auto& out) {
               out.add({sockets::loopback, 1, {}});
             })
              .code == diagnostic_code::ok);
  CHECK(bubblewrap::compile(any, {}).gaps.has("bubblewrap.host_network"));
  REQUIRE(reaching.write_any<axis_id::sockets>().code == diagnostic_code::ok);
  CHECK(bubblewrap::compile(reaching, {}).gaps.has("bubblewrap.private_network"));
  CHECK(bubblewrap::compile(reaching, {}).gaps.has("bubblewrap.hosts"));
  CHECK(!has(arguments(policy_of<small>({can_write("/tmp")})), {"--tmpfs", "/tmp"}));
}

TEST_CASE("bubblewrap: without a look at the host, a restriction in a writable path must exist") {
  const words all = arguments(job);
  CHECK(has(all, {"--ro-bind-try", "/usr", "/usr"}));
  CHECK(has(all, {"--bind-try", "/w", "/w"}));
  CHECK(has(all, {"--bind", "/w/d.git", "/w/d.git"}));
  CHECK(has(all, {"--ro-bind", "/w/d.git/dhooks", "/w/d.git/dhooks"}));
  CHECK(has(all, {"--ro-bind", "/w/nothing", "/w/nothing"}));
  CHECK(has(all, {"--perms", "0111", "--tmpfs", "/w/fkey"}));
  CHECK(has(all, {"--bind-try", "/r/nw", "/r/nw"}));
  CHECK(at(all, {"--bind-try", "/w", "/w"}) < at(all, {"--bind", "/w/d.git", "/w/d.git"}));
  CHECK(at(all, {"--tmpfs", "/w/fkey"}) < at(all, {"--remount-ro", "/w/fkey"}));
}

TEST_CASE("bubblewrap: the file type at a path decides the option") {
  const words all = looked(job, by_name);
  CHECK(has(all, {"--ro-bind", "/dev/null", "/w/fkey"}));
  CHECK(has(all, {"--ro-bind", "/dev/null", "/r/fkey"}));
  CHECK(has(all, {"--perms", "0111", "--tmpfs", "/w/dkeys"}));
  CHECK(has(all, {"--perms", "0111", "--tmpfs", "/w/nkeys"}));
  CHECK(has(all, {"--perms", "0111", "--tmpfs", "/w/nothing"}));
  CHECK(has(all, {"--remount-ro", "/w/nothing"}));
  CHECK(!has(all, {"--remount-ro", "/w/fkey"}));
  for (const char* const skipped : {"/r/nkey", "/r/nw", "/nowhere"}) CHECK(!has(all, {skipped}));
  const auto partial =
      policy_of<small>({grant("/fone", right::read), grant("/done", right::read), grant("/sone", right::connect),
                        grant("/ftwo", right::connect), can_read("/srv"), can_write("/srv/s")});
  const words some = looked(partial, by_name);
  CHECK(has(some, {"--ro-bind-try", "/fone", "/fone"}));
  CHECK(has(some, {"--ro-bind-try", "/sone", "/sone"}));
  CHECK(!has(some, {"/done"}));
  CHECK(!has(some, {"/ftwo"}));
  CHECK(has(some, {"--ro-bind", "/dev/null", "/srv/s"}));
}

TEST_CASE("bubblewrap: missing directories above a restriction are made and mounted") {
  const words all = looked(policy_of<small>({can_write("/w"), hidden("/w/n1/n2/nkey")}), by_name);
  CHECK(has(all, {"--dir", "/w/n1", "--bind-try", "/w/n1", "/w/n1", "--dir", "/w/n1/n2", "--bind-try", "/w/n1/n2",
                  "/w/n1/n2", "--perms", "0111", "--tmpfs", "/w/n1/n2/nkey"}));
}

TEST_CASE("bubblewrap: an opened path is passed as its descriptor") {
  const std::map<std::string_view, int> opened{{"/w", 5}, {"/w/d.git", 6}, {"/w/d.git/dhooks", 17}};
  const words all = looked(job, [&](std::string_view place) {
    found f = by_name(place);
    if (const auto o = opened.find(place); o != opened.end()) f.descriptor = o->second;
    return f;
  });
  CHECK(has(all, {"--bind-fd", "5", "/w"}));
  CHECK(has(all, {"--bind-fd", "6", "/w/d.git"}));
  CHECK(has(all, {"--ro-bind-fd", "17", "/w/d.git/dhooks"}));
}

TEST_CASE("bubblewrap: parent directories cannot be listed, and are made once") {
  const words all =
      arguments(policy_of<small>({can_read("/a/b/c"), can_read("/a/b/d/e"), can_read("/a/f"), can_read("/ab/x"),
                                  can_read("/h"), hidden("/h/i"), can_read("/h/i/j/k")}));
  for (const char* const dir : {"/a", "/a/b", "/a/b/d", "/ab", "/h/i/j"}) {
    CHECK(has(all, {"--perms", "0111", "--dir", dir}));
    CHECK(std::count(all.begin(), all.end(), dir) == 1);
  }
  CHECK(std::count(all.begin(), all.end(), "--dir") == 5);
  CHECK(at(all, {"--dir", "/h/i/j"}) > at(all, {"--tmpfs", "/h/i"}));
  CHECK(!has(arguments(policy_of<small>({can_read("/tmp/a/b")})), {"--dir", "/tmp"}));
}

TEST_CASE("bubblewrap: a grant of / is mounted below the run's own /proc, /dev and /tmp") {
  const words all = arguments(policy_of<small>({can_write("/"), hidden("/h"), can_read("/proc/x"), hidden("/proc/y")}));
  CHECK(has(all, {"--bind", "/", "/", "--proc", "/proc"}));
  CHECK(has(all, {"--dev", "/dev"}));
  CHECK(has(all, {"--tmpfs", "/h"}));
  CHECK(has(all, {"--tmpfs", "/proc/y"}));
  CHECK(!has(all, {"/proc/x"}));
  CHECK(!has(all, {"--remount-ro", "/"}));
  CHECK(!has(all, {"--symlink"}));
  CHECK(has(arguments(policy_of<small>({can_read("/")})), {"--ro-bind", "/", "/"}));
}

TEST_CASE("bubblewrap: any path is one argument, and is quoted as one shell word") {
  CHECK(shell_word("/usr/lib-2.0_x,y+z:@%") == "/usr/lib-2.0_x,y+z:@%");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("").size() == 2);
  CHECK(shell_word("/a\x1b\x07z") == "'/a'\"$(printf '\\033\\007')\"'z'");
  CHECK(shell_word("\n\n\t/") == "\"$newline\"\"$newline\"\"$(printf '\\011')\"'/'");
  CHECK(shell_word("\x7f\xc2\x9b"
                   "2\xe2\x80\xae\xff\xc3\xbc") ==
        "\"$(printf '\\177\\302\\233')\"'2'\"$(printf '\\342\\200\\256\\377')\"'\xc3\xbc'");
  for (const char c : std::string_view("*?[]{}()<>|&;$`\"\\~#!^= \t\n\x7f\x80"))
    CHECK(shell_word(std::string{'/', c}).front() == '\'');
  for (int seed = 0; seed < effort(300); ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    std::string place = "/";
    for (std::uint32_t i = 1 + d.below(12); i > 0; --i) {
      const auto c = static_cast<char>(d.percent(50) ? "'\\\"$`\n -*~#!;&|<>(){}="[d.below(22)]
                                                     : static_cast<char>(1 + d.below(255)));
      place += c == '/' || c == '.' ? 'x' : c;
    }
    loaded_policy p;
    p.level = level::process_exec;
    REQUIRE(p.write<axis_id::files>([&](auto& out) {
               out.add({place, verb::write.bits(), {}});
             }).code == diagnostic_code::ok);
    const auto made = bubblewrap::compile(p, {});
    words all{"bwrap"};
    bubblewrap::each_argument(made.rules, [&](std::string_view w) { all.emplace_back(w); });
    CAPTURE(place);
    CHECK(has(all, {"--bind-try", place, place}));
    const std::string text = proof::text_of(made.rules);
    CHECK(read_by_shell(text) == all);
    CHECK(text.starts_with(bubblewrap::newline_setting) == !utf8::is_printable(place));
    for (std::string_view rest = text; !rest.empty();
         rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1))
      CHECK(utf8::is_printable(rest.substr(0, rest.find('\n'))));
  }
}

/// The options of a list of arguments, each with its operands, as bwrap reads them. Empty: bwrap would refuse the list,
/// or take a word of it for the program.
std::vector<words> read_by_bwrap(const words& all) {
  static const std::map<std::string, std::size_t> operands{
      {"--unshare-all", 0}, {"--unshare-user", 0}, {"--disable-userns", 0},
      {"--share-net", 0},   {"--as-pid-1", 0},     {"--die-with-parent", 0},
      {"--new-session", 0}, {"--cap-drop", 1},     {"--seccomp", 1},
      {"--proc", 1},        {"--dev", 1},          {"--tmpfs", 1},
      {"--mqueue", 1},      {"--dir", 1},          {"--remount-ro", 1},
      {"--perms", 1},       {"--size", 1},         {"--bind", 2},
      {"--bind-try", 2},    {"--ro-bind", 2},      {"--ro-bind-try", 2},
      {"--dev-bind", 2},    {"--bind-fd", 2},      {"--ro-bind-fd", 2},
      {"--symlink", 2},     {"--chmod", 2}};
  std::vector<words> options;
  for (std::size_t i = 0; i < all.size();) {
    if (all[i] == "--") return i + 1 == all.size() ? options : std::vector<words>{};
    const auto option = operands.find(all[i]);
    if (option == operands.end() || all.size() - i <= option->second) return {};
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i);
    options.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(1 + option->second));
    i += 1 + option->second;
  }
  return {};
}

TEST_CASE("bubblewrap: a name or a link's text that looks like an option is an operand") {
  const auto options = [](const std::string& name) {
    loaded_policy p;
    p.level = level::process_exec;
    const diagnostic d = p.write<axis_id::files>([&](auto& out) {
      out.add({"/w", verb::write.bits(), {}});
      out.add({"/w/" + name, verb::read.bits(), {}});
      out.add({"/w/" + name + "/" + name, 0, {}});
      out.add({"/" + name, verb::run.bits(), {}});
    });
    REQUIRE(d.code == diagnostic_code::ok);
    words all;
    bubblewrap::each_argument(
        bubblewrap::compile(p, {}).rules,
        [](std::string_view) {
          return found{file_type::directory, 7};
        },
        [&](std::string_view w) { all.emplace_back(w); },
        [&](auto&& say) {
          const std::string place = "/l/" + name;
          say(std::string_view("--symlink"), std::string_view(name), std::string_view(place));
        });
    std::vector<words> read = read_by_bwrap(all);
    for (words& option : read)
      for (std::string& operand : option)
        if (&operand != &option.front())
          for (std::size_t at = 0; (at = operand.find(name, at)) != operand.npos; at += 4)
            operand.replace(at, name.size(), "NAME");
    return read;
  };
  const std::vector<words> plain = options("NAME");
  REQUIRE(plain.size() > 10);
  CHECK(std::count(plain.begin(), plain.end(), words{"--symlink", "NAME", "/l/NAME"}) == 1);
  for (const char* name :
       {"--", "---", "--share-net", "--bind", "--args", "--seccomp", "--remount-ro", "--version", "-h"})
    CHECK(options(name) == plain);
}

TEST_CASE("bubblewrap: a readable path can be executed, which is a gap where the policy denies it") {
  constexpr auto made = bubblewrap::compile(job, {});
  HOLDS(bubblewrap::permits(made.rules, right::run, "/r/x") && made.gaps.has("bubblewrap.run", "/r"));
  HOLDS(!made.gaps.has("bubblewrap.run", "/usr") && !made.gaps.has("bubblewrap.run", "/w/fkey"));
  HOLDS(!bubblewrap::permits(made.rules, right::run, "/w/fkey"));
  HOLDS(bubblewrap::permits(made.rules, process_feature::spawn) &&
        !bubblewrap::permits(made.rules, process_feature::some_host));
}

TEST_CASE("bubblewrap: rules are sound, complete, monotone and deterministic") {
  CHECK(proof::backend_fault<bubblewrap::backend>({}, effort(1000)) == "");
  CHECK(proof::backend_fault<bubblewrap::backend>({9, false, 0}, effort(1000)) == "");
}

TEST_CASE("bubblewrap: rules that do not fit their storage are an error") {
  constexpr auto crowded =
      policy_of<basic_policy<fixed_storage<8, 64>>>({can_write("/a"), hidden("/a/b/c/d/e/f/g/h/i/j/k")});
  HOLDS(bubblewrap::compile(crowded, {}).error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("bubblewrap: plans of sample policies") {
  for (const samples::sample& s : samples::all) {
    const auto made = bubblewrap::compile(s.policy, {});
    CAPTURE(s.name);
    CHECK(golden::matches("bubblewrap/" + std::string(s.name) + ".txt",
                          proof::text_of(made.rules) + proof::gap_lines(made.gaps)));
  }
}

} // namespace backend_bubblewrap_test
