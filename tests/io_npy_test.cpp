// NumPy's files: what NumPy wrote, round trips, and damaged files.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "io/zip.h"
#include "support/files.h"

namespace taut::test {

using Dict = OrderedDict<std::string, Tensor>;

static std::string npy(const std::string& dict, const std::string& data, int version = 1) {
  std::string s = std::string("\x93NUMPY", 6) + static_cast<char>(version) + '\0';
  const auto n = static_cast<uint32_t>(dict.size());
  s.append(reinterpret_cast<const char*>(&n), version == 1 ? 2 : 4);
  return s + dict + data;
}
static std::string header(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return str("{'descr': '", descr, "', 'fortran_order': ", fortran, ", 'shape': ", shape, ", }\n");
}

TEST(Npy, ReadsWhatNumPyWrote) {
  for (ScalarType t : kAllDtypes) {
    if (t == kBFloat16) continue;
    for (bool map : {true, false})
      expect_same(io::load_npy(golden_file(str("numpy_", dtype_name(t), ".npy")), {.map = map}), count(t, {2, 3}),
                  dtype_name(t));
  }
  for (const char* name : {"numpy_big.npy", "numpy_version2.npy", "numpy_version3.npy", "numpy_fortran.npy"})
    expect_same(io::load_npy(golden_file(name)), count(kFloat, {2, 3}), name);
  EXPECT_EQ(io::load_npy(golden_file("numpy_fortran.npy")).strides(), IntArrayRef({1, 2}));
  expect_same(io::load_npy(golden_file("numpy_big_i2.npy")), count(kShort, {2, 3}));
  expect_same(io::load_npy(golden_file("numpy_scalar.npy")), tensor(7.5, kDouble));
  expect_same(io::load_npy(golden_file("numpy_empty.npy")), empty({0, 3}));
}

TEST(Npy, LargeFilesAreReadByAnyNumberOfThreads) {
  TempDir dir;
  const Tensor x = arange(900001, kFloat);
  save(x, dir / "x.npy");
  const std::string all = read_file(dir / "x.npy");
  std::string read(all.size(), '?');
  const int before = get_num_threads();
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    expect_same(io::load_npy(dir / "x.npy", {.map = false}), x);
    const int fd = ::open((dir / "x.npy").c_str(), O_RDONLY);
    io::FileRead done = io::read_at(fd, 5, read.data(), all.size() - 5, /*checksum=*/true);
    EXPECT_EQ(done.error, 0);
    EXPECT_EQ(done.bytes, all.size() - 5);
    EXPECT_EQ(done.crc, io::crc32(all.data() + 5, all.size() - 5));
    EXPECT_EQ(all.compare(5, all.npos, read, 0, all.size() - 5), 0);
    EXPECT_EQ(io::read_at(fd, 10, read.data(), all.size(), false).bytes, all.size() - 10);
    ::close(fd);
    EXPECT_EQ(io::read_at(fd, 0, read.data(), all.size(), false).error, EBADF);
  }
  set_num_threads(before);
}

TEST(Npy, RoundTripOfEveryDtypeAndLayout) {
  TempDir dir;
  for (ScalarType t : kAllDtypes) {
    if (t == kBFloat16) continue;
    for (const Tensor& x : {count(t, {2, 3, 4}), count(t, {5, 7}).t(), count(t, {6}).slice(0, 0, 6, 2), count(t, {}),
                            count(t, {0, 3}), count(t, {100, 100})}) {
      save(x, dir / "x.npy");
      expect_same(io::load_npy(dir / "x.npy"), x, dtype_name(t));
    }
  }
  // A transposed matrix is written as it lies, and comes back so.
  save(count(kFloat, {5, 7}).t(), dir / "x.npy");
  EXPECT_EQ(io::load_npy(dir / "x.npy").strides(), IntArrayRef({1, 7}));
}

TEST(Npy, ElementsBeginAtAMultipleOf64Bytes) {
  TempDir dir;
  std::vector<int64_t> shape;
  for (int n = 0; n < 40; ++n, shape.push_back(1)) {
    io::save_npy(zeros(shape, kByte), dir / "x.npy");
    const std::string bytes = read_file(dir / "x.npy");
    EXPECT_EQ(bytes.size() % 64, 1u) << n;
    EXPECT_EQ(bytes[bytes.size() - 2], '\n') << n;
    EXPECT_LE(bytes.find('}') + 66, bytes.size() + 64) << n;
    EXPECT_LT(bytes.size() - bytes.find('}'), 68u) << n;  // no more than it takes
  }
}

