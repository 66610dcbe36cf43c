// SPDX-License-Identifier: BSL-1.0
/// The storage of a policy's entries: one array of slots and one pool of text for all axes. `fixed_storage` is a flat,
/// trivially copyable value for constants. `heap.hpp` has the growing storage for policies that are read at run time.
/// The algorithms use the same six members of both.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// One entry of a step function: its place as an offset and length in the text pool, its parent entry, its value.
struct slot {
  std::uint32_t first = 0;  ///< offset of its text
  std::uint32_t length = 0; ///< bytes of its place
  std::uint32_t parent = 0; ///< index within its step function, or `no_slot`
  std::uint32_t value = 0;  ///< what is allowed there
};

inline constexpr std::uint32_t no_slot = 0xFFFFFFFF; ///< the index of no slot

/// Stores up to `Slots` entries and `Text` bytes inside the object.
template <std::uint32_t Slots, std::uint32_t Text> class fixed_storage {
public:
  [[nodiscard]] constexpr std::uint32_t size() const { return used_; }     ///< The number of slots.
  [[nodiscard]] constexpr slot* all_slots() { return slots_; }             ///< The slots, in the order of the walk.
  [[nodiscard]] constexpr const slot* all_slots() const { return slots_; } ///< The slots, in the order of the walk.
  [[nodiscard]] constexpr const char* text() const { return text_; }       ///< The text of all slots.

  /// Appends an entry with the text `a` followed by `b`; its length counts `a` alone. False if it does not fit.
  constexpr bool push(std::string_view a, std::string_view b, std::uint32_t value) {
    if (used_ == Slots || a.size() + b.size() > Text - written_) return false;
    slots_[used_++] = {written_, static_cast<std::uint32_t>(a.size()), no_slot, value};
    append(a);
    append(b);
    return true;
  }

  /// Drops the entries with index `count` and above.
  constexpr void truncate(std::uint32_t count) { used_ = count; }

private:
  constexpr void append(std::string_view from) {
    // Copy to local variables first: the compiler evaluates each member access in a constant expression slowly.
    char* to = text_ + written_;
    const char* c = from.data();
    for (std::size_t left = from.size(); left != 0; --left) *to++ = *c++;
    written_ += static_cast<std::uint32_t>(from.size());
  }

  std::uint32_t used_ = 0;
  std::uint32_t written_ = 0;
  slot slots_[Slots]{};
  char text_[Text]{};
};

/// A value for each entry of a step function in a `Storage`, while an algorithm runs. It allocates only if the storage
/// does.
template <class Storage, class T> class side_table;
/// A value for each slot of a `fixed` storage.
template <std::uint32_t Slots, std::uint32_t Text, class T> class side_table<fixed_storage<Slots, Text>, T> {
public:
  /// With `size` values.
  constexpr explicit side_table(std::uint32_t size, T initial = {}) {
    for (std::uint32_t i = 0; i < size; ++i) values_[i] = initial;
  }
  [[nodiscard]] constexpr T& operator[](std::uint32_t i) { return values_[i]; } ///< The value with that index.
  /// The value with that index.
  [[nodiscard]] constexpr const T& operator[](std::uint32_t i) const { return values_[i]; }

private:
  std::array<T, Slots> values_{};
};

namespace detail {

template <class A, class B> struct roomier_of;
template <class S> struct roomier_of<S, S> { using type = S; };
template <std::uint32_t SlotsA, std::uint32_t TextA, std::uint32_t SlotsB, std::uint32_t TextB>
requires(SlotsA != SlotsB ||
         TextA != TextB) struct roomier_of<fixed_storage<SlotsA, TextA>, fixed_storage<SlotsB, TextB>> {
  using type = fixed_storage<(SlotsA < SlotsB ? SlotsB : SlotsA), (TextA < TextB ? TextB : TextA)>;
};

} // namespace detail

/// The storage for the meet of policies in two storages; it has the larger capacities of the two.
template <class A, class B> using roomier = typename detail::roomier_of<A, B>::type;

} // namespace cordon
