// Tables of numbers (or texts) in CSV files.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "taut/io/file.h"
#include "taut/tensor.h"

namespace taut::io {

struct CsvOptions {
  char delimiter = ',';
  char quote = '"';
  bool header = true;  // the first line names the columns
  /// The columns to read, in this order: by name, or by number ("0") without a header. Empty: all.
  std::vector<std::string> columns = {};
  ScalarType dtype = kFloat;
  /// Fields that count as missing, and the value they get. A missing value of an integer dtype needs one of its own.
  std::vector<std::string> missing = {"", "NA", "N/A", "NaN", "nan", "null", "?"};
  std::optional<double> fill = std::nullopt;  // NaN for floating point
};

struct Csv {
  std::vector<std::string> columns;  // empty without a header
  Tensor values;                     // [rows, columns]
};
struct CsvText {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Numbers into a tensor. Errors name the line and the column.
Csv read_csv(const std::string& path, const CsvOptions& options = {});
Csv parse_csv(const std::string& text, const CsvOptions& options = {}, const std::string& name = "the text");
/// The fields as they are.
CsvText read_csv_text(const std::string& path, const CsvOptions& options = {});
CsvText parse_csv_text(const std::string& text, const CsvOptions& options = {}, const std::string& name = "the text");

}  // namespace taut::io
