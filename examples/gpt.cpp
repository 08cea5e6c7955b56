// A small GPT: it learns to write sums such as 27+58=85, then is asked for some.
#include <taut/taut.h>

#include "arguments.h"

namespace nn = taut::nn;
using taut::Tensor;

constexpr int64_t kWidth = 64, kHeads = 4, kLayers = 2, kContext = 8;
const std::string kAlphabet = "0123456789+=.";

struct BlockImpl : nn::Module {
  BlockImpl() {
    norm1 = register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({kWidth})));
    qkv = register_module("qkv", nn::Linear(kWidth, 3 * kWidth));
    project = register_module("project", nn::Linear(kWidth, kWidth));
    norm2 = register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({kWidth})));
    mlp = register_module("mlp",
                          nn::Sequential(nn::Linear(kWidth, 4 * kWidth), nn::GELU(), nn::Linear(4 * kWidth, kWidth)));
  }
  Tensor forward(const Tensor& x) {
    const int64_t batch = x.size(0), length = x.size(1);
    const auto heads =
        qkv(norm1(x)).view({batch, length, 3, kHeads, kWidth / kHeads}).permute({2, 0, 3, 1, 4}).unbind(0);
    const Tensor seen = taut::scaled_dot_product_attention(heads[0], heads[1], heads[2], {}, 0.0, /*is_causal=*/true);
    const Tensor y = x + project(seen.transpose(1, 2).reshape({batch, length, kWidth}));
    return y + mlp->forward(norm2(y));
  }
  nn::LayerNorm norm1{nullptr}, norm2{nullptr};
  nn::Linear qkv{nullptr}, project{nullptr};
  nn::Sequential mlp{nullptr};
};
TAUT_MODULE(Block);

struct GPTImpl : nn::Module {
  GPTImpl() {
    const auto characters = static_cast<int64_t>(kAlphabet.size());
    token = register_module("token", nn::Embedding(characters, kWidth));
    place = register_module("place", nn::Embedding(kContext, kWidth));
    for (int64_t i = 0; i < kLayers; ++i) blocks->push_back(Block());
    register_module("blocks", blocks);
    norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({kWidth})));
    head = register_module("head", nn::Linear(kWidth, characters));
  }
  Tensor forward(const Tensor& x) { return head(norm(blocks->forward(token(x) + place(taut::arange(x.size(1)))))); }
  nn::Embedding token{nullptr}, place{nullptr};
  nn::Sequential blocks;
  nn::LayerNorm norm{nullptr};
  nn::Linear head{nullptr};
};
TAUT_MODULE(GPT);

std::string padded(int n, size_t width) {
  const std::string s = std::to_string(n);
  return std::string(width - s.size(), '0') + s;
}
/// "27+58=580": the sum is written backwards, since carries run that way.
std::string sum_text(int a, int b) {
  std::string sum = padded(a + b, 3);
  std::reverse(sum.begin(), sum.end());
  return padded(a, 2) + "+" + padded(b, 2) + "=" + sum;
}
Tensor encoded(const std::string& text) {
  std::vector<int64_t> codes;
  for (const char c : text) codes.push_back(static_cast<int64_t>(kAlphabet.find(c)));
  return taut::from_vector(codes);
}

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 1500, "Trains a small GPT to add numbers of two digits.");
  taut::manual_seed(0);
  GPT model;
  taut::optim::AdamW optimizer(model->parameters(), taut::optim::AdamWOptions(3e-3).weight_decay(0.01));
  taut::optim::OneCycleLR schedule(optimizer, taut::optim::OneCycleLROptions(3e-3).total_steps(steps + 1));
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    std::vector<Tensor> batch;
    const Tensor numbers = taut::randint(100, {64, 2});
    for (int64_t b = 0; b < 64; ++b)
      batch.push_back(encoded(sum_text(numbers[b][0].item<int>(), numbers[b][1].item<int>())));
    const Tensor text = taut::stack(batch);
    const Tensor scores = model(text.slice(1, 0, kContext)), target = text.slice(1, 1);
    optimizer.zero_grad();
    // Only what follows the = can be known.
    const Tensor loss = taut::cross_entropy_loss(scores.slice(1, 5).flatten(0, 1), target.slice(1, 5).flatten());
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    optimizer.step();
    schedule.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 100 == 0) std::cout << "step " << step << "  loss " << last << std::endl;
  }
  const taut::NoGradGuard no_grad;
  for (const auto& [a, b] : {std::pair{27, 58}, {99, 1}, {40, 2}, {63, 37}}) {
    std::string text = sum_text(a, b).substr(0, 6);
    for (int i = 0; i < 3; ++i) {
      const Tensor scores = model(encoded(text).unsqueeze(0)).select(1, -1);
      text += kAlphabet[taut::multinomial(taut::softmax(scores / 0.1, 1), 1).item<size_t>()];
    }
    std::reverse(text.begin() + 6, text.end());
    std::cout << text << '\n';
  }
  return last < first ? 0 : 1;
}
