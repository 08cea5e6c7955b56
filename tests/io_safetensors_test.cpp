// The safetensors format: round trips, files of the Python library, and every way a file can be wrong.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <sstream>

#include "support/files.h"

// Every allocation of the program is counted, to see what a hostile header costs.
static std::atomic<size_t> live_bytes = 0, peak_bytes = 0;
static void* counted(size_t n) {
  void* p = std::malloc(n ? n : 1);
  if (!p) throw std::bad_alloc();
  const size_t now = live_bytes += malloc_usable_size(p);
  size_t peak = peak_bytes;
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now)) {}
  return p;
}
static void uncounted(void* p) noexcept {
  if (p) live_bytes -= malloc_usable_size(p);
  std::free(p);
}
void* operator new(size_t n) { return counted(n); }
void* operator new[](size_t n) { return counted(n); }
void* operator new(size_t n, const std::nothrow_t&) noexcept {
  try {
    return counted(n);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* p) noexcept { uncounted(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { uncounted(p); }
void operator delete[](void* p) noexcept { uncounted(p); }
void operator delete(void* p, size_t) noexcept { uncounted(p); }
void operator delete[](void* p, size_t) noexcept { uncounted(p); }

namespace taut::test {

using io::TensorDict;

static std::string file_with(const std::string& header, const std::string& data = "") {
  const uint64_t n = header.size();
  return std::string(reinterpret_cast<const char*>(&n), 8) + header + data;
}
static std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                         const std::string& offsets) {
  return str('"', name, R"(":{"dtype":")", dtype, R"(","shape":)", shape, R"(,"data_offsets":)", offsets, '}');
}

static TensorDict all_dtypes() {
  TensorDict d;
  for (ScalarType t : kAllDtypes) d.insert(dtype_name(t), count(t, {2, 3}));
  return d;
}

TEST(Safetensors, RoundTripOfEveryDtypeKeepsValuesAndOrder) {
  TempDir dir;
  TensorDict tensors = all_dtypes();
  tensors.insert("scalar", tensor(7.5));
  tensors.insert("empty", empty({0, 3}));
  tensors.insert("transposed", count(kFloat, {2, 3}).t());
  tensors.insert("a \"strange\"\n\x01 näme 🎉", tensor({1, 2}));
  io::save_safetensors(tensors, dir / "x.safetensors", {{"key", "välue\n\""}, {"", ""}});
  for (bool map : {true, false}) {
    const io::Safetensors file = io::load_safetensors(dir / "x.safetensors", {.map = map});
    EXPECT_EQ(file.tensors.keys(), tensors.keys());
    for (const auto& item : tensors) expect_same(file.tensors[item.key()], item.value(), item.key());
    EXPECT_EQ(file.metadata, (io::Metadata{{"key", "välue\n\""}, {"", ""}}));
  }
  EXPECT_EQ(dir.count(), 1u);  // no temporary stays
}

TEST(Safetensors, ReadsWhatThePythonLibraryWrites) {
  const io::Safetensors file = io::load_safetensors(golden_file("library.safetensors"));
  EXPECT_EQ(file.tensors.size(), 13u);
  for (ScalarType t : kAllDtypes) expect_same(file.tensors[dtype_name(t)], count(t, {2, 3}), dtype_name(t));
  expect_same(file.tensors["scalar"], tensor(7.5));
  expect_same(file.tensors["empty"], empty({0, 3}));
  expect_same(file.tensors["ä \"quoted\"\n"], count(kShort, {3}));
  EXPECT_EQ(file.metadata.at("format"), "pt");
  EXPECT_EQ(file.metadata.at("note"), "tab\tand €");
}

TEST(Safetensors, TheSameTensorsGiveTheSameBytes) {
  EXPECT_EQ(io::format_safetensors(all_dtypes()), io::format_safetensors(all_dtypes()));
  const std::string bytes = io::format_safetensors(all_dtypes(), {{"a", "b"}});
  const io::Safetensors back = io::parse_safetensors(bytes.data(), bytes.size());
  EXPECT_EQ(io::format_safetensors(back.tensors, back.metadata), bytes);
}

TEST(Safetensors, WritingToALoadedTensorDoesNotChangeTheFile) {
  TempDir dir;
  const std::string path = dir / "x.safetensors";
  TensorDict tensors;
  tensors.insert("big", ones({100, 100}));
  io::save_safetensors(tensors, path);
  const std::string before = read_file(path);
  Tensor t = io::load_safetensors(path).tensors["big"];
  t.fill_(3);
  EXPECT_EQ(t.sum().item<double>(), 30000);
  EXPECT_EQ(read_file(path), before);
  // Saving over the file while the mapped tensor lives replaces the file and leaves the tensor alone.
  io::save_safetensors(tensors, path);
  EXPECT_EQ(t[5][5].item<double>(), 3);
  std::filesystem::remove(path);
  EXPECT_EQ(t[99][99].item<double>(), 3);
}

TEST(Safetensors, BytesOfBoolsOtherThanOneAreTrue) {
  const std::string bytes = file_with("{" + entry("b", "BOOL", "[3]", "[0,3]") + "}", std::string("\0\1\7", 3));
  const Tensor b = io::parse_safetensors(bytes.data(), bytes.size()).tensors["b"];
  expect_same(b, tensor({false, true, true}));
  EXPECT_EQ(b.sum().item<int64_t>(), 2);
}

TEST(Safetensors, UnalignedTensorsAreCopied) {
  const std::string data(8192 + 1, '\1');
  TempDir dir;
  write_file(
      dir / "x",
      file_with("{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "F32", "[2048]", "[1,8193]") + "}", data));
  const io::Safetensors f = io::load_safetensors(dir / "x");
  EXPECT_EQ(f.tensors["b"].view({2048})[7].item<float>(), std::bit_cast<float>(0x01010101));
}

TEST(Safetensors, EmptyFilesWithoutTensorsAreFine) {
  const std::string bytes = file_with("{}");
  EXPECT_EQ(io::parse_safetensors(bytes.data(), bytes.size()).tensors.size(), 0u);
  EXPECT_EQ(io::format_safetensors({TensorDict("x")}).size() % 64, 0u);
}

TEST(Safetensors, WhitespaceAndEscapesAreReadAsJsonSays) {
  const std::string bytes = file_with(
      "{ \"__metadata__\" : { \"k\" : \"\\u00e4\\ud83c\\udf89\\/\\b\\f\\n\\r\\t\\\\\\\"\" } ,\n\t\"a\\u0062\" : { "
      "\"shape\" : [ 1 , 2 ] ,"
      " \"data_offsets\" : [ 0 , 2 ] , \"dtype\" : \"U8\" } }   ",
      "ab");
  const io::Safetensors f = io::parse_safetensors(bytes.data(), bytes.size());
  EXPECT_EQ(f.metadata.at("k"), "ä🎉/\b\f\n\r\t\\\"");
  expect_same(f.tensors["ab"], tensor({{97, 98}}, kByte));
}

TEST(Safetensors, EveryHexadecimalDigitCounts) {
  const auto read = [](const std::string& escape) {
    const std::string bytes = file_with("{\"__metadata__\":{\"k\":\"" + escape + "\"}}");
    return io::parse_safetensors(bytes.data(), bytes.size()).metadata.at("k");
  };
  EXPECT_EQ(read("\\u004f\\u004F\\u0039\\u0061\\u006a\\u006A\\u0030"), "OO9ajj0");
  EXPECT_EQ(read("\\uFEFF\\uabCD"), "\ufeff\uabcd");
  for (const char wrong : {'g', 'G', '/', ':', '@', '`', ' '})
    expect_error<FormatError>([&] { read(std::string("\\u004") + wrong); }, {"four hexadecimal digits"},
                              std::string(1, wrong));
}

TEST(Safetensors, LongNamesAreQuotedUpToAWholeCharacter) {
  for (const size_t before : {96, 97, 98, 99, 100, 101}) {
    const std::string bytes = file_with("{\"" + std::string(before, 'a') + "\u00e4\u00e4\U0001f389z\":7}");
    expect_error<FormatError>([&] { io::parse_safetensors(bytes.data(), bytes.size()); },
                              {str("tensor '", std::string(std::min<size_t>(before, 100), 'a'),
                                   before <= 96   ? "\u00e4\u00e4"
                                   : before <= 98 ? "\u00e4"
                                                  : "",
                                   "': its description")});
  }
}

TEST(Safetensors, AHeaderMayBeAsLongAsTheFormatAllows) {
  const auto claim = [](uint64_t n) {
    std::string bytes(8, '\0');
    for (int i = 0; i < 8; ++i) bytes[static_cast<size_t>(i)] = static_cast<char>(n >> 8 * i & 255);
    io::parse_safetensors(bytes.data(), bytes.size());
  };
  expect_error<FormatError>([&] { claim(100'000'000); }, {"the header should have 100000000 bytes, but only 0 follow"});
  expect_error<FormatError>([&] { claim(100'000'001); },
                            {"a header of 100000001 bytes is beyond the limit of 100000000"});
}

// ---- Hostile files.

struct Hostile {
  const char* what;
  std::string bytes;
  std::string phrase;
};

static std::vector<Hostile> hostile_files() {
  auto f32 = [](const std::string& name, const std::string& offsets) { return entry(name, "F32", "[1]", offsets); };
  auto tensor = [](const std::string& body) { return file_with("{\"a\":" + body + "}", "abcd"); };
  auto with_length = [](uint64_t n, const std::string& rest) {
    return std::string(reinterpret_cast<const char*>(&n), 8) + rest;
  };
  const std::string good = "{" + f32("a", "[0,4]") + "}";
  std::string deep = "{\"a\":";
  for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
  std::string lists = "{\"a\":{\"dtype\":\"U8\",\"shape\":";
  for (int i = 0; i < 100000; ++i) lists += "[";
  std::string dims = "[1";
  for (int i = 0; i < 100; ++i) dims += ",1";
  return {
      {"empty file", "", "0 bytes"},
      {"seven bytes", "1234567", "7 bytes"},
      {"header beyond the file", with_length(100, "{}"), "should have 100 bytes, but only 2 follow"},
      {"header of 2^63", with_length(uint64_t{1} << 63, "{}"), "beyond the limit"},
      {"header of 2^64 - 1", with_length(~uint64_t{0}, "{}"), "beyond the limit"},
      {"header over the format's limit", with_length(100000001, "{}"), "beyond the limit"},
      {"header of no bytes", with_length(0, ""), "does not start with '{'"},
      {"text of another kind", "{\"a\": 1, \"b\": 2, \"c\": 3}", "beyond the limit"},
      {"list instead of object", file_with("[]"), "does not start with '{'"},
      {"space before the object", file_with(" {}"), "does not start with '{'"},
      {"header that stops", file_with("{\"a\":{"), "a string should be"},
      {"header that stops in a string", file_with("{\"abc"), "ends inside a string"},
      {"header that stops in an escape", file_with("{\"a\\u00"), "four hexadecimal digits"},
      {"trailing comma", file_with("{" + f32("a", "[0,4]") + ",}", "abcd"), "a string should be"},
      {"missing comma", file_with("{" + f32("a", "[0,4]") + f32("b", "[4,8]") + "}", "abcdefgh"), "',' should be"},
      {"missing colon", file_with("{\"a\"{}}"), "':' should be"},
      {"single quotes", file_with("{'a':{}}"), "a string should be"},
      {"comment", file_with("{/**/}"), "a string should be"},
      {"text after the header", file_with(good + "x", "abcd"), "after the end of the header's JSON"},
      {"newline as padding", file_with(good + "\n", "abcd"), "after the end of the header's JSON"},
      {"control character", file_with("{\"a\x01\":{}}"), "control character"},
      {"bad escape", file_with("{\"\\x41\":{}}"), "unknown escape"},
      {"bad UTF-8", file_with("{\"\xff\":{}}"), "not UTF-8"},
      {"overlong UTF-8", file_with("{\"\xc0\xaf\":{}}"), "not UTF-8"},
      {"UTF-8 surrogate", file_with("{\"\xed\xa0\x80\":{}}"), "not UTF-8"},
      {"UTF-8 cut off", file_with("{\"\xe2\x82\":{}}"), "not UTF-8"},
      {"lone surrogate", file_with("{\"\\udc00\":{}}"), "surrogate"},
      {"surrogate without its half", file_with("{\"\\ud800x\":{}}"), "surrogate"},
      {"nested deep", file_with(deep), "unknown key"},
      {"lists nested deep", file_with(lists), "a number of the shape should be"},
      {"description is a number", tensor("1"), "not an object"},
      {"description is a list", tensor("[]"), "not an object"},
      {"description is empty", tensor("{}"), "dtype is missing"},
      {"no shape", tensor("{\"dtype\":\"F32\",\"data_offsets\":[0,4]}"), "shape is missing"},
      {"no offsets", tensor("{\"dtype\":\"F32\",\"shape\":[1]}"), "data_offsets is missing"},
      {"unknown key", tensor("{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":1}"), "unknown key 'x'"},
      {"dtype twice", tensor("{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}"),
       "dtype occurs twice"},
      {"shape twice", tensor("{\"dtype\":\"F32\",\"shape\":[1],\"shape\":[1],\"data_offsets\":[0,4]}"),
       "shape occurs twice"},
      {"unknown dtype", file_with("{" + entry("a", "F33", "[1]", "[0,4]") + "}", "abcd"), "unknown dtype 'F33'"},
      {"dtype is a number", tensor("{\"dtype\":32,\"shape\":[1],\"data_offsets\":[0,4]}"), "a string should be"},
      {"negative size", file_with("{" + entry("a", "F32", "[-1]", "[0,4]") + "}", "abcd"), "negative"},
      {"fraction", file_with("{" + entry("a", "F32", "[1.0]", "[0,4]") + "}", "abcd"), "not whole"},
      {"exponent", file_with("{" + entry("a", "F32", "[1e0]", "[0,4]") + "}", "abcd"), "not whole"},
      {"leading zero", file_with("{" + entry("a", "F32", "[01]", "[0,4]") + "}", "abcd"), "starts with 0"},
      {"size of 2^64", file_with("{" + entry("a", "F32", "[18446744073709551616]", "[0,4]") + "}", "abcd"),
       "too large"},
      {"product of 2^64", file_with("{" + entry("a", "F32", "[4294967296,4294967296]", "[0,0]") + "}"), "overflows"},
      {"product of 2^62 floats", file_with("{" + entry("a", "F32", "[4611686018427387904]", "[0,0]") + "}"),
       "overflows"},
      {"overflow hidden by a zero", file_with("{" + entry("a", "F32", "[4294967296,4294967296,0]", "[0,0]") + "}"),
       "overflows"},
      {"too many dimensions", file_with("{" + entry("a", "U8", dims + "]", "[0,1]") + "}", "a"), "more than 64"},
      {"shape is a text", file_with("{" + entry("a", "U8", "\"1\"", "[0,1]") + "}", "a"), "'[' should be"},
      {"one offset", file_with("{" + entry("a", "F32", "[1]", "[4]") + "}", "abcd"), "1 numbers"},
      {"three offsets", file_with("{" + entry("a", "F32", "[1]", "[0,4,4]") + "}", "abcd"), "more than two"},
      {"offsets run backwards", file_with("{" + entry("a", "F32", "[1]", "[4,0]") + "}", "abcd"), "backwards"},
      {"range too small", file_with("{" + entry("a", "F32", "[2]", "[0,4]") + "}", "abcd"), "needs 8"},
      {"range too large", file_with("{" + entry("a", "F32", "[1]", "[0,8]") + "}", "abcdefgh"), "needs 4"},
      {"range beyond the data", file_with("{" + f32("a", "[0,4]") + "}", "abc"), "which has only 3"},
      {"range far beyond the data", file_with("{" + entry("a", "U8", "[1000000000000]", "[0,1000000000000]") + "}"),
       "which has only 0"},
      {"overlap", file_with("{" + f32("a", "[0,4]") + "," + f32("b", "[2,6]") + "}", "abcdef"), "overlap"},
      {"same range twice", file_with("{" + f32("a", "[0,4]") + "," + f32("b", "[0,4]") + "}", "abcd"), "overlap"},
      {"gap", file_with("{" + f32("a", "[0,4]") + "," + f32("b", "[8,12]") + "}", "abcdefghijkl"),
       "belong to no tensor"},
      {"gap at the start", file_with("{" + f32("a", "[4,8]") + "}", "abcdefgh"), "belong to no tensor"},
      {"trailing bytes", file_with("{" + f32("a", "[0,4]") + "}", "abcdefgh"), "4 bytes after the last tensor"},
      {"data without tensors", file_with("{}", "abcd"), "4 bytes after the last tensor"},
      {"name twice", file_with("{" + f32("a", "[0,4]") + "," + f32("a", "[4,8]") + "}", "abcdefgh"),
       "'a' occurs twice"},
      {"name twice, once escaped", file_with("{" + f32("a", "[0,4]") + "," + f32("\\u0061", "[4,8]") + "}", "abcdefgh"),
       "'a' occurs twice"},
      {"metadata twice", file_with("{\"__metadata__\":{},\"__metadata__\":{}}"), "__metadata__ occurs twice"},
      {"metadata key twice", file_with("{\"__metadata__\":{\"k\":\"\",\"k\":\"\"}}"), "'k' occurs twice"},
      {"metadata is a number", file_with("{\"__metadata__\":{\"k\":1}}"), "not a string"},
      {"metadata is a list", file_with("{\"__metadata__\":[]}"), "'{' should be"},
      {"metadata is nested", file_with("{\"__metadata__\":{\"k\":{}}}"), "not a string"},
  };
}

TEST(Safetensors, EveryHostileFileIsRefusedWithItsNameAndTheReason) {
  TempDir dir;
  const std::string path = dir / "hostile.safetensors";
  const auto files = hostile_files();
  EXPECT_GE(files.size(), 60u);
  for (const Hostile& h : files) {
    write_file(path, h.bytes);
    expect_error<FormatError>([&] { io::load_safetensors(path); }, {"'" + path + "'", h.phrase}, h.what);
    expect_error<FormatError>([&] { io::parse_safetensors(h.bytes.data(), h.bytes.size(), "the upload"); },
                              {"the upload", h.phrase}, h.what);
  }
}

TEST(Safetensors, DtypesTautLacksAreNamed) {
  const std::string bytes = file_with("{" + entry("a", "F4", "[1]", "[0,4]") + "}", "abcd");
  expect_error<NotImplementedError>([&] { io::parse_safetensors(bytes.data(), bytes.size()); }, {"'a'", "F4"});
}

TEST(Safetensors, EveryTruncationAndEveryChangedHeaderByteIsRefusedOrHarmless) {
  TensorDict tensors;
  tensors.insert("weight", count(kFloat, {2, 3}));
  tensors.insert("bias", count(kLong, {2}));
  const std::string good = io::format_safetensors(tensors, {{"k", "v"}});
  for (size_t n = 0; n < good.size(); ++n) EXPECT_THROW(io::parse_safetensors(good.data(), n), FormatError) << n;
  for (size_t i = 0; i < good.size() - 40; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ 1 << bit);
      try {
        io::parse_safetensors(bad.data(), bad.size());
      } catch (const Error&) {}
    }
  }
}

TEST(Safetensors, AHostileHeaderNeedsNoMoreMemoryThanTheFileAndOneMebibyte) {
  TempDir dir;
  const std::string path = dir / "x.safetensors";
  std::vector<std::pair<const char*, std::string>> headers;
  std::string many = "{", metadata = "{\"__metadata__\":{", spaces = "{" + std::string(4 << 20, ' ');
  for (int i = 0; i < 60000; ++i) {
    many += entry(std::to_string(i), "U8", "[0]", "[0,0]") + ",";
    metadata += str('"', i, "\":\"\",");
  }
  headers.push_back({"many empty tensors, then an error", many + entry("0", "U8", "[0]", "[0,0]") + "}"});
  headers.push_back({"many empty tensors that do not end", many});
  headers.push_back({"metadata that does not end", metadata});
  headers.push_back({"metadata of nothing", metadata + "\"x\":\"\"}}"});
  headers.push_back({"spaces", spaces});
  headers.push_back({"a name of 4 MiB", "{\"" + std::string(4 << 20, 'a') + "\":1}"});
  for (const auto& [what, header] : headers) {
    write_file(path, file_with(header));
    const size_t size = header.size() + 8, before = live_bytes;
    reset_peak_memory_stats();
    const int64_t tensors_before = memory_stats().allocated;
    peak_bytes = before;
    EXPECT_THROW(io::load_safetensors(path), FormatError) << what;
    const size_t used = peak_bytes - before;
    EXPECT_LE(used, size + (1 << 20)) << what;
    EXPECT_LE(memory_stats().peak - tensors_before, 1 << 20) << what;
  }
}

TEST(Safetensors, AClaimOfATerabyteAsksForNoMemory) {
  TempDir dir;
  write_file(dir / "x", file_with("{" + entry("a", "F64", "[137438953472]", "[0,1099511627776]") + "}", "abcd"));
  const int64_t before = memory_stats().system_calls;
  EXPECT_THROW(io::load_safetensors(dir / "x"), FormatError);
  EXPECT_EQ(memory_stats().system_calls, before);
}

// ---- The system.

TEST(SaveAndLoad, FilesThatCannotBeOpenedAreNamedWithTheReason) {
  TempDir dir;
  expect_error<FileError>([&] { io::load_safetensors(dir / "none"); }, {dir / "none", "No such file"});
  expect_error<FileError>([&] { io::load_safetensors(dir.path().string()); }, {"is a directory"});
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  expect_error<FileError>([&] { io::load_safetensors(dir / "pipe"); }, {"not a regular file"});
  expect_error<FileError>([&] { save(ones(2), dir / "no/such/directory.safetensors"); }, {"No such file"});
  expect_error<FileError>([&] { save(ones(2), dir.path().string()); }, {"is a directory"});
}

TEST(SaveAndLoad, AFailedSaveLeavesTheOldFileAndNothingElse) {
  TempDir dir;
  const std::string path = dir / "x.safetensors";
  save(ones(2), path);
  const std::string before = read_file(path);
  TensorDict bad;
  bad.insert("a", ones(2));
  bad.insert("b", Tensor());
  expect_error<ValueError>([&] { save(bad, path); }, {"'b'", "undefined"});
  TensorDict name;
  name.insert("\xff", ones(2));
  expect_error<ValueError>([&] { save(name, path); }, {"UTF-8"});
  TensorDict reserved;
  reserved.insert("__metadata__", ones(2));
  expect_error<ValueError>([&] { save(reserved, path); }, {"__metadata__"});
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(dir.count(), 1u);
}

TEST(SaveAndLoad, AFullDiskIsAnErrorAndLeavesTheOldFile) {
  TempDir dir;
  const std::string path = dir / "x.safetensors";
  save(ones(2), path);
  const std::string before = read_file(path);
  struct rlimit old {};
  getrlimit(RLIMIT_FSIZE, &old);
  struct rlimit small = old;
  small.rlim_cur = 4096;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    save(ones({1000, 1000}), path);
  } catch (const FileError& e) {
    message = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(dir.count(), 1u);
}

TEST(SaveAndLoad, SavingThroughALinkKeepsTheLinkAndTheModeStays) {
  TempDir dir;
  save(ones(2), dir / "real.safetensors");
  chmod((dir / "real.safetensors").c_str(), 0640);
  std::filesystem::create_symlink(dir / "real.safetensors", dir / "link.safetensors");
  save(zeros(3), dir / "link.safetensors");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link.safetensors"));
  Tensor t;
  load(t, dir / "real.safetensors");
  expect_same(t, zeros(3));
  struct stat info {};
  stat((dir / "real.safetensors").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(SaveAndLoad, TheNameDecidesTheFormat) {
  TempDir dir;
  TensorDict dict;
  dict.insert("w", count(kFloat, {2, 3}));
  dict.insert("b", count(kLong, {2}));
  const std::vector<Tensor> list = {ones(2), zeros({2, 2})};
  for (const char* end : {"safetensors", "npz", "pt", "pth", "bin", "PT"}) {
    const std::string path = dir / (std::string("x.") + end);
    save(dict, path);
    TensorDict back;
    load(back, path);
    ASSERT_EQ(back.size(), 2u) << end;
    for (const auto& item : dict) expect_same(back[item.key()], item.value(), end);
    save(list, path);
    std::vector<Tensor> tensors;
    load(tensors, path);
    ASSERT_EQ(tensors.size(), 2u) << end;
    expect_same(tensors[1], list[1], end);
    save(list[0], path);
    Tensor one;
    load(one, path);
    expect_same(one, list[0], end);
    expect_error<ValueError>([&] { save(dict, path), load(one, path); }, {"holds 2 tensors"}, end);
    expect_error<ValueError>([&] { load(tensors, path); }, {"named tensors"}, end);
  }
  EXPECT_EQ(read_file(dir / "x.pt").substr(0, 2), "PK");
  save(list[1], dir / "x.npy");
  expect_same(load(dir / "x.npy")["0"], list[1]);
  expect_error<ValueError>([&] { save(list, dir / "x.npy"); }, {"Use .npz"});
  expect_error<ValueError>([&] { save(dict, dir / "x.npy"); }, {"Use .npz"});
  expect_error<TypeError>([&] { save(ones(2, kBFloat16), dir / "x.npy"); }, {"bfloat16", "safetensors"});
}

TEST(SaveAndLoad, CapitalsInANameMakeNoDifference) {
  TempDir dir;
  for (const auto& [lower, upper] : {std::pair{"x.pt", "x.Pt"}, {"x.npy", "x.NPY"}, {"x.npz", "y.nPZ"}}) {
    save(ones({2}), dir / lower);
    save(ones({2}), dir / upper);
    EXPECT_EQ(read_file(dir / upper).substr(0, 6), read_file(dir / lower).substr(0, 6)) << upper;
  }
  save(ones({2}), dir / "x.safetensors");
  EXPECT_NE(read_file(dir / "x.safetensors").substr(0, 2), "PK");
}

TEST(SaveAndLoad, StreamsHoldTheSameBytesAsFiles) {
  std::stringstream stream;
  save(count(kFloat, {2, 3}), stream);
  Tensor t;
  load(t, stream);
  expect_same(t, count(kFloat, {2, 3}));
  std::istringstream bad("nonsense");
  expect_error<FormatError>([&] { load(t, bad); }, {"the stream"});
}

struct AffineImpl : nn::Module {
  AffineImpl(int64_t in, int64_t out)
      : weight(register_parameter("weight", randn({out, in}))), bias(register_parameter("bias", randn({out}))) {}
  Tensor forward(const Tensor& x) { return x.matmul(weight.t()) + bias; }
  Tensor weight, bias;
};
TAUT_MODULE(Affine);

TEST(SaveAndLoad, ModulesKeepTheirValuesThroughEveryFormat) {
  TempDir dir;
  for (const char* end : {"safetensors", "pt", "npz"}) {
    const std::string path = dir / (std::string("model.") + end);
    Affine a(3, 4), b(3, 4);
    EXPECT_FALSE(a->weight.equal(b->weight));
    save(a, path);
    load(b, path);
    expect_same(a->weight, b->weight, end);
    expect_same(a->bias, b->bias, end);
    EXPECT_TRUE(b->weight.requires_grad());
    load(*b, path);
    save(*a, path);
    Affine other(3, 5);
    const Tensor before = other->weight.clone();
    expect_error<Error>([&] { load(other, path); }, {path, "weight"}, end);
    expect_same(other->weight, before, end);
  }
}

}  // namespace taut::test
