// SPDX-License-Identifier: BSL-1.0
/// Measures whether one of n patterns covers a host, index against common alternatives, in one run. Also the meet of
/// two sets.
///   hosts [--check] [Google Benchmark's options]
/// The peer is a std::unordered_set of names, in which the host and each of its suffixes at a label are looked up. The
/// other peer scans a list. Half of the hosts are covered.
/// --check exits with 1 if the index takes more of the peer's time than `bounds` allows, or more than 45 bytes a
/// pattern. It also does so if the meet of two sets of a million takes a second, or not about ten times as long as that
/// of a hundred thousand.
#include <cordon/host/index.hpp>
#include <cordon/policy/heap.hpp>

#include "../test/dice.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace {

using namespace cordon;

struct bound {
  std::size_t patterns;
  double share; ///< of the peer's time at most
};
constexpr bound bounds[]{{10, 1.0}, {1'000, 0.8}, {100'000, 0.5}, {1'000'000, 0.5}};
constexpr double most_bytes = 45;
constexpr double most_meet = 1.0; ///< seconds

/// About twenty bytes: two or three labels.
std::string random_name(dice& d) {
  const char* const tops[]{"com", "org", "net", "io", "de", "co.uk"};
  const auto label = [&](std::size_t least, std::size_t spread) {
    std::string text;
    for (std::size_t n = least + d.below(spread); n != 0; --n) text += static_cast<char>('a' + d.below(26));
    return text;
  };
  const std::string name = label(9, 9) + "." + d.one_of(tops);
  return d.percent(40) ? label(3, 4) + "." + name : name;
}

/// n names, sorted in the order of the tree.
std::vector<std::string> random_names(std::size_t n, std::uint64_t seed) {
  dice d(seed);
  std::vector<std::string> names;
  while (names.size() < n) names.push_back(random_name(d));
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return host::order(a, b) < 0; });
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

host_set<heap> set_of(const std::vector<std::string>& names) {
  host_set<heap> set;
  for (const std::string& n : names) set.add(host::parse(n));
  if (set.close().code != diagnostic_code::ok) std::abort();
  return set;
}

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using name_set = std::unordered_set<std::string, text_hash, std::equal_to<>>;

bool covers(const name_set& names, std::string_view asked) {
  for (;;) {
    if (names.find(asked) != names.end()) return true;
    const std::size_t dot = asked.find('.');
    if (dot == asked.npos) return false;
    asked.remove_prefix(dot + 1);
  }
}

bool covers(const std::vector<std::string>& names, std::string_view asked) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return host::covers(n, asked); });
}

host_index index_of(const std::vector<std::string>& names) {
  const auto all = set_of(names);
  return host_index(all.view());
}

/// Queries whose text is contiguous, so that their own cache misses do not count.
struct questions {
  std::string text;
  std::vector<std::uint32_t> ends{0};

  explicit questions(const std::vector<std::string>& names) {
    dice d(names.size() + 7);
    const char* const below[]{"", "", "www.", "api.", "a.cdn."};
    for (int i = 0; i < 1 << 16; ++i) {
      text += d.one_of(below);
      text += d.percent(50) ? names[d.below(names.size())] : random_name(d);
      ends.push_back(static_cast<std::uint32_t>(text.size()));
    }
  }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    i %= ends.size() - 1;
    return std::string_view(text).substr(ends[i], ends[i + 1] - ends[i]);
  }
};

/// The data that the look-ups of one size need.
struct side {
  std::vector<std::string> names;
  questions asked;
  name_set set;
  host_index index;

  explicit side(std::size_t n)
      : names(random_names(n, n)), asked(names), set(names.begin(), names.end()), index(index_of(names)) {
    std::size_t covered = 0;
    for (std::size_t i = 0; i + 1 < asked.ends.size(); ++i) {
      const bool yes = covers(set, asked[i]);
      covered += yes;
      if (index.covers(asked[i], 443) != yes) std::abort();
    }
    if (covered * 3 < asked.ends.size()) std::abort();
  }
};

const side& of_size(std::size_t n) {
  static std::map<std::size_t, std::unique_ptr<side>> made;
  std::unique_ptr<side>& s = made[n];
  if (!s) s = std::make_unique<side>(n);
  return *s;
}

