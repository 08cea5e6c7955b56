// Builds a module, calls it, and compares with what PyTorch did.
#include "support/module_case.h"

#include <fstream>
#include <iostream>
#include <map>

#include "support/certificate.h"
#include "support/golden.h"
#include "support/paths.h"
#include "support/rounding.h"
#include "support/sample.h"
#include "support/sweep.h"

namespace taut::test {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;  // "init.weight" -> tensor

std::string key_of(const ModuleCase& c) { return std::string(c.text) + "\t" + c.call + "\t" + c.inputs; }

const std::map<std::string, Lines>& golden(const std::string& file) {
  static const auto all = [&] {
    std::map<std::string, Lines> table;
    std::ifstream in(golden_path(file));
    Lines* current = nullptr;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("> ")) current = &table[line.substr(2)];
      else if (const size_t space = line.find(' '); current && !line.starts_with('#'))
        current->emplace_back(line.substr(0, space), line.substr(space + 1));
    }
    return table;
  }();
  return all;
}
const Lines* golden_of(const ModuleCase& c, const std::string& file) {
  const auto it = golden(file).find(key_of(c));
  return it == golden(file).end() ? nullptr : &it->second;
}

/// "float32[200,300]/600~1.2e-07:...": every 600th element of a big tensor, and its unit (support/rounding.h).
std::string compare(const Tensor& got, const std::string& want) {
  if (want == "none") return got.defined() && got.count_nonzero().item<int64_t>() ? "is not None" : "";
  if (!got.defined()) return "is None";
  const size_t open = want.find('['), close = want.find(']'), colon = want.find(':');
  const std::string dtype = want.substr(0, open), marks = want.substr(close + 1, colon - close - 1);
  std::string sizes = str(got.sizes());
  std::erase(sizes, ' ');
  if (sizes != want.substr(open, close + 1 - open))
    return str("has sizes ", sizes, ", not ", want.substr(open, close + 1 - open));
  if (dtype_name(got.scalar_type()) != dtype) return str("is ", dtype_name(got.scalar_type()), ", not ", dtype);
  const int64_t step = marks.starts_with('/') ? std::stoll(marks.substr(1)) : 1;
  const Tensor thin = got.detach().reshape({-1}).slice(0, 0, std::nullopt, step).contiguous();
  const size_t mark = marks.find('~');
  const std::string values = str('[', thin.numel(), "]", want.substr(colon));
  if (mark == marks.npos) return difference(thin, parse_tensor(dtype + values), {0, 0});
  return beyond_rounding(thin, parse_tensor("float64" + values), std::stod(marks.substr(mark + 1)));
}

std::string with_escapes(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\\n") : std::string(1, c);
  return out;
}

Tensors inputs_of(const ModuleCase& c, ScalarType dtype) {
  static const OpEntry any{
      "inputs(Tensor a=None, Tensor b=None, Tensor c=None, Tensor d=None, Tensor e=None) -> Tensor", "", nullptr};
  Make make;
  make.dtype = dtype;
  return tensors_in(Sample(&any, c.inputs).arguments(make));
}

/// Which of n parameters to freeze, as masks: every set, or, of many, one alone, all but one, and all.
std::vector<uint64_t> frozen_sets(size_t n) {
  std::vector<uint64_t> sets;
  const uint64_t all = (uint64_t{1} << n) - 1;
  if (n <= 4)
    for (uint64_t mask = 0; mask <= all; ++mask) sets.push_back(mask);
  else
    for (size_t i = 0; i < std::min<size_t>(n, 12); ++i)
      sets.insert(sets.end(), {uint64_t{1} << i, all & ~(uint64_t{1} << i)});
  if (n > 4) sets.push_back(all);
  return sets;
}

/// The gradients of the parameters, then of the inputs, in float64.
Tensors gradients(const ModuleCase& c, uint64_t frozen, bool of_inputs) {
  manual_seed(0);
  const BuiltModule built = c.build();
  built.module->to(kDouble);
  Tensors inputs = inputs_of(c, kDouble), parameters = built.module->parameters(), roots, seeds, all;
  for (Tensor& x : inputs)
    if (x.is_floating_point()) x.requires_grad_(of_inputs);
  for (size_t i = 0; i < parameters.size(); ++i) parameters[i].requires_grad_(!(frozen >> i & 1));
  for (const Tensor& y : built.call(inputs))
    if (y.defined() && y.requires_grad()) {
      roots.push_back(y);
      seeds.push_back(linspace(1, 2, y.numel(), kDouble).view(y.sizes()));
    }
  if (!roots.empty()) autograd::backward(roots, seeds);
  for (const Tensor& p : parameters) all.push_back(p.grad());
  for (const Tensor& x : inputs) all.push_back(x.grad());
  return all;
}

}  // namespace

