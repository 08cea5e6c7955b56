// The parser of the sample language, and the numbers in it.
#include "support/sample.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

namespace taut::test {
namespace {

/// splitmix64.
uint64_t scrambled(int argument, int64_t k) {
  uint64_t z = (static_cast<uint64_t>(argument) << 32) + static_cast<uint64_t>(k) + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

Tensor from_doubles(const std::vector<double>& v, IntArrayRef sizes, ScalarType dtype) {
  if (is_complex(dtype)) {
    std::vector<int64_t> pairs = sizes.vec();
    pairs.push_back(2);
    return view_as_complex(from_doubles(v, pairs, value_type(dtype)));
  }
  const Tensor t = empty(sizes, kDouble);
  std::copy(v.begin(), v.end(), t.data_ptr<double>());
  if (dtype == kHalf || dtype == kBFloat16) return t.to(kFloat).to(dtype);  // two roundings, as in Python
  return dtype == kDouble ? t : t.to(dtype);
}

class Parser {
 public:
  Parser(const std::string& text, const Make& make) : text_(text), make_(make) {}

  struct Argument {
    std::string name;  // empty: by position
    Value value;
  };
  std::vector<Argument> call() {
    std::vector<Argument> list;
    skip();
    while (at_ < text_.size()) {
      Argument a;
      const size_t start = at_;
      const std::string word = identifier();
      skip();
      if (!word.empty() && at_ < text_.size() && text_[at_] == '=') {
        ++at_;
        a.name = word;
      } else {
        at_ = start;
      }
      a.value = value();
      list.push_back(std::move(a));
      if (!accept(',')) break;
    }
    check<ValueError>(at_ == text_.size(), "sample: unexpected text at ", at_, " of ", text_);
    return list;
  }

  /// What each tensor of the call is to be made into; known after call().
  const std::vector<Layout>& layouts() const { return layouts_; }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool accept(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip();
    return true;
  }
  void expect(char c) { check<ValueError>(accept(c), "sample: expected '", c, "' at ", at_, " of ", text_); }
  std::string identifier() {
    skip();
    const size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    if (at_ > start && std::isdigit(static_cast<unsigned char>(text_[start]))) at_ = start;
    return text_.substr(start, at_ - start);
  }

  Value value() {
    skip();
    check<ValueError>(at_ < text_.size(), "sample: a value is missing in ", text_);
    const char c = text_[at_];
    if (c == '\'' || c == '"') {
      const size_t end = text_.find(c, at_ + 1);
      check<ValueError>(end != text_.npos, "sample: an open string in ", text_);
      const std::string s = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return s;
    }
    if (c == '[' || c == '(') {
      ++at_;
      Value::List list = values(c == '[' ? ']' : ')');
      return list;
    }
    if (text_.compare(at_, 3, "...") == 0) {
      at_ += 3;
      return std::string("...");
    }
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.') return literal_number();
    const std::string word = identifier();
    check<ValueError>(!word.empty(), "sample: unexpected '", c, "' at ", at_, " of ", text_);
    if (word == "True") return true;
    if (word == "False") return false;
    if (word == "None") return {};
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (accept('(')) return made(word, values(')'));
    return dtype(word);
  }
  Value::List values(char close) {
    Value::List list;
    while (!accept(close)) {
      list.push_back(value());
      if (!accept(',')) {
        expect(close);
        break;
      }
    }
    return list;
  }
  Value literal_number() {
    const size_t start = at_;
    if (text_[at_] == '-' || text_[at_] == '+') ++at_;
    if (text_.compare(at_, 3, "inf") == 0) {
      at_ += 3;
      return text_[start] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    }
    bool is_float = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const bool sign_of_exponent = (c == '-' || c == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (c == '.' || c == 'e' || c == 'E') is_float = true;
      else if (!std::isdigit(static_cast<unsigned char>(c)) && !sign_of_exponent) break;
    }
    const std::string s = text_.substr(start, at_ - start);
    if (at_ < text_.size() && text_[at_] == 'j') return ++at_, Complex<double>(0, std::stod(s));
    if (is_float) return std::stod(s);
    return static_cast<int64_t>(std::stoll(s));
  }
  Value dtype(const std::string& word) {
    std::string name = word.starts_with("torch.") ? word.substr(6) : word;
    static const std::map<std::string, std::string> other = {{"double", "float64"}, {"float", "float32"},
                                                             {"half", "float16"},   {"long", "int64"},
                                                             {"int", "int32"},      {"short", "int16"}};
    if (const auto it = other.find(name); it != other.end()) name = it->second;
    for (int t = 0; t < kDtypeCount; ++t)
      if (name == dtype_name(static_cast<ScalarType>(t))) return static_cast<ScalarType>(t);
    throw ValueError(str("sample: unknown word '", word, "' in ", text_));
  }

  std::vector<int64_t> sizes(const Value::List& list, size_t from) const {
    std::vector<int64_t> s;
    for (size_t i = from; i < list.size(); ++i)
      s.push_back(list[i].to_int() > 1 ? list[i].to_int() * make_.scale : list[i].to_int());
    return s;
  }
  Value made(const std::string& word, const Value::List& list) {
    if (word == "slice") {
      Value::List s = list;
      s.resize(3);
      if (list.size() == 1) std::swap(s[0], s[1]);  // slice(stop)
      return s;
    }
    if (word == "float")
      return list.at(0).to_string() == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                             : std::stod(list.at(0).to_string());
    const int argument = tensors_++;
    static constexpr std::pair<const char*, Layout> layouts[] = {
        {"sp", kSparse}, {"csr", kSparseCsr}, {"csc", kSparseCsc}, {"bsr", kSparseBsr}, {"bsc", kSparseBsc}};
    layouts_.push_back(kStrided);
    for (const auto& [name, layout] : layouts)
      if (word == name) layouts_.back() = layout;
    if (layouts_.back() != kStrided) return numbers(Kind::Any, argument, sizes(list, 0), make_.dtype);
    if (word == "t") return numbers(Kind::Any, argument, sizes(list, 0), make_.dtype);
    if (word == "p") return numbers(Kind::Positive, argument, sizes(list, 0), make_.dtype);
    if (word == "u") return numbers(Kind::Unit, argument, sizes(list, 0), make_.dtype);
    if (word == "z")
      return numbers(Kind::Any, argument, sizes(list, 0), make_.dtype == kDouble ? kComplexDouble : kComplexFloat);
    if (word == "s") return symmetric(argument, sizes(list, 0));
    if (word == "h") return hermitian(argument, sizes(list, 0));
    if (word == "c") return literal(list.at(0));
    if (word == "k") return literal(list.at(0)).to_tensor().to(kInt);
    std::vector<int64_t> shape;
    std::vector<double> v;
    if (word == "i") {
      const int64_t low = list.at(0).to_int(), high = list.at(1).to_int();
      shape = sizes(list, 2);
      const int64_t n = count(shape);
      for (int64_t k = 0; k < n; ++k)
        v.push_back(static_cast<double>(
            low + static_cast<int64_t>(scrambled(argument, k) % static_cast<uint64_t>(high - low))));
      return from_doubles(v, shape, kLong);
    }
    check<ValueError>(word == "b", "sample: unknown maker '", word, "' in ", text_);
    shape = sizes(list, 0);
    const int64_t n = count(shape);
    for (int64_t k = 0; k < n; ++k) v.push_back(static_cast<double>(scrambled(argument, k) >> 17 & 1));
    return from_doubles(v, shape, kBool);
  }
  /// Symmetric matrices whose diagonals outweigh the rest.
  Tensor symmetric(int argument, const std::vector<int64_t>& shape) const {
    if (!is_floating_point(make_.dtype)) return numbers(Kind::Positive, argument, shape, make_.dtype);
    const int64_t n = shape.back(), matrices = n == 0 ? 0 : count(shape) / (n * n);
    std::vector<double> v;
    for (int64_t b = 0; b < matrices; ++b)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
          const int64_t k = (b * n + std::min(i, j)) * n + std::max(i, j);
          v.push_back(i == j ? static_cast<double>(n) + number(Kind::Positive, argument, k)
                             : number(Kind::Unit, argument, k));
        }
    return from_doubles(v, shape, make_.dtype);
  }
  /// The same with imaginary parts beside the diagonal, those of one half negative.
  Tensor hermitian(int argument, const std::vector<int64_t>& shape) const {
    const int64_t n = shape.back(), matrices = n == 0 ? 0 : count(shape) / (n * n);
    std::vector<double> re, im;
    for (int64_t b = 0; b < matrices; ++b)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
          const int64_t k = (b * n + std::min(i, j)) * n + std::max(i, j);
          re.push_back(i == j ? static_cast<double>(n) + number(Kind::Positive, argument, k)
                              : number(Kind::Unit, argument, k));
          im.push_back(i == j ? 0 : (i < j ? 1 : -1) * number(Kind::Unit, argument + 1, k));
        }
    const ScalarType type = make_.dtype == kDouble ? kDouble : kFloat;
    return complex(from_doubles(re, shape, type), from_doubles(im, shape, type));
  }
  static int64_t count(const std::vector<int64_t>& shape) {
    int64_t n = 1;
    for (int64_t s : shape) n *= s;
    return n;
  }
  Value literal(const Value& data) {
    std::vector<int64_t> shape;
    const Value* inner = &data;
    while (const auto* list = inner->get<Value::List>()) {
      shape.push_back(static_cast<int64_t>(list->size()));
      if (list->empty()) break;
      inner = &list->front();
    }
    std::vector<double> v;
    bool any_float = false, all_bool = true;
    flatten(data, v, any_float, all_bool);
    check<ValueError>(static_cast<int64_t>(v.size()) == count(shape), "sample: a ragged literal in ", text_);
    if (v.empty()) any_float = true;
    // The dtype of a literal float is that of the call, unless whole numbers are asked for.
    const ScalarType f = is_floating_point(make_.dtype) ? make_.dtype : kFloat;
    return from_doubles(v, shape, any_float ? f : all_bool ? kBool : kLong);
  }
  static void flatten(const Value& data, std::vector<double>& v, bool& any_float, bool& all_bool) {
    if (const auto* list = data.get<Value::List>()) {
      for (const Value& item : *list) flatten(item, v, any_float, all_bool);
      return;
    }
    any_float |= data.get<double>() != nullptr;
    all_bool &= data.get<bool>() != nullptr;
    v.push_back(data.to_double());
  }

