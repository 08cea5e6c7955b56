// Tensors as text, character for character as libtorch's operator<< writes them in C++.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <ostream>

#include "ops/op.h"
#include "taut/print.h"

namespace taut {

namespace {

/// What the stream was set to, given back at the end.
class Settings {
 public:
  explicit Settings(std::ostream& out) : out_(out), flags_(out.flags()), precision_(out.precision()) {}
  ~Settings() {
    out_.flags(flags_);
    out_.precision(precision_);
  }
  Settings(const Settings&) = delete;

 private:
  std::ostream& out_;
  std::ios::fmtflags flags_;
  std::streamsize precision_;
};

/// The exponent of ten of a positive number.
int exponent(double x) {
  char text[32];
  *std::to_chars(text, text + sizeof text - 1, x, std::chars_format::scientific).ptr = '\0';
  return std::atoi(std::strchr(text, 'e') + 1);
}

/// One matrix or vector of doubles, and how its numbers are written.
class Matrix {
 public:
  Matrix(std::ostream& out, const double* data, int64_t rows, int64_t columns)
      : out_(out), data_(data), rows_(rows), columns_(columns), precision_(out.precision()) {
    double low = 1, high = 1;
    bool whole = true, any = false;
    for (int64_t i = 0; i < rows * columns; ++i) {
      const double x = std::abs(data[i]);
      if (!std::isfinite(x)) continue;
      low = any ? std::min(low, x) : x;
      high = any ? std::max(high, x) : x;
      any = true;
      whole = whole && x == std::ceil(x);
    }
    const auto digits = [](double x) { return x != 0 ? exponent(x) + 1 : 1; };
    const int least = digits(low), most = digits(high);
    if (whole ? most > 9 : most - least > 4) {
      width_ = !whole && (std::abs(most) > 99 || std::abs(least) > 99) ? 12 : 11;
      out_ << std::scientific << std::setprecision(4);
    } else if (whole) {
      width_ = most + 1;
      out_ << std::defaultfloat;
    } else {
      if (most > 5 || most < 0) scale_ = std::strtod(("1e" + std::to_string(most - 1)).c_str(), nullptr);
      width_ = scale_ != 1 || most == 0 ? 7 : most + 6;
      out_ << std::fixed << std::setprecision(4);
    }
  }
  void vector() const {
    if (scale_ != 1) scale();
    for (int64_t i = 0; i < columns_; ++i) out_ << std::setw(width_) << data_[i] / scale_ << '\n';
  }
  void matrix(int64_t line, int64_t indent) const {
    const std::string margin(static_cast<size_t>(indent), ' ');
    const int64_t fit = std::max<int64_t>((line - indent) / (width_ + 1), 1);
    for (int64_t first = 0; first < columns_; first += fit) {
      const int64_t last = std::min(first + fit, columns_) - 1;
      if (fit < columns_) out_ << (first ? "\n" : "") << "Columns " << first + 1 << " to " << last + 1 << margin;
      if (scale_ != 1) {
        scale();
        out_ << margin;
      }
      for (int64_t r = 0; r < rows_; ++r) {
        for (int64_t c = first; c <= last; ++c)
          out_ << std::setw(width_) << data_[r * columns_ + c] / scale_ << (c == last ? '\n' : ' ');
        if (r + 1 < rows_) out_ << margin << (scale_ != 1 ? " " : "");
      }
    }
  }

 private:
  void scale() const {
    const Settings settings(out_);
    out_ << std::defaultfloat << std::setprecision(static_cast<int>(precision_)) << scale_ << " *\n";
  }
  std::ostream& out_;
  const double* data_;
  int64_t rows_, columns_;
  std::streamsize precision_;  // the program's
  int width_ = 0;
  double scale_ = 1;
};

/// The fewest digits that give this number again, whatever the stream's precision.
std::string shortest(double x) {
  char text[40];
  const double size = std::abs(x);
  const bool far = size != 0 && (size < 1e-4 || size >= 1e16) && std::isfinite(x);
  const auto how = far ? std::chars_format::scientific : std::chars_format::fixed;
  return {text, std::to_chars(text, text + sizeof text, x, how).ptr};
}

}  // namespace

std::ostream& print_cpp(std::ostream& out, const Tensor& t, int64_t width) {
  if (!t.defined()) return out << "[ Tensor (undefined) ]";
  check<NotImplementedError>(!t.is_meta(), "Cannot copy out of meta tensor; no data!");
  const Settings settings(out);
  const Tensor x = t.detach().to(kDouble).contiguous();
  const auto* data = static_cast<const double*>(x.data_ptr());
  const IntArrayRef sizes = t.sizes();
  const size_t n = sizes.size();
  if (n == 0) {
    out << shortest(data[0]) << '\n';
  } else if (t.numel() > 0 && n == 1) {
    Matrix(out, data, 1, sizes[0]).vector();
  } else if (t.numel() > 0 && n == 2) {
    Matrix(out, data, sizes[0], sizes[1]).matrix(width, 0);
  } else if (t.numel() > 0) {
    const int64_t rows = sizes[n - 2], columns = sizes[n - 1], count = t.numel() / (rows * columns);
    for (int64_t k = 0; k < count; ++k) {  // the first dimension runs fastest
      int64_t rest = k, at = 0;
      out << (k ? "\n(" : "(");
      for (size_t d = 0; d < n - 2; ++d) {
        const int64_t i = rest % sizes[d];
        rest /= sizes[d];
        at += i * x.strides()[d];
        out << i + 1 << ',';
      }
      out << ".,.) = \n";
      Matrix(out, data + at, rows, columns).matrix(width, 1);
    }
  }
  out << "[ " << t.toString() << '{';
  for (size_t d = 0; d < n; ++d) out << (d ? "," : "") << sizes[d];
  out << '}';
  if (autograd::forward_mode())
    if (const Tensor tangent = autograd::tangent_of(t); tangent.defined())
      print_cpp(out << ", tangent:\n", tangent, width);
  return out << " ]";
}

}  // namespace taut