TEST(Npy, WhatTautCannotHoldIsNamed) {
  expect_error<NotImplementedError>([] { io::load_npy(golden_file("numpy_object.npy")); },
                                    {"numpy_object.npy", "Python objects"});
  EXPECT_EQ(io::load_npy(golden_file("numpy_complex.npy")).scalar_type(), kComplexFloat);
  const std::string records = npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd");
  expect_error<NotImplementedError>([&] { io::parse_npy(records.data(), records.size()); }, {"records"});
}

TEST(Npy, HostileFilesAreRefused) {
  TempDir dir;
  const std::string path = dir / "x.npy";
  const std::string good = npy(header("<f4", "(1,)"), "abcd");
  struct Hostile {
    const char* what;
    std::string bytes, phrase;
  };
  std::string dims = "(1,";
  for (int i = 0; i < 100; ++i) dims += "1,";
  const std::vector<Hostile> files = {
      {"empty", "", "0 bytes"},
      {"only the magic", good.substr(0, 6), "6 bytes"},
      {"another format", "PK\3\4aaaaaaaaaaaa", "\\x93NUMPY"},
      {"version 0", npy(header("<f4", "(1,)"), "abcd", 0), "version 0"},
      {"version 4", npy(header("<f4", "(1,)"), "abcd", 4), "version 4"},
      {"header beyond the file", good.substr(0, 20), "longer than the file"},
      {"header of 4 GiB", std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), "longer than the file"},
      {"header over the limit", npy(std::string(70000, ' '), "", 2), "beyond the limit"},
      {"no dictionary", npy("[]", ""), "'{' should be"},
      {"empty dictionary", npy("{}", ""), "'descr' is missing"},
      {"no shape", npy("{'descr': '<f4', 'fortran_order': False}", ""), "'shape' is missing"},
      {"no order", npy("{'descr': '<f4', 'shape': ()}", "abcd"), "'fortran_order' is missing"},
      {"key twice", npy("{'descr': '<f4', 'descr': '<f4'}", ""), "occurs twice"},
      {"unknown key", npy("{'what': 1}", ""), "unknown key 'what'"},
      {"code", npy("{'descr': __import__('os'), }", ""), "a string should be"},
      {"text after the dictionary", npy(header("<f4", "(1,)") + "x", "abcd"), "after the header's dictionary"},
      {"string that does not end", npy("{'descr", ""), "does not end"},
      {"unknown dtype", npy(header("<q4", "(1,)"), "abcd"), "unknown dtype"},
      {"no dtype", npy(header("", "(1,)"), "abcd"), "unknown dtype"},
      {"no byte order", npy(header("|f4", "(1,)"), "abcd"), "no byte order"},
      {"order is no bool", npy(header("<f4", "(1,)", "0"), "abcd"), "neither True nor False"},
      {"shape is a number", npy(header("<f4", "1"), "abcd"), "'(' should be"},
      {"shape is no tuple", npy(header("<f4", "(1)"), "abcd"), "lacks a comma"},
      {"negative size", npy(header("<f4", "(-1,)"), "abcd"), "whole numbers"},
      {"huge size", npy(header("<f4", "(99999999999999999999,)"), "abcd"), "too large"},
      {"overflow", npy(header("<f4", "(4294967296, 4294967296)"), "abcd"), "overflows"},
      {"many dimensions", npy(header("<f4", dims + ")"), "abcd"), "more than 64"},
      {"a terabyte", npy(header("<f4", "(1000000000000,)"), "abcd"), "truncated"},
      {"too little data", npy(header("<f4", "(2,)"), "abcd"), "truncated"},
      {"too much data", npy(header("<f4", "(1,)"), "abcde"), "1 bytes follow the data"},
  };
  for (const auto& h : files) {
    write_file(path, h.bytes);
    expect_error<FormatError>([&] { io::load_npy(path); }, {"'" + path + "'", h.phrase}, h.what);
  }
}