  const std::string& text_;
  Make make_;
  size_t at_ = 0;
  int tensors_ = 0;
  std::vector<Layout> layouts_;
};

void collect(const Value& v, std::vector<Tensor>& into) {
  if (const Tensor* t = v.get<Tensor>()) into.push_back(*t);
  else if (const auto* list = v.get<Value::List>())
    for (const Value& item : *list) collect(item, into);
}
Value replaced(const Value& v, const std::vector<Tensor>& tensors, size_t& next) {
  if (v.get<Tensor>()) return tensors.at(next++);
  if (const auto* list = v.get<Value::List>()) {
    Value::List out;
    for (const Value& item : *list) out.push_back(replaced(item, tensors, next));
    return out;
  }
  return v;
}
void flat(const Value& v, std::vector<Value>& into) {
  if (const auto* list = v.get<Value::List>())
    for (const Value& item : *list) flat(item, into);
  else into.push_back(v);
}
bool calls(const std::string& text, const char* names) {
  for (size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i + 1] == '(' && std::strchr(names, text[i]) &&
        (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))
      return true;
  return false;
}

}  // namespace

double number(Kind kind, int argument, int64_t k) {
  const uint64_t h = scrambled(argument, k);
  const auto part = static_cast<int64_t>(h >> 8);
  // One division of whole numbers each: exactly rounded, so the same on every machine.
  switch (kind) {
    case Kind::Any:
      return static_cast<double>((static_cast<int64_t>(h & 3) - 2) * 1000000 + 100000 + part % 800001) / 1e6;
    case Kind::Positive: return static_cast<double>(200000 + part % 2000001) / 1e6;
    default: return static_cast<double>(part % 1800001 - 900000) / 1e6;
  }
}

