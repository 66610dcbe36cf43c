// SPDX-License-Identifier: BSL-1.0
/// Arguments of a class template that is never defined, so that a compiler's error prints them: enumerators, numbers and
/// texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace cordon::detail {

/// A text that g++ and clang 16 print in quotes. clang does so only for an array whose last element is an initialised
/// NUL.
template <std::size_t Size> struct quoted {
  char text[Size + 1]{};
  constexpr explicit quoted(std::string_view from) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = from[i];
    text[Size] = '\0';
  }
};
/// A function, so that clang prints the size as a number.
template <std::size_t Size> constexpr quoted<Size> quote(std::string_view from) { return quoted<Size>(from); }

/// How much of a text is printed as one argument. clang cuts a text after 36 characters and prints numbers for one that
/// is not ASCII. clang 14 prints the first ten characters of any text as numbers. All print a single character as such.
constexpr std::size_t printed_at_once([[maybe_unused]] std::string_view text) {
#if defined(__clang__) && __clang_major__ < 16
  return 1;
#elif defined(__clang__)
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return 1;
  return 36;
#else
  return 256;
#endif
}

/// A list of arguments. `+` joins two.
template <auto... Words> struct message_words {
  template <auto... More>
  friend constexpr message_words<Words..., More...> operator+(message_words, message_words<More...>) {
    return {};
  }
};

/// The part of the text `From.text` that is the argument with that index.
template <const auto& From, std::size_t Index> constexpr auto piece_of_text() {
  constexpr std::string_view all = From.text.view();
  constexpr std::size_t most = printed_at_once(all);
  if constexpr (most == 1) return all[Index];
  else return quote<all.substr(Index * most, most).size()>(all.substr(Index * most, most));
}

/// The text `From.text` as arguments; none if it is empty.
template <const auto& From> constexpr auto words_of_text() {
  constexpr std::size_t most = printed_at_once(From.text.view());
  return []<std::size_t... I>(std::index_sequence<I...>) { return message_words<piece_of_text<From, I>()...>{}; }
  (std::make_index_sequence<(From.text.size() + most - 1) / most>{});
}

/// The enumerators of a set of bits, out of the first `Count`.
template <std::uint64_t Bits, class Enum, std::size_t Count> constexpr auto words_of_bits() {
  const auto word = []<std::size_t I>(std::integral_constant<std::size_t, I>) {
    if constexpr ((Bits >> I & 1) != 0) return message_words<static_cast<Enum>(I)>{};
    else return message_words<>{};
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (message_words<>{} + ... + word(std::integral_constant<std::size_t, I>{}));
  }
  (std::make_index_sequence<Count>{});
}

} // namespace cordon::detail
