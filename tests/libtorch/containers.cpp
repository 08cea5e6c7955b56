// Containers, holders, AnyModule, hooks and the modules that only some programs use.
#include <torch/torch.h>

#include <iostream>

using namespace torch::nn;

int main() {
  torch::manual_seed(0);
  using Modules = torch::OrderedDict<std::string, std::shared_ptr<Module>>;
  ModuleDict dict(Modules{{"a", Linear(2, 3).ptr()}, {"b", ReLU().ptr()}});
  ModuleDict more(Modules{{"b", Tanh().ptr()}, {"c", Linear(3, 1).ptr()}});
  dict->update(*more);
  for (const auto& item : dict->items()) std::cout << item.first << ' ' << item.second->name() << '\n';
  std::cout << dict->contains("c") << dict->size() << dict->keys().size() << dict->at<LinearImpl>("c").weight.sizes()
            << '\n';
  dict->pop("b");
  std::cout << dict->size() << '\n';

  ParameterDict parameters;
  parameters->insert("x", torch::ones({2}));
  parameters->insert("y", torch::ones({1}));
  parameters->insert("z", torch::ones({4}));
  torch::OrderedDict<std::string, torch::Tensor> other = {{"y", torch::zeros({3})}};
  parameters->update(other);
  ParameterDict again;
  again->insert("z", torch::ones({1}));
  parameters->update(*again);
  for (const auto& key : parameters->keys()) std::cout << key << parameters->get(key).sizes() << ' ';
  std::cout << parameters->parameters().size() << '\n';

  ParameterList list(torch::ones({1}), torch::ones({2}));
  list->append(torch::ones({3}));
  ParameterList tail(torch::ones({4}));
  list->extend(*tail);
  *list += *tail;
  for (const auto& p : *list) std::cout << p.key() << p.value().sizes() << ' ';
  std::cout << list->size() << list->at(1).sizes() << '\n';

  AnyModule any(Linear(2, 3));
  std::cout << any.get<Linear>()->weight.sizes() << any.get<LinearImpl>().options.in_features()
            << any.ptr()->parameters().size() << any.forward(torch::ones({1, 2})).sizes() << '\n';
  any = AnyModule(Tanh());
  std::cout << any.is_empty() << AnyModule().is_empty() << '\n';

  Functional bound(torch::elu, /*alpha=*/1, /*scale=*/2, /*input_scale=*/1);
  std::cout << bound(torch::tensor({-1.0, 1.0})) << Functional(torch::relu)(torch::tensor({-1.0, 1.0})) << '\n';
  Functional lambda([](torch::Tensor t) { return t * 10; });
  std::cout << lambda(torch::ones({1})) << '\n';

  std::cout << Unflatten(UnflattenOptions(1, {2, 2}))(torch::ones({3, 4})).sizes() << '\n';
  const auto input = torch::ones({4, 2});

  AdaptiveLogSoftmaxWithLoss adaptive(AdaptiveLogSoftmaxWithLossOptions(8, 4, {2}).div_value(2.));
  {
    torch::NoGradGuard no_grad;
    for (auto& p : adaptive->parameters())
      p.copy_(torch::arange(p.numel()).reshape(p.sizes()).to(torch::kFloat) / 50 - 0.2);
  }
  const auto features = torch::arange(24, torch::kFloat).reshape({3, 8}) / 24;
  const auto result = adaptive(features, torch::tensor({0, 1, 3}));
  std::cout << result.output << ' ' << result.loss << '\n'
            << adaptive->log_prob(features) << '\n'
            << adaptive->predict(features) << '\n';
  for (const auto& p : adaptive->named_parameters()) std::cout << p.key() << p.value().sizes() << ' ';
  std::cout << '\n';

  Sequential sequential(Linear(2, 2), ReLU());
  sequential->push_back("last", Linear(2, 1));
  for (const auto& item : sequential->named_children()) std::cout << item.key() << ' ';
  std::cout << sequential->size() << ' '
            << std::dynamic_pointer_cast<LinearImpl>(sequential->ptr(0))->options.out_features() << '\n';
  auto copy = std::dynamic_pointer_cast<SequentialImpl>(sequential->clone());
  std::cout << copy->forward(input).equal(sequential->forward(input)) << '\n';
}
