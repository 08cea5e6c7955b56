// Tensors as text, character for character as Python's repr of a torch.Tensor.
#include "taut/print.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include "core/fork.h"
#include "ops/sparse.h"
#include "taut/core/style.h"
#include "taut/func_levels.h"

namespace taut {

namespace {

ForkSafeMutex options_mutex;
PrintOptions current_options;

/// "(2, 3)", "(0,)", "()": a shape as Python prints a tuple.
std::string tuple(IntArrayRef sizes) {
  std::string s = "(";
  for (size_t d = 0; d < sizes.size(); ++d) s += (d ? ", " : "") + std::to_string(sizes[d]);
  return s + (sizes.size() == 1 ? ",)" : ")");
}

/// printf's %.*f and %.*e, whatever the locale.
std::string number(double x, std::chars_format format, int precision) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  std::string s(static_cast<size_t>(330 + precision), '\0');
  const auto result = std::to_chars(s.data(), s.data() + s.size(), x, format, precision);
  s.resize(static_cast<size_t>(result.ptr - s.data()));
  return s;
}

class Printer {
 public:
  /// `imag` prints the imaginary parts of complex numbers, which lie as the real parts do.
  Printer(const View& t, const PrintOptions& options, const Printer* imag = nullptr)
      : t_(t),
        options_(options),
        imag_(imag),
        floating_(is_floating_point(t.dtype)),
        summarize_(t.numel() > options.threshold) {
    measure();
  }
  std::string text(int64_t indent) const { return part(0, 0, indent); }

 private:
  double floating_at(int64_t at) const {
    if (t_.dtype == kFloat8_e8m0fnu && t_.ptr<uint8_t>()[at] == 0) return 0;  // so PyTorch shows the least number
    if (is_float8(t_.dtype)) return float8_to_float(t_.ptr<uint8_t>()[at], t_.dtype);
    return visit_dtype(t_.dtype, [&]<class T>(T) { return static_cast<double>(t_.ptr<T>()[at]); });
  }
  std::string whole_at(int64_t at) const {
    if (t_.dtype == kBool) return t_.ptr<uint8_t>()[at] ? "True" : "False";  // memory as found may hold any byte
    if (t_.dtype == kUInt64) return std::to_string(t_.ptr<uint64_t>()[at]);
    if (is_limited(t_.dtype))
      return std::to_string(t_.dtype == kUInt16 ? t_.ptr<uint16_t>()[at] : t_.ptr<uint32_t>()[at]);
    return visit_dtype(t_.dtype, [&]<class T>(T) { return std::to_string(static_cast<int64_t>(t_.ptr<T>()[at])); });
  }

  /// Is dimension d cut to its first and last few?
  bool cut(int d) const { return summarize_ && t_.sizes[static_cast<size_t>(d)] > 2 * options_.edgeitems; }
  /// f(index) for the indices of dimension d that are printed.
  template <class F>
  void each_shown(int d, F&& f) const {
    const int64_t n = t_.sizes[static_cast<size_t>(d)];
    const int64_t edge = cut(d) ? options_.edgeitems : n;
    for (int64_t i = 0; i < edge; ++i) f(i);
    if (cut(d))
      for (int64_t i = n - edge; i < n; ++i) f(i);
  }
  /// f(offset) for every element that is printed.
  template <class F>
  void each_element(int d, int64_t at, F&& f) const {
    if (d == t_.dim()) return void(f(at));
    each_shown(d, [&](int64_t i) { each_element(d + 1, at + i * t_.strides[static_cast<size_t>(d)], f); });
  }

  /// What all numbers have in common: whole or not, with exponents or not, how wide.
  void measure() {
    const auto widen = [&](const std::string& s, size_t more = 0) { width_ = std::max(width_, s.size() + more); };
    if (!floating_) return each_element(0, 0, [&](int64_t at) { widen(whole_at(at)); });
    double low = INFINITY, high = 0;
    const auto each_plain = [&](auto&& f) {  // neither zero nor infinite nor nan
      each_element(0, 0, [&](int64_t at) {
        if (const double x = floating_at(at); std::isfinite(x) && x != 0) f(x);
      });
    };
    each_plain([&](double x) {
      low = std::min(low, std::abs(x));
      high = std::max(high, std::abs(x));
      whole_ = whole_ && x == std::ceil(x);
    });
    if (high == 0) return;
    exponents_ = options_.sci_mode.value_or(high / low > 1000 || high > 1e8 || low < 1e-4);
    each_plain([&](double x) { widen(plain(x), whole_ && !exponents_ ? 1 : 0); });
  }
  std::string plain(double x) const {
    if (exponents_) return number(x, std::chars_format::scientific, options_.precision);
    return number(x, std::chars_format::fixed, whole_ ? 0 : options_.precision);
  }

