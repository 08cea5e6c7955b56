// Checkpoints: what goes in comes out, damage is found and named, and a killed process leaves one that loads.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "io/hash.h"
#include "support/files.h"

namespace taut::test {

using io::Checkpoint;
using io::TensorDict;

static TensorDict some_state(double value, int64_t n = 3) {
  TensorDict d;
  d.insert("fc.weight", full({n, 4}, value));
  d.insert("fc.steps", tensor(static_cast<int64_t>(value)));
  d.insert("mask", tensor({true, false}));
  d.insert("empty", empty({0}));
  return d;
}

struct NetImpl : nn::Module {
  explicit NetImpl(int64_t n) : weight(register_parameter("weight", randn({n}))) {}
  Tensor forward(const Tensor& x) { return x * weight; }
  Tensor weight;
};
TAUT_MODULE(Net);

TEST(Xxh64, MatchesThePublishedValues) {
  EXPECT_EQ(io::xxh64("", 0), 0xef46db3751d8e999u);
  EXPECT_EQ(io::xxh64("a", 1), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(io::xxh64("abc", 3), 0x44bc2cf5ad770999u);
  const std::string long_text = "Nobody inspects the spammish repetition";
  EXPECT_EQ(io::xxh64(long_text.data(), long_text.size()), 0xfbcea83c8a378bf1u);
}

TEST(Checkpoint, RestoresEverything) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  manual_seed(7);
  Net model(5);
  Checkpoint c;
  c.epoch = 3;
  c.step = 1'000'000'000'000;
  c.texts["note"] = "größer\n";
  c.add("model", model).add("loader", some_state(2)).add("nothing", TensorDict("x")).add_random();
  save_checkpoint(c, path);
  const Tensor expected = randn(4);

  Checkpoint back = io::load_latest(path);
  EXPECT_EQ(back.epoch, 3);
  EXPECT_EQ(back.step, 1'000'000'000'000);
  EXPECT_EQ(back.texts, c.texts);
  EXPECT_EQ(back.parts().keys(), (std::vector<std::string>{"model", "loader", "nothing", "random"}));
  Net other(5);
  back.restore("model", other).restore_random();
  expect_same(other->weight, model->weight);
  expect_same(randn(4), expected);
  const TensorDict& loader = back.state("loader");
  const TensorDict wanted = some_state(2);
  EXPECT_EQ(loader.keys(), wanted.keys());
  for (const auto& item : wanted) expect_same(loader[item.key()], item.value(), item.key());
  EXPECT_EQ(back.state("nothing").size(), 0u);

  // It is a safetensors file like any other.
  expect_same(load(path)["model.weight"], model->weight);
}

// A small training run, everything random, that can be stopped between any two batches.
struct Training {
  Training()
      : loader(data::make_data_loader(data::datasets::TensorDataset(arange(24, kFloat).view({12, 2}))
                                          .map(data::transforms::Stack<data::TensorExample>()),
                                      data::DataLoaderOptions().batch_size(2))),
        optimizer({model->weight}, optim::AdamOptions(0.1)),
        scheduler(optimizer, 2, 0.5) {}
  /// Saves a checkpoint after `stop` steps.
  void steps(int n, int stop = 0, const std::string& path = "") {
    for (int done = 0; done < n;) {
      for (auto& batch : *loader) {
        optimizer.zero_grad();
        const Tensor noise = randn({2});
        model->forward(batch.data + noise).pow(2).mean().backward();
        optimizer.step();
        scheduler.step();
        if (++done == stop) save_checkpoint(checkpoint(), path);
        if (done == n) return;
      }
    }
  }
  Checkpoint checkpoint() {
    Checkpoint c;
    c.add("model", model).add("optimizer", optimizer).add("scheduler", scheduler).add("loader", loader).add_random();
    return c;
  }
  void restore(Checkpoint c) {
    c.restore("model", model).restore("optimizer", optimizer).restore("scheduler", scheduler);
    c.restore("loader", loader).restore_random();
  }
  Net model{2};
  decltype(data::make_data_loader(
      data::datasets::TensorDataset(Tensor()).map(data::transforms::Stack<data::TensorExample>()),
      data::DataLoaderOptions())) loader;
  optim::Adam optimizer;
  optim::StepLR scheduler;
};

TEST(Checkpoint, ATrainingRunGoesOnWithTheSameBits) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  for (int stop : {1, 4, 6, 9}) {
    manual_seed(3);
    Training first;
    first.steps(stop + 5, stop, path);
    manual_seed(99);
    Training second;
    second.steps(2);  // whatever it did before must not matter
    second.restore(io::load_checkpoint(path));
    second.steps(5);
    expect_same(second.model->weight, first.model->weight, str("stopped after ", stop));
  }
}

