// PyTorch's files: what torch.save wrote, what we write, and pickles that want more than data.
#include "io/unpickler.h"
#include "io/zip.h"
#include "support/files.h"
#include "support/outcomes.h"

namespace taut::test {

using io::Object;

static Object golden(const std::string& name) { return io::load_torch(golden_file(name)); }

TEST(TorchFile, ReadsEveryDtype) {
  const auto state = golden("torch_dtypes.pt").state_dict();
  ASSERT_EQ(state.size(), 10u);
  for (ScalarType t : kAllDtypes) expect_same(state[dtype_name(t)], count(t, {2, 3}), dtype_name(t));
  expect_same(golden("torch_tensor.pt").to_tensor(), count(kFloat, {2, 3}));
  expect_same(golden("torch_list.pt")[1].to_tensor(), count(kLong, {3}));
}

TEST(TorchFile, SharedStoragesStaySharedAndStridesAreKept) {
  const Object o = golden("torch_shared.pt");
  const Tensor base = o.at("base").to_tensor(), column = o.at("column").to_tensor(),
               transposed = o.at("transposed").to_tensor(), part = o.at("part").to_tensor();
  expect_same(base, count(kFloat, {3, 4}));
  expect_same(column, base.slice(1, 1, 2).squeeze(1));
  EXPECT_EQ(column.strides(), IntArrayRef({4}));
  EXPECT_EQ(transposed.strides(), IntArrayRef({1, 4}));
  EXPECT_EQ(part.storage_offset(), 6);
  EXPECT_TRUE(base.is_alias_of(column) && base.is_alias_of(transposed) && base.is_alias_of(part));
  EXPECT_FALSE(base.is_view() || part.is_view());
  part.fill_(100);
  EXPECT_EQ(base[2][3].item<float>(), 100);
  EXPECT_EQ(transposed[3][2].item<float>(), 100);
  expect_same(o.at("scalar").to_tensor(), tensor(7.5));
  expect_same(o.at("empty").to_tensor(), empty({0, 3}));
}

TEST(TorchFile, ReadsStateDictsWithTheirAttributes) {
  const auto state = golden("torch_state_dict.pt").state_dict();
  EXPECT_EQ(state.keys(), (std::vector<std::string>{"0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean",
                                                    "1.running_var", "1.num_batches_tracked"}));
  EXPECT_EQ(state["0.weight"].sizes(), IntArrayRef({4, 3}));
  EXPECT_EQ(state["1.num_batches_tracked"].item<int64_t>(), 1);
}

TEST(TorchFile, ReadsEveryPlainValue) {
  const Object o = golden("torch_checkpoint.pt");
  EXPECT_EQ(o.at("epoch").to_int(), 3);
  EXPECT_EQ(o.at("big").to_int(), int64_t{1} << 40);
  EXPECT_EQ(o.at("negative").to_int(), -5);
  EXPECT_EQ(o.at("loss").to_double(), 0.5);
  EXPECT_EQ(o.at("name").to_string(), "bär");
  EXPECT_TRUE(o.at("nothing").is_none());
  EXPECT_TRUE(o.at("yes").to_bool());
  EXPECT_EQ(o.at("shape")[1].to_int(), 3);
  EXPECT_EQ(o.at("dtype").to_dtype(), kFloat);
  EXPECT_EQ(o.at("tuple").kind(), Object::Kind::Tuple);
  EXPECT_EQ(o.at("list")[1][0].to_double(), 2.5);
  const Object& group = o.at("optimizer").at("param_groups")[0];
  EXPECT_EQ(group.at("lr").to_double(), 0.125);
  EXPECT_EQ(group.at("params").size(), 4u);
  EXPECT_EQ(o.at("optimizer").at("state").to_dict()[1].first.to_int(), 1);
  EXPECT_TRUE(o.at("parameter").to_tensor().requires_grad());
  EXPECT_EQ(o.state_dict()["optimizer.state.0.exp_avg"].sizes(), IntArrayRef({4, 3}));
  expect_error<TypeError>([&] { o.at("epoch").to_tensor(); }, {"an int, not a tensor"});
  expect_error<IndexError>([&] { o.at("none"); }, {"'none'"});
}

/// Every kind of value, asked for as every kind: it is what it is, and says so.
TEST(TorchFile, ValuesAreOnlyWhatTheyAre) {
  const std::vector<Object> values = {Object(),
                                      true,
                                      3,
                                      -0.5,
                                      "text",
                                      Object(tensor(7)),
                                      kHalf,
                                      Object::List{4, Object(tensor(8))},
                                      Object::tuple({5}),
                                      Object::Dict{{"a", 6}, {2, Object(tensor(9))}, {"a", Object(tensor(1))}}};
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Object& o : values) {
    const auto ask = [&](const char* how, auto get) {
      lines.emplace_back(str(kind_name(o.kind()), " ", how), test::value_of([&] { return str(get()); }));
    };
    ask("to_bool", [&] { return o.to_bool(); });
    ask("to_int", [&] { return o.to_int(); });
    ask("to_double", [&] { return o.to_double(); });
    ask("to_string", [&] { return o.to_string(); });
    ask("to_tensor", [&] { return o.to_tensor().item<int64_t>(); });
    ask("to_dtype", [&] { return o.to_dtype(); });
    ask("to_list", [&] { return o.to_list().size(); });
    ask("to_dict", [&] { return o.to_dict().size(); });
    ask("size", [&] { return o.size(); });
    ask("[0]", [&] { return kind_name(o[0].kind()); });
    ask("[1]", [&] { return kind_name(o[1].kind()); });
    ask("find", [&] { return o.find("a") == nullptr; });
    ask("at", [&] { return kind_name(o.at("a").kind()); });
    ask("at another key", [&] { return kind_name(o.at("b").kind()); });
    ask("state_dict", [&] {
      std::string keys;
      for (const auto& item : o.state_dict()) keys += "'" + item.key() + "' ";
      return keys;
    });
  }
  test::expect_outcomes(lines);
}

