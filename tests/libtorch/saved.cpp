// Archives that libtorch wrote: modules in modules, optimisers, tensors and lists of them, values. They lie in the
// directory that is the first argument; those that are missing there are written first.
#include <torch/torch.h>

#include <filesystem>
#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl()
      : fc(register_module("fc", torch::nn::Linear(3, 2))),
        blocks(register_module(
            "blocks", torch::nn::Sequential(torch::nn::Conv2d(1, 2, 3), torch::nn::BatchNorm2d(2), torch::nn::ReLU()))),
        scale(register_parameter("scale", torch::ones({2, 2}) * 0.5)),
        count(register_buffer("count", torch::arange(4))) {}
  torch::Tensor forward(const torch::Tensor& x) { return fc(x); }
  torch::nn::Linear fc;
  torch::nn::Sequential blocks;
  torch::Tensor scale, count;
};
TORCH_MODULE(Net);

static std::string directory = ".";

/// The path of a file, which `write` has made if it was not there.
template <class Write>
std::string file(const std::string& name, const Write& write) {
  const std::string path = directory + "/" + name;
  if (!std::filesystem::exists(path)) write(path);
  return path;
}

template <class Optimizer, class Options>
void optimizer(const std::string& name, const Options& options) {
  torch::manual_seed(1);
  Net net;
  net->eval();
  Optimizer one(net->parameters(), options);
  const auto step = [&](Optimizer& o) {
    o.zero_grad();
    (net->forward(torch::ones({2, 3})).sum() * net->scale.sum()).backward();
    o.step();
  };
  const std::string path = file(name, [&](const std::string& to) {
    step(one);
    step(one);
    torch::save(one, to);
  });
  Optimizer two(net->parameters(), options);
  torch::load(two, path);
  step(two);
  std::cout << name << ": " << two.param_groups()[0].params().size() << '\n' << net->fc->weight << '\n';
}

int main(int argc, char** argv) {
  if (argc > 1) directory = argv[1];
  torch::manual_seed(3);
  const std::string net_path = file("saved_net.pt", [](const std::string& to) { torch::save(Net(), to); });
  torch::manual_seed(4);
  Net net;
  torch::load(net, net_path);
  for (const auto& p : net->named_parameters()) std::cout << p.key() << '\n' << p.value() << '\n';
  for (const auto& b : net->named_buffers()) std::cout << b.key() << '\n' << b.value() << '\n';

  const std::string tensor_path = file("saved_tensor.pt", [](const std::string& to) {
    torch::save(torch::arange(6).view({2, 3}).to(torch::kDouble) / 4, to);
  });
  torch::Tensor t;
  torch::load(t, tensor_path);
  std::cout << t << '\n';

  const std::string list_path = file("saved_list.pt", [](const std::string& to) {
    const auto base = torch::arange(4);
    torch::save(
        std::vector<torch::Tensor>{base, base.slice(0, 1, 3), torch::ones({1}).to(torch::kHalf), torch::zeros({0})},
        to);
  });
  std::vector<torch::Tensor> list;
  torch::load(list, list_path);
  for (const auto& each : list) std::cout << each << '\n';

  const std::string archive_path = file("saved_archive.pt", [](const std::string& to) {
    torch::serialize::OutputArchive archive, inner, innermost;
    archive.write("x", torch::ones({2}));
    archive.write("number", torch::IValue(5));
    archive.write("text", torch::IValue("hi"));
    archive.write("numbers", torch::IValue(c10::List<int64_t>({1, 2})));
    archive.write("fractions", torch::IValue(c10::List<double>({1.5, 2.5})));
    archive.write("yes", torch::IValue(true));
    innermost.write("z", torch::full({1}, 7));
    inner.write("y", torch::zeros({1}), /*is_buffer=*/true);
    inner.write("innermost", innermost);
    archive.write("inner", inner);
    archive.save_to(to);
  });
  torch::serialize::InputArchive archive, inner, innermost;
  archive.load_from(archive_path);
  torch::Tensor x;
  torch::IValue number, text, numbers, fractions, yes;
  archive.read("x", x);
  archive.read("number", number);
  archive.read("text", text);
  archive.read("numbers", numbers);
  archive.read("fractions", fractions);
  archive.read("yes", yes);
  std::cout << x << '\n'
            << number.toInt() << ' ' << text.toStringRef() << ' ' << numbers.toIntVector() << ' '
            << fractions.toDoubleVector() << ' ' << yes.toBool() << '\n';
  archive.read("inner", inner);
  inner.read("innermost", innermost);
  torch::Tensor y, z;
  inner.read("y", y, /*is_buffer=*/true);
  innermost.read("z", z);
  std::cout << y << '\n' << z << ' ' << archive.try_read("none", x) << '\n';

  optimizer<torch::optim::Adam>("saved_adam.pt", torch::optim::AdamOptions(0.01));
  optimizer<torch::optim::SGD>("saved_sgd.pt", torch::optim::SGDOptions(0.01).momentum(0.9));
  optimizer<torch::optim::RMSprop>("saved_rmsprop.pt", torch::optim::RMSpropOptions(0.01).momentum(0.5).centered(true));
  optimizer<torch::optim::Adagrad>("saved_adagrad.pt", torch::optim::AdagradOptions(0.01));
  optimizer<torch::optim::AdamW>("saved_adamw.pt", torch::optim::AdamWOptions(0.01).amsgrad(true));
}
