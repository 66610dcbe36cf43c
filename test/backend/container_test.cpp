// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/container.hpp>

namespace backend_container_test {

using namespace cordon;
using namespace cordon::dsl;
using container::form;
using mounts::file_type;

namespace {

using small = basic_policy<fixed_storage<64, 1024>>;
constexpr form forms[]{form::oci, form::docker, form::kubernetes};

constexpr container::target to(form f) { return {f}; }
template <class S> std::string text(const basic_policy<S>& p, form f) {
  return proof::text_of(container::compile(p, to(f)).rules);
}
template <class S, class Look> std::string looked(const basic_policy<S>& p, form f, Look&& look) {
  std::string out;
  container::write(container::compile(p, to(f)).rules, look, [&](std::string_view piece) { out += piece; });
  return out;
}
bool has(const std::string& all, std::string_view some) { return all.find(some) != std::string::npos; }

std::string escaped(std::string_view given) {
  std::string out;
  escape_json(given, [&](std::string_view piece) { out += piece; });
  return out;
}

/// The type of file at a path, from the first letter of its name: d, f, s, or n for missing.
file_type by_name(std::string_view place) {
  switch (place[place.rfind('/') + 1]) {
  case 'f': return file_type::file;
  case 's': return file_type::socket;
  case 'n': return file_type::absent;
  default: return file_type::directory;
  }
}

constexpr auto job =
    policy_of<small>({can_run("/usr"), can_write("/w"), can_read("/w/d.git/dhooks"), can_read("/w/d.git/fconfig"),
                      hidden("/w/fkey"), hidden("/w/dkeys"), hidden("/w/nkeys"), can_read("/r"), hidden("/r/nkey"),
                      can_read("/a/b/c"), can_read("/nowhere")});

small limited() {
  small p = job;
  p.limits.set(limit::cpu, 1'500'000'000).set(limit::memory, 64 << 20).set(limit::processes, 9);
  p.limits.set(limit::open_files, 77).set(limit::file_size, 4096).set(limit::timeout, 2'000'000'001);
  return p;
}

} // namespace

TEST_CASE("container: rules own a copy of the image's name") {
  std::string image(100, 'a');
  const auto plan = container::compile(job, {form::docker, image});
  image.assign(100, 'b');
  CHECK(std::string_view(plan.rules.made_for.image) == std::string(100, 'a'));
}

TEST_CASE("container: every container has these settings") {
  const std::string oci = text(policy_of<small>({}), form::oci), docker = text(policy_of<small>({}), form::docker),
                    pod = text(policy_of<small>({}), form::kubernetes);
  for (const char* const word :
       {"\"noNewPrivileges\": true", "\"readonly\": true", "\"bounding\": []", "{\"type\": \"network\"}",
        "{\"allow\": false, \"access\": \"rwm\"}", "\"SCMP_ARCH_X86_64\"", "\"uid\": 65534"})
    CHECK_MESSAGE(has(oci, word), word);
  for (const char* const word :
       {"\"NetworkMode\": \"none\"", "\"CapDrop\": [\"ALL\"]", "\"no-new-privileges:true\"", "\"ReadonlyRootfs\": true",
        "\"User\": \"65534:65534\"", "\"seccomp={\\\"defaultAction\\\": \\\"SCMP_ACT_ALLOW\\\""})
    CHECK_MESSAGE(has(docker, word), word);
  for (const char* const word :
       {"\"allowPrivilegeEscalation\": false", "\"runAsNonRoot\": true", "\"automountServiceAccountToken\": false",
        "\"hostNetwork\": false", "\"egress\": []", "\"ingress\": []", "\"drop\": [\"ALL\"]", "\"RuntimeDefault\""})
    CHECK_MESSAGE(has(pod, word), word);
  CHECK(pod.find("NetworkPolicy") < pod.find("\"Pod\""));
  const std::string root = proof::text_of(container::compile(job, {form::kubernetes, "i", "n", 0, 0}).rules);
  CHECK(has(root, "\"runAsNonRoot\": false"));
}

TEST_CASE("container: each mount has the access of the view, and nested mounts no more") {
  const std::string oci = looked(job, form::oci, by_name);
  const auto bound = [](std::string_view place, std::string_view options) {
    return "{\"destination\": \"" + std::string(place) + "\", \"type\": \"bind\", \"source\": \"" + std::string(place) +
           "\", \"options\": [\"rbind\", \"rprivate\", \"rnosuid\", \"rnodev\", " + std::string(options) + "]}";
  };
  CHECK(has(oci, bound("/usr", "\"rro\"")));
  CHECK(has(oci, bound("/w", "\"rw\"")));
  CHECK(has(oci, bound("/w/d.git", "\"rw\"")));
  CHECK(has(oci, bound("/w/d.git/dhooks", "\"rnoexec\", \"rro\"")));
  CHECK(has(oci, "\"destination\": \"/w/fkey\", \"type\": \"bind\", \"source\": \"/dev/null\""));
  CHECK(has(oci, "\"destination\": \"/w/dkeys\", \"type\": \"tmpfs\""));
  CHECK(has(oci, "\"destination\": \"/w/nkeys\", \"type\": \"tmpfs\""));
  CHECK(has(oci, "\"destination\": \"/a/b\", \"type\": \"tmpfs\""));
  for (const char* const skipped : {"/r/nkey", "/nowhere"}) CHECK(!has(oci, skipped));
  CHECK(has(text(job, form::oci), bound("/nowhere", "\"rnoexec\", \"rro\"")));
  CHECK(oci.find("\"/a\"") < oci.find("\"/a/b\""));
  CHECK(oci.find("\"/a/b\"") < oci.find("\"/a/b/c\""));
  const std::string pod = looked(job, form::kubernetes, by_name);
  CHECK(has(pod, "{\"path\": \"/w/d.git/fconfig\", \"type\": \"File\"}"));
  CHECK(has(pod, "{\"path\": \"/dev/null\", \"type\": \"CharDevice\"}"));
  CHECK(has(
      pod,
      "{\"name\": \"empty\", \"mountPath\": \"/w/dkeys\", \"readOnly\": true, \"recursiveReadOnly\": \"Enabled\"}"));
  const std::string docker = text(job, form::docker);
  CHECK(has(docker, "\"Target\": \"/r\", \"ReadOnly\": true, \"BindOptions\": {\"Propagation\": \"rprivate\", "
                    "\"ReadOnlyForceRecursive\": true}"));
  CHECK(has(docker, "{\"Type\": \"tmpfs\", \"Target\": \"/a\", \"ReadOnly\": true, \"TmpfsOptions\": {\"SizeBytes\": "
                    "65536, \"Mode\": 73}}"));
}

TEST_CASE("container: a grant of /, and hidden paths in /proc") {
  const small p = policy_of<small>({can_write("/"), hidden("/h"), can_read("/proc/x"), hidden("/proc/y")});
  const std::string oci = text(p, form::oci);
  CHECK(oci.find("\"destination\": \"/\"") < oci.find("\"destination\": \"/proc\""));
  CHECK(has(oci, "\"/proc/y\""));
  CHECK(!has(oci, "/proc/x"));
  for (const form f : {form::docker, form::kubernetes}) {
    CHECK(container::compile(p, to(f)).error == diagnostic{diagnostic_code::bad_path, 0, 0, "/"});
    CHECK(container::compile(policy_of<small>({hidden("/"), can_read("/r")}), to(f)).error.code == diagnostic_code::ok);
  }
}

TEST_CASE("container: limits and networks follow the policy") {
  const std::string oci = text(limited(), form::oci), docker = text(limited(), form::docker),
                    pod = text(limited(), form::kubernetes);
  CHECK(has(oci, "\"memory\": {\"limit\": 67108864, \"swap\": 67108864}"));
  CHECK(has(oci, "\"pids\": {\"limit\": 9}"));
  CHECK(has(oci, "{\"type\": \"RLIMIT_CPU\", \"hard\": 2, \"soft\": 2}"));
  CHECK(has(oci, "{\"type\": \"RLIMIT_NOFILE\", \"hard\": 77, \"soft\": 77}"));
  CHECK(has(oci, "{\"type\": \"RLIMIT_FSIZE\", \"hard\": 4096, \"soft\": 4096}"));
  CHECK(has(docker, "\"PidsLimit\": 9"));
  CHECK(has(docker, "{\"Name\": \"nofile\", \"Soft\": 77, \"Hard\": 77}"));
  CHECK(has(pod, "\"limits\": {\"memory\": \"67108864\"}"));
  CHECK(has(pod, "\"activeDeadlineSeconds\": 3"));
  const auto made = container::compile(limited(), to(form::kubernetes));
  for (const char* const said : {"cpu", "processes", "open_files", "file_size"})
    CHECK(made.gaps.has("container.limits", said));
  CHECK(!container::compile(limited(), to(form::oci)).gaps.has("container.limits", "cpu"));

  small any;
  any.level = level::network;
  REQUIRE(any.write_any<axis_id::hosts>().code == diagnostic_code::ok);
  CHECK(!has(text(any, form::oci), "{\"type\": \"network\"}"));
  CHECK(has(text(any, form::docker), "\"NetworkMode\": \"default\""));
  CHECK(has(text(any, form::kubernetes), "\"egress\": [{}]"));
  CHECK(container::compile(any, to(form::oci)).gaps.has("container.host_network"));
  for (const form f : forms) CHECK(!container::permits(container::compile(any, to(f)).rules, process_feature::listen));
  for (const form f : {form::oci, form::docker}) {
    small listens = any;
    REQUIRE(listens.write<axis_id::sockets>([](auto& out) {
                     out.add({sockets::own, 1, {}});
                   })
                .code == diagnostic_code::ok);
    CHECK(container::compile(listens, to(f)).gaps.has("container.own"));
    REQUIRE(listens
                .write<axis_id::sockets>([](auto& out) {
                  host::port_set ports;
                  ports.add({80, 80});
                  sockets::add_listening(ports, out);
                })
                .code == diagnostic_code::ok);
    CHECK(container::compile(listens, to(f)).gaps.has("container.listen"));
    CHECK(!container::permits(container::compile(listens, to(f)).rules, process_feature::listen));
    REQUIRE(listens.write_any<axis_id::sockets>().code == diagnostic_code::ok);
    const auto made_any = container::compile(listens, to(f));
    CHECK(!made_any.gaps.has("container.listen"));
    CHECK(!made_any.gaps.has("container.own"));
    CHECK(container::permits(made_any.rules, process_feature::listen));
  }
  const small some = policy_of<small>({can_connect("example.com"), can_connect("10.0.0.0/8")});
  for (const form f : forms) {
    const auto closed = container::compile(some, to(f));
    CHECK(closed.gaps.has("container.hosts"));
    CHECK(!container::permits(closed.rules, process_feature::some_host));
  }
}

TEST_CASE("container: connecting needs level network, because the filter denies sockets below it") {
  small p = policy_of<small>({grant("/run", verb::read | right::connect), can_read("/etc")});
  const auto low = container::compile(p, to(form::oci));
  CHECK(low.gaps.has("container.sockets"));
  CHECK(!low.gaps.has("container.connect"));
  CHECK(!container::permits(low.rules, right::connect, "/run/x"));
  p.level = level::network;
  const auto high = container::compile(p, to(form::oci));
  CHECK(high.gaps.has("container.connect"));
  CHECK(container::permits(high.rules, right::connect, "/run/x"));
  CHECK(proof::fault<container::backend>(p, to(form::oci)) == "");
}

TEST_CASE("container: paths that JSON or a form cannot express are errors") {
  const auto of = [](std::initializer_list<std::pair<std::string_view, rights>> all) {
    loaded_policy p;
    p.level = level::process_exec;
    CHECK(p.write<axis_id::files>([&](auto& out) {
             for (const auto& [place, r] : all) out.add({place, r.bits(), {}});
           }).code == diagnostic_code::ok);
    return p;
  };
  const auto less = of({{"/w", verb::write}, {"/w/\xff", verb::read}, {"/w/\xff/x", verb::write}});
  const auto more = of({{"/r", verb::read}, {"/r/\xff", verb::write}, {"/\xfe", verb::run}, {"/\xfe/x", verb::hide}});
  const auto colon = of({{"/w", verb::write}, {"/w/a:b", verb::read}});
  for (const form f : forms) {
    const auto refused = container::compile(less, to(f));
    CHECK(refused.error.code == diagnostic_code::bad_path);
    CHECK(refused.error.subject == "/w/\xff");
    const auto made = container::compile(more, to(f));
    REQUIRE(made.error.code == diagnostic_code::ok);
    CHECK(made.gaps.has("container.name", "/r/\xff"));
    CHECK(made.gaps.has("container.name", "/\xfe"));
    CHECK(container::permits(made.rules, right::read, "/r/\xff/a"));
    CHECK(!container::permits(made.rules, right::write, "/r/\xff/a"));
    CHECK(!container::permits(made.rules, right::run, "/\xfe/a"));
    CHECK(utf8::is_text(proof::text_of(made.rules)));
    CHECK((container::compile(colon, to(f)).error.code == diagnostic_code::bad_path) == (f == form::kubernetes));
  }
  for (const auto& p : {more, of({{"/a", verb::read}, {"/a/b:c", verb::write}, {"/d:/e", verb::read}})})
    for (const form f : forms) CHECK(proof::fault<container::backend>(p, to(f)) == "");
  CHECK(container::compile(job, {form::oci, "\xff"}).error.code == diagnostic_code::bad_path);
  CHECK(container::compile(job, {form::kubernetes, "i", "Not.A.Label"}).error.code == diagnostic_code::bad_value);
  CHECK(container::compile(job, {form::kubernetes, "i", std::string(65, 'a')}).error.code ==
        diagnostic_code::bad_value);
  CHECK(container::compile(job, {form::docker, std::string(5000, 'a')}).error.code == diagnostic_code::bad_path);
}

TEST_CASE("container: Pod names are DNS labels") {
  for (const std::string_view label : {"a", "v0", "a-b", "0"}) CHECK(container::is_label(label));
  for (const std::string_view none : {"", "A", "a.b", "-a", "a-", "a\nb"}) CHECK(!container::is_label(none));
  CHECK(!container::is_label(std::string(64, 'a')));
}

TEST_CASE("container: an unknown denied call is a gap") {
  small p = job;
  REQUIRE(p.write<axis_id::calls>([](auto& out) {
             out.add({"*", 1, {}}), out.add({"opne", 0, {}});
           }).code == diagnostic_code::ok);
  for (const form f : forms) CHECK(container::compile(p, to(f)).gaps.has("container.unknown_call", "opne"));
}

TEST_CASE("container: any path is one string") {
  for (const std::string_view place :
       {"/a\",\"type\":\"x", "/a\\", "/a\\\"}]", "/a:rw,z", "/a,source=/etc", "/a\nb\t\x01", "/--privileged",
        "/$(HOME)", "/*?[a]", "/a b'c`d", "/\xF0\x9F\x92\xA9"}) {
    loaded_policy p;
    p.level = level::process_exec;
    REQUIRE(p.write<axis_id::files>([&](auto& out) {
               out.add({place, verb::write.bits(), {}});
             }).code == diagnostic_code::ok);
    CAPTURE(place);
    CHECK(has(text(p, form::oci), "\"destination\": \"" + escaped(place) + "\", \"type\": \"bind\", \"source\": \"" +
                                      escaped(place) + "\""));
    CHECK(has(text(p, form::docker), "\"Source\": \"" + escaped(place) + "\", \"Target\": \"" + escaped(place) + "\""));
    if (place.find(':') == place.npos)
      CHECK(has(text(p, form::kubernetes), "{\"name\": \"v0\", \"hostPath\": {\"path\": \"" + escaped(place) + "\""));
  }
}

TEST_CASE("container: a hidden directory can be listed as empty, which is a gap") {
  constexpr auto made = container::compile(job, {});
  HOLDS(container::permits(made.rules, right::list, "/w/dkeys") && made.gaps.has("container.mask", "/w/dkeys"));
  HOLDS(!container::permits(made.rules, right::list, "/w/dkeys/x") &&
        !container::permits(made.rules, right::list, "/"));
  HOLDS(!container::permits(made.rules, right::run, "/r/x") && !made.gaps.has("container.run", "/r"));
  constexpr auto pod = container::compile(job, to(form::kubernetes));
  HOLDS(container::permits(pod.rules, right::run, "/r/x") && pod.gaps.has("container.run", "/r"));
  HOLDS(container::permits(pod.rules, right::list, "/a/b") && pod.gaps.has("container.parents", "/a/b"));
  HOLDS(!container::permits(made.rules, right::list, "/a/b"));
}

TEST_CASE("container: rules are sound, complete, monotone and deterministic") {
  CHECK(proof::backend_fault<container::backend>({}, effort(300)) == "");
  CHECK(proof::backend_fault<container::backend>({form::oci, "i", "n", 0, 0, seccomp::arch::aarch64, 0}, effort(50)) ==
        "");
}

TEST_CASE("container: a Pod shows something inside a mask at mount points that a ConfigMap makes") {
  constexpr auto known = policy_of({can_read("/r"), hidden("/r/ssh"), can_read("/r/ssh/known"), can_run("/r/ssh/a/b"),
                                    hidden("/r/ssh/a/b/c"), can_read("/r/ssh/a/b/c/d"), hidden("/r/plain")});
  constexpr auto pod = container::compile(known, to(form::kubernetes));
  HOLDS(pod.error.code == diagnostic_code::ok);
  HOLDS(container::permits(pod.rules, right::read, "/r/ssh/known/x") &&
        !container::permits(pod.rules, right::read, "/r/ssh/x"));
  HOLDS(pod.gaps.has("container.mask", "/r/ssh"));
  const std::string t = text(known, form::kubernetes);
  const std::string one = "{\"key\": \"empty\", \"path\": \"";
  CHECK(has(t, "\"kind\": \"ConfigMap\""));
  CHECK(has(t, "\"items\": [" + one + "a/b/empty\"}, " + one + "known/empty\"}]"));
  CHECK(has(t, "\"items\": [" + one + "d/empty\"}]"));
  CHECK(has(t, "{\"name\": \"empty\", \"mountPath\": \"/r/plain\""));
  CHECK_FALSE(has(t, "{\"name\": \"empty\", \"mountPath\": \"/r/ssh\""));
  const std::string file = looked(known, form::kubernetes, [](std::string_view place) {
    return place == "/r/ssh/known" ? file_type::file : file_type::directory;
  });
  CHECK(has(file, one + "known\"}]"));
  CHECK_FALSE(has(text(policy_of<small>({can_read("/r"), hidden("/r/ssh")}), form::kubernetes), "ConfigMap"));
}

TEST_CASE("container: a Pod has no mount point whose name starts with two dots") {
  constexpr auto dots = policy_of({can_read("/r"), hidden("/r/ssh"), hidden("/r/ssh/a"), can_read("/r/ssh/..a")});
  HOLDS(container::compile(dots, to(form::kubernetes)).error ==
        diagnostic{diagnostic_code::bad_path, 0, 0, "/r/ssh/..a"});
  HOLDS(container::compile(dots, to(form::oci)).error.code == diagnostic_code::ok);
  constexpr auto beside =
      policy_of({can_read("/r"), hidden("/r/ssh"), can_read("/s"), can_run("/s/t"), can_read("/s/t/..u")});
  HOLDS(container::compile(beside, to(form::kubernetes)).error.code == diagnostic_code::ok);
  constexpr auto outside = policy_of({can_read("/r/..t"), can_read("/r/u"), hidden("/r/u/v"), can_run("/r/u/v/w/..c")});
  HOLDS(container::stuck_in_mask(outside.files()).empty());
}

TEST_CASE("container: the file with which engines mask another one can be opened, which is a gap") {
  constexpr auto p = policy_of({can_read("/r"), hidden("/r/key")});
  for (const form f : {form::docker, form::kubernetes, form::oci}) {
    const auto made = container::compile(p, to(f));
    const bool opens = f != form::oci;
    CHECK(container::permits(made.rules, right::read, "/r/key", file_type::file) == opens);
    CHECK(!container::permits(made.rules, right::run, "/r/key", file_type::file));
    CHECK(!container::permits(made.rules, right::read, "/r/key"));
    CHECK(made.gaps.has("container.null", "/r/key") == opens);
  }
}

TEST_CASE("container: rules for engines are sound for policies that do not grant the root") {
  for (const form f : {form::docker, form::kubernetes}) {
    int proven = 0;
    for (int seed = 0; seed < effort(2000) && proven < effort(300); ++seed) {
      dice d(static_cast<std::uint64_t>(seed));
      const proof::small b = proof::random_policy(d), a = proof::random_policy(d) & b;
      CAPTURE(container::name(f));
      CAPTURE(seed);
      if (b.files().lookup("/") != 0) {
        CHECK(container::compile(b, to(f)).error.code == diagnostic_code::bad_path);
        continue;
      }
      ++proven;
      CHECK(proof::fault<container::backend>(b, to(f)) == "");
      CHECK(proof::widening<container::backend>(a, b, to(f)) == "");
      loaded_policy loaded;
      REQUIRE(copy(b, loaded).code == diagnostic_code::ok);
      CHECK(text(b, f) == text(loaded, f));
    }
    CHECK(proven >= effort(250));
  }
}

TEST_CASE("container: rules that do not fit their storage are an error") {
  constexpr auto crowded =
      policy_of<basic_policy<fixed_storage<8, 64>>>({can_write("/a"), hidden("/a/b/c/d/e/f/g/h/i/j/k")});
  HOLDS(container::compile(crowded, {}).error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("container: plans of sample policies") {
  for (const form f : forms)
    for (const samples::sample& s : samples::all) {
      const auto made = container::compile(s.policy, to(f));
      CAPTURE(s.name);
      CHECK(golden::matches("container/" + std::string(container::name(f)) + "-" + std::string(s.name) + ".txt",
                            made.error.code == diagnostic_code::ok
                                ? proof::text_of(made.rules) + proof::gap_lines(made.gaps)
                                : "error " + std::string(name(made.error.code)) + "\n"));
    }
}

} // namespace backend_container_test