/// Whoever asks for the tensors of an object walks through all of it.
TEST(TorchFile, StateDictsAreLookedForSoDeepAndNoDeeper) {
  const auto nested = [](int depth) {
    Object o = Object(tensor(1));
    for (int i = 0; i < depth; ++i) o = Object::List{o};
    return o;
  };
  EXPECT_EQ(nested(1000).state_dict().size(), 1u);
  EXPECT_THROW(nested(1001).state_dict(), ValueError);
}

TEST(TorchFile, WhatIsNotPlainDataIsRefusedByName) {
  expect_error<FormatError>([] { golden("torch_module.pt"); },
                            {"torch_module.pt", "torch.nn.modules.linear.Linear", "state_dict"});
  expect_error<NotImplementedError>([] { golden("torch_legacy.pt"); }, {"torch_legacy.pt", "legacy", "save it again"});
  expect_error<FormatError>([] { golden("torch_protocol4.pt"); }, {"protocol 4"});
}

TEST(TorchFile, RoundTripKeepsValuesSharingAndStrides) {
  TempDir dir;
  const Tensor base = count(kDouble, {4, 6});
  const Tensor part = base.narrow(0, 1, 2).t();
  Object::List dtypes;
  for (ScalarType t : kAllDtypes) dtypes.emplace_back(count(t, {2, 3}));
  const Object o = Object::Dict{{"base", base},
                                {"part", part},
                                {"dtypes", dtypes},
                                {7, Object::tuple({1, -1, 300, int64_t{1} << 40, true, Object(), 0.1, "tëxt"})},
                                {"nested", Object::Dict{{"list", Object::List{}}, {"dtype", kHalf}}},
                                {"leaf", ones(2, requires_grad())},
                                {"empty", empty({0, 3})},
                                {"scalar", tensor(2)}};
  io::save_torch(o, dir / "x.pt");
  for (bool map : {true, false}) {
    const Object back = io::load_torch(dir / "x.pt", {.map = map});
    expect_same(back.at("base").to_tensor(), base);
    expect_same(back.at("part").to_tensor(), part);
    EXPECT_EQ(back.at("part").to_tensor().strides(), part.strides());
    EXPECT_TRUE(back.at("part").to_tensor().is_alias_of(back.at("base").to_tensor()));
    for (size_t i = 0; i < 10; ++i) expect_same(back.at("dtypes")[i].to_tensor(), dtypes[i].to_tensor());
    const Object& values = back.to_dict()[3].second;
    EXPECT_EQ(values[2].to_int(), 300);
    EXPECT_EQ(values[3].to_int(), int64_t{1} << 40);
    EXPECT_EQ(values[6].to_double(), 0.1);
    EXPECT_EQ(values[7].to_string(), "tëxt");
    EXPECT_EQ(back.at("nested").at("dtype").to_dtype(), kHalf);
    EXPECT_TRUE(back.at("leaf").to_tensor().requires_grad());
    expect_same(back.at("scalar").to_tensor(), tensor(2));
  }
}

