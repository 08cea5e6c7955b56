// What indexing says when it is asked for what is not there: the beginnings of the messages, which are libtorch's.
#include <torch/torch.h>

#include <iostream>
#include <string>

using torch::indexing::None;
using torch::indexing::Slice;

template <class F>
void says(const std::string& start, F f) {
  try {
    f();
    std::cout << "nothing\n";
  } catch (const c10::Error& e) {
    const std::string text = e.what_without_backtrace();
    std::cout << (text.rfind(start, 0) == 0 ? start : "otherwise: " + text) << '\n';
  }
}

int main() {
  const auto x = torch::arange(12).reshape({3, 4});
  says("index 9 is out of bounds for dimension 1 with size 4", [&] { x.index({0, 9}); });
  says("index 9 is out of bounds for dimension 0 with size 3", [&] { x.index({9}); });
  says("step must be greater than zero", [&] { x.index({Slice(None, None, -1)}); });
  says("too many indices for tensor of dimension 2", [&] { x.index({0, 0, 0}); });
  says("select(): index 5 out of range for tensor of size [3, 4] at dimension 0", [&] { x[5]; });
  says("select(): index -4 out of range for tensor of size [3, 4] at dimension 0", [&] { x[-4]; });
  says("select() cannot be applied to a 0-dim tensor.", [&] { torch::tensor(3)[0]; });
  says("index 5 is out of bounds for dimension 0 with size 3", [&] { x.index({torch::tensor({5})}); });
  says("tensors used as indices must be long, int, byte or bool tensors", [&] { x.index({torch::tensor({0.5})}); });
  says("The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [3, 4] at index 0", [&] {
    x.index({torch::tensor({true, false})});
  });
  says("shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]", [&] {
    x.index({torch::tensor({0, 1}), torch::tensor({0, 1, 2})});
  });
  says("Passing an empty index list to Tensor::index() is not valid syntax", [&] { x.index({}); });
  says("index 7 is out of bounds for dimension 0 with size 3", [&] {
    x.gather(0, torch::full({1, 1}, 7, torch::kLong));
  });
  says("index out of range in self", [&] { torch::embedding(torch::ones({2, 3}), torch::tensor({5})); });
  says("out of range: tried to access index 50 on a tensor of 12 elements.", [&] { x.take(torch::tensor({50})); });
}
