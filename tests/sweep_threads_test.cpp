// Samples of every op made large: results and gradients have the same bits for 1, 2, 3 and 7 threads.
#include <array>
#include <cmath>
#include <cstring>

#include "support/sweep.h"

namespace taut::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSlow = true;  // instrumented code takes its time
constexpr std::array kThreads = {3};
#else
constexpr bool kSlow = false;
constexpr std::array kThreads = {2, 3, 7};
#endif
constexpr int kSamples = kSlow ? 1 : 2;  // of one op

/// Elements of the largest tensor: above every threshold for using threads. When slow, fewer where the work grows
/// faster than the tensors do, and threads share it earlier.
double most_elements(const std::string& name) {
  if (!kSlow) return 200000;
  if (name.find("conv") == 0) return 25000;
  for (const char* start : {"lstm", "gru", "rnn", "linear", "mm", "addmm", "cdist", "pdist", "einsum", "tensordot"})
    if (name.find(start) == 0) return 70000;
  return 140000;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.sizes() != b.sizes()) return false;
  const Tensor x = a.detach().contiguous(), y = b.detach().contiguous();
  return x.nbytes() == 0 || std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0;
}

class Threads : public Sweep {
 protected:
  void SetUp() override { before_ = get_num_threads(); }
  void TearDown() override { set_num_threads(before_); }

 private:
  int before_ = 1;
};

TEST_P(Threads, ResultsAndGradientsHaveTheSameBitsForAnyNumber) {
  int tried = 0;
  each([&](const Sample& s) -> std::string {
    if (tried == kSamples || s.has_float_literal() || unpredictable(s.name())) return {};
    Tensors want;
    std::vector<Value> arguments;
    std::optional<Function> f;
    try {
      const int64_t scale = scale_of(s, most_elements(s.name()));
      if (scale < 4) return {};
      arguments = s.arguments({.dtype = kFloat, .scale = scale});
      set_num_threads(1);
      want = s.tensors(arguments);
      f = Function::of(s, arguments, tensors_in(arguments));
      if (f)
        for (const Tensor& g : f->gradients(f->leaves(), f->cotangents())) want.push_back(g);
    } catch (const Error&) {
      return {};  // other arguments go with the small sizes only
    }
    ++tried;
    const Tensors cotangents = f ? f->cotangents() : Tensors();
    for (const int threads : kThreads) {
      set_num_threads(threads);
      Tensors got = s.tensors(arguments);
      if (f)
        for (const Tensor& g : f->gradients(f->leaves(), cotangents)) got.push_back(g);
      for (size_t i = 0; i < want.size(); ++i)
        if (!same_bits(got[i], want[i]))
          return str("other bits with ", threads, " threads in tensor ", i, " of shape ", want[i].sizes());
    }
    return {};
  });
}

TAUT_SWEEP(Threads);

}  // namespace
}  // namespace taut::test