TEST(TorchFile, SparseTensorsKeepTheirLayout) {
  const Tensor d = tensor({{0, 2, 0, 0}, {3, 0, 0, 4}}).to(kFloat);
  const Tensor twice = sparse_coo_tensor(tensor({{1, 0, 1}, {2, 0, 2}}), tensor({1.0f, 2.0f, 3.0f}), {2, 4});
  const Object::List list = {d.to_sparse(),
                             twice,
                             d.to_sparse_csr(),
                             d.to_sparse_csc(),
                             d.to_sparse_bsr({1, 2}),
                             d.to_sparse_bsc({2, 2}),
                             stack({d, d}).to_sparse_csr()};
  TempDir dir;
  io::save_torch(Object(list), dir / "x.pt");
  const Object back = io::load_torch(dir / "x.pt");
  for (size_t i = 0; i < list.size(); ++i) {
    const Tensor &was = list[i].to_tensor(), &is = back[i].to_tensor();
    EXPECT_EQ(is.layout(), was.layout());
    EXPECT_EQ(is._nnz(), was._nnz());
    EXPECT_TRUE(equal(is.to_dense(), was.to_dense()));
    if (is.is_sparse()) {
      EXPECT_EQ(is.is_coalesced(), was.is_coalesced());
    }
  }
}

TEST(TorchFile, OnlyTheUsedPartOfAStorageIsWritten) {
  TempDir dir;
  save(zeros({1000, 1000})[500], dir / "row.pt");
  EXPECT_LT(read_file(dir / "row.pt").size(), 6000u);
}

TEST(TorchFile, PartsThatOccurManyTimesAreCountedOnce) {
  Object empty = 1, full = ones({2});
  for (int i = 0; i < 40; ++i) {
    empty = Object::tuple({empty, empty});
    full = Object::tuple({full, full});
  }
  const Object dict = Object::Dict{{"nothing", empty}, {"x", ones({3})}};
  EXPECT_EQ(dict.state_dict().size(), 1u);
  EXPECT_THROW(Object(Object::Dict{{"x", full}}).state_dict(), ValueError);
}

TEST(TorchFile, ObjectsThatCannotBeWrittenAreRefused) {
  TempDir dir;
  Object deep = 1;
  for (int i = 0; i < 1000; ++i) deep = Object::List{deep};
  expect_error<ValueError>([&] { io::save_torch(deep, dir / "x.pt"); }, {"nested more than"});
  expect_error<ValueError>(
      [&] {
        io::save_torch(Object::Dict{{Object::List{}, 1}}, dir / "x.pt");
      },
      {"a key is a list"});
  expect_error<ValueError>([&] { io::save_torch("\xff", dir / "x.pt"); }, {"UTF-8"});
  expect_error<ValueError>([&] { io::save_torch(Tensor(), dir / "x.pt"); }, {"undefined"});
  EXPECT_EQ(dir.count(), 0u);
}

// ---- Hostile pickles.

