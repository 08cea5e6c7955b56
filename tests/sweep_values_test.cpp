// Every sample of every op: values, dtypes, shapes and gradients as PyTorch's (tests/golden/ops_*.txt), inputs left as
// they were, results that know what made them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "support/golden.h"
#include "support/paths.h"
#include "support/rounding.h"
#include "support/sweep.h"

namespace taut::test {
namespace {

/// The golden lines of one call: "f64" -> "float64[2,3]:1,2,3,4,5,6".
using Golden = std::map<std::string, std::string>;

const std::map<std::string, Golden>& golden() {
  static const auto all = [] {
    std::map<std::string, Golden> table;
    for (const auto& file : std::filesystem::directory_iterator(golden_path(""))) {
      if (!file.path().filename().string().starts_with("ops_")) continue;
      std::ifstream in(file.path());
      Golden* current = nullptr;
      for (std::string line; std::getline(in, line);) {
        if (line.starts_with("> ")) current = &table[line.substr(2)];
        else if (const size_t space = line.find(' '); current && !line.starts_with('#'))
          (*current)[line.substr(0, space)] = space == line.npos ? "" : line.substr(space + 1);
      }
    }
    return table;
  }();
  return all;
}
const Golden* golden_of(const Sample& s) {
  const auto it = golden().find(s.name() + "\t" + s.text());
  return it == golden().end() ? nullptr : &it->second;
}

Tolerance tolerance_of(ScalarType dtype, const std::string& name) {
  // PyTorch's trigamma is good to nine digits only.
  if (among(name, {"polygamma", "digamma", "_gamma_entropy", "_gamma_kl", "_beta_kl", "_dirichlet_entropy",
                   "_dirichlet_kl", "_student_t_entropy"}) &&
      dtype == kDouble)
    return {1e-8, 1e-9};
  if (name == "hardsigmoid" && dtype == kDouble) return {1e-8, 1e-12};  // PyTorch's slope is 1/6 as a float32
  switch (value_type(dtype)) {
    case kDouble: return {1e-10, 1e-12};
    case kFloat: return {2e-5, 1e-6};
    case kHalf: return {3e-3, 1e-3};
    case kBFloat16: return {2e-2, 8e-3};
    default: return {0, 0};
  }
}

std::string compare(const std::string& name, const std::vector<Value>& got, const std::string& want) {
  const std::vector<std::string> parts = split(want, ' ');
  if (got.size() != parts.size()) return str("got ", got.size(), " results, want ", parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].starts_with('=')) {
      const std::string plain = got[i].get<ScalarType>() ? dtype_name(*got[i].get<ScalarType>())
                                : got[i].get<double>()   ? str(*got[i].get<double>())
                                                         : str(got[i].to_int());
      if (plain != parts[i].substr(1)) return str("got ", plain, ", want ", parts[i].substr(1));
      continue;
    }
    const Tensor wanted = parse_tensor(parts[i]);
    if (!wanted.defined()) continue;
    if (const std::string d = difference(got[i].to_tensor(), wanted, tolerance_of(wanted.scalar_type(), name));
        !d.empty())
      return str("result ", i, ": ", d);
  }
  return {};
}

constexpr std::pair<const char*, ScalarType> kVariants[] = {{"f64", kDouble},    {"f32", kFloat}, {"f16", kHalf},
                                                            {"bf16", kBFloat16}, {"i64", kLong},  {"i32", kInt},
                                                            {"u8", kByte},       {"bool", kBool}};

class Values : public Sweep {};

TEST_P(Values, OpHasSamples) {
  if (std::strstr(GetParam()->schema, "Generator?")) return;  // random numbers have tests of their own
  EXPECT_FALSE(samples_of(*GetParam()).empty()) << GetParam()->schema;
}