  std::string element(int64_t at) const {
    std::string s;
    if (floating_) {
      const double x = floating_at(at);
      s = plain(x);
      if (whole_ && !exponents_ && std::isfinite(x)) s += '.';
    } else {
      s = whole_at(at);
    }
    if (s.size() < width_) s.insert(0, width_ - s.size(), ' ');
    if (!imag_) return s;
    std::string i = imag_->element(at);
    i.erase(0, i.find_first_not_of(' '));
    return (t_.dim() == 0 ? s.substr(s.find_first_not_of(' ')) : s) + (i[0] == '-' ? "" : "+") + i + "j";
  }

  /// The innermost dimension, broken into lines.
  std::string row(int64_t at, int64_t indent) const {
    const int d = t_.dim() - 1;
    std::vector<std::string> items;
    if (summarize_ && options_.edgeitems == 0) {
      items.push_back("...");
    } else {
      each_shown(d, [&](int64_t i) {
        if (cut(d) && items.size() == static_cast<size_t>(options_.edgeitems)) items.push_back(" ...");
        items.push_back(element(at + i * t_.strides[static_cast<size_t>(d)]));
      });
    }
    const auto length = static_cast<int64_t>(width_) + 2 + (imag_ ? static_cast<int64_t>(imag_->width_) + 1 : 0);
    const int64_t per_line = std::max<int64_t>(1, (options_.linewidth - indent) / length);
    std::string s = "[";
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0)
        s += i % static_cast<size_t>(per_line) ? ", " : ",\n" + std::string(static_cast<size_t>(indent + 1), ' ');
      s += items[i];
    }
    return s + "]";
  }

  /// The sub-tensor from dimension d on that starts at offset `at`.
  std::string part(int d, int64_t at, int64_t indent) const {
    if (t_.dim() == 0) return element(0);
    if (d == t_.dim() - 1) return row(at, indent);
    const std::string between = "," + std::string(static_cast<size_t>(t_.dim() - d - 1), '\n') +
                                std::string(static_cast<size_t>(indent + 1), ' ');
    std::string s = "[";
    int64_t count = 0;
    const auto add = [&](const std::string& item) { s += (count++ ? between : "") + item; };
    each_shown(d, [&](int64_t i) {
      if (cut(d) && count == options_.edgeitems) add("...");
      add(part(d + 1, at + i * t_.strides[static_cast<size_t>(d)], indent + 1));
    });
    if (cut(d) && options_.edgeitems == 0) add("...");
    return s + "]";
  }

  const View t_;
  const PrintOptions& options_;
  const Printer* const imag_;
  const bool floating_, summarize_;
  bool whole_ = true, exponents_ = false;
  size_t width_ = 1;
};

/// What follows the numbers: size, dtype, place in the graph.
std::vector<std::string> suffixes(const Tensor& t, const PrintOptions& options) {
  std::vector<std::string> list;
  const ScalarType dtype = t.scalar_type(), usual = get_default_dtype();
  const bool empty = t.numel() == 0 || t.is_meta();
  if (t.is_meta()) list.push_back("device='meta'");
  if (t.is_meta() || (empty ? t.dim() != 1 : options.edgeitems == 0)) list.push_back("size=" + tuple(t.sizes()));
  // Numbers show that they are int64 or bool, or complex; an empty tensor does not.
  if (dtype != usual && (empty || dtype != complex_type(usual)) && (empty || (dtype != kLong && dtype != kBool)))
    list.push_back(str("dtype=torch.", dtype_name(dtype)));
  try {
    if (const auto fn = t.grad_fn()) list.push_back(str("grad_fn=<", fn->name(), ">"));
    else if (t.requires_grad()) list.push_back("requires_grad=True");
  } catch (const Error&) {  // a view that a write has made unusable
    list.push_back("grad_fn=<Invalid>");
  }
  if (autograd::forward_mode())
    if (const Tensor tangent = autograd::tangent_of(t); tangent.defined()) list.push_back("tangent=" + repr(tangent));
  return list;
}

}  // namespace

PrintOptions get_printoptions() {
  std::lock_guard lock(options_mutex);
  return current_options;
}
void set_printoptions(const PrintOptions& options) {
  check<ValueError>(options.precision >= 0 && options.precision <= 1000,
                    "set_printoptions: expected a precision from 0 to 1000, got ", options.precision);
  check<ValueError>(options.edgeitems >= 0 && options.edgeitems <= INT64_MAX / 2,
                    "set_printoptions: edgeitems must not be negative, got ", options.edgeitems);
  std::lock_guard lock(options_mutex);
  current_options = options;
}