TEST(Npz, ReadsWhatNumPyWrote) {
  const Dict stored = io::load_npz(golden_file("numpy_stored.npz"));
  EXPECT_EQ(stored.keys(), (std::vector<std::string>{"a", "b", "f"}));
  expect_same(stored["a"], count(kFloat, {2, 3}));
  expect_same(stored["b"], count(kLong, {3}));
  expect_same(stored["f"], count(kFloat, {2, 3}));
  const Dict deflated = io::load_npz(golden_file("numpy_deflated.npz"));
  expect_same(deflated["a"], count(kFloat, {2, 3}));
  expect_same(deflated["zeros"], zeros({100, 100}, kDouble));
  const Dict wide = io::load_npz(golden_file("numpy_zip64.npz"));
  expect_same(wide["a"], count(kFloat, {2, 3}));
  expect_same(wide["b"], count(kFloat, {2, 3}));
}

TEST(Npz, RoundTripStoredAndDeflated) {
  TempDir dir;
  Dict d;
  for (ScalarType t : kAllDtypes)
    if (t != kBFloat16) d.insert(dtype_name(t), count(t, {50, 60}));
  d.insert("ä/b", count(kFloat, {2, 3}).t());
  d.insert("empty", empty({0}));
  for (bool compressed : {false, true}) {
    io::save_npz(d, dir / "x.npz", compressed);
    const Dict back = io::load_npz(dir / "x.npz");
    ASSERT_EQ(back.size(), d.size());
    for (const auto& item : d) expect_same(back[item.key()], item.value(), item.key());
  }
}

TEST(Npz, Zip64RecordsAreWrittenAndReadWhereNumbersNeedThem) {
  for (uint64_t from : {uint64_t{0}, uint64_t{100}, uint64_t{0xffffffff}}) {
    io::StringOutput out;
    io::ZipWriter writer(out, from);
    writer.add("a.npy", npy(header("<f4", "(1,)"), std::string("\0\0\x80\x3f", 4)));
    writer.add("b.npy", npy(header("<f4", "(1,)"), std::string("\0\0\0\x40", 4)));
    writer.finish();
    const Dict d = io::parse_npz(out.text.data(), out.text.size());
    expect_same(d["a"], tensor({1.0}), str(from));
    expect_same(d["b"], tensor({2.0}), str(from));
  }
}

TEST(Npz, ArchivesHaveTheseBytesWhereverNumbersBeginToNeedZip64) {
  // Python's zipfile reads them all. An entry has 72 bytes, the second one begins at 136, the directory ends at 366.
  const std::vector<std::pair<uint64_t, uint32_t>> sums = {
      {0, 0xa41bf8bb},   {72, 0xae02653c},  {73, 0x833e04ac},  {136, 0x833e04ac},
      {137, 0x3fdde1d7}, {366, 0x3fdde1d7}, {367, 0x9c098c25}, {0xffffffff, 0x9c098c25}};
  for (const auto& [from, sum] : sums) {
    io::StringOutput out;
    io::ZipWriter writer(out, from);
    writer.add("a.npy", npy(header("<f4", "(1,)"), std::string("\0\0\x80\x3f", 4)));
    writer.add("b.npy", npy(header("<f4", "(1,)"), std::string("\0\0\0\x40", 4)));
    writer.finish();
    EXPECT_EQ(io::crc32(out.text.data(), out.text.size(), 0), sum) << from;
  }
}

TEST(Npz, AnEmptyArchiveHasNoArraysAndACommentMayFollow) {
  io::StringOutput out;
  io::ZipWriter(out).finish();
  ASSERT_EQ(out.text.size(), 22u);
  EXPECT_EQ(io::parse_npz(out.text.data(), out.text.size()).size(), 0u);
  std::string s = out.text;
  s[20] = 5;
  s += "words";
  EXPECT_EQ(io::parse_npz(s.data(), s.size()).size(), 0u);
  EXPECT_EQ(io::parse_npz(s.data(), 26).size(), 0u);  // what follows an archive is another matter
  for (const std::string& bad : {out.text.substr(1), "x" + s.substr(1)})
    expect_error<FormatError>([&] { io::parse_npz(bad.data(), bad.size()); }, {"zip archive"}, bad);
}