static std::string text(const std::string& s) {
  const auto n = static_cast<uint32_t>(s.size());
  return 'X' + std::string(reinterpret_cast<const char*>(&n), 4) + s;
}
static std::string archive(const std::string& pickle, const std::string& storage = "abcdefgh") {
  io::StringOutput out;
  io::ZipWriter zip(out);
  zip.add("x/data.pkl", pickle);
  zip.add("x/data/0", storage);
  zip.finish();
  return out.text;
}
/// A tensor of two floats over storage 0, with parts to replace.
static std::string tensor_pickle(const std::string& offset = std::string("K\0", 2), const std::string& size = "K\2\x85",
                                 const std::string& stride = "K\1\x85", const std::string& numel = "K\2",
                                 const std::string& storage = "FloatStorage", const std::string& key = "0",
                                 const std::string& grad = "\x89") {
  return "\x80\2ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\n" + storage + "\n" + text(key) +
         text("cpu") + numel + "tQ" + offset + size + stride + grad + "ccollections\nOrderedDict\n)RtR.";
}

TEST(TorchFile, HostilePicklesAreRefused) {
  const std::string good = archive(tensor_pickle());
  EXPECT_EQ(io::parse_torch(good.data(), good.size()).to_tensor().sizes(), IntArrayRef({2}));
  const std::string zero("K\0", 2), huge("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", 10);
  std::string deep = "\x80\2", ones;
  for (int i = 0; i < 65; ++i) ones += "K\1";
  for (int i = 0; i < 100000; ++i) deep += "]";
  for (int i = 0; i < 99999; ++i) deep += "a";
  struct Hostile {
    const char* what;
    std::string pickle, phrase;
  };
  const std::vector<Hostile> files = {
      {"empty", "", "ends in the middle"},
      {"only a protocol", "\x80\2", "ends in the middle"},
      {"os.system", "\x80\2cos\nsystem\n" + text("true") + "\x85R.", "asks for 'os.system'"},
      {"builtins.eval", "\x80\2cbuiltins\neval\n" + text("1") + "\x85R.", "asks for 'builtins.eval'"},
      {"old builtins", "\x80\2c__builtin__\nexec\n" + text("1") + "\x85R.", "asks for '__builtin__.exec'"},
      {"a class of torch", "\x80\2ctorch.nn\nLinear\n.", "asks for 'torch.nn.Linear'"},
      {"INST", "\x80\2(ios\nsystem\n.", "opcode 105"},
      {"NEWOBJ", "\x80\2ccollections\nOrderedDict\n)\x81.", "an object is made that is no module"},
      {"STACK_GLOBAL", "\x80\2" + text("os") + text("system") + "\x93.", "opcode 147"},
      {"EXT1", "\x80\2\x82\1.", "opcode 130"},
      {"DUP", "\x80\2N2.", "opcode 50"},
      {"unknown opcode", "\x80\2\xff.", "opcode 255"},
      {"nothing to return", "\x80\2.", "the stack is empty"},
      {"two values", "\x80\2NN.", "not empty at the end"},
      {"text after the end", "\x80\2N.N", "follows the end"},
      {"a class as the value", "\x80\2ccollections\nOrderedDict\n.", "a class stands where a value"},
      {"a mark as the value", "\x80\2(.", "the stack is empty"},
      {"tuple without mark", "\x80\2Nt.", "no mark"},
      {"pair of one", "\x80\2N\x86.", "the stack is empty"},
      {"append to None", "\x80\2NNa.", "no list"},
      {"key without value", "\x80\2}(Nu.", "a key has no value"},
      {"list as key", "\x80\2}]Ns.", "a key is a list"},
      {"set in a list", "\x80\2]NNs.", "no dictionary"},
      {"memo that is empty", "\x80\2h\5.", "was not kept"},
      {"text beyond the end", std::string("\x80\2X\xff\xff\xff\x7f", 7), "ends in the middle"},
      {"text that is not UTF-8", "\x80\2" + text("\xff") + ".", "not UTF-8"},
      {"integer of 200 bytes", "\x80\2\x8a\xc8" + std::string(200, '\1') + ".", "does not fit into 64 bits"},
      {"global that does not end", "\x80\2ctorch", "ends in the middle"},
      {"a list that holds itself", "\x80\2]q\1h\1a.", "holds itself"},
      {"a dictionary that holds itself", "\x80\2}q\1Nh\1s.", "holds itself"},
      {"nested deep", deep + ".", "nested more than"},
      {"call of a text", "\x80\2" + text("a") + ")R.", "no function"},
      {"call without a tuple", "\x80\2ccollections\nOrderedDict\nNR.", "not a tuple"},
      {"call of a storage class", "\x80\2ctorch\nFloatStorage\n)R.", "a class is called that makes no value"},
      {"attributes of None", "\x80\2NNb.", "no dictionary"},
      {"persistent id of nothing", "\x80\2)Q.", "does not describe a storage"},
      {"persistent id of a text", "\x80\2" + text("a") + "Q.", "not a tuple"},
      {"tensor without a storage", "\x80\2ctorch._utils\n_rebuild_tensor_v2\n)R.", "not described by a storage"},
      {"storage that is missing", tensor_pickle(zero, "K\2\x85", "K\1\x85", "K\2", "FloatStorage", "7"),
       "'7' is missing"},
      {"storage of another place", tensor_pickle(zero, "K\2\x85", "K\1\x85", "K\2", "FloatStorage", "../data.pkl"),
       "is missing"},
      {"storage of another size", tensor_pickle(zero, "K\2\x85", "K\1\x85", "K\3"), "has 8 bytes"},
      {"storage of another dtype", tensor_pickle(zero, "K\2\x85", "K\1\x85", "K\2", "DoubleStorage"), "has 8 bytes"},
      {"storage that overflows", tensor_pickle(zero, "K\2\x85", "K\1\x85", huge), "has 8 bytes"},
      {"storage of minus one", tensor_pickle(zero, "K\2\x85", "K\1\x85", "J\xff\xff\xff\xff"), "-1 elements"},
      {"tensor beyond its storage", tensor_pickle(zero, "K\3\x85"), "does not fit"},
      {"offset beyond the storage", tensor_pickle("K\1"), "does not fit"},
      {"negative offset", tensor_pickle("J\xff\xff\xff\xff"), "does not fit"},
      {"offset that overflows", tensor_pickle(huge), "does not fit"},
      {"stride that overflows", tensor_pickle(zero, "K\2\x85", huge + "\x85"), "does not fit"},
      {"stride beyond the storage", tensor_pickle(zero, "K\2\x85", "K\2\x85"), "does not fit"},
      {"negative size", tensor_pickle(zero, "J\xff\xff\xff\xff\x85"), "whole numbers"},
      {"negative stride", tensor_pickle(zero, "K\2\x85", "J\xff\xff\xff\xff\x85"), "whole numbers"},
      {"size that overflows", tensor_pickle(zero, huge + huge + "\x86", "K\1K\1\x86"), "overflows"},
      {"sizes without strides", tensor_pickle(zero, "K\2\x85", ")"), "1 sizes but 0 strides"},
      {"size is a number", tensor_pickle(zero, "K\2"), "not a tuple"},
      {"offset is a text", tensor_pickle(text("0")), "not an integer"},
      {"requires_grad is a number", tensor_pickle(zero, "K\2\x85", "K\1\x85", "K\2", "FloatStorage", "0", "K\1"),
       "not a bool"},
      {"an OrderedDict of something", "\x80\2ccollections\nOrderedDict\nN\x85R.", "made with arguments"},
      {"a size of two tuples", "\x80\2ctorch\nSize\n))\x86R.", "torch.Size takes one tuple"},
      {"a size of texts", "\x80\2ctorch\nSize\n" + text("a") + "\x85R.", "is not a tuple"},
      {"a device without a name", "\x80\2ctorch\ndevice\n)R.", "torch.device takes a name"},
      {"a device of a number", "\x80\2ctorch\ndevice\nK\1\x85R.", "torch.device takes a name"},
      {"a parameter of nothing", "\x80\2ctorch._utils\n_rebuild_parameter\n)R.", "not described by a tensor"},
      {"a parameter of None", "\x80\2ctorch._utils\n_rebuild_parameter\nN\x88}\x87R.", "not described by a tensor"},
      {"65 dimensions", tensor_pickle(zero, "(" + ones + "t", "(" + ones + "t"), "more than 64 dimensions"},
      {"gradient of integers", tensor_pickle(zero, "K\2\x85", "K\1\x85", "K\2", "IntStorage", "0", "\x88"),
       "requires a gradient"},
  };
  TempDir dir;
  const std::string path = dir / "x.pt";
  for (const auto& h : files) {
    write_file(path, archive(h.pickle));
    expect_error<FormatError>([&] { io::load_torch(path); }, {"'" + path + "'", h.phrase}, h.what);
  }
  EXPECT_GE(files.size(), 50u);
}

