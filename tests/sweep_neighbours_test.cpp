// Every sample of every op with one argument changed a little: another dtype, a dimension more or less, an element
// less, a number one off, a bound, a word that is none. What comes of it, the bits of results and gradients or the
// words of the error, is what tests/golden/neighbours.txt has: a line "<op>.<argument> <number of calls> <fingerprint>"
// each. What PyTorch does is for the other sweeps to say; this one notices when anything changes that no sample happens
// to show. TAUT_RECORD_OUTCOMES=1 writes the file anew.
#include <cstdlib>
#include <fstream>
#include <map>

#include "support/certificate.h"
#include "support/outcomes.h"
#include "support/paths.h"
#include "support/sweep.h"

namespace taut::test {
namespace {

using Fingerprints = std::map<std::string, std::string>;
constexpr size_t kSamples = 4;  // of an op

Fingerprints& golden() {
  static Fingerprints& all = *new Fingerprints([] {
    Fingerprints lines;
    std::ifstream in(golden_path("neighbours.txt"));
    for (std::string line; std::getline(in, line);) lines[line.substr(0, line.find(' '))] = line;
    return lines;
  }());
  return all;
}
bool records() { return std::getenv("TAUT_RECORD_OUTCOMES") != nullptr; }

void add(std::vector<Value>& all, const Tensor& t) {
  if (!t.defined()) return;
  for (const ScalarType dtype : {kBool, kLong, kHalf, kFloat})
    if (dtype != t.scalar_type()) all.push_back(t.to(dtype));
  all.push_back(t.unsqueeze(0));
  all.push_back(t.unsqueeze(-1));
  if (t.scalar_type() != kBool) all.push_back(t.neg()), all.push_back(t * 100);
  if (t.dim() == 0) return;
  const int64_t first = t.size(0), last = t.size(-1);
  all.push_back(t.narrow(0, 0, 0));
  all.push_back(t.narrow(-1, 0, 0));
  if (first > 0) all.push_back(t.select(0, first - 1)), all.push_back(t.narrow(0, 1, first - 1));
  if (last > 0)
    all.push_back(t.narrow(-1, 0, 1)), all.push_back(t.narrow(-1, 0, last - 1)), all.push_back(cat({t, t}, -1));
}

void add(std::vector<Value>& all, const Value::Ints& list) {
  for (size_t i = 0; i < list.size(); ++i)
    for (const int64_t other : {list[i] + 1, list[i] - 1, int64_t{0}, -list[i], int64_t{70}}) {
      Value::Ints changed = list;
      changed[i] = other;
      all.emplace_back(std::move(changed));
    }
  Value::Ints longer = list;
  longer.push_back(1);
  all.emplace_back(std::move(longer));
  if (!list.empty()) all.emplace_back(Value::Ints(list.begin(), list.end() - 1));
}

/// What may stand in the place of `value`.
std::vector<Value> neighbours(const Value& value, const std::string& type) {
  std::vector<Value> all;
  if (const auto* t = value.get<Tensor>()) add(all, *t);
  else if (const auto* i = value.get<int64_t>())
    for (const int64_t other : {*i + 1, *i - 1, int64_t{0}, int64_t{-1}, int64_t{-2}, int64_t{2}, int64_t{70}, -*i})
      all.emplace_back(other);
  else if (const auto* d = value.get<double>())
    for (const double other : {-*d, 0.0, 1.0, *d + 0.5, *d * 100, __builtin_nan(""), __builtin_inf()})
      all.emplace_back(other);
  else if (const auto* b = value.get<bool>()) all.emplace_back(!*b);
  else if (value.get<std::string>()) all = {Value(std::string("nonsense")), Value(std::string())};
  else if (value.get<ScalarType>()) all = {Value(kBool), Value(kLong), Value(kHalf), Value(kFloat)};
  else if (const auto* ints = value.get<Value::Ints>()) add(all, *ints);
  else if (const auto* list = value.get<Value::List>()) {
    Value::List longer = *list;
    if (!list->empty()) {
      all.emplace_back(Value::List(list->begin(), list->end() - 1));
      longer.push_back(list->front());
      for (size_t i = 0; i < list->size(); ++i)
        for (const Value& other : neighbours((*list)[i], "")) {
          Value::List changed = *list;
          changed[i] = other;
          all.emplace_back(std::move(changed));
        }
    }
    all.emplace_back(std::move(longer));
  } else if (type == "Tensor?") all = {Value(ones({2})), Value(ones({3}, kDouble)), Value(zeros({2}, kLong))};
  else if (type == "int?") all = {Value(int64_t{0}), Value(int64_t{1}), Value(int64_t{-1}), Value(int64_t{70})};
  else if (type == "float?" || type == "Scalar?") all = {Value(0.0), Value(0.5), Value(-1.0)};
  else if (type == "ScalarType?") all = {Value(kBool), Value(kLong), Value(kHalf), Value(kFloat)};
  if (type.ends_with('?') && !value.is_none()) all.emplace_back();
  return all;
}

/// The bits of results and gradients, or what went wrong.
std::string come_of(const Sample& s, const std::vector<Value>& arguments) {
  manual_seed(0);
  return value_of([&] {
    std::string text;
    Tensors all;
    for (const Value& v : s.run(arguments))
      if (const Tensor* t = v.get<Tensor>(); t && t->defined()) all.push_back(*t);
      else if (const bool* b = v.get<bool>()) text += str(*b, ' ');
      else if (const int64_t* i = v.get<int64_t>()) text += str(*i, ' ');
      else if (const double* d = v.get<double>()) text += str(*d, ' ');
    manual_seed(0);
    if (const auto f = Function::of(s, arguments, tensors_in(arguments)))
      for (const Tensor& g : f->gradients(f->leaves(), f->cotangents())) all.push_back(g);
    return text + fingerprint_of(all);
  });
}

class Neighbours : public Sweep {
 protected:
  static void TearDownTestSuite() {
    if (!records()) return;
    std::ofstream out(golden_path("neighbours.txt"));
    for (const auto& [name, line] : golden()) out << line << '\n';
  }
};
TAUT_SWEEP(Neighbours);

TEST_P(Neighbours, ComeToWhatTheyCameTo) {
  const OpEntry& op = *GetParam();
  const Schema schema = parse_schema(op.schema);
  if (!certifies() || unpredictable(schema.name)) GTEST_SKIP() << "no bits to compare";
  std::vector<Sample> samples = samples_of(op);
  if (samples.size() > kSamples) samples.erase(samples.begin() + kSamples, samples.end());
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    size_t calls = 0;
    uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    std::string list;
    for (const Sample& s : samples) {
      const std::vector<Value> arguments = s.arguments();
      for (const Value& other : neighbours(arguments[i], schema.arguments[i].type)) {
        std::vector<Value> changed = s.arguments();
        changed[i] = other;
        const std::string line = come_of(s, changed);
        for (const char c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        list += str(s.call_text(), ", its neighbour ", calls++, ": ", line, '\n');
      }
    }
    if (calls == 0) continue;
    const std::string name = str(test_name(op), '.', schema.arguments[i].name);
    const std::string line = str(name, ' ', calls, ' ', std::hex, hash);
    if (records()) golden()[name] = line;
    else if (const auto it = golden().find(name); it != golden().end() && it->second != line)
      ADD_FAILURE() << name << ": something comes to something else than it did (TAUT_RECORD_OUTCOMES=1 writes "
                    << golden_path("neighbours.txt") << " anew). Now:\n"
                    << list;
  }
}

}  // namespace
}  // namespace taut::test
