// The table of optimisers: the texts of each row read into structs, when somebody first asks for the row.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <mutex>

#include "ops/optim_rules.h"
#include "taut/core/error.h"
#include "taut/factories.h"

namespace taut::optim {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

template <int... I>
std::vector<const OptimizerRow*> rows_of(std::integer_sequence<int, I...>) {
  return {&steps::row_at<steps::kBefore + 1 + I>...};
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\n')) s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}
/// Cut at a mark, but not inside of parentheses or brackets; "[0, 1)" has one of each.
std::vector<std::string_view> split(std::string_view s, char mark) {
  std::vector<std::string_view> parts;
  if (trim(s).empty()) return parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= s.size(); ++i) {
    if (i == s.size() || (s[i] == mark && depth == 0)) {
      parts.push_back(trim(s.substr(begin, i - begin)));
      begin = i + 1;
    } else {
      depth += s[i] == '(' || s[i] == '[' ? 1 : s[i] == ')' || s[i] == ']' ? -1 : 0;
    }
  }
  return parts;
}
double number(std::string_view s) {
  double v = 0;
  if (s == "inf") return kInf;
  if (s == "-inf" || s == "None") return -kInf;
  if (s == "True" || s == "False") return s == "True";
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  check(error == std::errc() && end == s.data() + s.size(), "optimiser table: not a number: ", std::string(s));
  return v;
}

OptionInfo read_option(std::string_view item, size_t& at) {
  const size_t eq = item.find('=');
  OptionInfo o{std::string(item.substr(0, eq)), std::string(item.substr(eq + 1)), OptionInfo::Kind::Number, {}, at};
  for (const char* name : {"foreach", "capturable", "differentiable", "fused"})
    if (o.name == name) o.kind = OptionInfo::Kind::Switch;
  if (o.kind == OptionInfo::Kind::Switch) return o;
  if (o.text == "True" || o.text == "False") o.kind = OptionInfo::Kind::Flag;
  if (o.text.front() == '(') {
    o.kind = OptionInfo::Kind::Numbers;
    for (const std::string_view v : split(std::string_view(o.text).substr(1, o.text.size() - 2), ','))
      o.defaults.push_back(number(v));
  } else {
    o.defaults.push_back(number(o.text));
  }
  at += o.defaults.size();
  return o;
}

/// "lr=1e-3, betas=(0.9, 0.999), *, foreach=None; fixed=..."
std::vector<OptionInfo> read_options(const std::vector<std::string_view>& halves) {
  std::vector<OptionInfo> options;
  size_t at = 0;
  for (size_t h = 0; h < halves.size(); ++h)
    for (const std::string_view item : split(halves[h], ',')) {
      if (item == "*") continue;
      options.push_back(read_option(item, at));
      options.back().fixed = h > 0;
    }
  return options;
}

/// "name", "name=option or number", either with " if option" behind it.
StateInfo read_state(std::string_view item, const OptimizerInfo& info) {
  const auto value_of = [&](std::string_view option) {
    for (const OptionInfo& o : info.options)
      if (o.name == option) return static_cast<int>(o.at);
    throw ValueError(str(info.name, " has no option ", std::string(option)));
  };
  StateInfo s;
  if (const size_t i = item.find(" if "); i != item.npos)
    s.condition = value_of(trim(item.substr(i + 4))), item = item.substr(0, i);
  if (const size_t i = item.find('='); i != item.npos) {
    const std::string_view from = trim(item.substr(i + 1));
    if (std::isdigit(from[0])) s.constant = number(from);
    else s.initial = value_of(from);
    item = item.substr(0, i);
  }
  s.name = trim(item);
  return s;
}

std::string usual_message(const std::string& name) {
  if (name == "lr") return "Invalid learning rate: {lr}";
  if (name == "betas") return "Invalid beta parameter at index {}: {betas[]}";
  return str("Invalid ", name == "eps" ? "epsilon" : name, " value: {", name, "}");
}
/// "betas in [0, 1)", "lr >= 0: message", "eps finite"
RangeInfo read_range(std::string_view item, const std::vector<OptionInfo>& options) {
  const size_t colon = item.find(':');
  const std::string_view rule = trim(item.substr(0, colon));
  const size_t space = rule.find(' ');
  const std::string_view option = rule.substr(0, space), test = trim(rule.substr(space));
  RangeInfo r{0, -kInf, kInf, false, false, {}};
  while (options[r.option].name != option) check(++r.option < options.size(), "optimiser table: ", std::string(item));
  if (test.starts_with(">= ")) r.low = number(test.substr(3)), r.low_in = true;
  else if (test.starts_with("<= ")) r.high = number(test.substr(3)), r.high_in = true;
  else if (test.starts_with("in ")) {
    const auto ends = split(test.substr(4, test.size() - 5), ',');
    r.low = number(ends[0]), r.high = number(ends[1]), r.low_in = test[3] == '[', r.high_in = test.back() == ']';
  } else {
    check(test == "finite", "optimiser table: ", std::string(item));
  }
  r.message = colon == item.npos ? usual_message(std::string(option)) : std::string(trim(item.substr(colon + 1)));
  return r;
}

}  // namespace

