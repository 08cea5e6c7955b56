// What programs call on modules, containers and autograd, and what they hear when they are wrong.
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

template <class F>
void says(const char* what, F&& f, size_t length = 70) {
  try {
    f();
    std::cout << what << ": nothing\n";
  } catch (const std::exception& e) {
    const std::string text = e.what();
    std::cout << what << ": " << text.substr(0, std::min(length, text.find('\n'))) << '\n';
  }
}

using namespace torch::nn;

struct Inner : Module {
  Inner() { weight = register_parameter("weight", torch::ones({2})); }
  torch::Tensor forward(torch::Tensor x) { return x * weight; }
  torch::Tensor weight;
};
struct Outer : Module {
  Outer() : Module("Outer") {
    inner = register_module("inner", std::make_shared<Inner>());
    linear = register_module("linear", Linear(2, 2));
    buffer = register_buffer("buffer", torch::zeros({3}));
  }
  std::shared_ptr<Inner> inner;
  Linear linear{nullptr};
  torch::Tensor buffer;
};
struct CopyImpl : Cloneable<CopyImpl> {
  CopyImpl() { reset(); }
  void reset() override {
    weight = register_parameter("weight", torch::ones({2}));
    linear = register_module("linear", Linear(2, 1));
    buffer = register_buffer("buffer", torch::ones({1}));
  }
  torch::Tensor weight, buffer;
  Linear linear{nullptr};
};
TORCH_MODULE(Copy);
struct Odd : Module {
  int forward(int a, std::string b, double c = 2.0) { return a + static_cast<int>(b.size()) + static_cast<int>(c); }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({2, torch::nn::AnyValue(2.0)})
};
struct NoForward : Module {};
struct Unsafe : Cloneable<Unsafe> {
  void reset() override {}
  torch::Tensor x = register_parameter("x", torch::ones({1}));
};

