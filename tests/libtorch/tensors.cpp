// Conversions, devices, destinations, indices, numbers, storage, keywords.
#include <ATen/ATen.h>
#include <ATen/TensorIndexing.h>
#include <torch/special.h>
#include <torch/torch.h>

#include <iostream>
#include <unordered_set>

using namespace torch::indexing;

template <class F>
void fails(const char* what, F&& f, size_t length = 24) {
  try {
    f();
    std::cout << what << ": nothing\n";
  } catch (const std::exception& e) {
    std::cout << what << ": " << std::string(e.what()).substr(0, length) << '\n';
  }
}

int main() {
  const auto x = torch::arange(6, torch::kFloat).reshape({2, 3});

  // to
  std::cout << x.to(torch::kCPU).dtype() << x.to(torch::kDouble).dtype()
            << x.to(torch::Device("cpu"), torch::kInt).dtype()
            << x.to(torch::TensorOptions().dtype(torch::kLong)).dtype() << x.to(torch::ones({1}, torch::kHalf)).dtype()
            << x.to(torch::kCPU, torch::kBFloat16).dtype() << x.to(torch::zeros({1}, torch::kShort).dtype()).dtype()
            << '\n';
  const auto image = torch::arange(24, torch::kFloat).reshape({1, 2, 3, 4});
  const auto last = image.to(torch::kFloat, false, false, torch::MemoryFormat::ChannelsLast);
  std::cout << last.strides() << last.is_contiguous() << last.is_contiguous(torch::MemoryFormat::ChannelsLast)
            << image.contiguous(torch::MemoryFormat::ChannelsLast).strides() << last.equal(image)
            << image.to(torch::MemoryFormat::ChannelsLast).strides()
            << image.clone(torch::MemoryFormat::ChannelsLast).strides() << last.suggest_memory_format()
            << torch::empty({1, 2, 3, 4}, torch::MemoryFormat::ChannelsLast).strides()
            << torch::empty_like(last).strides() << last.contiguous().strides() << x.to(torch::kFloat).is_same(x)
            << x.to(torch::kFloat, false, true).is_same(x) << '\n';
  fails(
      "rank", [&] { x.contiguous(torch::MemoryFormat::ChannelsLast); }, 40);

  // devices
  const torch::Device cuda(torch::kCUDA), second(torch::kCUDA, 1);
  std::cout << (cuda == second) << (second == torch::Device("cuda:1")) << cuda.is_cuda() << cuda.is_cpu()
            << cuda.has_index() << static_cast<int>(second.index()) << (cuda.type() == torch::kCUDA)
            << (x.device() == torch::kCPU) << x.is_cuda() << static_cast<int>(x.get_device())
            << std::unordered_set<torch::Device>{cuda, second, cuda}.size() << '\n';
  fails("string", [] { torch::Device("cuda:-1"); });
  fails(
      "string", [] { torch::Device("gpu"); }, 15);
  std::cout << torch::cuda::is_available() << static_cast<int>(torch::cuda::device_count())
            << torch::cuda::cudnn_is_available() << '\n';
  torch::cuda::manual_seed(1);
  torch::cuda::manual_seed_all(1);
  int refused = 0;
  for (int i = 0; i < 3; ++i) try {
      if (i == 0) x.cuda();
      if (i == 1) x.to(cuda);
      if (i == 2) torch::zeros({2}, torch::TensorOptions().device(torch::kCUDA));
    } catch (const c10::Error&) {
      ++refused;
    }
  std::cout << refused << '\n';

  // destinations
  auto out = torch::empty({0});
  at::add_out(out, x, x, 2);
  std::cout << out << '\n';
  torch::mul_out(out, x, x);
  at::add_outf(x, x, 1, out);
  torch::matmul_out(out, x, x.t());
  auto values = torch::empty({0}), where = torch::empty({0}, torch::kLong);
  torch::max_out(values, where, x, 1);
  std::cout << out << '\n' << values << where << '\n';
  torch::linear_out(out, x, torch::ones({2, 3}), torch::ones({2}));
  std::cout << out << '\n';
  torch::cat_out(out, {x, x}, 1);
  torch::arange_out(where, 5);
  std::cout << out << '\n'
            << where << '\n'
            << torch::sum_out(out, x, 0) << '\n'
            << torch::sigmoid_out(out, x).sizes() << '\n';

  // paddings, cross, indices
  const auto row = torch::arange(4, torch::kFloat).reshape({1, 1, 4});
  std::cout << torch::constant_pad_nd(row, {1, 2}, 9) << torch::reflection_pad1d(row, {2, 1})
            << torch::replication_pad1d(row, {1, 1}) << torch::reflection_pad2d(image, {1, 1, 1, 1}).sizes()
            << torch::replication_pad2d(image, {1, 0, 2, 0}).sizes() << '\n';
  std::cout << torch::cross(torch::tensor({1.0, 0.0, 0.0}), torch::tensor({0.0, 1.0, 0.0}), 0) << '\n';
  auto y = torch::zeros({3, 3});
  y.index_put_({0, Slice(1, None)}, 5);
  y.index({1}) = torch::arange(3, torch::kFloat);
  y[2][0] = 7;
  y.index({Slice(), 2}).fill_(-1);
  std::cout << y << '\n' << at::index(y, {torch::tensor({0, 2})}) << '\n';
  at::index_put_(y, {torch::tensor({1})}, torch::zeros({3}));
  std::cout << y.index({"...", 0}) << y.index({None, y > 4}).sizes()
            << y.index({Ellipsis, Slice(None, None, 2)}).sizes() << '\n';
  const Slice slice(1, 5, 2);
  std::cout << slice.start() << slice.stop() << slice.step() << TensorIndex(3).is_integer() << TensorIndex(3).integer()
            << TensorIndex(true).is_boolean() << TensorIndex("...").is_ellipsis() << TensorIndex(None).is_none()
            << TensorIndex(slice).is_slice() << TensorIndex(slice).slice().stop() << TensorIndex(y).is_tensor()
            << TensorIndex(y).tensor().size(0) << '\n';

  // numbers and memory
  const torch::Scalar number = 2.75;
  std::cout << number.toFloat() << ' ' << number.toDouble() << ' ' << number.toInt() << ' ' << number.toLong() << ' '
            << number.to<int>() << ' ' << number.isFloatingPoint() << number.isIntegral(false) << number.isBoolean()
            << ' ' << static_cast<int>(torch::Scalar(3).toByte()) << ' ' << x.sum().item().toFloat() << ' '
            << x.sum().item<double>() << '\n';
  fails(
      "overflow", [] { (void)torch::Scalar(1e10).toInt(); }, 42);
  const auto part = x.slice(1, 1);
  std::cout << x.storage().nbytes() << ' ' << part.storage().nbytes() << ' ' << (part.storage().data() == x.data_ptr())
            << ' ' << part.storage_offset() << part.is_alias_of(x) << ' ' << part.accessor<float, 2>()[1][0] << ' '
            << x.itemsize() << x.nbytes() << '\n';
  std::cout << torch::kF32 << torch::kI64 << torch::kF16 << ' ' << c10::elementSize(torch::kDouble) << ' '
            << c10::isFloatingType(torch::kHalf) << ' ' << torch::promote_types(torch::kInt, torch::kFloat) << ' '
            << torch::typeMetaToScalarType(x.dtype()) << ' ' << (x.dtype() == torch::kFloat) << x.dtype().itemsize()
            << ' ' << (x.options().dtype() == torch::kFloat) << '\n';

  // keywords
  const auto options = torch::nn::MSELossOptions(torch::kSum);
  std::cout << (std::get_if<torch::enumtype::kSum>(&options.reduction()) != nullptr)
            << (std::get_if<torch::enumtype::kMean>(&options.reduction()) != nullptr)
            << std::holds_alternative<torch::enumtype::kSum>(options.reduction()) << ' '
            << torch::enumtype::get_enum_name(options.reduction()) << '\n';
  std::variant<torch::enumtype::kNone, torch::enumtype::kMean, torch::enumtype::kSum> own = torch::kMean;
  std::cout << own.index() << torch::enumtype::get_enum_name(own) << torch::enumtype::reduction_get_enum(own) << '\n';
  std::cout
      << torch::nn::functional::mse_loss(x, x + 1, torch::nn::functional::MSELossFuncOptions(torch::kSum)).item<float>()
      << '\n';

  // special
  const auto p = torch::tensor({0.25, 0.5, 0.75});
  std::cout << torch::special::expit(p) << torch::special::gammaln(p) << torch::special::xlog1py(p, p)
            << torch::special::entr(p) << torch::special::ndtr(p) << torch::special::logit(p) << torch::special::erf(p)
            << torch::special::psi(p) << torch::special::multigammaln(p + 2, 2) << '\n';
}
