// What the autograd tests share: values as vectors, and the text of an exception.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "taut/taut.h"

namespace taut::testing {

using Values = std::vector<double>;

/// The elements in row-major order; {} for an undefined tensor.
inline Values values(const Tensor& t) {
  if (!t.defined()) return {};
  NoGradGuard guard;
  const Tensor x = t.detach().to(kDouble).contiguous();
  return {x.data_ptr<double>(), x.data_ptr<double>() + x.numel()};
}

inline Tensor leaf(const std::vector<double>& v) { return tensor(TensorData(v), dtype(kFloat).requires_grad(true)); }
inline Tensor constant(const std::vector<double>& v) { return tensor(TensorData(v), kFloat); }

/// The message of the Error that f throws; a failure when it throws none.
template <class E = Error>
std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  ADD_FAILURE() << "no exception of that type";
  return {};
}

/// Each piece of text occurs in the message.
inline void expect_says(const std::string& message, const std::vector<std::string>& pieces) {
  for (const std::string& p : pieces)
    EXPECT_NE(message.find(p), std::string::npos) << "missing: " << p << "\nin: " << message;
}

}  // namespace taut::testing