Tensor numbers(Kind kind, int argument, IntArrayRef sizes, ScalarType dtype) {
  int64_t n = is_complex(dtype) ? 2 : 1;
  for (int64_t s : sizes) n *= s;
  std::vector<double> v;
  v.reserve(static_cast<size_t>(n));
  for (int64_t k = 0; k < n; ++k) {
    const auto h = static_cast<int64_t>(scrambled(argument, k) >> 8);
    if (is_differentiable(dtype)) v.push_back(number(kind, argument, k));
    else if (dtype == kBool) v.push_back(static_cast<double>(h >> 9 & 1));
    else if (kind == Kind::Positive) v.push_back(static_cast<double>(1 + h % 3));
    else v.push_back(static_cast<double>((kind == Kind::Any ? h % 7 - 3 : h % 3 - 1) + (dtype == kByte ? 3 : 0)));
  }
  return from_doubles(v, sizes, dtype);
}

std::string Sample::name() const {
  return schema_.overload.empty() ? schema_.name : schema_.name + "." + schema_.overload;
}

std::vector<Value> Sample::arguments(const Make& make) const {
  std::vector<Value> args(schema_.arguments.size());
  std::vector<bool> given(args.size());
  size_t position = 0;
  for (auto& a : Parser(text_, make).call()) {
    size_t i = position;
    if (!a.name.empty()) {
      for (i = 0; i < args.size() && schema_.arguments[i].name != a.name; ++i) {}
    } else {
      ++position;
    }
    check<ValueError>(i < args.size() && !given[i], "sample: no place for argument '", a.name, "' in ", call_text());
    args[i] = std::move(a.value);
    given[i] = true;
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (given[i]) continue;
    check<ValueError>(schema_.arguments[i].has_default, "sample: argument '", schema_.arguments[i].name,
                      "' is missing in ", call_text());
    args[i] = schema_.arguments[i].default_value;
  }
  return args;
}

