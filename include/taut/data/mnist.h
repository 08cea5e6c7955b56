// The handwritten digits of MNIST, and other datasets in the same files (Fashion-MNIST, KMNIST).
#pragma once
#include <optional>
#include <string>

#include "taut/data/datasets.h"

namespace taut::data::datasets {

/// Reads `root`/train-images-idx3-ubyte and its relatives, plain or as .gz. Images are float32 (1, 28, 28) from 0 to 1,
/// targets int64.
class MNIST : public Dataset<MNIST> {
 public:
  enum class Mode { kTrain, kTest };
  explicit MNIST(const std::string& root, Mode mode = Mode::kTrain);
  Example<> get(size_t index) override;
  std::optional<size_t> size() const override;
  bool is_train() const noexcept { return mode_ == Mode::kTrain; }
  const Tensor& images() const { return images_; }
  const Tensor& targets() const { return targets_; }

 private:
  Mode mode_;
  Tensor images_, targets_;
};

}  // namespace taut::data::datasets
