// Modules into archives and out of them.
#include "taut/autograd.h"
#include "taut/nn/module.h"
#include "taut/serialize/archive.h"

namespace taut::nn {

void Module::save(serialize::OutputArchive& archive) const {
  for (const auto& p : parameters_)
    if (p.value().defined()) archive.write(p.key(), p.value());
  for (const auto& b : buffers_)
    if (b.value().defined() && is_persistent(b.key())) archive.write(b.key(), b.value(), /*is_buffer=*/true);
  for (const auto& child : children_) {
    if (!child.value()->is_serializable()) continue;
    serialize::OutputArchive nested(archive.compilation_unit());
    child.value()->save(nested);
    // One without anything is left out, so that the names are those of a state_dict.
    if (!nested.is_empty()) archive.write(child.key(), nested);
  }
}

namespace {
/// Fills a tensor that a module has; its shape stays.
void fill(serialize::InputArchive& archive, const std::string& key, Tensor& tensor) {
  if (!tensor.defined()) return;
  Tensor read;
  archive.read(key, read);
  check(read.sizes() == tensor.sizes(), "size mismatch for ", key, ": copying a param with shape ", read.sizes(),
        " from checkpoint, the shape in current model is ", tensor.sizes(), ".");
  const NoGradGuard no_grad;
  tensor.copy_(read);
}
}  // namespace

void Module::load(serialize::InputArchive& archive) {
  for (auto& p : parameters_) fill(archive, p.key(), p.value());
  for (auto& b : buffers_)
    if (is_persistent(b.key())) fill(archive, b.key(), b.value());
  for (auto& child : children_) {
    if (!child.value()->is_serializable()) continue;
    serialize::InputArchive nested;
    const bool has_something = !child.value()->parameters().empty() || !child.value()->buffers().empty();
    if (has_something) archive.read(child.key(), nested);
    else archive.try_read(child.key(), nested);
    child.value()->load(nested);
  }
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const std::shared_ptr<Module>& module) {
  check<ValueError>(module != nullptr, "Cannot serialize empty module");
  module->save(archive);
  return archive;
}
serialize::InputArchive& operator>>(serialize::InputArchive& archive, const std::shared_ptr<Module>& module) {
  check<ValueError>(module != nullptr, "Cannot deserialize into an empty module");
  module->load(archive);
  return archive;
}

}  // namespace taut::nn
