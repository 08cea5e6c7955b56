// Builds a module, calls it, and compares with what PyTorch did.
#include "support/module_case.h"

#include <fstream>
#include <iostream>
#include <map>

#include "support/golden.h"
#include "support/paths.h"
#include "support/sample.h"
#include "support/sweep.h"

namespace taut::test {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;  // "init.weight" -> tensor

std::string key_of(const ModuleCase& c) { return std::string(c.text) + "\t" + c.call + "\t" + c.inputs; }

const Lines* golden_of(const ModuleCase& c, const std::string& file) {
  static std::map<std::string, Lines> all;
  if (all.empty()) {
    std::ifstream in(golden_path(file));
    Lines* current = nullptr;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("> ")) current = &all[line.substr(2)];
      else if (const size_t space = line.find(' '); current && !line.starts_with('#'))
        current->emplace_back(line.substr(0, space), line.substr(space + 1));
    }
  }
  const auto it = all.find(key_of(c));
  return it == all.end() ? nullptr : &it->second;
}

/// Big tensors are recorded by every `step`th element: "float32[200,300]/600:...".
std::string compare(const Tensor& got, std::string want) {
  if (want == "none") return got.defined() && got.count_nonzero().item<int64_t>() ? "is not None" : "";
  if (!got.defined()) return "is None";
  const size_t slash = want.find("]/"), colon = want.find(':');
  if (slash == want.npos || slash > colon) return difference(got, parse_tensor(want), {2e-4, 4e-5});
  const int64_t step = std::stoll(want.substr(slash + 2));
  const std::string sizes = want.substr(want.find('['), slash + 1 - want.find('['));
  std::string mine = str(got.sizes());
  std::erase(mine, ' ');
  if (mine != sizes) return str("has sizes ", mine, ", not ", sizes);
  const Tensor thin = got.detach().reshape({-1}).slice(0, 0, std::nullopt, step).contiguous();
  want = want.substr(0, want.find('[')) + str('[', thin.numel(), "]") + want.substr(colon);
  return difference(thin, parse_tensor(want), {2e-4, 4e-5});
}

std::string with_escapes(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\\n") : std::string(1, c);
  return out;
}

Tensors inputs_of(const ModuleCase& c) {
  static const OpEntry any{
      "inputs(Tensor a=None, Tensor b=None, Tensor c=None, Tensor d=None, Tensor e=None) -> Tensor", "", nullptr};
  Make make;
  make.dtype = kFloat;
  return tensors_in(Sample(&any, c.inputs).arguments(make));
}

}  // namespace

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

  Tensors inputs = inputs_of(c);
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
