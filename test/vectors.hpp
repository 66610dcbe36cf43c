// SPDX-License-Identifier: BSL-1.0
/// Expected results as data: tables of tab-separated cells and JSON files in test/vectors. The head of each table
/// describes its columns; lines that start with # are comments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vectors {

/// As it was when the tests were compiled (vectors_folder.cpp).
extern const char* const folder_of_sources;

/// The folder with the files: $CORDON_VECTORS if the tests run without their sources, otherwise that of the source
/// tree.
[[nodiscard]] inline std::string folder() {
  const char* const moved = std::getenv("CORDON_VECTORS");
  return moved != nullptr ? moved : folder_of_sources;
}

/// All bytes of a file; throws if it cannot be read.
[[nodiscard]] inline std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The pieces of a text between separators; no piece for an empty text.
[[nodiscard]] inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t cut = text.find(separator);
    pieces.emplace_back(text.substr(0, cut));
    if (cut == text.npos) break;
    text.remove_prefix(cut + 1);
    if (text.empty()) pieces.emplace_back();
  }
  return pieces;
}

/// A cell's text: `\xNN` is one byte, `\\` a backslash, `""` the empty string.
[[nodiscard]] inline std::string unescaped(std::string_view cell) {
  if (cell == "\"\"") return {};
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] != '\\') text += cell[i];
    else if (cell.substr(i + 1, 1) == "\\") text += cell[++i];
    else if (cell.substr(i + 1, 1) == "x") {
      text += static_cast<char>(std::stoi(std::string(cell.substr(i + 2, 2)), nullptr, 16));
      i += 3;
    } else throw std::runtime_error("bad escape in cell " + std::string(cell));
  }
  return text;
}

class row {
public:
  row(const std::vector<std::string>& columns, std::vector<std::string> cells, std::size_t line)
      : columns_(columns), cells_(std::move(cells)), line_(line) {}

  [[nodiscard]] std::size_t line() const { return line_; }
  /// The cell as written in the file, for cells that are JSON.
  [[nodiscard]] const std::string& raw(std::string_view column) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i] == column) return cells_.at(i);
    throw std::runtime_error("no column " + std::string(column));
  }
  [[nodiscard]] bool is_absent(std::string_view column) const { return raw(column) == "-"; }
  /// The cell's text; empty if it is absent.
  [[nodiscard]] std::string text(std::string_view column) const {
    return is_absent(column) ? std::string() : unescaped(raw(column));
  }
  [[nodiscard]] std::vector<std::string> words(std::string_view column) const { return split(text(column), ' '); }

private:
  std::vector<std::string> columns_;
  std::vector<std::string> cells_;
  std::size_t line_;
};

/// The rows of a table in the folder. Throws if there are fewer than `least`: an empty table proves nothing.
[[nodiscard]] inline std::vector<row> table(const std::string& name, std::size_t least) {
  std::vector<row> rows;
  std::vector<std::string> columns;
  std::size_t number = 0;
  for (const std::string& line : split(content_of(folder() + "/" + name), '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> cells = split(line, '\t');
    if (columns.empty()) {
      columns = std::move(cells);
      continue;
    }
    cells.resize(std::max(cells.size(), columns.size()));
    rows.emplace_back(columns, std::move(cells), number);
  }
  if (rows.size() < least) throw std::runtime_error(name + " has fewer rows than it should");
  return rows;
}

} // namespace vectors
