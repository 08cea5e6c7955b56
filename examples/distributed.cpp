// Trains a network on as many processes as a launcher starts, each on its share of every batch. Alone it adds up the
// gradients of two shares, and comes to the bits of two processes, as the last line shows:
//
//   distributed [steps]
//   taut-run --no-python --nproc-per-node 2 ./distributed [steps]
#include <taut/distributed.h>
#include <taut/taut.h>

#include <cstdlib>
#include <iostream>

namespace dist = taut::distributed;
namespace nn = taut::nn;

int main(int argc, char** argv) {
  const int64_t steps = argc > 1 ? std::atoi(argv[1]) : 50;
  const bool launched = std::getenv("RANK") != nullptr;
  if (launched) dist::init_process_group();
  const int64_t rank = launched ? dist::get_rank() : 0, shares = launched ? dist::get_world_size() : 2;

  taut::manual_seed(0);
  nn::Sequential network{nn::Linear(8, 64), nn::GELU(), nn::Linear(64, 1)};
  const auto x = taut::randn({steps, shares, 32, 8}), y = x.sin().sum(-1, /*keepdim=*/true);
  taut::optim::Adam optimizer(network->parameters(), taut::optim::AdamOptions(0.01));
  dist::DistributedDataParallel averaged{nullptr};
  if (launched) averaged = dist::DistributedDataParallel(network);

  for (int64_t step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    taut::Tensor loss;
    if (launched) {
      loss = taut::mse_loss(averaged->forward(x[step][rank]), y[step][rank]);
      loss.backward();  // the other processes' gradients come in while it runs
    } else {
      for (int64_t share = 0; share < shares; ++share) {
        loss = taut::mse_loss(network->forward(x[step][share]), y[step][share]);
        (loss / shares).backward();
      }
    }
    optimizer.step();
    if (rank == 0 && step % 10 == 0) std::cout << "step " << step << "  loss " << loss.item<float>() << '\n';
  }
  if (rank == 0) std::cout << "weights " << taut::fingerprint(*network) << '\n';
  if (launched) dist::destroy_process_group();
}
