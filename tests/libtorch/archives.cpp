// Archives, save and load: tensors, lists, modules, optimisers, values, nested archives, streams and functions.
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

template <class F>
void says(const char* what, F&& f, size_t length = 60) {
  try {
    f();
    std::cout << what << ": nothing\n";
  } catch (const std::exception& e) {
    const std::string text = e.what();
    std::cout << what << ": " << text.substr(0, std::min(length, text.find('\n'))) << '\n';
  }
}

struct NetImpl : torch::nn::Module {
  NetImpl() {
    first = register_module("first", torch::nn::Linear(2, 3));
    norm = register_module("norm", torch::nn::BatchNorm1d(3));
    act = register_module("act", torch::nn::ReLU());
    scale = register_parameter("scale", torch::full({1}, 2.0));
    steps = register_buffer("steps", torch::tensor({7}));
  }
  torch::Tensor forward(torch::Tensor x) { return act(norm(first(x))) * scale; }
  torch::nn::Linear first{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::ReLU act{nullptr};
  torch::Tensor scale, steps;
};
TORCH_MODULE(Net);

/// Writes a number of its own beside its parameters.
struct Versioned : torch::nn::Module {
  Versioned() { weight = register_parameter("weight", torch::ones({2})); }
  void save(torch::serialize::OutputArchive& archive) const override {
    torch::nn::Module::save(archive);
    archive.write("version", torch::IValue(version));
    archive.write("name", torch::IValue(std::string("v")));
  }
  void load(torch::serialize::InputArchive& archive) override {
    torch::nn::Module::load(archive);
    torch::IValue value;
    archive.read("version", value);
    version = value.toInt();
  }
  torch::Tensor weight;
  int64_t version = 1;
};

struct NotSaved : torch::nn::Module {
  bool is_serializable() const override { return false; }
};

/// A type of the program's own.
struct Point {
  torch::Tensor x, y;
};
torch::serialize::OutputArchive& operator<<(torch::serialize::OutputArchive& archive, const Point& p) {
  archive.write("x", p.x);
  archive.write("y", p.y);
  return archive;
}
torch::serialize::InputArchive& operator>>(torch::serialize::InputArchive& archive, Point& p) {
  archive.read("x", p.x);
  archive.read("y", p.y);
  return archive;
}

template <class T>
T through_stream(const T& value, T into) {
  std::stringstream stream;
  torch::save(value, stream);
  torch::load(into, stream);
  return into;
}

int main() {
  torch::manual_seed(0);
  // tensors
  const auto x = torch::arange(6, torch::kFloat).reshape({2, 3});
  std::cout << through_stream(x, torch::Tensor()) << '\n';
  torch::save(x, "x.pt");
  torch::Tensor y;
  torch::load(y, "x.pt");
  std::cout << y.equal(x) << y.is_same(x) << y.dtype() << '\n';
  for (auto type : {torch::kBool, torch::kByte, torch::kChar, torch::kShort, torch::kInt, torch::kLong, torch::kHalf,
                    torch::kBFloat16, torch::kDouble}) {
    const auto t = torch::tensor({1, 0, 3}).to(type);
    const auto again = through_stream(t, torch::Tensor());
    std::cout << again.scalar_type() << again.equal(t) << ' ';
  }
  std::cout << '\n';
  const auto leaf = torch::ones({2}, torch::requires_grad());
  std::cout << through_stream(leaf, torch::Tensor()).sizes() << through_stream(x.t(), torch::Tensor()).sizes()
            << through_stream(torch::empty({0, 3}), torch::Tensor()).sizes()
            << through_stream(torch::tensor(2.5), torch::Tensor()).item<float>() << '\n';
  const std::vector<torch::Tensor> list = {torch::ones({2}), torch::zeros({1, 3}), x};
  std::vector<torch::Tensor> loaded;
  torch::save(list, "list.pt");
  torch::load(loaded, "list.pt");
  std::cout << loaded.size() << loaded[1].sizes() << loaded[2].equal(x) << '\n';
  {
    std::ostringstream out;
    torch::save(list, out);
    std::istringstream in(out.str());
    std::vector<torch::Tensor> more;
    torch::load(more, in);
    std::cout << more.size() << '\n';
  }

  // functions that write and read, and plain memory
  std::string bytes;
  torch::save(x, [&](const void* data, size_t n) {
    bytes.append(static_cast<const char*>(data), n);
    return n;
  });
  torch::Tensor z;
  torch::load(
      z,
      [&](uint64_t at, void* to, size_t n) -> size_t {
        if (at >= bytes.size()) return 0;
        const size_t read = std::min(n, bytes.size() - at);
        std::memcpy(to, bytes.data() + at, read);
        return read;
      },
      [&]() -> size_t { return bytes.size(); });
  std::cout << z.equal(x);
  torch::Tensor w;
  torch::load(w, bytes.data(), bytes.size());
  torch::load(w, "x.pt", torch::kCPU);
  std::cout << w.equal(x) << '\n';

  // archives
  {
    torch::serialize::OutputArchive archive, nested, deeper;
    archive.write("a", x);
    archive.write("count", torch::IValue(3));
    archive.write("ratio", 0.5);
    archive.write("on", true);
    archive.write("text", torch::IValue("hello"));
    archive.write("sizes", std::vector<int64_t>{1, 2, 3});
    archive.write("rates", std::vector<double>{0.5, 0.25});
    archive.write("several", std::vector<torch::Tensor>{x, x + 1});
    archive.write("nothing", torch::IValue());
    deeper.write("c", torch::ones({1}), /*is_buffer=*/true);
    nested.write("b", torch::zeros({2}));
    nested.write("deeper", deeper);
    archive.write("nested", nested);
    archive("called", torch::full({1}, 9));
    archive.save_to("archive.pt");
  }
  {
    torch::serialize::InputArchive archive, nested, deeper, missing;
    archive.load_from("archive.pt");
    auto keys = archive.keys();
    std::sort(keys.begin(), keys.end());
    for (const auto& key : keys) std::cout << key << ' ';
    torch::Tensor a, b, c, d;
    archive.read("a", a);
    archive.read("nested", nested);
    nested.read("b", b);
    nested.read("deeper", deeper);
    deeper.read("c", c, /*is_buffer=*/true);
    archive("called", d);
    std::cout << '\n' << a.equal(x) << b << c << d.item<int>() << nested.keys().size() << '\n';
    torch::IValue value;
    archive.read("count", value);
    std::cout << value.isInt() << value.toInt();
    archive.read("ratio", value);
    std::cout << value.isDouble() << value.toDouble();
    archive.read("on", value);
    std::cout << value.isBool() << value.toBool();
    archive.read("text", value);
    std::cout << value.isString() << value.toStringRef();
    archive.read("sizes", value);
    std::cout << value.isIntList() << value.toIntVector().size();
    archive.read("rates", value);
    std::cout << value.isDoubleList() << value.toDoubleVector()[1];
    archive.read("several", value);
    std::cout << value.isTensorList() << value.toTensorVector()[1].sum().item<float>();
    archive.read("nothing", value);
    std::cout << value.isNone();
    archive.read("a", value);
    std::cout << value.isTensor() << value.toTensor().sizes() << '\n';
    std::cout << archive.try_read("a", a) << archive.try_read("zzz", a) << archive.try_read("zzz", value)
              << archive.try_read("count", value) << archive.try_read("count", a) << archive.try_read("nested", nested)
              << '\n';
    says("no tensor", [&] { archive.read("zzz", a); });
    says("no tensor", [&] { nested.read("zzz", a); });
    says("no tensor", [&] { deeper.read("zzz", a); });
    says("wrong kind", [&] { archive.read("count", a); });
    says("wrong kind", [&] { archive.read("a", missing); });
    // read into a tensor that is there
    auto target = torch::zeros({2, 3});
    const auto same = target;
    archive.read("a", target);
    std::cout << same.equal(x) << target.is_same(same) << '\n';
    auto parameter = torch::zeros({2, 3}, torch::requires_grad());
    archive.read("a", parameter);
    std::cout << parameter.requires_grad() << parameter.is_leaf() << parameter.sum().item<float>() << '\n';
  }

  // modules
  {
    Net net, other;
    {
      torch::NoGradGuard no_grad;
      for (auto& p : net->parameters()) p.copy_(torch::arange(p.numel()).reshape(p.sizes()));
      net->norm->running_mean.fill_(3);
      net->steps.fill_(8);
    }
    torch::save(net, "net.pt");
    torch::load(other, "net.pt");
    const auto input = torch::ones({4, 2});
    std::cout << net->forward(input).equal(other->forward(input)) << other->steps.item<int>()
              << other->norm->running_mean[0].item<float>() << '\n';
    std::stringstream stream;
    torch::save(net.ptr(), stream);
    auto pointer = std::make_shared<NetImpl>();
    torch::load(pointer, stream);
    std::cout << pointer->scale.item<float>() << pointer->first->weight.requires_grad() << '\n';
    torch::serialize::OutputArchive out;
    net->save(out);
    out.save_to("net.pt");
    torch::serialize::InputArchive in;
    in.load_from("net.pt");
    Net third;
    third->load(in);
    std::cout << third->first->bias.equal(net->first->bias) << '\n';
    says("other module", [&] {
      torch::nn::Linear wrong(5, 5);
      torch::load(wrong, "net.pt");
    });
    says("child missing", [&] {
      torch::nn::Sequential wrong(torch::nn::Linear(5, 5));
      torch::load(wrong, "net.pt");
    });
    auto versioned = std::make_shared<Versioned>(), back = std::make_shared<Versioned>();
    versioned->version = 5;
    torch::save(versioned, "versioned.pt");
    torch::load(back, "versioned.pt");
    std::cout << back->version << torch::nn::Linear(1, 1)->is_serializable() << NotSaved().is_serializable() << '\n';
    torch::nn::AnyModule any(torch::nn::Linear(2, 2));
    torch::nn::Sequential mixed(torch::nn::Linear(2, 2), torch::nn::Functional(torch::relu)),
        mixed2(torch::nn::Linear(2, 2), torch::nn::Functional(torch::relu));
    std::stringstream mixed_stream;
    torch::save(mixed, mixed_stream);
    torch::load(mixed2, mixed_stream);
    std::cout << mixed->forward(input).equal(mixed2->forward(input)) << '\n';
  }

  // optimisers
  {
    torch::nn::Linear a(2, 1), b(2, 1);
    torch::save(a, "net.pt");
    torch::load(b, "net.pt");
    torch::optim::Adam first(a->parameters(), torch::optim::AdamOptions(0.1).weight_decay(0.01));
    torch::optim::Adam second(b->parameters(), torch::optim::AdamOptions(0.5));
    const auto step = [&](auto& net, auto& optimizer) {
      optimizer.zero_grad();
      net->forward(torch::ones({3, 2})).sum().backward();
      optimizer.step();
    };
    step(a, first);
    step(a, first);
    torch::save(first, "adam.pt");
    torch::save(a, "net.pt");
    torch::load(b, "net.pt");
    torch::load(second, "adam.pt");
    step(a, first);
    step(b, second);
    std::cout << a->weight.equal(b->weight)
              << static_cast<torch::optim::AdamOptions&>(second.param_groups()[0].options()).lr()
              << second.state().size() << '\n';
  }

  // a type of the program's own
  Point p{torch::ones({1}), torch::zeros({2})}, q;
  q = through_stream(p, q);
  std::cout << q.x << q.y << '\n';

  // pickles
  const std::vector<char> pickled = torch::pickle_save(x);
  std::cout << torch::pickle_load(pickled).toTensor().equal(x) << '\n';
  c10::Dict<std::string, torch::Tensor> dict;
  dict.insert("w", x);
  dict.insert("b", torch::ones({1}));
  const auto back = torch::pickle_load(torch::pickle_save(dict));
  for (const auto& item : back.toGenericDict())
    std::cout << item.key().toStringRef() << item.value().toTensor().sizes() << ' ';
  std::cout << torch::pickle_load(torch::pickle_save(torch::IValue(7))).toInt()
            << torch::pickle_load(torch::pickle_save(torch::IValue(0.5))).toDouble()
            << torch::pickle_load(torch::pickle_save(torch::IValue("text"))).toStringRef()
            << torch::pickle_load(torch::pickle_save(torch::IValue(true))).toBool()
            << torch::pickle_load(torch::pickle_save(std::vector<int64_t>{4, 5})).toIntVector()[1] << '\n';

  says(
      "no file", [&] { torch::load(y, "does_not_exist.pt"); }, 100);
  std::istringstream garbage("garbage that is not a file of any kind");
  says(
      "garbage", [&] { torch::load(y, garbage); }, 50);
  for (const char* name : {"x.pt", "list.pt", "archive.pt", "net.pt", "versioned.pt", "adam.pt"}) std::remove(name);
}
