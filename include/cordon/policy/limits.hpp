// SPDX-License-Identifier: BSL-1.0
/// Limits: how much of a resource a run may use. The meet is the minimum. The smallest value is 1, so that 0 never
/// means "no limit" and the least policy can be written down.
#pragma once

#include "../detail/index_iterator.hpp"
#include "../detail/stop.hpp"
#include "../detail/table.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// `limit_table` has the meaning of each.
enum class limit : std::uint8_t { timeout, cpu, memory, processes, open_files, file_size, output };

namespace limit_text {

/// The syntax of a text. `seconds` is a duration whose unit may be omitted.
enum class quantity : std::uint8_t { size, duration, seconds, count };

} // namespace limit_text

/// The option of the command line that sets a limit; without a name if there is none.
struct limit_option {
  std::string_view name{};         ///< without its dashes; empty: none
  std::string_view help{};         ///< for `--help`
  limit_text::quantity quantity{}; ///< of its value
};

/// A limit: its names, quantity, and meaning.
struct limit_row {
  limit which;           ///< the limit
  std::string_view name; ///< in documents and reports
  /// A size in bytes, a duration in nanoseconds, or a count.
  limit_text::quantity quantity;
  std::string_view meaning; ///< for the schema
  /// cordon itself enforces it on every system: by its clock, or by counting what it relays.
  bool by_cordon = false;
  limit_option option{}; ///< of the command line
};

/// All limits. Documents, the policy language, the schema, the options and the reports read this table.
inline constexpr limit_row limit_table[]{
    {limit::timeout,
     "timeout",
     limit_text::quantity::duration,
     "Wall clock of the run.",
     true,
     {"--timeout", "limit of wall clock time, such as 30s", limit_text::quantity::duration}},
    {limit::cpu,
     "cpu",
     limit_text::quantity::duration,
     "Processor time.",
     false,
     {"--cpu", "limit of processor time, in seconds", limit_text::quantity::seconds}},
    {limit::memory,
     "memory",
     limit_text::quantity::size,
     "Memory.",
     false,
     {"--memory", "limit, such as 512MiB", limit_text::quantity::size}},
    {limit::processes,
     "processes",
     limit_text::quantity::count,
     "Processes and threads at one time.",
     false,
     {"--processes", "limit, a number", limit_text::quantity::count}},
    {limit::open_files, "open_files", limit_text::quantity::count, "Open descriptors of one process."},
    {limit::file_size, "file_size", limit_text::quantity::size, "Size of one file."},
    {limit::output,
     "output",
     limit_text::quantity::size,
     "What is written to stdout and stderr together.",
     true,
     {"--max-output", "limit of stdout and stderr together, such as 1MiB", limit_text::quantity::size}},
};
static_assert(detail::is_in_order(limit_table));

inline constexpr auto limit_names = detail::names_of(limit_table); ///< names of the enumerators, by value

/// The row of a limit.
[[nodiscard]] constexpr const limit_row& row_of(limit l) { return limit_table[static_cast<std::size_t>(l)]; }
/// Returns: the name of the limit, as in documents.
[[nodiscard]] constexpr std::string_view name(limit l) { return row_of(l).name; }
/// Is it in nanoseconds?
[[nodiscard]] constexpr bool is_duration(limit l) { return row_of(l).quantity == limit_text::quantity::duration; }

/// One limit with its value.
struct limit_value {
  limit which{};           ///< the limit
  std::uint64_t value = 0; ///< in bytes, nanoseconds, or a plain number
};

/// The limits of a policy; those that are not set are unlimited.
class limits {
public:
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};     ///< the value of a limit that is not set
  static constexpr std::uint64_t greatest = ~std::uint64_t{0} >> 1; ///< the largest value that can be written

  constexpr limits() {
    for (auto& v : values_) v = unlimited;
  }
  /// The least limits: one unit of each resource.
  [[nodiscard]] static constexpr limits least() {
    limits l;
    for (auto& v : l.values_) v = 1;
    return l;
  }

  /// The value, or `unlimited`.
  [[nodiscard]] constexpr std::uint64_t operator[](limit l) const { return values_[static_cast<std::size_t>(l)]; }
  /// All limits in the order of the table, also those that are unlimited.
  [[nodiscard]] constexpr auto begin() const& { return detail::index_iterator<at>({this}, 0); }
  void begin() const&& = delete;
  void end() const&& = delete;
  /// The end of the limits that are set.
  [[nodiscard]] constexpr auto end() const& { return detail::index_iterator<at>({this}, limit_names.size()); }
  [[nodiscard]] constexpr bool has(limit l) const { return (*this)[l] != unlimited; } ///< Is the limit set?
  /// Stops the process (or the build) if the value is 0.
  constexpr limits& set(limit l, std::uint64_t value) {
    if (!try_set(l, value)) detail::a_limit_must_not_be_zero();
    return *this;
  }
  /// False, with nothing changed, if the value is 0.
  [[nodiscard]] constexpr bool try_set(limit l, std::uint64_t value) {
    if (value != 0) values_[static_cast<std::size_t>(l)] = value;
    return value != 0;
  }

  /// The lower of each limit.
  friend constexpr limits operator&(const limits& a, const limits& b) {
    limits m;
    for (std::size_t i = 0; i < limit_names.size(); ++i)
      m.values_[i] = a.values_[i] < b.values_[i] ? a.values_[i] : b.values_[i];
    return m;
  }
  /// Is each limit of `a` at most that of `b`?
  friend constexpr bool operator<=(const limits& a, const limits& b) { return (a & b) == a; }
  /// Compares every limit.
  friend constexpr bool operator==(const limits& a, const limits& b) {
    for (std::size_t i = 0; i < limit_names.size(); ++i)
      if (a.values_[i] != b.values_[i]) return false;
    return true;
  }

private:
  struct at {
    const limits* of = nullptr;
    [[nodiscard]] constexpr limit_value operator()(std::uint32_t i) const {
      return {static_cast<limit>(i), of->values_[i]};
    }
  };

  std::uint64_t values_[limit_names.size()]{};
};

} // namespace cordon
