// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cordon::format::json {

namespace {

/// Walks over valid JSON text.
class walker {
public:
  explicit walker(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t at() {
    at_ = text_.find_first_not_of(" \t\r\n", at_);
    return at_;
  }
  [[nodiscard]] char look() { return text_[at()]; }
  void step() { at_ = at() + 1; }

  /// Returns the content of the string here, and moves after it.
  std::string string() {
    const std::size_t from = at();
    skip();
    const std::string_view token = text_.substr(from, at_ - from);
    if (token.find('\\') == token.npos) return std::string(token.substr(1, token.size() - 2));
    return std::string(boost::json::parse(boost::json::string_view(token.data(), token.size())).as_string());
  }

  /// Moves after the value here.
  void skip() {
    std::size_t depth = 0;
    do {
      const char c = look();
      if (c == '"') {
        for (++at_; text_[at_] != '"'; ++at_)
          if (text_[at_] == '\\') ++at_;
        ++at_;
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        --depth;
        ++at_;
      } else if (c == ',' || c == ':') ++at_;
      else {
        at_ = text_.find_first_of(" \t\r\n,]}", at_);
        if (at_ == text_.npos) at_ = text_.size();
      }
    } while (depth != 0);
  }

  /// Calls `f(offset of the element or key, key)` for each element of the container here. The walker is before the
  /// element (after the colon), and `f` must move after it. Moves after the container, unless f returns false.
  template <class F> void each(F&& f) {
    const bool object = look() == '{';
    const char end = object ? '}' : ']';
    for (step(); look() != end;) {
      const std::size_t from = at();
      std::string key;
      if (object) {
        key = string();
        step();
      }
      if (!f(from, key)) return;
      if (look() == ',') step();
    }
    step();
  }

private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Offset of the first duplicate key in an object.
std::optional<std::size_t> duplicate_key(walker& w) {
  std::optional<std::size_t> found;
  if (w.look() != '{' && w.look() != '[') return w.skip(), found;
  const bool object = w.look() == '{';
  std::unordered_set<std::string> seen;
  w.each([&](std::size_t from, const std::string& key) {
    if (object && !seen.insert(key).second) found = from;
    else found = duplicate_key(w);
    return !found;
  });
  return found;
}

} // namespace

position abi_0::position_of(std::string_view text, std::size_t offset) {
  position p;
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      ++p.line;
      p.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++p.column;
  }
  return p;
}

text::text(std::string file, std::string content) : file_(std::move(file)), content_(std::move(content)) {
  boost::json::parse_options options;
  options.max_depth = deepest;
  boost::json::stream_parser parser({}, options);
  boost::system::error_code ec;
  const std::size_t used = parser.write_some(content_.data(), content_.size(), ec);
  if (!ec && used < content_.size()) fail(diagnostic_code::syntax, used, "more text after the end of the JSON value");
  if (!ec) parser.finish(ec);
  if (ec == boost::json::error::too_deep)
    fail(diagnostic_code::syntax, used, "nested deeper than " + std::to_string(deepest) + " levels");
  if (ec == boost::json::error::incomplete)
    fail(diagnostic_code::syntax, content_.size(), "the JSON text ends too early");
  if (ec) fail(diagnostic_code::syntax, used, "not valid JSON: " + ec.message());
  root_ = parser.release();
  walker w(content_);
  if (const auto twice = duplicate_key(w)) {
    walker key(std::string_view(content_).substr(*twice));
    fail(diagnostic_code::duplicate_key, *twice, "the key " + shown(key.string()) + " stands here a second time");
  }
}

void text::fail(diagnostic_code code, std::size_t offset, const std::string& message) const {
  const position p = position_of(content_, offset);
  throw bad_document(code, file_, p.line, p.column, message);
}

std::size_t node::offset(bool of_key) const {
  walker w(text_->content());
  std::vector<const node*> way;
  for (const node* n = this; n->above_ != nullptr; n = n->above_) way.push_back(n);
  while (!way.empty()) {
    const node& next = *way.back();
    way.pop_back();
    std::size_t index = 0, key_at = 0;
    const bool object = w.look() == '{';
    w.each([&](std::size_t from, const std::string& key) {
      key_at = from;
      if (object ? key == next.key_ : index++ == next.index_) return false;
      w.skip();
      return true;
    });
    if (way.empty() && of_key && object) return key_at;
  }
  return w.at();
}

void node::fail(diagnostic_code code, const std::string& message) const {
  text_->fail(code, offset(), (key_.empty() ? "" : std::string(key_) + ": ") + message);
}
void node::unknown_key(std::string_view known) const {
  text_->fail(diagnostic_code::unknown_key, offset(true),
              "unknown key " + shown(key_) + "; known here: " + std::string(known));
}

} // namespace cordon::format::json