TEST(TorchFile, AWrongChecksumIsFound) {
  std::string bytes = archive(tensor_pickle());
  for (const char* what : {"abcdefgh", "_rebuild_tensor_v2"}) {
    std::string changed = bytes;
    changed[changed.find(what) + 2] ^= 1;
    expect_error<FormatError>([&] { io::parse_torch(changed.data(), changed.size()); }, {"its checksum is wrong"},
                              what);
  }
}

TEST(TorchFile, NothingBehindAMarkMakesEmptyContainers) {
  const auto read = [](const std::string& pickle) {
    const std::string bytes = archive("\x80\2" + pickle + ".");
    return io::parse_torch(bytes.data(), bytes.size());
  };
  EXPECT_EQ(read("(t").kind(), Object::Kind::Tuple);
  for (const char* empty : {"(t", ")", "](e", "]", "}(u", "}"}) EXPECT_EQ(read(empty).size(), 0u) << empty;
  EXPECT_EQ(read("(K\1t").size(), 1u);
  EXPECT_EQ(read("](K\1e").size(), 1u);
}

TEST(TorchFile, IntegersOfEveryLength) {
  const std::vector<std::pair<std::string, int64_t>> numbers = {
      {std::string("\x8a\0", 2), 0},
      {"\x8a\1\x7f", 127},
      {"\x8a\1\x80", -128},
      {"\x8a\1\xff", -1},
      {std::string("\x8a\2\0\x80", 4), -32768},
      {std::string("\x8a\2\xff\0", 4), 255},
      {std::string("\x8a\7\0\0\0\0\0\0\x80", 9), -(int64_t{1} << 55)},
      {std::string("\x8a\x08\0\0\0\0\0\0\0\x80", 10), INT64_MIN},
      {std::string("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", 10), INT64_MAX},
      {"J\xfe\xff\xff\xff", -2},
      {"M\xff\xff", 65535},
      {"K\xff", 255}};
  for (const auto& [code, value] : numbers) {
    const std::string bytes = archive("\x80\2" + code + ".");
    EXPECT_EQ(io::parse_torch(bytes.data(), bytes.size()).to_int(), value);
  }
  const std::string nine = archive("\x80\2\x8a\x09" + std::string(9, '\0') + ".");
  expect_error<FormatError>([&] { io::parse_torch(nine.data(), nine.size()); }, {"an integer of 9 bytes"});
}