TEST(Checkpoint, OptimisersAndSchedulersSaveAndLoadAlone) {
  TempDir dir;
  for (const char* end : {"safetensors", "pt", "npz"}) {
    const std::string path = dir / (std::string("optimizer.") + end);
    Training a, b;
    a.steps(3);
    save(a.optimizer, path);
    load(b.optimizer, path);
    const auto saved = a.optimizer.state_dict(), loaded = b.optimizer.state_dict();
    ASSERT_EQ(saved.keys(), loaded.keys());
    for (const auto& item : saved) expect_same(loaded[item.key()], item.value(), item.key());
    save(a.scheduler, path);
    load(b.scheduler, path);
    expect_error<Error>([&] { load(b.optimizer, path); }, {path});
  }
}

TEST(Checkpoint, WhatDoesNotFitIsNamedAndChangesNothing) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  Checkpoint c;
  c.add("model", Net(5));
  save_checkpoint(c, path);
  Checkpoint back = io::load_checkpoint(path);
  Net other(6);
  const Tensor before = other->weight.clone();
  expect_error<Error>([&] { back.restore("model", other); }, {"part 'model'", "weight"});
  expect_same(other->weight, before);
  expect_error<IndexError>([&] { back.state("optimizer"); }, {"'optimizer'"});
  expect_error<Error>([&] { back.restore("optimizer", other); }, {"'optimizer'"});
  expect_error<IndexError>([&] { back.restore_random(); }, {"'random'"});
  expect_error<ValueError>([&] { c.add("a.b", some_state(1)); }, {"'a.b'"});
  for (const char* name : {"A", "Z", "a", "z", "0", "9", "_", "-"}) c.add(name, some_state(1));
  for (const char* name : {"", "@", "[", "`", "{", "/", ":", "."})
    expect_error<ValueError>([&] { c.add(name, some_state(1)); }, {str("'", name, "'")});
  c.texts["taut.x"] = "";
  expect_error<ValueError>([&] { save_checkpoint(c, path); }, {"taut.x"});
  Checkpoint hollow;
  TensorDict part;
  part.insert("nothing", Tensor());
  hollow.add("part", part);
  expect_error<ValueError>([&] { save_checkpoint(hollow, path); }, {"part.nothing"});
  save(ones(2), dir / "plain.safetensors");
  expect_error<FormatError>([&] { io::load_checkpoint(dir / "plain.safetensors"); },
                            {"plain.safetensors", "not a checkpoint"});
}

TEST(Checkpoint, ThePreviousOneIsKept) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  EXPECT_FALSE(io::has_checkpoint(path));
  for (int i = 1; i <= 4; ++i) {
    Checkpoint c;
    c.epoch = i;
    c.add("model", some_state(i));
    save_checkpoint(c, path);
    EXPECT_EQ(io::load_checkpoint(path).epoch, i);
    if (i > 1) {
      EXPECT_EQ(io::load_checkpoint(path + ".previous").epoch, i - 1);
    }
    EXPECT_EQ(dir.count(), i > 1 ? 2u : 1u);
  }
}

struct Warnings {
  Warnings() {
    set_warning_handler([this](const std::string& s) { texts.push_back(s); });
  }
  ~Warnings() { set_warning_handler(nullptr); }
  std::vector<std::string> texts;
};

TEST(Checkpoint, DamageIsFoundAtEveryByteAndThePreviousOneIsLoaded) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  for (int i = 1; i <= 2; ++i) {
    Checkpoint c;
    c.epoch = i;
    c.texts["note"] = "text";
    c.add("model", some_state(i)).add_random("random", Generator(1));
    save_checkpoint(c, path);
  }
  const std::string good = read_file(path);
  Warnings warnings;
  size_t harmless = 0;
  for (size_t i = 0; i < good.size(); i += i < 1500 ? 1 : 97) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x20);
    write_file(path, bad);
    try {
      const Checkpoint c = io::load_checkpoint(path);
      // The JSON can be written in other ways that mean the same; the content must not differ.
      ++harmless;
      EXPECT_EQ(c.epoch, 2);
      for (const auto& item : some_state(2)) expect_same(c.state("model")[item.key()], item.value());
    } catch (const FormatError& e) {
      EXPECT_NE(std::string(e.what()).find(path), std::string::npos);
    } catch (const NotImplementedError& e) {
      EXPECT_NE(std::string(e.what()).find(path), std::string::npos);
    }
    EXPECT_GE(io::load_latest(path).epoch, 1);
  }
  EXPECT_LT(harmless, 10u);
  EXPECT_GT(warnings.texts.size(), 1000u);
}