TEST(Npz, HostileZip64RecordsAreRefused) {
  io::StringOutput out;
  io::ZipWriter writer(out, 0);
  writer.add("a.npy", npy(header("<f4", "(1,)"), "abcd"));
  writer.finish();
  const std::string good = out.text;
  const size_t central = good.find("PK\1\2"), end64 = good.rfind("PK\6\6"), locator = good.rfind("PK\6\7");
  const size_t extra = central + 46 + 5;
  const auto refused = [&](const char* what, size_t at, const std::string& bytes, const char* phrase) {
    std::string s = good;
    s.replace(at, bytes.size(), bytes);
    expect_error<FormatError>([&] { io::parse_npz(s.data(), s.size()); }, {phrase}, what);
  };
  refused("end record beyond the file", locator + 8, std::string(8, '\x7f'),
          "its zip64 end record lies outside the file");
  refused("end record in the locator", locator + 8, {static_cast<char>(end64 + 1), static_cast<char>(end64 >> 8)},
          "its zip64 end record lies outside the file");
  refused("end record elsewhere", locator + 8, std::string(8, '\0'), "its zip64 end record is damaged");
  refused("another end record", end64 + 2, "x", "its zip64 end record is damaged");
  refused("an extra field that is too long", extra + 2, "\x20", "has a damaged extra field");
  refused("a zip64 field that is too short", extra + 2, "\x07", "has a damaged");
}

TEST(Npz, HostileArchivesAreRefused) {
  auto archive = [](const std::vector<std::pair<std::string, std::string>>& entries) {
    io::StringOutput out;
    io::ZipWriter writer(out);
    for (const auto& [name, data] : entries) writer.add(name, data);
    writer.finish();
    return out.text;
  };
  const std::string array = npy(header("<f4", "(1,)"), "abcd");
  const std::string good = archive({{"a.npy", array}, {"b.npy", array}});
  const size_t second = good.find("PK\3\4", 4), central = good.find("PK\1\2"), end = good.rfind("PK\5\6");
  auto changed = [&](size_t at, const std::string& bytes) {
    std::string s = good;
    return s.replace(at, bytes.size(), bytes);
  };
  const std::string four("\xff\xff\xff\x7f", 4);
  struct Hostile {
    const char* what;
    std::string bytes, phrase;
  };
  const std::vector<Hostile> files = {
      {"empty", "", "0 bytes"},
      {"no archive", std::string(100, 'a'), "does not end as a zip"},
      {"cut off", good.substr(0, good.size() - 1), "does not end as a zip"},
      {"directory beyond the file", changed(end + 16, four), "its directory should be"},
      {"directory of another size", changed(end + 12, std::string("\1\0\0\0", 4)), "its directory should be"},
      {"more entries than there are", changed(end + 8, std::string("\3\0\3\0", 4)), "claims 3 entries"},
      {"fewer entries than there are", changed(end + 8, std::string("\1\0\1\0", 4)), "more than the 1 entries"},
      {"parts", changed(end + 4, std::string("\1\0", 2)), "several parts"},
      {"entry without its mark", changed(central, "XX"), "entry 0 of its directory is damaged"},
      {"encrypted", changed(central + 8, std::string("\1\0", 2)), "encrypted"},
      {"unknown method", changed(central + 10, std::string("\x0c\0", 2)), "method 12"},
      {"stored with two sizes", changed(central + 20, std::string("\5\0\0\0", 4)), "stored, but 5 bytes"},
      {"entry outside", changed(central + 42, four), "outside of its place"},
      {"entry over another", changed(central + 20, std::string("\xff\3\0\0\xff\3\0\0", 8)), "runs into what follows"},
      {"two entries at one place", changed(central + 46 + 5 + 42, std::string(4, '\0')), "runs into what follows"},
      {"entry without header", changed(0, "XX"), "has no header"},
      {"another name in the header", changed(second + 30, "c"), "another name"},
      {"name beyond the directory", changed(central + 28, std::string("\xff\xff", 2)),
       "entry 0 of its directory is damaged"},
      {"wrong checksum", changed(central + 16, "abcd"), "checksum is wrong"},
      {"damaged data", changed(second - 1, "x"), "checksum is wrong"},
      {"a bomb", changed(central + 10, std::string("\10\0", 2)).replace(central + 24, 4, four), "inflate to"},
      {"deflated nonsense", changed(central + 10, std::string("\10\0", 2)), "inflates to fewer"},
      {"the same name twice", archive({{"a.npy", array}, {"a.npy", array}}), "occurs twice"},
      {"not an array", archive({{"a.txt", "hello"}}), "not an array"},
      {"a damaged array", archive({{"a.npy", "hello"}}), "entry 'a.npy'"},
  };
  TempDir dir;
  const std::string path = dir / "x.npz";
  for (const auto& h : files) {
    write_file(path, h.bytes);
    expect_error<FormatError>([&] { io::load_npz(path); }, {"'" + path + "'", h.phrase}, h.what);
  }
}

}  // namespace taut::test
