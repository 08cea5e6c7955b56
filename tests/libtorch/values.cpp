// Values of any type, lists and dictionaries, shared pointers, containers as text, and what tensors are asked.
#include <ATen/core/ivalue.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/torch.h>

#include <iostream>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

struct Counted : c10::intrusive_ptr_target {
  explicit Counted(int n) : number(n) {}
  int number;
};
struct More : Counted {
  More() : Counted(7) {}
};

int main() {
  // values
  const torch::IValue number(3), real(2.5), flag(true), text("text"), none, tensor(torch::ones({2}));
  std::cout << number.isInt() << real.isDouble() << flag.isBool() << text.isString() << none.isNone()
            << tensor.isTensor() << number.isTensor() << number.isScalar() << real.isInt() << text.isNone() << '\n';
  std::cout << number.toInt() << real.toDouble() << flag.toBool() << text.toStringRef() << tensor.toTensor().numel()
            << number.to<int64_t>() << real.to<double>() << number.toScalar().toLong() << '\n';
  std::cout << number.tagKind() << ' ' << real.tagKind() << ' ' << text.tagKind() << ' ' << none.tagKind() << ' '
            << tensor.tagKind() << ' ' << flag.tagKind() << '\n';
  const torch::IValue sizes(std::vector<int64_t>{4, 5}), tensors(std::vector<torch::Tensor>{torch::ones({1})});
  std::cout << sizes.isIntList() << sizes.isList() << tensors.isTensorList() << sizes.toIntVector()
            << tensors.toTensorVector().size() << sizes.toIntList().size() << '\n';
  const torch::IValue pair(std::make_tuple(1, 0.5));
  std::cout << pair.isTuple() << pair.toTuple()->elements().size() << pair.toTuple()->elements()[1].toDouble()
            << c10::ivalue::Tuple::create({number, text})->elements()[1].toStringRef() << '\n';
  std::cout << (number == torch::IValue(3)) << (number == torch::IValue(4)) << (text == torch::IValue("text"))
            << torch::IValue(c10::optional<int64_t>()).isNone() << torch::IValue(std::optional<int64_t>(2)).toInt()
            << none.toOptional<int64_t>().has_value() << number.toOptional<int64_t>().value() << '\n';
  std::cout << number << ' ' << real << ' ' << flag << ' ' << none << ' ' << sizes << ' ' << torch::IValue(2.0) << '\n';
  try {
    number.toTensor();
  } catch (const std::exception& e) {
    std::cout << std::string(e.what()).substr(0, 27) << '\n';
  }

  // lists and dictionaries
  c10::List<int64_t> list({3, 4, 5});
  const c10::List<int64_t> same = list;
  list.push_back(6);
  list[0] = 9;
  list.set(1, 8);
  int64_t sum = 0;
  for (int64_t x : list) sum += x;
  std::cout << same.size() << sum << list.get(2) << static_cast<int64_t>(list[3]) << list.empty() << same.is(list)
            << list.vec() << '\n';
  list.pop_back();
  list.erase(list.begin());
  list.insert(list.begin(), 1);
  const auto copy = list.copy();
  list.clear();
  std::cout << copy.vec() << ' ' << list.size() << copy.is(list) << '\n';
  c10::List<std::string> words;
  words.emplace_back("a");
  words.reserve(3);
  words.resize(2);
  std::cout << words.size() << words.get(0) << '\n';
  c10::List<torch::Tensor> several({torch::ones({1}), torch::zeros({2})});
  for (const torch::Tensor& t : several) std::cout << t.sizes();
  std::cout << torch::IValue(several).toTensorList().size()
            << torch::IValue(several).to<c10::List<torch::Tensor>>().size() << '\n';
  c10::Dict<std::string, int64_t> dict;
  dict.insert("b", 1);
  dict.insert("a", 2);
  std::cout << dict.insert("a", 3).second << dict.insert_or_assign("a", 4).second << dict.at("a") << dict.size()
            << dict.contains("b") << dict.contains("z") << (dict.find("z") == dict.end()) << dict.erase("b") << '\n';
  dict.insert("c", 5);
  for (const auto& entry : dict) std::cout << entry.key() << entry.value() << ' ';
  dict.begin()->setValue(6);
  std::cout << dict.at("a") << '\n';
  try {
    dict.at("q");
  } catch (const std::exception& e) {
    std::cout << std::string(e.what()).substr(0, 43) << '\n';
  }
  const torch::IValue boxed(dict);
  std::cout << boxed.isGenericDict() << boxed.toGenericDict().size() << boxed.toGenericDict().at("c").toInt()
            << boxed.to<c10::Dict<std::string, int64_t>>().at("a") << '\n';
  c10::impl::GenericDict generic = boxed.toGenericDict();
  for (const auto& entry : generic) std::cout << entry.key().toStringRef() << entry.value().toInt() << ' ';
  std::cout << '\n';

  // shared pointers
  auto pointer = c10::make_intrusive<Counted>(5);
  auto second = pointer;
  c10::intrusive_ptr<Counted> base = c10::make_intrusive<More>();
  std::cout << pointer->number << (*second).number << pointer.use_count() << pointer.unique() << pointer.defined()
            << (pointer == second) << (base != pointer) << base->number << '\n';
  second.reset();
  c10::weak_intrusive_ptr<Counted> weak(pointer);
  std::cout << pointer.use_count() << second.defined() << weak.lock()->number;
  pointer.reset();
  std::cout << weak.expired() << static_cast<bool>(pointer) << '\n';

  // containers as text
  std::cout << std::vector<int>{1, 2, 3} << '|' << std::vector<double>{0.5} << '|' << std::vector<std::string>{} << '|'
            << std::map<std::string, int>{{"a", 1}, {"b", 2}} << '|' << std::set<int>{3, 1} << '|'
            << std::make_pair(1, "x") << '|' << std::vector<std::vector<int>>{{1}, {2, 3}} << '|'
            << std::vector<int>(102, 7).size() << '\n';
  std::cout << std::vector<int>(101, 7) << '\n';
  std::cout << torch::ones({2, 3}).sizes().vec() << ' ' << c10::SmallVector<int64_t, 3>{1, 2} << ' '
            << c10::IntArrayRef({5, 6}) << ' ' << c10::str("sizes ", std::vector<int64_t>{1, 2}) << '\n';

  // what tensors are asked
  auto x = torch::arange(12, torch::kFloat).reshape({3, 4});
  const at::TensorBase& plain = x;
  std::cout << plain.sizes() << plain.dim() << plain.numel() << plain.is_contiguous() << plain.scalar_type() << '\n';
  std::cout << (x.sizes() == std::vector<int64_t>{3, 4}) << x.sym_sizes() << x.sym_size(0) << x.is_cuda()
            << x.is_set_to(x) << x.is_xla() << '\n';
  std::unordered_map<void*, int> by_tensor;
  by_tensor[x.unsafeGetTensorImpl()] = 3;
  std::cout << by_tensor.at(x.unsafeGetTensorImpl()) << (x.unsafeGetTensorImpl() == x.detach().unsafeGetTensorImpl())
            << x.type() << ' ' << x.type().scalarType() << ' ' << x.toString() << '\n';
  const auto a = x.packed_accessor32<float, 2>();
  const auto b = x.packed_accessor64<float, 2>();
  const torch::PackedTensorAccessor32<float, 2> c = x.packed_accessor32<float, 2>();
  const auto d = x.accessor<const float, 2>();
  std::cout << a[1][2] << b[0][1] << c[2][3] << d[0][0] << a.size(0) << c.stride(0) << *x.const_data_ptr<float>()
            << (x.storage().data_ptr().get() == x.data_ptr()) << '\n';
  auto y = torch::zeros({2});
  y.set_(x);
  std::cout << y.sizes() << y.resize_as_(torch::ones({2, 2})).sizes() << x.use_count() << '\n';
  auto generator = at::detail::createCPUGenerator();
  {
    std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_current_seed(5);
  }
  std::cout << generator.current_seed() << torch::rand({1}, generator).sizes() << '\n';
  using namespace torch::nn::functional;
  using torch::sigmoid;
  std::cout << sigmoid(torch::zeros({1})).item<float>() << tanh(torch::zeros({1})).item<float>() << '\n';
}