bool Sample::has_float_literal() const {
  for (size_t at = text_.find("c("); at != text_.npos; at = text_.find("c(", at + 1)) {
    int depth = 0;
    for (size_t i = at + 1; i < text_.size(); ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')' && --depth == 0) break;
      if (text_[i] == '.' || text_.compare(i, 3, "inf") == 0 || text_.compare(i, 3, "nan") == 0) return true;
    }
  }
  return false;
}
bool Sample::has_numbers() const { return calls(text_, "tpuzsh") || is_sparse(); }
bool Sample::is_sparse() const {
  for (const std::string_view maker : {"sp(", "csr(", "csc(", "bsr(", "bsc("})
    for (size_t at = text_.find(maker); at != text_.npos; at = text_.find(maker, at + 1))
      if (at == 0 || (!std::isalnum(static_cast<unsigned char>(text_[at - 1])) && text_[at - 1] != '_')) return true;
  return false;
}

/// Two of three elements of `t`, as sparse ones.
static Tensor thinned(const Tensor& t, Layout layout) {
  if (layout == kSparseBsr || layout == kSparseBsc) {  // of three blocks of 2 x 3
    const int64_t rows = t.size(0) / 2, columns = t.size(1) / 3;
    const Tensor blocks = arange(rows * columns, kLong).remainder(3).ne(1).to(kFloat).reshape({rows, columns});
    const Tensor there = blocks.repeat_interleave(2, 0).repeat_interleave(3, 1);
    return sparse_mask(t, layout == kSparseBsr ? to_sparse_bsr(there, {2, 3}) : to_sparse_bsc(there, {2, 3}));
  }
  const Tensor there = arange(t.numel(), kLong).remainder(3).ne(1).to(kFloat).reshape(t.sizes());
  return sparse_mask(t, layout == kSparse      ? to_sparse(there)
                        : layout == kSparseCsr ? to_sparse_csr(there)
                                               : to_sparse_csc(there));
}
bool Sample::is_symmetric() const { return calls(text_, "sh"); }
bool Sample::is_hermitian() const { return calls(text_, "h"); }