OptimizerInfo::OptimizerInfo(const OptimizerRow& row) : name(row.name), op("_fused_"), row_(&row) {
  for (const char c : name) op += static_cast<char>(std::tolower(c));
  op += '_';
  doc = row.doc, base = row.base ? row.base : "", eager = row.eager, elementwise = row.kernels != nullptr;
  const auto halves = split(row.signature, ';');
  signature = halves[0];
  options = read_options(halves);
  for (const std::string_view n : split(row.order ? row.order : "", ' ')) order.emplace_back(n);
  if (order.empty())
    for (const OptionInfo& o : options) order.push_back(o.name);
  for (const std::string_view item : split(row.states, ',')) states.push_back(read_state(item, *this));
  for (const std::string_view item : split(row.scalars, ',')) {
    if (item == "step") counts = true;
    else scalars.push_back(read_state(item, *this));
  }
  for (const std::string_view item : split(row.ranges, ';')) ranges.push_back(read_range(item, options));
}

OptionValues OptimizerInfo::defaults() const {
  OptionValues values{};
  for (const OptionInfo& o : options) std::copy(o.defaults.begin(), o.defaults.end(), values.begin() + o.at);
  return values;
}

std::optional<std::string> OptimizerInfo::wrong(const OptionValues& values) const {
  for (const RangeInfo& r : ranges) {
    const OptionInfo& o = options[r.option];
    for (size_t i = 0; i < o.defaults.size(); ++i) {
      const double v = values[o.at + i];
      if ((v > r.low || (r.low_in && v == r.low)) && (v < r.high || (r.high_in && v == r.high))) continue;
      std::string message = r.message;
      for (const char* empty : {"{}", "[]"})  // the number of the value
        if (const size_t at = message.find(empty); at != message.npos)
          message.replace(at, 2, *empty == '{' ? str(i) : str('[', i, ']'));
      return message;
    }
  }
  if (const char* message = row_->wrong(values.data())) return message;
  return std::nullopt;
}

std::optional<std::string> OptimizerInfo::wrong_text(const OptionValues& values) const {
  std::optional<std::string> message = wrong(values);
  if (!message) return message;
  std::string& m = *message;
  for (size_t open; (open = m.find('{')) != m.npos;) {
    const size_t close = m.find('}', open), bracket = std::min(m.find('[', open), close);
    const std::string option = m.substr(open + 1, bracket - open - 1);
    const size_t index = bracket < close ? static_cast<size_t>(m[bracket + 1] - '0') : 0;
    for (const OptionInfo& o : options)
      if (o.name == option) m.replace(open, close + 1 - open, str(values[o.at + index]));
  }
  return message;
}

Tensor OptimizerInfo::fresh_state(size_t i, const OptionValues& values, const Tensor& param) const {
  if (row_->fresh) return row_->fresh(static_cast<int>(i), param.detach());
  // Momentum has the layout of the gradient.
  const bool follows = row_->name == std::string_view("SGD") && param.grad().defined();
  return full_like(param.detach(), initial(states[i], values),
                   follows ? TensorOptions(param.grad().layout()) : TensorOptions());
}
double OptimizerInfo::fresh_scalar(size_t i, const OptionValues& values) const { return initial(scalars[i], values); }

std::vector<std::string_view> optimizer_names() {
  std::vector<std::string_view> names;
  for (const OptimizerRow* row : rows_of(std::make_integer_sequence<int, steps::kRows>())) names.push_back(row->name);
  std::sort(names.begin(), names.end());
  return names;
}

const OptimizerInfo& find_optimizer(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, OptimizerInfo, std::less<>> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(name); found != known.end()) return found->second;
  for (const OptimizerRow* row : rows_of(std::make_integer_sequence<int, steps::kRows>()))
    if (row->name == name) return known.emplace(name, OptimizerInfo(*row)).first->second;
  throw ValueError(str("there is no optimiser '", std::string(name), "'"));
}

}  // namespace taut::optim
