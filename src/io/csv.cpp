// Reading CSV: quotes doubled inside quotes, line ends of any system, numbers without regard to the locale.
#include "taut/io/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/input.h"
#include "io/named.h"
#include "taut/factories.h"

namespace taut::io {

namespace {

/// Splits a text into records of fields, remembering where each is.
class Records {
 public:
  Records(const std::string& text, const CsvOptions& options, const std::string& name)
      : text_(text), options_(options), name_(name) {
    check<ValueError>(options.delimiter != options.quote && options.delimiter != '\n' && options.delimiter != '\r' &&
                          options.quote != '\n' && options.quote != '\r',
                      "read_csv: the delimiter and the quote must differ, and neither may be a line end");
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark
  }

  /// The next line that is not empty; false at the end.
  bool next(std::vector<std::string>& fields) {
    fields.clear();
    while (at_ < text_.size() && end_of_line()) {}
    if (at_ >= text_.size()) return false;
    line_ = next_line_;
    for (;;) {
      fields.push_back(field(fields.size()));
      if (at_ < text_.size() && text_[at_] == options_.delimiter) {
        ++at_;
        continue;
      }
      end_of_line();
      return true;
    }
  }
  size_t line() const { return line_; }

  template <class... Args>
  [[noreturn]] void fail(size_t line, size_t column, const Args&... what) const {
    throw FormatError(str(name_, ", line ", line, ", column ", column + 1, ": ", what...));
  }

 private:
  /// Skips one line end, if there is one here.
  bool end_of_line() {
    const size_t before = at_;
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    next_line_ += at_ != before;
    return at_ != before;
  }
  bool ends_field(char c) const { return c == options_.delimiter || c == '\n' || c == '\r'; }

  std::string field(size_t column) {
    std::string value;
    if (at_ >= text_.size() || text_[at_] != options_.quote) {
      const size_t start = at_;
      while (at_ < text_.size() && !ends_field(text_[at_])) {
        if (text_[at_] == options_.quote)
          fail(next_line_, column, "a quote stands inside a field that has none around it");
        ++at_;
      }
      return text_.substr(start, at_ - start);
    }
    const size_t start_line = next_line_;
    for (++at_;; ++at_) {
      if (at_ >= text_.size()) fail(start_line, column, "the quote that starts here does not end");
      if (text_[at_] == options_.quote) {
        ++at_;
        if (at_ >= text_.size() || text_[at_] != options_.quote) break;
      }
      if (text_[at_] == '\n') ++next_line_;
      value += text_[at_];
    }
    if (at_ < text_.size() && !ends_field(text_[at_])) fail(next_line_, column, "something follows the closing quote");
    return value;
  }

  const std::string& text_;
  const CsvOptions& options_;
  const std::string& name_;
  size_t at_ = 0, line_ = 0, next_line_ = 1;
};

/// Which columns of the file are wanted, in the order they are wanted.
std::vector<size_t> chosen(const CsvOptions& options, const std::vector<std::string>& names, size_t width,
                           const std::string& file) {
  std::vector<size_t> list;
  if (options.columns.empty()) {
    for (size_t i = 0; i < width; ++i) list.push_back(i);
    return list;
  }
  for (const std::string& wanted : options.columns) {
    size_t i = 0;
    if (options.header) {
      i = static_cast<size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
    } else {
      const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), i);
      if (error != std::errc() || end != wanted.data() + wanted.size()) i = width;
    }
    check<ValueError>(i < width, "read_csv: ", file, " has no column '", shortened(wanted), "'");
    list.push_back(i);
  }
  return list;
}

/// Walks the table: row(fields, columns, records) for every line after the header. Returns the chosen names.
template <class F>
std::vector<std::string> walk(const std::string& text, const CsvOptions& options, const std::string& name,
                              size_t& width, F row) {
  Records records(text, options, name);
  std::vector<std::string> fields, names;
  std::vector<size_t> columns;
  bool first = true;
  if (options.header) {
    check<FormatError>(records.next(names), name, " is empty: there is no line that names the columns");
    columns = chosen(options, names, names.size(), name);
    first = false;
  }
  size_t expected = names.size();
  while (records.next(fields)) {
    if (std::exchange(first, false)) {
      expected = fields.size();
      columns = chosen(options, names, expected, name);
    }
    if (fields.size() != expected)
      records.fail(records.line(), std::min(fields.size(), expected), "the line has ", fields.size(),
                   " fields, the first has ", expected);
    row(fields, columns, records);
  }
  width = columns.size();
  std::vector<std::string> result;
  if (options.header)
    for (size_t c : columns) result.push_back(names[c]);
  return result;
}

