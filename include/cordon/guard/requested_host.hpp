// SPDX-License-Identifier: BSL-1.0
/// Finds the hosts that arguments of known tools name, by the table `host_tools`.
#pragma once

#include "argument_host.hpp"
#include "host_tool.hpp"
#include "wrapper.hpp"

namespace cordon::guard {

namespace detail {

/// The text before the first `:` outside brackets and before any slash; empty if there is none.
[[nodiscard]] constexpr std::string_view before_colon(std::string_view text) {
  const std::size_t bracket = text.find('[');
  const std::size_t from = bracket == text.npos ? 0 : text.find(']', bracket);
  const std::size_t end = from == text.npos ? from : text.find_first_of(":/", from);
  return end != text.npos && text[end] == ':' ? text.substr(0, end) : std::string_view{};
}

/// True if `f` holds for one of the parts that `between` separates.
template <class F> [[nodiscard]] constexpr bool any_part(std::string_view text, char between, F&& f) {
  for (;;) {
    const std::size_t end = text.find(between);
    if (f(text.substr(0, end))) return true;
    if (end == text.npos) return false;
    text.remove_prefix(end + 1);
  }
}

/// Removes the next part of `host:port:host:port` from the text and returns it. A host in brackets may contain colons.
[[nodiscard]] constexpr std::string_view take_part(std::string_view& text) {
  const std::size_t from = text.starts_with('[') ? text.find(']') : 0;
  const std::size_t end = from == text.npos ? from : text.find(':', from);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return part;
}

[[nodiscard]] constexpr std::uint16_t port_number(std::string_view text) {
  const host::parsed_number n = host::parse_number(text, 10, 65535);
  return n.found ? static_cast<std::uint16_t>(n.value) : std::uint16_t{0};
}

/// curl(1): `[+]host:port:address[,address]...`. curl contacts the addresses; `*` is every host. `-host:port` removes
/// an entry.
[[nodiscard]] constexpr bool refuses_resolve(host_judge& judge, std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view name = take_part(text);
  const std::uint16_t port = port_number(take_part(text));
  if (name != "*" && judge.refuses_value(name, port)) return true;
  return any_part(text, ',', [&](std::string_view a) { return !a.empty() && judge.refuses(a, port); });
}

/// curl(1): connections to the first host go to the second one. An empty part leaves that part unchanged.
[[nodiscard]] constexpr bool refuses_connect_to(host_judge& judge, std::string_view text) {
  const std::string_view from = take_part(text), from_port = take_part(text);
  const std::string_view to = take_part(text), to_port = take_part(text);
  const std::string_view host = to.empty() ? from : to;
  return !host.empty() && judge.refuses(host, port_number(to_port.empty() ? from_port : to_port));
}

/// ssh_config(5); other options name no host.
[[nodiscard]] constexpr bool refuses_assignment(host_judge& judge, std::string_view text) {
  const std::size_t end = text.find_first_of("= ");
  if (end == text.npos) return false;
  const program_name key{text.substr(0, end), true};
  if (!key.is("hostname") && !key.is("proxyjump")) return false;
  return any_part(text.substr(end + 1), ',',
                  [&](std::string_view h) { return h != "none" && judge.refuses_value(h, 22); });
}

/// socat(1): the types that connect. Types that listen, open files or start programs name no host.
[[nodiscard]] constexpr bool refuses_socat(host_judge& judge, std::string_view text) {
  const std::string_view type = text.substr(0, text.find(':'));
  constexpr std::string_view types = "tcp tcp4 tcp6 tcp-connect tcp4-connect tcp6-connect udp udp4 udp6 udp-connect "
                                     "udp4-connect udp6-connect udp-sendto openssl openssl-connect ssl sctp "
                                     "sctp-connect socks socks4 socks4a socks5 proxy proxy-connect dtls";
  const program_name key{type, true};
  if (type.size() == text.size() || find_word(types, [&](std::string_view t) { return key.is(t); }).empty())
    return false;
  text.remove_prefix(type.size() + 1);
  text = text.substr(0, text.find(','));
  const std::string_view host = take_part(text);
  return judge.refuses_value(host, port_number(take_part(text)));
}

[[nodiscard]] constexpr bool refuses_remote(host_judge& judge, std::string_view text, bool is_login,
                                            std::uint16_t port) {
  if (has_blank(text) || url_of(text)) return false; // find_refused_host judges URLs in any argument
  const std::string_view host = before_colon(text);
  if (host.size() > 1) return judge.refuses_value(host, port); // a single letter is a drive
  return is_login && judge.refuses_value(text, port);
}

} // namespace detail

/// True if a word of that shape names a refused host. O(n) in its size.
[[nodiscard]] constexpr bool refuses(host_judge& judge, host_shape shape, std::string_view text, std::uint16_t port) {
  switch (shape) {
  case host_shape::none: return false;
  case host_shape::host:
  case host_shape::web: return judge.refuses_value(text, port);
  case host_shape::remote: return detail::refuses_remote(judge, text, false, port);
  case host_shape::login: return detail::refuses_remote(judge, text, true, port);
  case host_shape::list:
    return detail::any_part(text, ',', [&](std::string_view h) { return judge.refuses_value(h, port); });
  case host_shape::resolve: return detail::refuses_resolve(judge, text);
  case host_shape::connect_to: return detail::refuses_connect_to(judge, text);
  case host_shape::assignment: return detail::refuses_assignment(judge, text);
  case host_shape::server: return judge.refuses_value(text.substr(text.starts_with('@') ? 1 : 0), port);
  case host_shape::socat: return detail::refuses_socat(judge, text);
  }
  return false;
}

/// Parses the arguments of one tool, from its name to before `end`.
class tool_reader {
private:
  [[nodiscard]] constexpr host_shape shape_of(std::string_view option) const {
    for (const host_values& v : tool_->values)
      if (has_word(v.options, option)) return v.shape;
    return host_shape::none;
  }