int main() {
  torch::manual_seed(0);
  auto outer = std::make_shared<Outer>();
  // walking
  int count = 0;
  outer->apply([&](Module& m) { count += m.name() != ""; });
  outer->apply([&](const Module&) { ++count; });
  outer->apply([&](const std::string& name, Module&) { std::cout << name << ';'; });
  outer->apply([&](const std::string& name, const Module&) { std::cout << name << ';'; }, "top");
  outer->apply([&](const std::shared_ptr<Module>& m) { count += m != nullptr; });
  outer->apply([&](const std::string& name, const std::shared_ptr<Module>&) { std::cout << name << ';'; }, "p");
  std::cout << count << '\n';
  for (const auto& m : outer->named_modules()) std::cout << m.key() << ':' << m.value()->name() << ' ';
  for (const auto& m : outer->named_modules("net", false)) std::cout << m.key() << ' ';
  std::cout << outer->modules().size() << outer->modules(false).size() << outer->children().size()
            << outer->named_children().keys().size() << '\n';
  for (const auto& p : outer->named_parameters()) std::cout << p.key() << p->sizes() << ' ';
  for (const auto& p : outer->named_parameters(false)) std::cout << p.key() << ' ';
  for (const auto& b : outer->named_buffers()) std::cout << b.key() << ' ';
  std::cout << outer->parameters().size() << outer->buffers().size() << '\n';

  // modes, types, gradients
  outer->eval();
  std::cout << outer->is_training() << outer->linear->is_training();
  outer->train();
  std::cout << outer->is_training() << outer->linear->is_training();
  outer->to(torch::kDouble);
  std::cout << outer->inner->weight.dtype() << outer->buffer.dtype();
  outer->to(torch::kCPU);
  outer->to(torch::kCPU, torch::kFloat);
  outer->to(torch::Device("cpu"), torch::kFloat, /*non_blocking=*/false);
  std::cout << outer->linear->weight.dtype() << '\n';
  outer->linear(torch::ones({1, 2})).sum().backward();
  std::cout << outer->linear->weight.grad().defined();
  outer->zero_grad();
  std::cout << outer->linear->weight.grad().defined();
  outer->linear(torch::ones({1, 2})).sum().backward();
  outer->zero_grad(/*set_to_none=*/false);
  std::cout << outer->linear->weight.grad().sum().item<float>() << '\n';

  // casts and clones
  Module& as_module = *outer;
  std::cout << (as_module.as<Outer>() != nullptr) << (as_module.as<Inner>() == nullptr)
            << (outer->linear->as<Linear>() != nullptr) << (outer->linear->as<LinearImpl>() != nullptr) << '\n';
  Copy copy;
  auto cloned = std::dynamic_pointer_cast<CopyImpl>(copy->clone());
  {
    torch::NoGradGuard no_grad;
    copy->weight.add_(5);
    copy->buffer.add_(5);
  }
  std::cout << cloned->weight[0].item<float>() << cloned->buffer[0].item<float>()
            << cloned->linear->weight.equal(copy->linear->weight)
            << cloned->linear->weight.is_same(copy->linear->weight) << cloned->clone(torch::Device("cpu")).use_count()
            << '\n';
  says("clone", [&] { outer->clone(); });
  says("reset", [] { Unsafe().clone(); });

  // registering
  says("dot", [&] { outer->register_module("a.b", Linear(1, 1)); });
  says(
      "empty", [&] { outer->register_module("", Linear(1, 1)); }, 32);
  says("twice", [&] { outer->register_module("linear", Linear(1, 1)); });
  says("dot", [&] { outer->register_parameter("a.b", torch::ones({1})); });
  says(
      "empty", [&] { outer->register_parameter("", torch::ones({1})); }, 32);
  says("twice", [&] {
    outer->register_parameter("p", torch::ones({1}));
    outer->register_parameter("p", torch::ones({1}));
  });
  says("dot", [&] { outer->register_buffer("a.b", torch::ones({1})); });
  says(
      "empty", [&] { outer->register_buffer("", torch::ones({1})); }, 29);
  says("twice", [&] { outer->register_buffer("buffer", torch::ones({1})); });
  says("unregister", [&] { outer->unregister_module("nobody"); });
  outer->replace_module("linear", Linear(3, 3));
  says("replace", [&] { outer->replace_module("nobody", Linear(3, 3)); });
  std::cout << outer->named_parameters()["linear.weight"].sizes() << '\n';
  says("stack", [] { Outer().modules(); });
  std::cout << Outer().modules(false).size() << '\n';
  says(
      "holder", [] { Linear(nullptr)->forward(torch::ones({1})); }, 28);

  // AnyModule
  AnyModule any(Odd{});
  std::cout << any.forward<int>(3, std::string("ab")) << any.forward<int>(3, std::string("ab"), 4.0) << '\n';
  says("few", [&] { any.forward<int>(3); });
  says("many", [&] { any.forward<int>(3, std::string("ab"), 4.0, 5); });
  says("type", [&] { any.forward<int>(3.5, std::string("ab")); });
  says("result", [&] { any.forward<float>(3, std::string("ab")); });
  says(
      "empty", [] { AnyModule().forward<int>(3); }, 43);
  says(
      "empty", [] { AnyModule().get<Linear>(); }, 39);
  says(
      "empty", [] { AnyModule().ptr(); }, 39);
  says(
      "empty", [] { AnyModule().type_info(); }, 45);
  says("cast", [&] { any.get<Linear>(); });
  says("cast", [&] { any.ptr<LinearImpl>(); });
  AnyModule other = any;
  other = AnyModule(Linear(2, 3));
  std::cout << other.is_empty() << other.clone().is_empty() << (other.type_info() == typeid(LinearImpl)) << '\n';
  AnyValue value(5);
  std::cout << (value.try_get<int>() != nullptr) << (value.try_get<float>() == nullptr) << value.get<int>() << '\n';
  says("value", [&] { value.get<float>(); });

  // containers
  Sequential net(Linear(2, 3), ReLU());
  says(
      "index", [&] { net->ptr(7); }, 18);
  says(
      "index", [&] { net->at<LinearImpl>(7); }, 18);
  says("cast", [&] { net->at<Conv2dImpl>(0); });
  says("empty", [] { Sequential()->forward(torch::ones({1})); });
  says("result", [&] { net->forward<int>(torch::ones({1, 2})); });
  ModuleList list(Linear(1, 2), Tanh());
  list->insert(1, ReLU());
  list->extend(*ModuleList(Sigmoid()));
  list->push_back(std::make_shared<LinearImpl>(2, 2));
  for (const auto& m : *list) std::cout << m->name() << ' ';
  std::cout << list->size() << list->is_empty() << list[0]->name() << list->at<LinearImpl>(0).options.out_features()
            << list->ptr<LinearImpl>(4)->options.in_features() << '\n';
  says(
      "index", [&] { list->at<LinearImpl>(9); }, 18);
  says("cast", [&] { list->at<LinearImpl>(1); });
  ModuleDict dict;
  says("no key", [&] { dict["x"]; });
  says("pop", [&] { dict->pop("x"); });
  ParameterDict params;
  params->insert("a", torch::ones({1}));
  says("no key", [&] { params->get("x"); });
  says("pop", [&] { params->pop("x"); });
  ParameterList plist(torch::ones({1}));
  says(
      "index", [&] { plist->at(4); }, 18);
  torch::OrderedDict<std::string, int> ordered = {{"a", 1}, {"b", 2}};
  says("no key", [&] { ordered["c"]; });
  says(
      "no index", [&] { ordered[7]; }, 24);
  says("twice", [&] { ordered.insert("a", 3); });
  says(
      "erase", [&] { ordered.erase("z"); }, 21);
  says("front", [] { torch::OrderedDict<int, int>().front(); });
  says("back", [] { torch::OrderedDict<int, int>().back(); });
  std::cout << ordered.keys().size() << ordered.values()[1] << ordered.front().key() << ordered.back().value()
            << ordered.contains("a") << (ordered.find("q") == nullptr) << ordered.pairs()[0].second
            << ordered.key_description() << '\n';
}