std::string_view trimmed(const std::string& s) {
  std::string_view v = s;
  while (!v.empty() && (v.front() == ' ' || v.front() == '\t')) v.remove_prefix(1);
  while (!v.empty() && (v.back() == ' ' || v.back() == '\t')) v.remove_suffix(1);
  return v;
}

std::pair<double, double> range_of(ScalarType t) {
  switch (t) {
    case ScalarType::Bool: return {0, 1};
    case ScalarType::Byte: return {0, 255};
    case ScalarType::Char: return {-128, 127};
    case ScalarType::Short: return {INT16_MIN, INT16_MAX};
    case ScalarType::Int: return {INT32_MIN, INT32_MAX};
    default: return {-INFINITY, INFINITY};
  }
}

template <class T>
T number(const std::string& field, const CsvOptions& options, size_t column, const Records& records) {
  const std::string_view v = trimmed(field);
  if (std::find(options.missing.begin(), options.missing.end(), v) != options.missing.end()) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(options.fill.value_or(NAN));
    if (!options.fill)
      records.fail(records.line(), column, "the value is missing, and ", options.dtype, " has no NaN: give a `fill`");
    return static_cast<T>(*options.fill);
  }
  T value{};
  const char *begin = v.data(), *end = v.data() + v.size();
  if (begin != end && *begin == '+' && end - begin > 1 && begin[1] != '-') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    if constexpr (std::is_floating_point_v<T>) {
      // Too large or too small for the dtype: infinity or zero, as the C library rounds it.
      return static_cast<T>(std::strtod(std::string(begin, end).c_str(), nullptr));
    }
    records.fail(records.line(), column, "'", shortened(field), "' does not fit into ", options.dtype);
  }
  if (error != std::errc() || stop != end)
    records.fail(records.line(), column, "'", shortened(field), "' is not ",
                 std::is_floating_point_v<T> ? "a number" : "a whole number");
  if constexpr (std::is_integral_v<T>) {
    const auto [low, high] = range_of(options.dtype);
    if (static_cast<double>(value) < low || static_cast<double>(value) > high)
      records.fail(records.line(), column, "'", shortened(field), "' does not fit into ", options.dtype);
  }
  return value;
}

template <class T>
Csv numbers(const std::string& text, const CsvOptions& options, const std::string& name) {
  std::vector<T> values;
  int64_t rows = 0;
  size_t width = 0;
  Csv result;
  result.columns = walk(text, options, name, width, [&](auto& fields, auto& columns, const Records& records) {
    for (size_t c : columns) values.push_back(number<T>(fields[c], options, c, records));
    ++rows;
  });
  result.values = from_vector(std::move(values)).view({rows, static_cast<int64_t>(width)}).data().to(options.dtype);
  return result;
}

std::string content(const std::string& path) { return Input::open(path).read_all(); }

}  // namespace

Csv parse_csv(const std::string& text, const CsvOptions& options, const std::string& name) {
  if (options.dtype == kDouble) return numbers<double>(text, options, name);
  if (is_floating_point(options.dtype)) return numbers<float>(text, options, name);
  return numbers<int64_t>(text, options, name);
}
Csv read_csv(const std::string& path, const CsvOptions& options) {
  return parse_csv(content(path), options, str('\'', path, '\''));
}

CsvText parse_csv_text(const std::string& text, const CsvOptions& options, const std::string& name) {
  CsvText result;
  size_t width = 0;
  result.columns = walk(text, options, name, width, [&](auto& fields, auto& columns, const Records&) {
    auto& row = result.rows.emplace_back();
    for (size_t c : columns) row.push_back(fields[c]);
  });
  return result;
}
CsvText read_csv_text(const std::string& path, const CsvOptions& options) {
  return parse_csv_text(content(path), options, str('\'', path, '\''));
}

}  // namespace taut::io
