// A character-level LSTM learns a sonnet, with gradients clipped, and recites it.
#include <taut/taut.h>

#include <algorithm>

#include "arguments.h"

namespace nn = taut::nn;
using taut::Tensor;

// William Shakespeare, Sonnet 18 (1609).
const std::string kText =
    "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:\n"
    "Rough winds do shake the darling buds of May,\nAnd summer's lease hath all too short a date;\n"
    "Sometime too hot the eye of heaven shines,\nAnd often is his gold complexion dimm'd;\n"
    "And every fair from fair sometime declines,\nBy chance or nature's changing course untrimm'd;\n";

struct ReaderImpl : nn::Module {
  ReaderImpl(int64_t characters, int64_t width) {
    embed = register_module("embed", nn::Embedding(characters, 32));
    lstm = register_module("lstm", nn::LSTM(nn::LSTMOptions(32, width).batch_first(true)));
    head = register_module("head", nn::Linear(width, characters));
  }
  using State = std::optional<std::tuple<Tensor, Tensor>>;
  std::pair<Tensor, State> forward(const Tensor& x, const State& state) {
    auto [y, next] = lstm(embed(x), state);
    return {head(y), next};
  }
  nn::Embedding embed{nullptr};
  nn::LSTM lstm{nullptr};
  nn::Linear head{nullptr};
};
TAUT_MODULE(Reader);

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 300, "Trains a character-level LSTM on eight lines of Shakespeare.");
  taut::manual_seed(0);
  std::string alphabet = kText;
  std::sort(alphabet.begin(), alphabet.end());
  alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
  std::vector<int64_t> codes;
  for (const char c : kText) codes.push_back(static_cast<int64_t>(alphabet.find(c)));
  const Tensor text = taut::from_vector(codes);

  Reader model(static_cast<int64_t>(alphabet.size()), 128);
  taut::optim::Adam optimizer(model->parameters(), taut::optim::AdamOptions(5e-3));
  constexpr int64_t kBatch = 8, kLength = 40;
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    std::vector<Tensor> inputs, targets;
    for (int64_t b = 0; b < kBatch; ++b) {
      const int64_t start = taut::randint(text.size(0) - kLength - 1, {1}).item<int64_t>();
      inputs.push_back(text.slice(0, start, start + kLength));
      targets.push_back(text.slice(0, start + 1, start + kLength + 1));
    }
    optimizer.zero_grad();
    const Tensor scores = model(taut::stack(inputs), std::nullopt).first;
    const Tensor loss = taut::cross_entropy_loss(scores.flatten(0, 1), taut::stack(targets).flatten());
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 50 == 0) std::cout << "step " << step << "  loss " << last << std::endl;
  }

  const taut::NoGradGuard no_grad;
  std::string recited = "Shall";
  ReaderImpl::State state;
  Tensor next = text.slice(0, 0, 5).unsqueeze(0);
  for (int i = 0; i < 200; ++i) {
    auto [scores, after] = model(next, state);
    state = after;
    next = scores.select(1, -1).argmax(1, /*keepdim=*/true);
    recited += alphabet[next.item<size_t>()];
  }
  std::cout << recited << '\n';
  return last < first ? 0 : 1;
}
