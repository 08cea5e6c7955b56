// Trains a small convolutional network on 8x8 digits, saves it, and writes a report with everything there is to see.
// Usage: digits [directory of the data]
#include <taut/taut.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace data = taut::data;
namespace nn = taut::nn;
namespace F = taut::nn::functional;
using taut::Tensor;

struct NetImpl : nn::Module {
  NetImpl() {
    register_module("conv1", conv1);
    register_module("norm1", norm1);
    register_module("conv2", conv2);
    register_module("norm2", norm2);
    register_module("hidden", hidden);
    register_module("out", out);
  }
  Tensor forward(Tensor x) {
    x = F::relu(norm1(conv1(x)));
    x = F::max_pool2d(F::relu(norm2(conv2(x))), F::MaxPool2dFuncOptions(2));
    return out(F::relu(hidden(x.flatten(1))));
  }
  nn::Conv2d conv1{nn::Conv2dOptions(1, 16, 3).padding(1)};
  nn::BatchNorm2d norm1{16};
  nn::Conv2d conv2{nn::Conv2dOptions(16, 32, 3).padding(1)};
  nn::BatchNorm2d norm2{32};
  nn::Linear hidden{32 * 4 * 4, 64}, out{64, 10};
};
TAUT_MODULE(Net);

template <class... Args>
static std::string text(const char* format, Args... args) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, args...);
  return buffer;
}
static std::string percent(double fraction, int digits = 1) { return text("%.*f%%", digits, 100 * fraction); }

// ---- Data: 1797 images with values from 0 to 16. A fifth is held out.

struct Digits {
  data::Subset<data::datasets::TensorPairDataset> train, test;
};

static Digits read_digits(const std::string& directory) {
  const Tensor images = taut::io::read_idx(directory + "/digits-images.idx3.gz").to(taut::kFloat).div(16).unsqueeze(1);
  const Tensor targets = taut::io::read_idx(directory + "/digits-labels.idx1.gz").to(taut::kLong);
  auto parts = data::random_split(data::datasets::TensorPairDataset(images, targets), {0.8, 0.2});
  return {parts[0], parts[1]};
}

/// All examples of a part in one batch.
static data::Example<> all_of(data::Subset<data::datasets::TensorPairDataset>& part) {
  auto loader =
      data::make_data_loader<data::samplers::SequentialSampler>(part.map(data::transforms::Stack<>()), *part.size());
  return *loader->begin();
}

/// The image moved by up to one pixel in each direction, so that no epoch shows the same twice.
static Tensor shifted(Tensor image) {
  const Tensor wide = F::pad(image, F::PadFuncOptions({1, 1, 1, 1}));
  const Tensor by = taut::randint(0, 3, {2});
  return wide.narrow(1, by[0].item<int64_t>(), 8).narrow(2, by[1].item<int64_t>(), 8);
}

// ---- Judging: what the network says about images, and how wrong that is.

struct Verdict {
  Tensor probabilities, guesses, losses;
  double accuracy, loss;
};

static Verdict judge(Net& net, const data::Example<>& examples) {
  taut::NoGradGuard no_grad;
  net->eval();
  const Tensor scores = net(examples.data);
  net->train();
  const Tensor losses = F::cross_entropy(scores, examples.target, F::CrossEntropyFuncOptions().reduction(taut::kNone));
  const Tensor guesses = scores.argmax(1);
  return {scores.softmax(1), guesses, losses, guesses.eq(examples.target).to(taut::kDouble).mean().item<double>(),
          losses.mean().item<double>()};
}

/// How often each digit (row) was taken for each other (column).
static Tensor confusion_of(const Tensor& targets, const Tensor& guesses) {
  return (targets * 10 + guesses).bincount({}, 100).reshape({10, 10});
}

static void print(const Tensor& confusion) {
  std::cout << "     ";
  for (int column = 0; column < 10; ++column) std::cout << text("%4d", column);
  for (int row = 0; row < 10; ++row) {
    std::cout << text("\n%5d", row);
    for (int column = 0; column < 10; ++column) {
      const int n = confusion[row][column].item<int>();
      std::cout << (n ? text("%4d", n) : "   .");
    }
  }
  std::cout << "\n\n";
}

// ---- Training.