TEST_P(Values, AreThoseOfPyTorch) {
  each([&](const Sample& s) -> std::string {
    if (unpredictable(s.name())) return {};
    const Golden* g = golden_of(s);
    if (!g) return "no golden data: run tools/golden_ops.py";
    for (const auto& [key, dtype] : kVariants) {
      const auto it = g->find(key);
      if (it == g->end() || it->second == "unsupported") continue;
      std::vector<Value> results;
      try {
        results = s.run(s.arguments({.dtype = dtype}));
      } catch (const Error& e) {
        if (it->second != "error") return str(key, " threw: ", e.what());
        continue;
      }
      if (it->second == "error")
        return str(key, ": PyTorch rejects this call, here it gives ",
                   results.empty() || !results[0].get<Tensor>() ? "a value" : describe(results[0].to_tensor()));
      if (const std::string d = compare(s.name(), results, it->second); !d.empty()) return str(key, " ", d);
    }
    return {};
  });
}

/// The results for float32 inputs, computed in float64. With a seed, every input is off by one rounding of float32, up
/// or down; multiples of a quarter, where samples have their edges, are not.
std::vector<Value> in_float64(const Sample& s, uint64_t seed) {
  const std::vector<Value> arguments = s.arguments({.dtype = kFloat});
  Tensors inputs = tensors_in(arguments);
  for (Tensor& x : inputs) {
    if (!x.defined() || value_type(x.scalar_type()) != kFloat) continue;
    x = x.to(x.is_complex() ? kComplexDouble : kDouble).contiguous();
    auto* v = static_cast<double*>(x.data_ptr());
    for (int64_t i = 0; seed && i < x.numel() * (x.is_complex() ? 2 : 1); ++i)
      if (v[i] * 4 != std::round(v[i] * 4))
        v[i] *= 1 + ((seed = seed * 6364136223846793005u + 1) >> 63 ? 0x1p-24 : -0x1p-24);
  }
  return s.run(with_tensors(arguments, inputs));
}

/// PyTorch's float32 is as far from the truth as ours; this is about the truth, which the test above found in float64.
TEST_P(Values, Float32IsAsNearToFloat64AsRoundingAllows) {
  each([&](const Sample& s) -> std::string {
    const Golden* g = golden_of(s);
    if (unpredictable(s.name()) || !g || !g->contains("f32")) return {};
    if (s.name() == "nan_to_num") return {};  // the largest number of the dtype
    const std::vector<Value> got = s.run(s.arguments({.dtype = kFloat})), exact = in_float64(s, 0);
    std::vector<Value> moved[3];
    for (uint64_t k = 0; k < 3; ++k) moved[k] = in_float64(s, k + 1);
    for (size_t i = 0; i < got.size(); ++i) {
      if (!got[i].get<Tensor>() || !got[i].to_tensor().defined()) continue;
      const Tensor y = got[i].to_tensor(), want = exact.at(i).to_tensor();
      if (value_type(y.scalar_type()) != kFloat || value_type(want.scalar_type()) != kDouble) continue;
      const std::vector<double> reference = values_of(want);
      double unit = 0;
      for (const double v : reference) unit = std::max(unit, std::isfinite(v) ? std::abs(v) * 0x1p-24 : 0);
      for (const auto& m : moved) {
        const std::vector<double> other = values_of(m.at(i).to_tensor());
        for (size_t k = 0; k < reference.size(); ++k)
          if (const double d = std::abs(other[k] - reference[k]); std::isfinite(d)) unit = std::max(unit, d);
      }
      if (s.name() == "upsample_bicubic2d") unit *= 2;  // places between pixels are rounded too, then cubed
      if (const std::string d = beyond_rounding(y, want, unit); !d.empty()) return str("result ", i, ": ", d);
    }
    return {};
  });
}

TEST_P(Values, GradientsAreThoseOfPyTorch) {
  each([&](const Sample& s) -> std::string {
    const Golden* g = golden_of(s);
    if (!g || !g->contains("grad")) return {};
    if (s.name() == "as_strided_scatter") return {};  // PyTorch's gradient of `self` is that of what was overwritten
    const auto f = Function::of(s);
    if (!f) return "PyTorch has gradients, here nothing requires them";
    const std::vector<std::string> wanted = split(g->at("grad"), ' ');
    const Tensors got = f->gradients(f->leaves(), f->cotangents());
    if (wanted.size() != got.size()) return str("got ", got.size(), " gradients, want ", wanted.size());
    for (size_t i = 0; i < got.size(); ++i) {
      Tensor want = parse_tensor(wanted[i]);
      if (!want.defined()) want = zeros(got[i].sizes(), got[i].scalar_type());
      const Tolerance t = tolerance_of(want.scalar_type(), s.name());
      if (const std::string d = difference(got[i], want, {t.relative * 10, t.absolute * 10}); !d.empty())
        return str("gradient ", i, ": ", d);
    }
    return {};
  });
}