template <class Covers> void ask(benchmark::State& state, const side& s, Covers&& covers_it) {
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(covers_it(s.asked[i++]));
}
void ask_index(benchmark::State& state) {
  const side& s = of_size(static_cast<std::size_t>(state.range(0)));
  ask(state, s, [&](std::string_view asked) { return s.index.covers(asked, 443); });
  state.counters["bytes"] = static_cast<double>(s.index.bytes()) / static_cast<double>(s.names.size());
}
void ask_set(benchmark::State& state) {
  const side& s = of_size(static_cast<std::size_t>(state.range(0)));
  ask(state, s, [&](std::string_view asked) { return covers(s.set, asked); });
}
void ask_list(benchmark::State& state) {
  const side& s = of_size(static_cast<std::size_t>(state.range(0)));
  ask(state, s, [&](std::string_view asked) { return covers(s.names, asked); });
}

void meet(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  // Half of the names are common.
  const std::vector<std::string> common = random_names(n / 2, 1);
  const auto with = [&](std::uint64_t seed) {
    std::vector<std::string> names = random_names(n - n / 2, seed);
    names.insert(names.end(), common.begin(), common.end());
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return host::order(a, b) < 0; });
    return set_of(names);
  };
  const auto a = with(2), b = with(3);
  for (auto _ : state) {
    heap storage;
    step_function_builder<host_tree, heap> out(storage);
    out.add_meet(a.view(), b.view());
    if (out.close().code != diagnostic_code::ok || storage.size() < n / 3) std::abort();
    benchmark::DoNotOptimize(storage.all_slots());
  }
}

/// Building from patterns as text, in any order.
void load(benchmark::State& state) {
  std::vector<std::string> names = random_names(static_cast<std::size_t>(state.range(0)), 4);
  dice d(5);
  for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[d.below(i)]);
  for (auto _ : state) benchmark::DoNotOptimize(index_of(names).bytes());
}

/// Keeps the best time of each benchmark, and its bytes.
class best : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      const std::string name = run.run_name.function_name + "/" + run.run_name.args;
      const double time = run.GetAdjustedCPUTime();
      const auto [at, fresh] = times.try_emplace(name, time);
      if (!fresh && time < at->second) at->second = time;
      if (const auto found = run.counters.find("bytes"); found != run.counters.end()) bytes[name] = found->second;
    }
  }
  [[nodiscard]] double of(const std::string& name) const {
    const auto at = times.find(name);
    return at == times.end() ? 0 : at->second;
  }
  std::map<std::string, double> times, bytes;
};

} // namespace

int main(int count, char** words) {
  bool check = false;
  // Interleave the benchmarks: other load on the machine affects both alike.
  std::string interleaved = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> kept{words[0], interleaved.data()};
  for (char* const word : std::span{words, static_cast<std::size_t>(count)}.subspan(1))
    if (std::strcmp(word, "--check") == 0) check = true;
    else kept.push_back(word);
  int kept_count = static_cast<int>(kept.size());

  for (const bound& b : bounds) {
    const auto n = static_cast<std::int64_t>(b.patterns);
    const auto set_up = [&](const char* name, void (*run)(benchmark::State&)) {
      return benchmark::RegisterBenchmark(name, run)->Arg(n)->Repetitions(8)->MinTime(0.03);
    };
    set_up("index", ask_index);
    set_up("unordered_set", ask_set);
    if (n <= 1'000) set_up("scan", ask_list);
    if (n < 100'000) continue;
    benchmark::RegisterBenchmark("meet", meet)->Arg(n)->Repetitions(3)->Iterations(1)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("load", load)->Arg(n)->Iterations(1)->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&kept_count, kept.data());
  best reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);

  int status = 0;
  const auto demand = [&](bool holds) {
    if (check && !holds) status = 1;
  };
  for (const bound& b : bounds) {
    const std::string n = std::to_string(b.patterns);
    const double own = reporter.of("index/" + n), peer = reporter.of("unordered_set/" + n);
    if (own == 0 || peer == 0) continue;
    const double bytes = reporter.bytes["index/" + n];
    std::printf("%s patterns: %.2f of std::unordered_set's time (at most %.2f), %.0f bytes a pattern\n", n.c_str(),
                own / peer, b.share, bytes);
    demand(own / peer <= b.share && bytes <= most_bytes);
  }
  const double small = reporter.of("meet/100000"), large = reporter.of("meet/1000000");
  if (small != 0 && large != 0) {
    std::printf("meet of two sets of a million: %.2f s (at most %.2f), %.1f times that of a hundred thousand\n",
                large / 1000, most_meet, large / small);
    demand(large / 1000 <= most_meet && large / small < 20);
  }
  return status;
}
