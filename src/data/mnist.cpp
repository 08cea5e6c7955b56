// MNIST from its idx files.
#include "taut/data/mnist.h"

#include <filesystem>

#include "taut/io/idx.h"
#include "taut/ops.h"

namespace taut::data::datasets {

namespace {

/// The file, or the file with .gz where only that is there.
std::string find(const std::string& root, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(root) / name;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && std::filesystem::exists(path.string() + ".gz", ignored))
    return path.string() + ".gz";
  return path.string();
}

}  // namespace

MNIST::MNIST(const std::string& root, Mode mode) : mode_(mode) {
  const std::string prefix = is_train() ? "train" : "t10k";
  const std::string images = find(root, prefix + "-images-idx3-ubyte"),
                    labels = find(root, prefix + "-labels-idx1-ubyte");
  const Tensor pixels = io::read_idx(images), targets = io::read_idx(labels);
  check<FormatError>(pixels.dim() == 3 && pixels.scalar_type() == kByte, "MNIST: '", images,
                     "' is not a list of images: it has the shape ", pixels.sizes());
  check<FormatError>(targets.dim() == 1 && targets.scalar_type() == kByte, "MNIST: '", labels,
                     "' is not a list of labels: it has the shape ", targets.sizes());
  check<FormatError>(pixels.size(0) == targets.size(0), "MNIST: '", root, "' has ", pixels.size(0), " images, but ",
                     targets.size(0), " labels");
  images_ = pixels.to(kFloat).div_(255).unsqueeze(1);
  targets_ = targets.to(kLong);
}

Example<> MNIST::get(size_t index) {
  detail::check_index(index, *size(), "MNIST");
  const auto i = static_cast<int64_t>(index);
  return {images_[i], targets_[i]};
}

std::optional<size_t> MNIST::size() const { return static_cast<size_t>(images_.size(0)); }

}  // namespace taut::data::datasets