TEST_P(Values, InputsAreLeftAlone) {
  each([&](const Sample& s) -> std::string {
    const auto f = Function::of(s);
    const std::vector<Value> arguments = s.arguments();
    const Tensors inputs = tensors_in(arguments);
    Tensors before;
    std::vector<uint32_t> versions;
    for (const Tensor& t : inputs) before.push_back(t.clone()), versions.push_back(t._version());
    try {
      s.run(arguments);
      if (f) {
        const Tensors leaves = f->leaves();
        Tensors copies;
        for (const Tensor& t : leaves) copies.push_back(t.detach().clone());
        f->gradients(leaves, f->cotangents());
        for (size_t i = 0; i < leaves.size(); ++i)
          if (const std::string d = difference(leaves[i], copies[i], {0, 0}); !d.empty())
            return "backward wrote an input: " + d;
      }
    } catch (const Error&) {
      // A call that fails must not write either.
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (const std::string d = difference(inputs[i], before[i], {0, 0}); !d.empty())
        return str("input ", i, " was written: ", d);
      if (inputs[i]._version() != versions[i]) return str("the version of input ", i, " changed");
    }
    return {};
  });
}

TEST_P(Values, AnUndefinedTensorIsRefusedByName) {
  const Schema schema = parse_schema(GetParam()->schema);
  static const auto names = [] {
    // No rows, but what users call.
    std::set<std::string> all{"clone",   "LSTM",    "GRU",       "RNN",       "LSTMCell",
                              "GRUCell", "RNNCell", "dropout1d", "dropout2d", "dropout3d"};
    for (const OpEntry* op : all_ops()) all.insert(parse_schema(op->schema).name);
    return all;
  }();
  // By its own name, or that of an op it is made of: not as "dim" or "op".
  const auto is_name = [&](std::string text) {
    std::replace(text.begin(), text.end(), '.', '_');  // linalg.inv, as messages have it
    return text.starts_with(schema.name) || schema.name.find(text) != std::string::npos || names.count(text) > 0 ||
           (schema.name[0] == '_' && text.starts_with(schema.name.substr(1)));  // _lp_pool is lp_pool1d, 2d and 3d
  };
  each([&](const Sample& s) -> std::string {
    try {
      s.run(s.arguments());
    } catch (const Error&) {
      return {};  // a sample of another mistake
    }
    for (size_t i = 0; i < schema.arguments.size(); ++i) {
      std::vector<Value> arguments = s.arguments();
      if (schema.arguments[i].type != "Tensor" || !arguments[i].get<Tensor>()) continue;
      arguments[i] = Tensor();
      try {
        s.run(arguments);
        return str("argument ", i, " may be undefined");
      } catch (const Error& e) {
        const std::string text = e.what();
        if (text.find("ndefined") == text.npos || !is_name(text.substr(0, text.find(':'))))
          return str("argument ", i, ": ", text);
      }
    }
    return {};
  });
}

TEST_P(Values, RecordedResultsNameTheNodeThatMadeThem) {
  each_function({}, [&](const Function& f) -> std::string {
    const Tensors leaves = f.leaves();
    for (const Tensor& y : f(leaves)) {
      bool is_input = false;
      for (const Tensor& x : leaves) is_input |= x.is_same(y);
      if (is_input) continue;
      if (!y.grad_fn()) return "a result requires a gradient and has no grad_fn";
      std::string name = y.grad_fn()->name();
      if (name == "CopySlices" || name.starts_with("_")) continue;  // PyTorch's is a Function of Python
      if (name.ends_with("_copy")) name.resize(name.size() - 5);
      while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back()))) name.pop_back();
      if (!name.ends_with("Backward") || name == y.grad_fn()->name())
        return str("its grad_fn is called ", y.grad_fn()->name());
    }
    return {};
  });
}

TAUT_SWEEP(Values);

}  // namespace
}  // namespace taut::test