/// The numbers of a tensor that is not empty.
static std::string numbers(const Tensor& t, const PrintOptions& options, int64_t indent) {
  if (!t.is_complex()) return Printer(view_of(t), options).text(indent);
  RawScope raw;
  const Tensor z = resolve_conj(t.detach()), re = real(z), im = imag(z);
  const Printer imag_printer(view_of(im), options);
  return Printer(view_of(re), options, &imag_printer).text(indent);
}

/// `s` with the suffixes, those that do not fit on a line of their own; the first always, if wanted.
static std::string with_suffixes(std::string s, const std::vector<std::string>& list, int64_t linewidth,
                                 bool new_line = false) {
  constexpr int64_t indent = 7;                                            // "tensor("
  auto length = static_cast<int64_t>(s.size() - (s.rfind('\n') + 1)) + 2;  // of the last line, as PyTorch counts
  for (const std::string& suffix : list) {
    const auto n = static_cast<int64_t>(suffix.size());
    if (length + n + 2 > linewidth || std::exchange(new_line, false)) {
      s += ",\n" + std::string(indent, ' ') + suffix;
      length = indent + n;
    } else {
      s += ", " + suffix;
      length += n + 2;
    }
  }
  return s + ")";
}

/// The parts one under the other, each as a tensor prints.
static std::string sparse_repr(const Tensor& t, const PrintOptions& options) {
  const Layout layout = t.layout();
  const bool coo = layout == kSparse, rows = !coo && sparse::by_rows(layout);
  std::string s = "tensor(";
  const size_t indent = s.size();
  const auto add = [&](const char* name, const Tensor& x) {
    if (s.size() > indent) s += ",\n" + std::string(indent, ' ');
    const std::string prefix = str(name, "=tensor(");
    s += prefix;
    s += x.numel() == 0 ? "[], size=" + tuple(x.sizes())
                        : numbers(x, options, static_cast<int64_t>(indent + prefix.size()));
    s += ')';
  };
  add(coo ? "indices" : rows ? "crow_indices" : "ccol_indices", sparse::index_part(t).detach());
  if (!coo) add(rows ? "col_indices" : "row_indices", sparse::other_part(t).detach());
  add("values", sparse::value_part(t).detach());
  std::vector<std::string> list = {"size=" + tuple(t.sizes()), str("nnz=", t._nnz())};
  std::vector<std::string> rest = suffixes(t, options);
  rest.erase(std::remove_if(rest.begin(), rest.end(), [](const std::string& x) { return x.rfind("size=", 0) == 0; }),
             rest.end());
  const bool typed = !rest.empty() && rest[0].rfind("dtype=", 0) == 0;
  rest.insert(rest.begin() + typed, str("layout=torch.sparse_", sparse::short_name(layout)));
  list.insert(list.end(), rest.begin(), rest.end());
  return with_suffixes(s, list, options.linewidth, coo);
}

/// All items, and at which of the levels that are open.
static std::string batched_repr(const Tensor& t) {
  int64_t level = 0;
  const Tensor all = func::unwrapped(t, &level);
  if (level == 0) return repr(all);
  std::string text = repr(all);
  for (size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 5) text.replace(at, 1, "\n    ");
  return str("BatchedTensor(lvl=", level, ", bdim=0, value=\n    ", text, "\n)");
}

std::string repr(const Tensor& t) {
  if (!t.defined()) return "[ Tensor (undefined) ]";
  const PrintOptions options = get_printoptions();
  if (is_sparse(t)) return sparse_repr(t, options);
  if (is_batched(t)) return batched_repr(t);
  std::string s = "tensor(";
  const auto indent = static_cast<int64_t>(s.size());
  s += t.is_meta() ? "..." : t.numel() == 0 ? "[]" : numbers(t, options, indent);
  return with_suffixes(s, suffixes(t, options), options.linewidth);
}

std::ostream& operator<<(std::ostream& out, const Tensor& t) {
  const bool plain = !t.defined() || !is_batched(t);
  return plain && print_style() == PrintStyle::Cpp ? print_cpp(out, t) : out << repr(t);
}

std::string DeprecatedTypeProperties::toString() const { return str("CPU", taut::toString(type_), "Type"); }
std::ostream& operator<<(std::ostream& out, const DeprecatedTypeProperties& type) { return out << type.toString(); }
std::string Tensor::toString() const { return defined() ? type().toString() : "UndefinedType"; }
void Tensor::print() const {
  if (defined()) std::cerr << "[" << toString() << " " << sizes() << "]\n";
  else std::cerr << "[UndefinedTensor]\n";
}

}  // namespace taut
