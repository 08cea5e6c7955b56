// exchange <folder>: the C++ side of exchange.py. Takes over the weights that Python saved, and writes its own.
#include <taut/taut.h>

using namespace taut;

namespace {

nn::Sequential make_model() {
  return nn::Sequential{nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Tanh(), nn::Linear(4, 2)};
}

void train(nn::Sequential& model, const Tensor& x) {
  optim::SGD sgd(model->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  for (int step = 0; step < 3; ++step) {
    sgd.zero_grad();
    model->forward(x).square().mean().backward();
    sgd.step();
  }
}

}  // namespace

int main(int, char** argv) {
  const std::string folder = std::string(argv[1]) + "/";
  const Tensor x = load(folder + "python.pt")["x"];
  for (const std::string ending : {"pt", "safetensors"}) {
    nn::Sequential model = make_model();
    OrderedDict<std::string, Tensor> weights = load(folder + "python." + ending);
    weights.erase("x");
    model->load_state_dict(weights);
    train(model, x);
    OrderedDict<std::string, Tensor> back = model->state_dict();
    back.insert("result", model->forward(x).detach());
    save(back, folder + "cpp." + ending);
  }
}
