// A graph convolution network on a synthetic graph: friends mostly within one of four groups, and the group of one
// person in twenty known. The others are found, and the friendships drawn sorted by the groups that were found.
#include <taut/taut.h>

#include "arguments.h"

using taut::Tensor;

/// Each line between two people, both ways, and everybody to themselves; then D^-1/2 A D^-1/2.
Tensor normalised(const Tensor& from, const Tensor& to, int64_t people) {
  const Tensor self = taut::arange(people, taut::kLong);
  const Tensor lines = taut::stack({taut::cat({from, to, self}), taut::cat({to, from, self})});
  const Tensor friends = taut::sparse_coo_tensor(lines, taut::ones({lines.size(1)}), {people, people}).coalesce();
  const Tensor degree = friends.sum(1).to_dense().rsqrt(), at = friends.indices();
  const Tensor weights = degree.index_select(0, at[0]) * degree.index_select(0, at[1]) * friends.values();
  return taut::sparse_coo_tensor(at, weights, {people, people}, {}, true).to_sparse_csr();
}

struct NetImpl : taut::nn::Module {
  NetImpl(int64_t features, int64_t groups)
      : first(register_module("first", taut::nn::Linear(features, 16))),
        second(register_module("second", taut::nn::Linear(16, groups))) {}
  /// What a person is follows from what the friends are.
  Tensor forward(const Tensor& graph, const Tensor& x) { return graph.mm(second(graph.mm(first(x)).relu())); }
  taut::nn::Linear first, second;
};
TAUT_MODULE(Net);

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 100, "Finds groups of friends, most of whose members are unknown.");
  taut::manual_seed(0);
  const int64_t people = 2000, groups = 4, lines = 12000, features = 32;
  const Tensor group = taut::randint(0, groups, {people}, taut::kLong);
  // Three lines of four stay within a group.
  const Tensor from = taut::randint(0, people, {lines * 4}, taut::kLong),
               to = taut::randint(0, people, {lines * 4}, taut::kLong);
  const Tensor within = group.index_select(0, from) == group.index_select(0, to);
  const Tensor kept = (within | (taut::rand({lines * 4}) < 1.0 / 9)).nonzero().select(1, 0);
  const Tensor graph = normalised(from.index_select(0, kept), to.index_select(0, kept), people);
  const Tensor x = taut::randn({people, features}), known = taut::arange(0, people, 20, taut::kLong);

  Net net(features, groups);
  taut::optim::Adam optimizer(net->parameters(), taut::optim::AdamOptions(0.02).weight_decay(5e-4));
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    const Tensor guess = net->forward(graph, x);
    const Tensor loss = taut::nn::functional::cross_entropy(guess.index_select(0, known), group.index_select(0, known));
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 20 == 0) std::cout << "step " << step << "  loss " << last << '\n';
  }
  taut::NoGradGuard guard;
  const Tensor found = net->forward(graph, x).argmax(1);
  std::cout << "the group is right for " << 100 * found.eq(group).to(taut::kFloat).mean().item<double>() << " % of "
            << people << " people\n";
  // A dot for each line between ten people and ten others.
  const Tensor order = found.argsort(true, 0);
  const Tensor drawn = graph.to_dense().gt(0).to(taut::kFloat).index_select(0, order).index_select(1, order);
  const Tensor dots = drawn.view({people / 10, 10, people / 10, 10}).sum({1, 3}).clamp_max(2).mul(-0.5).add(1);
  taut::io::write_png(dots.unsqueeze(0).mul(255).to(taut::kByte), "gcn.png");
  return last < first ? 0 : 1;
}