std::vector<Value> Sample::run(const std::vector<Value>& arguments) const {
  manual_seed(0);
  std::vector<Value> args = arguments, results;
  if (is_sparse()) {
    Parser parser(text_, {});
    parser.call();
    std::vector<Tensor> tensors = tensors_in(args);
    for (size_t i = 0; i < parser.layouts().size(); ++i)
      if (parser.layouts()[i] != kStrided && tensors[i].defined())
        tensors[i] = thinned(tensors[i], parser.layouts()[i]);
    args = with_tensors(args, tensors);
  }
  if (in_place()) args[0] = args[0].to_tensor().clone();
  flat(op_->call(args.data(), args.size()), results);
  for (Value& r : results)
    if (const Tensor* t = r.get<Tensor>(); t && t->defined() && t->layout() != kStrided) r = to_dense(*t);
  return results;
}
std::vector<Tensor> Sample::tensors(const std::vector<Value>& arguments) const { return tensors_in(run(arguments)); }

std::vector<Sample> samples_of(const OpEntry& op) {
  std::vector<Sample> list;
  const std::string all = op.samples;
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size());
    list.emplace_back(&op, all.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

std::vector<Tensor> tensors_in(const std::vector<Value>& arguments) {
  std::vector<Tensor> list;
  for (const Value& v : arguments) collect(v, list);
  return list;
}
std::vector<Value> with_tensors(const std::vector<Value>& arguments, const std::vector<Tensor>& tensors) {
  std::vector<Value> list;
  size_t next = 0;
  for (const Value& v : arguments) list.push_back(replaced(v, tensors, next));
  return list;
}

std::vector<double> values_of(const Tensor& t) {
  const Tensor d = t.is_complex() ? view_as_real(t.detach().resolve_conj()) : t.detach();
  std::vector<double> list;
  const int64_t n = d.numel();
  list.reserve(static_cast<size_t>(n));
  visit_dtype(d.scalar_type(), [&](auto element) {
    using T = decltype(element);
    const auto* base = static_cast<const T*>(d.data_ptr());
    for (int64_t i = 0; i < n; ++i) {
      int64_t rest = i, at = 0;
      for (int64_t k = d.dim() - 1; k >= 0; --k) at += rest % d.size(k) * d.stride(k), rest /= d.size(k);
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        list.push_back(static_cast<float>(base[at]));
      else list.push_back(static_cast<double>(base[at]));
    }
  });
  return list;
}

std::string describe(const Tensor& t) {
  if (!t.defined()) return "undefined";
  std::ostringstream out;
  out.precision(10);
  out << t.scalar_type() << t.sizes() << ":";
  const std::vector<double> v = values_of(t);
  for (size_t i = 0; i < v.size() && i < 12; ++i) out << ' ' << v[i];
  if (v.size() > 12) out << " ...";
  return out.str();
}

std::string test_name(const OpEntry& op) {
  std::string name = std::string(op.schema).substr(0, std::string(op.schema).find('('));
  if (const size_t dot = name.find('.'); dot != name.npos) name.replace(dot, 1, "_overload_");
  return name;
}

const char* unpredictable(const std::string& name) {
  static const std::map<std::string, const char*> list = {
      {"empty", "leaves memory as it was"},
      {"empty_like", "leaves memory as it was"},
      {"empty_strided", "leaves memory as it was"},
      {"new_empty", "leaves memory as it was"},
      {"resize_", "leaves memory as it was"},
      {"empty_permuted", "leaves memory as it was"},
      {"new_empty_strided", "leaves memory as it was"},
  };
  const auto it = list.find(name.substr(0, name.find('.')));
  return it == list.end() ? nullptr : it->second;
}

}  // namespace taut::test
