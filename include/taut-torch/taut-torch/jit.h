// TorchScript is not read: what programs write to load a model compiles, and says what works instead.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "taut-torch/check.h"
#include "taut-torch/names.h"

namespace torch::jit {

using taut::IValue;
using CompilationUnit = taut::serialize::CompilationUnit;
using Stack = std::vector<IValue>;

[[noreturn]] inline void not_covered(const std::string& what) {
  throw taut::NotImplementedError(
      "torch::jit::" + what +
      ": TorchScript files are not read. Write the model in C++ (torch::nn) and load its weights: save "
      "model.state_dict() in Python, with torch.save or as a safetensors file, and read it with torch::load(module, "
      "path) "
      "or load_state_dict().");
}

/// What load() would return.
struct Module {
  IValue forward(const std::vector<IValue>&) { not_covered("Module::forward"); }
  IValue operator()(const std::vector<IValue>&) { not_covered("Module::forward"); }
  template <class... Args>
  IValue run_method(const std::string& name, Args&&...) {
    not_covered("Module::" + name);
  }
  IValue attr(const std::string&) const { not_covered("Module::attr"); }
  bool hasattr(const std::string&) const { not_covered("Module::hasattr"); }
  std::vector<taut::Tensor> parameters(bool = true) const { not_covered("Module::parameters"); }
  std::vector<taut::Tensor> buffers(bool = true) const { not_covered("Module::buffers"); }
  void eval() { not_covered("Module::eval"); }
  void train(bool = true) { not_covered("Module::train"); }
  bool is_training() const { not_covered("Module::is_training"); }
  void to(taut::Device, bool = false) { not_covered("Module::to"); }
  void to(taut::ScalarType, bool = false) { not_covered("Module::to"); }
  void to(taut::Device, taut::ScalarType, bool = false) { not_covered("Module::to"); }
  void save(const std::string&) const { not_covered("Module::save"); }
};
namespace script {
using jit::Module;
}

inline Module load(const std::string& path, std::optional<taut::Device> = std::nullopt, bool = true) {
  not_covered("load('" + path + "')");
}
inline Module load(std::istream&, std::optional<taut::Device> = std::nullopt, bool = true) { not_covered("load"); }
inline Module freeze(const Module&) { not_covered("freeze"); }
inline Module optimize_for_inference(const Module&) { not_covered("optimize_for_inference"); }
inline std::shared_ptr<Module> compile(const std::string&) { not_covered("compile"); }
inline void setGraphExecutorOptimize(bool) {}

}  // namespace torch::jit