void check_frozen(const ModuleCase& c) {
  SCOPED_TRACE(std::string(c.text) + "  " + c.call + "  " + c.inputs);
  const Tensors wanted = gradients(c, 0, true);
  const size_t n = wanted.size() - inputs_of(c, kDouble).size();
  for (const uint64_t frozen : frozen_sets(n))
    for (const bool of_inputs : {true, false}) {
      const Tensors got = gradients(c, frozen, of_inputs);
      ASSERT_EQ(got.size(), wanted.size());
      for (size_t i = 0; i < got.size(); ++i) {
        const std::string which = str("gradient ", i, ", frozen ", frozen, of_inputs ? "" : " and the inputs");
        if (i < n ? frozen >> i & 1 : !of_inputs) EXPECT_FALSE(got[i].defined()) << which;
        else if (got[i].defined() && wanted[i].defined())
          EXPECT_TRUE(allclose(got[i], wanted[i], 1e-10, 1e-12, true)) << which;
        else EXPECT_TRUE(got[i].defined() == wanted[i].defined()) << which;
      }
    }
}

void check_module_case(const ModuleCase& c, const std::string& golden_file) {
  SCOPED_TRACE(std::string(c.text) + "  " + c.call + "  " + c.inputs);
  const Lines* golden = golden_of(c, golden_file);
  ASSERT_TRUE(golden) << "no golden data: write " << golden_file << " anew";
  manual_seed(0);
  const BuiltModule built = c.build();
  const auto same = [&](const std::string& what, const Tensor& got, const std::string& want) {
    const std::string problem = compare(got, want);
    if (!problem.empty()) ADD_FAILURE() << what << ": " << problem;
  };
  std::map<std::string, size_t> seen;
  const auto each = [&](const std::string& group, const auto& of) {
    for (const auto& [key, want] : *golden)
      if (key.starts_with(group + ".")) {
        ++seen[group];
        of(key.substr(group.size() + 1), want);
      }
  };
  for (const auto& [key, want] : *golden) {
    if (key == "repr") {
      EXPECT_EQ(with_escapes(str(*built.module)), want);
    }
  }

  const OrderedDict<std::string, Tensor> initial = built.module->state_dict();
  each("init", [&](const std::string& name, const std::string& want) {
    if (!initial.contains(name)) ADD_FAILURE() << "no parameter or buffer " << name;
    else same("initial " + name, initial[name], want);
  });
  EXPECT_EQ(seen["init"], initial.size()) << "of the state_dict";

  Tensors inputs = inputs_of(c, kFloat);
  for (Tensor& x : inputs)
    if (x.is_floating_point()) x.requires_grad_();
  Tensors outputs = built.call(inputs);
  each("out", [&](const std::string& k, const std::string& want) {
    const size_t i = std::stoul(k);
    if (i >= outputs.size()) ADD_FAILURE() << "no output " << i;
    else same("output " + k, outputs[i], want);
  });
  EXPECT_EQ(seen["out"], outputs.size()) << "outputs";

  Tensors roots, seeds;
  for (size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k].defined() && outputs[k].requires_grad()) {
      roots.push_back(outputs[k]);
      seeds.push_back(numbers(Kind::Any, static_cast<int>(100 + k), outputs[k].sizes(), outputs[k].scalar_type()));
    }
  if (!roots.empty()) autograd::backward(roots, seeds);
  each("grad", [&](const std::string& k, const std::string& want) {
    same("gradient of input " + k, inputs.at(std::stoul(k)).grad(), want);
  });
  const auto parameters = built.module->named_parameters();
  each("pgrad", [&](const std::string& name, const std::string& want) {
    if (parameters.contains(name)) same("gradient of " + name, parameters[name].grad(), want);
    else ADD_FAILURE() << "no parameter " << name;
  });
  const auto buffers = built.module->named_buffers();
  each("after", [&](const std::string& name, const std::string& want) {
    if (buffers.contains(name)) same("buffer " + name + " afterwards", buffers[name], want);
    else ADD_FAILURE() << "no buffer " << name;
  });

  Tensors all = outputs;
  for (const Tensor& x : inputs) all.push_back(x.grad());
  for (const auto& item : parameters) all.push_back(item.value().grad());
  for (const auto& item : buffers) all.push_back(item.value());
  certify(str("module ", c.text, " | ", c.call, " | ", c.inputs), all);
}

void check_all_cases_run(const std::vector<ModuleCase>& cases, const std::string& golden_file) {
  std::map<std::string, int> mine;
  for (const ModuleCase& c : cases) ++mine[key_of(c)];
  for (const auto& [key, lines] : golden(golden_file)) EXPECT_TRUE(mine.contains(key)) << "only Python runs " << key;
}

int module_case_main(int argc, char** argv, const std::vector<ModuleCase>& cases) {
  if (argc > 1 && std::string(argv[1]) == "--dump") {
    for (const ModuleCase& c : cases) std::cout << key_of(c) << '\n';
    return 0;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

}  // namespace taut::test