TEST(TorchFile, WhatARefusedFileHeldIsFreed) {
  // Rings of every kind of container around a tensor, and then something that is refused.
  const std::string body = tensor_pickle(), tensor = body.substr(2, body.size() - 3);
  const std::vector<std::string> pickles = {
      "\x80\2]q\1(" + tensor + "h\1e\xff", "\x80\2}q\1(N" + tensor + "K\1h\1u\xff", "\x80\2]q\1(" + tensor + "h\1eN.",
      "\x80\2ccollections\nOrderedDict\n)Rq\1(N" + tensor + "K\1h\1u\xff", "\x80\2" + tensor + "\xff"};
  for (const std::string& pickle : pickles) {
    const std::string bytes = archive(pickle);
    const int64_t before = memory_stats().allocated;
    EXPECT_THROW(io::parse_torch(bytes.data(), bytes.size()), FormatError);
    EXPECT_EQ(memory_stats().allocated, before);
  }
}

TEST(TorchFile, ReferencesThatMultiplyCostNothing) {
  // A list of two of the list before it, sixty times over: 2^60 leaves in 300 bytes.
  std::string pickle = "\x80\2]q";
  pickle += '\0';
  for (int i = 0; i < 60; ++i)
    pickle += str("](h", static_cast<char>(i), "h", static_cast<char>(i), "eq", static_cast<char>(i + 1));
  // What is on the stack below the last is appended to a list, so that one value remains.
  std::string all = "\x80\2](" + pickle.substr(2) + "e.";
  const std::string bytes = archive(all);
  const Object o = io::parse_torch(bytes.data(), bytes.size());
  EXPECT_EQ(o.size(), 61u);
  EXPECT_EQ(o[60].size(), 2u);
}

