// The reader of tensors in golden files.
#include "support/golden.h"

#include <cstdlib>
#include <sstream>

namespace taut::test {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

namespace {
ScalarType dtype_named(const std::string& name) {
  for (int t = 0; t < kDtypeCount; ++t)
    if (name == dtype_name(static_cast<ScalarType>(t))) return static_cast<ScalarType>(t);
  throw ValueError("golden data name an unknown dtype: " + name);
}
}  // namespace

Tensor parse_tensor(const std::string& text) {
  if (text == "none") return {};
  const size_t open = text.find('['), close = text.find("]:");
  std::vector<int64_t> sizes;
  for (const std::string& s : split(text.substr(open + 1, close - open - 1), ',')) sizes.push_back(std::stoll(s));
  const ScalarType dtype = dtype_named(text.substr(0, open));
  const std::vector<std::string> parts = split(text.substr(close + 2), ',');
  if (dtype == kLong) {
    const Tensor t = empty(sizes, kLong);
    for (size_t k = 0; k < parts.size(); ++k) t.data_ptr<int64_t>()[k] = std::stoll(parts[k]);
    return t;
  }
  if (is_complex(dtype)) sizes.push_back(2);
  const Tensor t = empty(sizes, kDouble);
  for (size_t k = 0; k < parts.size(); ++k) t.data_ptr<double>()[k] = std::strtod(parts[k].c_str(), nullptr);
  return is_complex(dtype) ? view_as_complex(t.to(value_type(dtype))) : t.to(dtype);
}

}  // namespace taut::test
