// Archives and the values in them: what files hold, how names are nested, what is refused.
#include <sstream>

#include "support/files.h"
#include "taut/serialize/archive.h"

namespace taut::test {

using serialize::InputArchive;
using serialize::OutputArchive;

namespace {

InputArchive through_memory(OutputArchive& out) {
  std::stringstream stream;
  out.save_to(stream);
  InputArchive in;
  in.load_from(stream);
  return in;
}

template <class E, class F>
std::string said(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "nothing";
}

}  // namespace

TEST(Archive, OfAModuleIsItsStateDict) {
  manual_seed(0);
  nn::Sequential net{nn::Linear(2, 3), nn::ReLU(), nn::BatchNorm1d(3)};
  OutputArchive out;
  net->save(out);
  const TempDir dir;
  const std::string path = dir / "archive.pt";
  out.save_to(path);
  const auto state = load(path);
  EXPECT_EQ(state.keys(), net->state_dict().keys());
  for (const auto& item : net->state_dict()) expect_same(state[item.key()], item.value(), item.key());
  // And a state_dict is an archive of the module.
  nn::Sequential again{nn::Linear(2, 3), nn::ReLU(), nn::BatchNorm1d(3)};
  save(net->state_dict(), path);
  InputArchive in;
  in.load_from(path);
  again->load(in);
  expect_same(again->parameters()[0], net->parameters()[0]);
  // A module that is not saved is not asked for, whether or not it has parameters.
  struct Apart : nn::LinearImpl {
    Apart() : LinearImpl(2, 2) {}
    bool is_serializable() const override { return false; }
  };
  struct Outer : nn::Module {
    Outer() { register_module("apart", std::make_shared<Apart>()); }
  } outer;
  OutputArchive nothing;
  outer.save(nothing);
  EXPECT_TRUE(nothing.is_empty());
  InputArchive from_nothing = through_memory(nothing);
  outer.load(from_nothing);
}

/// With what a module may have beside plain parameters: things undefined, buffers that are not kept, layers without
/// any.
struct OddImpl : nn::Cloneable<OddImpl> {
  OddImpl() { OddImpl::reset(); }
  void reset() override {
    w = register_parameter("w", full({2}, 3.0));
    register_parameter("no_w", Tensor());
    kept = register_buffer("kept", full({1}, 4.0));
    scratch = register_buffer("scratch", full({1}, 5.0), /*persistent=*/false);
    register_buffer("no_buffer", Tensor());
    register_module("empty", nn::ReLU());
    under = register_module("under", nn::Linear(1, 1));
  }
  Tensor w, kept, scratch;
  nn::Linear under{nullptr};
};

TEST(Archive, OfAModuleHasWhatIsKeptAndNothingElse) {
  const auto a = std::make_shared<OddImpl>(), b = std::make_shared<OddImpl>();
  OutputArchive out;
  a->save(out);
  InputArchive in = through_memory(out);
  EXPECT_EQ(in.tensors().keys(), a->state_dict().keys());
  EXPECT_EQ(in.keys(), (std::vector<std::string>{"w", "kept", "under"}));
  for (const Tensor& t : {b->w, b->kept, b->scratch}) t.detach().fill_(0);
  b->load(in);
  expect_same(b->w.detach(), a->w.detach());
  expect_same(b->kept, a->kept);
  expect_same(b->under->weight.detach(), a->under->weight.detach());
  EXPECT_EQ(b->scratch.item<float>(), 0);
  EXPECT_TRUE(b->w.requires_grad());
}

TEST(Archive, OfOneTensorIsReadAndWrittenByShift) {
  OutputArchive out;
  out << tensor({1.0, 2.0});
  InputArchive in = through_memory(out);
  Tensor back;
  in >> back;
  expect_same(back, tensor({1.0, 2.0}));
}

TEST(Archive, OfAModuleOfAnotherShapeIsRefused) {
  nn::Linear small(2, 3), large(3, 3);
  OutputArchive out;
  small->save(out);
  InputArchive in = through_memory(out);
  const Tensor before = large->weight.clone();
  EXPECT_EQ(
      said<Error>([&] { large->load(in); }),
      "size mismatch for weight: copying a param with shape [3, 2] from checkpoint, the shape in current model is "
      "[3, 3].");
  expect_same(large->weight, before);
}

TEST(Archive, ByItsEndingIsAnotherKindOfFile) {
  const TempDir dir;
  for (const char* name : {"archive.safetensors", "archive.npz"}) {
    const std::string path = dir / name;
    OutputArchive out, nested;
    nested.write("b", ones({2}));
    out.write("a", zeros({1}));
    out.write("in", nested);
    out.save_to(path);
    EXPECT_EQ(load(path).keys(), (std::vector<std::string>{"a", "in.b"}));
    InputArchive in, inner;
    in.load_from(path);
    in.read("in", inner);
    Tensor b;
    inner.read("b", b);
    expect_same(b, ones({2}));
    out.write("n", 3);
    EXPECT_EQ(said<ValueError>([&] { out.save_to(path); }),
              str("save: '", path, "' holds tensors alone; an archive with other values is written as a .pt file"));
  }
}

TEST(Archive, NestsWhateverIsDictionaryInPythonsFiles) {
  const TempDir dir;
  const std::string path = dir / "nested.pt";
  io::save_torch(io::Object::Dict{{"model", io::Object(io::Object::Dict{{"w", ones({2})}})}, {"epoch", 3}}, path);
  InputArchive in, model;
  in.load_from(path);
  EXPECT_EQ(in.keys(), (std::vector<std::string>{"model", "epoch"}));
  in.read("model", model);
  Tensor w;
  EXPECT_TRUE(model.try_read("w", w));
  expect_same(w, ones({2}));
  EXPECT_EQ(said<Error>([&] { model.read("v", w); }), "No such serialized tensor 'model.v'");
  EXPECT_EQ(said<Error>([&] { model.read("v", in); }), "No such serialized submodule: 'model.v'");
  IValue value;
  EXPECT_EQ(said<Error>([&] { model.read("v", value); }), "No such serialized value 'model.v'");
  EXPECT_EQ(in.tensors().keys(), std::vector<std::string>{"model.w"});
}

TEST(Archive, ALaterWriteOfANameCountsAndOneIntoANestedArchiveToo) {
  OutputArchive out, nested, empty;
  out.write("a", ones({1}));
  out.write("a", zeros({2}));
  out.write("in", nested);
  out.write("none", empty);
  nested.write("late", ones({3}));
  InputArchive in = through_memory(out), inner, none;
  Tensor a, late;
  in.read("a", a);
  in.read("in", inner);
  inner.read("late", late);
  in.read("none", none);
  EXPECT_EQ(a.numel() + late.numel(), 5);
  EXPECT_TRUE(none.keys().empty());
}

TEST(Archive, OfLBFGSGoesOnWhereItWas) {
  const auto target = tensor({1.0, -2.0, 0.5});
  const auto run = [&](optim::LBFGS& o, const Tensor& w) {
    return o.step([&] {
      o.zero_grad();
      Tensor loss = (w - target).pow(4).sum() + (w * target).pow(2).sum();
      loss.backward();
      return loss;
    });
  };
  Tensor w = ones({3}).requires_grad_();
  optim::LBFGS first({w}, optim::LBFGSOptions(0.1).max_iter(3));
  run(first, w);
  OutputArchive out;
  out << first;
  InputArchive in = through_memory(out);
  Tensor v = w.detach().clone().requires_grad_();
  optim::LBFGS second({v});
  in >> second;
  expect_same(run(second, v).detach(), run(first, w).detach());
  expect_same(v.detach(), w.detach());
}

TEST(Archive, ReadersAndWritersThatFailAreTold) {
  OutputArchive out;
  out.write("a", ones({100}));
  EXPECT_NE(said<FileError>([&] { out.save_to([](const void*, size_t n) { return n / 2; }); }).find("the writer took"),
            std::string::npos);
  InputArchive in;
  EXPECT_EQ(said<FileError>(
                [&] { in.load_from([](uint64_t, void*, size_t) { return size_t{0}; }, [] { return size_t{10}; }); }),
            "load: the reader ended after 0 of 10 bytes");
  EXPECT_EQ(said<FileError>([&] { in.load_from("/nowhere/at/all.pt"); }),
            "open file failed because of errno 2 on fopen: No such file or directory, file path: /nowhere/at/all.pt");
  EXPECT_TRUE(said<Error>([&] { in.load_from("PK not really", 13); }).find("is not a valid PyTorch file") !=
              std::string::npos);
  EXPECT_EQ(said<FormatError>([&] {
              in.load_from("abc", 3);
            }).find("PytorchStreamReader failed reading zip archive: not a ZIP archive."),
            0u);
  EXPECT_EQ(said<TypeError>([&] {
              OutputArchive odd;
              odd.write("x", IValue(std::make_shared<int>(3)));
              std::ostringstream nowhere;
              odd.save_to(nowhere);
            }),
            "save: a value is of a type that no file can hold");
}

TEST(Pickle, ValuesComeBackAsTheyWere) {
  const auto back = [](const IValue& v) { return pickle_load(pickle_save(v)); };
  const auto same = [&](const IValue& v) { return back(v) == v; };
  EXPECT_TRUE(same({}) && same(3) && same(int64_t{1} << 60) && same(-0.5) && same(true) && same("text"));
  EXPECT_TRUE(same(std::vector<int64_t>{1, 2}) && same(std::vector<std::string>{"a", "b"}) &&
              same(std::vector<std::vector<double>>{{1, 2}, {}}) && same(std::vector<bool>{true, false}));
  EXPECT_TRUE(same(std::tuple<int, double>(3, 0.5)));
  EXPECT_FALSE(back(3) == IValue(3.0) || back(true) == IValue(1) || back("3") == IValue(3));
  Dict<std::string, Tensor> dict;
  dict.insert("w", ones({2}));
  dict.insert("b", zeros({1}));
  EXPECT_FALSE(dict.insert("w", zeros({9})).second);
  const auto loaded = back(dict).to<Dict<std::string, Tensor>>();
  EXPECT_EQ(loaded.size(), 2u);
  expect_same(loaded.at("w"), ones({2}));
  const auto [n, x] = back(std::tuple<int64_t, Tensor>(7, ones({1}))).to<std::tuple<int64_t, Tensor>>();
  EXPECT_EQ(n, 7);
  expect_same(x, ones({1}));
  EXPECT_EQ((back(std::map<std::string, int64_t>{{"a", 1}}).to<std::unordered_map<std::string, int64_t>>()["a"]), 1);
}

TEST(Pickle, ValuesOfEveryKindAreToldApartNamedAndShown) {
  const auto dict = [](int64_t n) {
    Dict<std::string, int64_t> d;
    d.insert("a", 1);
    d.insert("b", n);
    return IValue(d);
  };
  struct Value {
    IValue value;
    std::string kind, text;
  };
  const std::vector<Value> values = {
      {{}, "None", "None"},
      {3, "Int", "3"},
      {1, "Int", "1"},
      {3.0, "Double", "3."},
      {0.5, "Double", "0.5"},
      {-1e15, "Double", "-1e+15"},
      {1e15, "Double", "1e+15"},
      {-1.0, "Double", "-1."},
      {true, "Bool", "True"},
      {false, "Bool", "False"},
      {"x", "String", "x"},
      {"3", "String", "3"},
      {Device(kCPU), "Device", "cpu"},
      {Device(kCPU, 0), "Device", "cpu:0"},
      {tensor(3), "Tensor", str(tensor(3))},
      {tensor(4), "Tensor", str(tensor(4))},
      {std::vector<int64_t>{}, "GenericList", "[]"},
      {std::vector<int64_t>{3}, "GenericList", "[3]"},
      {std::vector<int64_t>{3, 4}, "GenericList", "[3, 4]"},
      {std::tuple<int>(3), "Tuple", "(3,)"},
      {std::tuple<int, int>(3, 4), "Tuple", "(3, 4)"},
      {dict(2), "GenericDict", "{a: 1, b: 2}"},
      {dict(3), "GenericDict", "{a: 1, b: 3}"},
      {std::make_shared<int>(3), "Object", "<Object>"},
  };
  for (const Value& a : values) {
    SCOPED_TRACE(a.text);
    EXPECT_EQ(a.value.tagKind(), a.kind);
    EXPECT_EQ(str(a.value), a.text);
    for (const Value& b : values) {
      EXPECT_EQ(a.value == b.value, &a == &b && a.kind != "Object") << b.text;
      EXPECT_EQ(a.value.is(b.value), &a == &b && a.kind != "Object") << b.text;
    }
    if (a.kind == "Object" || a.kind == "Device" || a.kind == "Tensor") continue;
    EXPECT_EQ(pickle_load(pickle_save(a.value)), a.value);
  }
  const IValue list = std::vector<int64_t>{3}, equal = std::vector<int64_t>{3}, shared = list;
  EXPECT_TRUE(list == equal && !list.is(equal) && list.is(shared));
  EXPECT_TRUE(dict(2) == dict(2) && !dict(2).is(dict(2)));
  EXPECT_TRUE(IValue(std::tuple<int>(3)) == IValue(std::tuple<int>(3)));
  EXPECT_FALSE(IValue(std::tuple<int>(3)).is(IValue(std::tuple<int>(3))));
}

/// Files are read by whoever finds them: what nests without end, or stands for more than anybody has, is refused.
TEST(Pickle, ValuesAreNestedSoDeepAndNoDeeper) {
  const auto nested = [](int depth) {
    IValue v = 3;
    for (int i = 0; i < depth; ++i) v = IValue(ivalue::Tuple::create({v}));
    return v;
  };
  EXPECT_EQ(pickle_load(pickle_save(nested(500))), nested(500));
  EXPECT_EQ(said<ValueError>([&] { pickle_save(nested(501)); }), "save: the value is nested more than 500 deep");
}

TEST(Pickle, AValueOfAnotherKindIsNamed) {
  EXPECT_EQ(said<TypeError>([] { IValue(3).toTensor(); }), "Expected Tensor but got Int");
  EXPECT_EQ(said<TypeError>([] { IValue("x").toInt(); }), "Expected Scalar but got String");
  EXPECT_EQ(said<TypeError>([] { IValue(0.5).toGenericDict(); }), "Expected GenericDict but got Double");
  EXPECT_EQ(said<TypeError>([] { IValue(std::tuple<int, int>(1, 2)).to<std::tuple<int>>(); }),
            "Expected a tuple of 1 values but got 2");
}

TEST(Pickle, ListsAreSharedByTheirCopies) {
  List<int64_t> list = {1, 2, 3};
  const List<int64_t> other = list, copy = list.copy();
  list[1] = 7;
  list.push_back(9);
  EXPECT_EQ(other.vec(), (std::vector<int64_t>{1, 7, 3, 9}));
  EXPECT_EQ(copy.vec(), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_TRUE(list.is(other) && !list.is(copy));
  const IValue boxed = list;
  boxed.toIntList().set(0, 5);
  EXPECT_EQ(list.get(0), 5);
  EXPECT_THROW((void)list.get(4), std::out_of_range);
  EXPECT_EQ(str(IValue(list), ' ', IValue(2.0), ' ', IValue(std::tuple<bool, int>(true, 1)), ' ', IValue()),
            "[5, 7, 3, 9] 2. (True, 1) None");
}

}  // namespace taut::test