TEST(Zip, TheFastChecksumIsThePlainOne) {
  const auto plain = [](const std::string& s, uint32_t crc) {
    crc = ~crc;
    for (const char c : s) {
      crc ^= static_cast<uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
  };
  std::string s;
  for (uint32_t n = 0, value = 1; n < 900; ++n, s += static_cast<char>((value = value * 1664525 + 1013904223) >> 24))
    for (const uint32_t before : {0u, 1u, ~0u}) EXPECT_EQ(io::crc32(s.data(), n, before), plain(s, before)) << n;
}

TEST(TorchFile, ArchivesThatAreNotFilesOfTorchSaveAreNamed) {
  TempDir dir;
  auto zip = [&](const std::vector<std::pair<std::string, std::string>>& entries) {
    io::StringOutput out;
    io::ZipWriter writer(out);
    for (const auto& [name, data] : entries) writer.add(name, data);
    writer.finish();
    write_file(dir / "x.pt", out.text);
  };
  auto load = [&] { io::load_torch(dir / "x.pt"); };
  zip({{"a", "b"}});
  expect_error<FormatError>(load, {"no data.pkl"});
  zip({{"a/data.pkl", "\x80\2N."}, {"b/data.pkl", "\x80\2N."}});
  expect_error<FormatError>(load, {"more than one data.pkl"});
  zip({{"a/data.pkl", "\x80\2N."}, {"a/constants.pkl", ""}});
  EXPECT_TRUE(io::load_torch(dir / "x.pt").is_none());  // of TorchScript the values are taken
  zip({{"a/data.pkl", "\x80\2N."}, {"a/byteorder", "middle"}});
  expect_error<FormatError>(load, {"byte order"});
  zip({{"a/data.pkl", tensor_pickle()},
       {"a/byteorder", "big"},
       {"a/data/0", std::string("\x3f\x80\0\0\x40\0\0\0", 8)}});
  expect_same(io::load_torch(dir / "x.pt").to_tensor(), tensor({1.0, 2.0}));
  const auto big = [&](const char* storage, const std::string& bytes) {
    const std::string zero("K\0", 2);
    zip({{"a/data.pkl", tensor_pickle(zero, "K\2\x85", "K\1\x85", "K\2", storage)},
         {"a/byteorder", "big"},
         {"a/data/0", bytes}});
    return io::load_torch(dir / "x.pt").to_tensor();
  };
  expect_same(big("HalfStorage", std::string("\x3c\0\x40\0", 4)), tensor({1.0, 2.0}, kHalf));
  expect_same(big("ByteStorage", "\1\2"), tensor({1, 2}, kByte));
  expect_same(big("DoubleStorage", std::string("\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0", 16)),
              tensor({1.0, 2.0}, kDouble));
  write_file(dir / "x.pt", "");
  expect_error<FormatError>(load, {"x.pt", "0 bytes"});
  write_file(dir / "x.pt", "nonsense of some length, which is no archive");
  expect_error<FormatError>(load, {"x.pt", "zip"});
}

}  // namespace taut::test
