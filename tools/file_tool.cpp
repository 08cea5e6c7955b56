// The C++ side of tools/compare_files.py: writes files for other programs, reads theirs, and takes times.
#include <taut/taut.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

using taut::Tensor;
using Dict = taut::OrderedDict<std::string, Tensor>;

static const taut::ScalarType kDtypes[] = {taut::kBool, taut::kByte, taut::kChar,     taut::kShort, taut::kInt,
                                           taut::kLong, taut::kHalf, taut::kBFloat16, taut::kFloat, taut::kDouble};

/// 0, 1, 2, ... of every dtype, and layouts that need care. NumPy has no bfloat16.
static Dict tensors(bool bfloat16) {
  Dict d;
  for (taut::ScalarType t : kDtypes)
    if (bfloat16 || t != taut::kBFloat16) d.insert(taut::dtype_name(t), taut::arange(6).view({2, 3}).to(t));
  const Tensor base = taut::arange(12, taut::kFloat).view({3, 4});
  d.insert("base", base);
  d.insert("transposed", base.t());
  d.insert("part", base.narrow(0, 1, 2).narrow(1, 2, 2));
  d.insert("scalar", taut::tensor(7.5));
  d.insert("empty", taut::empty({0, 3}));
  d.insert("näme \"x\"", taut::ones({100, 100}));
  return d;
}

static void write(const std::string& dir) {
  save(tensors(true), dir + "/taut.safetensors");
  save(tensors(true), dir + "/taut.pt");
  save(tensors(false), dir + "/taut.npz");
  taut::io::save_npz(tensors(false), dir + "/taut_deflated.npz", true);
  const Dict named = tensors(false);
  for (const auto& item : named)
    if (item.key().find(' ') == std::string::npos) save(item.value(), dir + "/taut_" + item.key() + ".npy");
  using taut::io::Object;
  taut::io::save_torch(Object::Dict{{"epoch", 3},
                                    {"big", int64_t{1} << 40},
                                    {"negative", -5},
                                    {"loss", 0.5},
                                    {"name", "bär"},
                                    {"nothing", Object()},
                                    {"yes", true},
                                    {"dtype", taut::kFloat},
                                    {"tuple", Object::tuple({1, "a"})},
                                    {"list", Object::List{1, Object::List{2.5}}},
                                    {7, Object::Dict{{"model", tensors(true)}}},
                                    {"leaf", taut::ones(2, taut::requires_grad())}},
                       dir + "/taut_object.pt");
  taut::io::Checkpoint c;
  c.epoch = 3;
  c.add("model", tensors(true)).add_random();
  save_checkpoint(c, dir + "/taut_checkpoint.safetensors");
}

static int check(const std::string& dir) {
  int bad = 0;
  auto same = [&](const std::string& file, const Dict& found, bool bfloat16) {
    for (const auto& item : tensors(bfloat16)) {
      const Tensor* t = found.find(item.key());
      if (t && t->scalar_type() == item.value().scalar_type() && t->sizes() == item.value().sizes() &&
          t->equal(item.value()))
        continue;
      std::printf("%s: tensor '%s' differs\n", file.c_str(), item.key().c_str());
      ++bad;
    }
  };
  for (const char* file : {"python.safetensors", "python.pt"}) same(file, taut::load(dir + '/' + file), true);
  for (const char* file : {"python.npz", "python_deflated.npz"}) same(file, taut::load(dir + '/' + file), false);
  const Dict shared = taut::load(dir + "/python.pt");
  if (!shared["base"].is_alias_of(shared["part"])) ++bad, std::puts("python.pt: 'base' and 'part' are not shared");
  return bad;
}

/// The best of some runs, in seconds.
template <class F>
static double best(F f) {
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

static void take_times(const std::string& dir, int64_t megabytes) {
  Dict d;
  for (int i = 0; i < 20; ++i) d.insert("layer" + std::to_string(i), taut::randn({megabytes * 1000000 / 80}));
  auto read_all = [](const Dict& loaded) {
    double sum = 0;
    for (const auto& item : loaded) sum += item.value().sum().item<double>();
    return sum;
  };
  for (const char* end : {"safetensors", "pt"}) {
    const std::string path = dir + "/time_taut." + end;
    std::printf("save_%s %.4f\n", end, best([&] { save(d, path); }));
    std::printf("load_%s %.4f\n", end, best([&] { taut::load(path); }));
    std::printf("load_copy_%s %.4f\n", end, best([&] { taut::load(path, {.map = false}); }));
    std::printf("load_sum_%s %.4f\n", end, best([&] { read_all(taut::load(path)); }));
  }
  taut::io::Checkpoint c;
  c.add("model", d);
  const std::string path = dir + "/time_checkpoint.safetensors";
  std::printf("save_checkpoint %.4f\n", best([&] { save_checkpoint(c, path); }));
  std::printf("load_checkpoint %.4f\n", best([&] { taut::io::load_checkpoint(path); }));
}

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "write") return write(argv[2]), 0;
  if (what == "check") return check(argv[2]) == 0 ? 0 : 1;
  if (what == "time" && argc > 3) return take_times(argv[2], std::stoll(argv[3])), 0;
  std::fprintf(stderr, "file_tool write|check <directory>, or file_tool time <directory> <megabytes>\n");
  return 2;
}
