// Not for libtorch: what its wheel for the CPU does not compile, or what Taut answers in its own words.
#include <c10/util/Flags.h>
#include <c10/util/Logging.h>
#include <c10/util/tempfile.h>
#include <torch/nn/parallel/data_parallel.h>
#include <torch/script.h>

#include <cstdlib>
#include <iostream>

#define EXPECT(condition)                                                    \
  if (!(condition)) {                                                        \
    std::cerr << __FILE__ << ':' << __LINE__ << ": " #condition " failed\n"; \
    std::exit(1);                                                            \
  }

C10_DEFINE_int64(width, 3, "how wide");
C10_DEFINE_bool(fast, false, "whether to hurry");

int main() {
  // TorchScript: compiles, and says what to do instead.
  try {
    torch::jit::script::Module module = torch::jit::load("model.pt");
    module.eval();
    std::vector<torch::jit::IValue> inputs;
    inputs.push_back(torch::ones({1, 3}));
    module.forward(inputs).toTensor();
    EXPECT(false);
  } catch (const c10::Error& e) {
    const std::string text = e.what();
    EXPECT(text.find("TorchScript files are not read") != text.npos && text.find("state_dict") != text.npos);
  }

  auto net = std::make_shared<torch::nn::LinearImpl>(2, 3);
  const auto input = torch::ones({4, 2});
  EXPECT(torch::nn::parallel::data_parallel(net, input).equal(net->forward(input)));
  EXPECT(torch::nn::Sequential(torch::nn::Sequential(torch::nn::Linear(2, 3)), torch::nn::ReLU())
             ->forward(input)
             .size(1) == 3);

  // A device that is not there: named, and refused by its name.
  try {
    net->to(torch::kCUDA);
    EXPECT(false);
  } catch (const c10::Error& e) {
    EXPECT(std::string(e.what()).find("PyTorch is not linked with support for cuda devices") == 0);
  }
  // Shared state of a warning: the library's warnings reach the program's handler.
  struct Collect : c10::WarningHandler {
    void process(const c10::Warning& w) override { text = w.msg(); }
    std::string text;
  } collect;
  c10::WarningUtils::WarningHandlerGuard guard(&collect);
  auto out = torch::zeros({3});
  torch::add_out(out, input, input);
  EXPECT(collect.text.find("An output with one or more elements was resized") == 0);

  // Command lines, logs and files for a while.
  std::string words[] = {"program", "--width=7", "name", "--fast"};
  char* pointers[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data()};
  char** argv = pointers;
  int argc = 4;
  EXPECT(c10::ParseCommandLineFlags(&argc, &argv) && argc == 2 && FLAGS_width == 7 && FLAGS_fast);
  LOG(INFO) << "not to be seen";
  CHECK(argc == 2) << "never";
  bool thrown = false;
  try {
    CHECK_EQ(argc, 3) << "two";
  } catch (const c10::Error&) {
    thrown = true;
  }
  EXPECT(thrown);
  std::string name;
  {
    const c10::TempFile file = c10::make_tempfile();
    name = file.name;
    EXPECT(::access(name.c_str(), F_OK) == 0);
  }
  EXPECT(::access(name.c_str(), F_OK) != 0);
  std::cout << "ok\n";
}