TEST(Checkpoint, ADamagedTensorIsNamed) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  Checkpoint c;
  c.add("model", some_state(1));
  save_checkpoint(c, path);
  save_checkpoint(c, path);
  std::string bytes = read_file(path);
  const uint64_t header = *reinterpret_cast<const uint64_t*>(bytes.data());
  bytes[8 + header + 8] ^= 1;  // the int64 comes first, then the floats
  write_file(path, bytes);
  expect_error<FormatError>([&] { io::load_checkpoint(path); }, {path, "damaged", "'model.fc.weight'"});
  Warnings warnings;
  EXPECT_EQ(io::load_latest(path).state("model").size(), 4u);
  ASSERT_EQ(warnings.texts.size(), 1u);
  EXPECT_NE(warnings.texts[0].find("run.safetensors.previous"), std::string::npos);
  // Without a previous one the error stands; with two damaged ones both are named.
  write_file(path + ".previous", "");
  expect_error<FormatError>([&] { io::load_latest(path); }, {"neither", "model.fc.weight", ".previous"});
  std::filesystem::remove(path + ".previous");
  expect_error<FormatError>([&] { io::load_latest(path); }, {"model.fc.weight"});
  std::filesystem::remove(path);
  expect_error<FileError>([&] { io::load_latest(path); }, {"No such file"});
}

TEST(Checkpoint, AMissingFileFallsBackToThePreviousOne) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  Checkpoint c;
  c.epoch = 1;
  save_checkpoint(c, path);
  save_checkpoint(c, path);
  std::filesystem::remove(path);
  EXPECT_TRUE(io::has_checkpoint(path));
  Warnings warnings;
  EXPECT_EQ(io::load_latest(path).epoch, 1);
  EXPECT_EQ(warnings.texts.size(), 1u);
}

// A child "trains": the weights of epoch n are all n. It is killed without warning, over and over.
[[noreturn]] static void train_forever(const std::string& path, int started) {
  Checkpoint c;
  int64_t epoch = io::has_checkpoint(path) ? io::load_latest(path).epoch : 0;
  for (;;) {
    c.epoch = ++epoch;
    c.add_state("model", some_state(static_cast<double>(epoch % 1000), 20000));
    if (::write(started, "x", 1) != 1) _exit(1);
    save_checkpoint(c, path);
  }
}

TEST(Checkpoint, AProcessKilledAtAnyMomentLeavesAValidCheckpoint) {
  TempDir dir;
  const std::string path = dir / "run.safetensors";
  set_num_threads(1);
  Checkpoint first;
  first.add_state("model", some_state(0, 20000));
  save_checkpoint(first, path);
  std::mt19937 random(1);
  int64_t last = 0;
  for (int kill_number = 0; kill_number < 40; ++kill_number) {
    int started[2];
    ASSERT_EQ(pipe(started), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);
      train_forever(path, started[1]);
    }
    // Any moment after the first save has begun: some saves, and then some turns of an empty loop.
    char byte = 0;
    for (unsigned n = random() % 3 + 1; n > 0; --n) ASSERT_EQ(::read(started[0], &byte, 1), 1);
    for (volatile unsigned turns = random() % 20'000'000; turns > 0;) turns = turns - 1;
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ::close(started[0]), ::close(started[1]);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const Checkpoint c = io::load_checkpoint(path);  // not even the previous one is needed
    EXPECT_GE(c.epoch, last);
    last = c.epoch;
    const Tensor& weight = c.state("model")["fc.weight"];
    ASSERT_EQ(weight.sizes(), IntArrayRef({20000, 4}));
    EXPECT_TRUE(weight.equal(full_like(weight, last % 1000)));
  }
  EXPECT_GT(last, 0);
}

}  // namespace taut::test