/// Returns how many seconds it took.
static double train(Net& net, Digits& digits, int epochs, taut::Report& report) {
  auto loader = data::make_data_loader(
      digits.train.map(data::transforms::TensorLambda<>(shifted)).map(data::transforms::Stack<>()),
      data::DataLoaderOptions().batch_size(32).workers(2).drop_last(true));
  const data::Example<> known = all_of(digits.train), held_out = all_of(digits.test);
  taut::optim::AdamW optimizer(net->parameters(), taut::optim::AdamWOptions(3e-3));
  taut::optim::CosineAnnealingLR schedule(optimizer, epochs * static_cast<int64_t>(*loader->size()));

  const auto begin = std::chrono::steady_clock::now();
  int step = 0;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    auto bar = taut::progress(*loader, text("epoch %2d", epoch));
    for (auto& batch : bar) {
      optimizer.zero_grad();
      const Tensor loss = F::cross_entropy(net(batch.data), batch.target);
      loss.backward();
      optimizer.step();
      schedule.step();

      bar.set("loss", loss.item<double>());
      report.scalar("Loss/training", step, loss.item<double>());
      for (const auto& p : net->named_parameters())
        if (p->dim() > 1) report.scalar("Gradient norm/" + p.key(), step, p->grad().norm().item<double>());
      ++step;
      if (loader->position() < *loader->size()) continue;
      const Verdict of_known = judge(net, known), of_held_out = judge(net, held_out);
      report.scalar("Loss/held out", step - 1, of_held_out.loss);
      report.scalar("Accuracy/training", epoch, of_known.accuracy);
      report.scalar("Accuracy/held out", epoch, of_held_out.accuracy);
      bar.text("held out " + percent(of_held_out.accuracy));
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// ---- The report.

static void describe_charts(taut::Report& report) {
  report.chart("Loss",
               {.description = "Cross entropy of each batch and its running mean.", .log_y = true, .smoothing = 0.9});
  report.chart(
      "Accuracy",
      {.description = "Share of the images recognised after each epoch.", .x_label = "epoch", .percent = true});
  report.chart(
      "Gradient norm",
      {.description = "Size of each weight's gradient and its running mean.", .log_y = true, .smoothing = 0.95});
}

/// The digits the network found hardest.
static void add_pictures(taut::Report& report, const data::Example<>& examples, const Verdict& verdict) {
  const Tensor worst = verdict.losses.argsort(0, true);
  for (int k = 0; k < 16; ++k) {
    const int64_t i = worst[k].item<int64_t>();
    const int digit = examples.target[i].item<int>(), guess = verdict.guesses[i].item<int>();
    const std::string said = guess == digit ? text("%d, recognised", digit) : text("%d, taken for %d", digit, guess);
    report.image("Hardest of the held-out digits", examples.data[i],
                 said + "\n" + percent(verdict.probabilities[i][guess].item<double>(), 0) + " sure");
  }
}

static void add_parameters(taut::Report& report, Net& net) {
  std::vector<std::vector<std::string>> rows;
  int64_t total = 0;
  for (const auto& p : net->named_parameters()) {
    rows.push_back({p.key(), taut::str(p->sizes()), std::to_string(p->numel()), text("%.3f", p->norm().item<double>()),
                    text("%.2e", p->grad().norm().item<double>())});
    total += p->numel();
  }
  report.fact("parameters", text("%.1f thousand", total / 1000.0));
  report.table("Parameters after training", {"name", "shape", "numbers", "norm", "norm of the last gradient"}, rows);
}

static void add_graph(taut::Report& report, Net& net, const data::Example<>& examples) {
  const Tensor loss = F::cross_entropy(net(examples.data.narrow(0, 0, 32)), examples.target.narrow(0, 0, 32));
  try {
    report.svg("Computation graph of one step",
               taut::graph::to_svg(loss, net->named_parameters(), {.left_to_right = true}),
               "What autograd records from the parameters to the loss.");
  } catch (const taut::Error& e) {  // without Graphviz the report has no drawing
    std::cerr << e.what() << '\n';
  }
}

int main(int count, char** arguments) try {
  taut::manual_seed(0);
  Digits digits = read_digits(count > 1 ? arguments[1] : TAUT_EXAMPLE_DATA);
  const data::Example<> held_out = all_of(digits.test);
  Net net;
  std::cout << "\nA network for handwritten digits: it learns from " << *digits.train.size() << " images, "
            << *digits.test.size() << " are held out.\n\n"
            << net << "\n\n";
  taut::Report report("Handwritten digits",
                      "A small convolutional network trained on 8x8 images of digits (UCI, Alpaydin and Kaynak), with "
                      "Taut on the CPU. It never saw the held-out images while it learned.");
  describe_charts(report);
  const double seconds = train(net, digits, 12, report);

  const Verdict verdict = judge(net, held_out);
  const Tensor confusion = confusion_of(held_out.target, verdict.guesses);
  std::cout << "\nOf the held-out digits " << percent(verdict.accuracy, 2) << " are recognised after "
            << text("%.1f", seconds) << " s. What each digit (row) was taken for (column):\n\n";
  print(confusion);

  taut::save(net, "digits.safetensors");
  Net again;
  taut::load(again, "digits.safetensors");
  const double reloaded = judge(again, held_out).accuracy;
  std::cout << "Saved to digits.safetensors. A new network that loads it recognises " << percent(reloaded, 2) << ".\n";

  report.fact("held-out accuracy", percent(verdict.accuracy, 2));
  report.fact("held-out mistakes",
              text("%d of %d", static_cast<int>(*digits.test.size()) - confusion.trace().item<int>(),
                   static_cast<int>(*digits.test.size())));
  report.fact("training time", text("%.1f s", seconds));
  std::vector<std::string> names;
  for (int d = 0; d < 10; ++d) names.push_back(std::to_string(d));
  report.matrix("Confusion", confusion, names, names, "digit", "taken for", true);
  add_pictures(report, held_out, verdict);
  add_parameters(report, net);
  add_graph(report, net, held_out);
  report.save("taut-report.html");
  std::cout << "Curves, mistakes and the computation graph are in taut-report.html.\n";
  return verdict.accuracy >= 0.98 && reloaded == verdict.accuracy ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "digits: " << e.what() << '\n';
  return 1;
}