  /// Parses a word as an option with a value; long options may have one dash.
  [[nodiscard]] constexpr valued_option option_of(std::string_view word) const {
    const long_option o = long_option_of(word.substr(word.starts_with("--") ? 2 : 1));
    if (o.name.size() > 1 && (has_word(tool_->options, o.name) || shape_of(o.name) != host_shape::none))
      return {o.name, !o.has_value, o.value};
    if (word.starts_with("--")) return {};
    for (std::size_t i = 1; i < word.size(); ++i)
      if (has(tool_->letters, word[i])) return {word.substr(i, 1), i + 1 == word.size(), word.substr(i + 1)};
    return {};
  }

  /// Calls `f(index, option, text)` for each option's value and each operand, until f returns false. For an operand,
  /// `option` is empty.
  template <class F> constexpr void each(F&& f) const {
    bool ended = false;
    std::size_t operands = 0;
    for (std::size_t i = program_ + 1; i < end_; ++i) {
      const std::string_view text = w_[i].text;
      if (!ended && text == "--") {
        ended = true;
        continue;
      }
      if (ended || !is_option(text)) {
        if (tool_->operands == host_shape::login && ++operands > 1) return; // a command for the remote host
        if (!f(i, std::string_view{}, text)) return;
        continue;
      }
      const valued_option o = option_of(text);
      if (o.name.empty() || (o.is_next && i + 1 == end_)) continue;
      if (o.is_next) ++i;
      if (!f(i, o.name, o.is_next ? w_[i].text : o.value)) return;
    }
  }

  /// True if the words are the row's command and the tool contacts a host. Sets port_ as well.
  constexpr bool is_contacting() {
    std::string_view command = tool_->command;
    bool listens = false;
    port_ = tool_->port;
    each([&](std::size_t, std::string_view option, std::string_view text) {
      if (option.empty()) {
        if (command.empty()) return true;
        if (text != first_word(command)) return false;
        command = behind_first_word(command);
      } else if (has_word(tool_->port_options, option)) port_ = detail::port_number(text);
      return true;
    });
    for (std::size_t i = program_ + 1; i < end_ && !tool_->listening.empty(); ++i)
      listens = listens || (is_option(w_[i].text) && w_[i].text.find_first_of(tool_->listening, 1) != w_[i].text.npos);
    operand_ = 0;
    return command.empty() && !listens;
  }

  /// The shape of the next operand.
  constexpr host_shape shape_of_operand(std::string_view text) {
    if (has_word(tool_->ignored, text) || text.starts_with('+')) return host_shape::none;
    std::size_t words = tool_->command.empty() ? 0 : 1;
    for (const char c : tool_->command) words += c == ' ';
    const std::size_t n = operand_++, first = words + tool_->first;
    return n >= first && n < first + tool_->count ? tool_->operands : host_shape::none;
  }

  const words& w_;
  std::size_t program_, end_;
  const host_tool* tool_;
  std::size_t operand_ = 0;
  std::uint16_t port_ = 0;

public:
  /// Reads the arguments of a host tool between two indexes.
  constexpr tool_reader(const words& w, std::size_t program, std::size_t end, const host_tool& tool)
      : w_(w), program_(program), end_(end), tool_(&tool) {}

  /// Index of the word that names a refused host, or the number of words. O(words).
  [[nodiscard]] constexpr std::size_t find_refused(host_judge& judge) {
    if (!is_contacting()) return w_.size();
    const std::uint16_t port = port_;
    std::size_t found = w_.size();
    each([&](std::size_t i, std::string_view option, std::string_view text) {
      if (refuses(judge, option.empty() ? shape_of_operand(text) : shape_of(option), text, port)) found = i;
      return found == w_.size();
    });
    return found;
  }
};

/// The same for the program at that index, by every row of its name.
[[nodiscard]] constexpr std::size_t find_tool_host(const words& w, std::size_t program, std::size_t end,
                                                   host_judge& judge) {
  const program_name name = program_name_of(w[program].text);
  for (const host_tool& tool : host_tools) {
    if (find_word(tool.names, [&](std::string_view n) { return name.is(n); }).empty()) continue;
    if (const std::size_t i = tool_reader(w, program, end, tool).find_refused(judge); i < w.size()) return i;
  }
  return w.size();
}

} // namespace cordon::guard
