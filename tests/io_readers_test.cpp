// Readers of data sets: CSV, idx, pictures, lines.
#include <malloc.h>

#include <cmath>

#include "io/bytes.h"
#include "io/input.h"
#include "support/files.h"

namespace taut::test {

using io::CsvOptions;
using io::ImageMode;

// ---- CSV.

TEST(Csv, NumbersUnderAHeaderBecomeATensor) {
  const io::Csv csv = io::parse_csv("a,b,c\n1,2.5,-3e2\n+4, 5 ,1e-3\n");
  EXPECT_EQ(csv.columns, (std::vector<std::string>{"a", "b", "c"}));
  expect_same(csv.values, tensor({{1.0, 2.5, -300.0}, {4.0, 5.0, 1e-3}}));
}

TEST(Csv, FilesAndOptions) {
  TempDir dir;
  write_file(dir / "x.csv", "\xef\xbb\xbf\"first name\";x;y\r\nanna;1;2\r\n\r\n\"o\"\"b;\n\";3;4");
  CsvOptions options{.delimiter = ';', .columns = {"y", "x"}, .dtype = kLong};
  const io::Csv csv = io::read_csv(dir / "x.csv", options);
  EXPECT_EQ(csv.columns, (std::vector<std::string>{"y", "x"}));
  expect_same(csv.values, tensor({{2, 1}, {4, 3}}));
  const io::CsvText text = io::read_csv_text(dir / "x.csv", {.delimiter = ';'});
  EXPECT_EQ(text.columns[0], "first name");
  EXPECT_EQ(text.rows[1], (std::vector<std::string>{"o\"b;\n", "3", "4"}));
  const io::Csv plain = io::parse_csv("1,2\n3,4", {.header = false, .columns = {"1"}});
  expect_same(plain.values, tensor({{2.0}, {4.0}}));
}

TEST(Csv, MissingValuesAreNanOrWhatTheCallerSays) {
  const Tensor t = io::parse_csv("a,b,c\n1,,NA\n").values;
  EXPECT_EQ(t[0][0].item<float>(), 1);
  EXPECT_TRUE(std::isnan(t[0][1].item<float>()) && std::isnan(t[0][2].item<float>()));
  expect_same(io::parse_csv("a,b\n1,?\n", {.dtype = kLong, .fill = -1}).values, tensor({{1, -1}}));
  expect_error<FormatError>([] { io::parse_csv("a,b\n1,\n", {.dtype = kLong}); },
                            {"line 2, column 2", "missing", "`fill`"});
}

TEST(Csv, EveryDtypeAndItsRange) {
  for (ScalarType t : kAllDtypes) expect_same(io::parse_csv("a,b\n0,1\n", {.dtype = t}).values, tensor({{0, 1}}, t));
  expect_error<FormatError>([] { io::parse_csv("a\n256\n", {.dtype = kByte}); },
                            {"line 2, column 1", "'256'", "uint8"});
  expect_error<FormatError>([] { io::parse_csv("a\n-129\n", {.dtype = kChar}); }, {"int8"});
  expect_error<FormatError>([] { io::parse_csv("a\n99999999999999999999\n", {.dtype = kLong}); }, {"int64"});
  expect_error<FormatError>([] { io::parse_csv("a\n1.5\n", {.dtype = kLong}); }, {"not a whole number"});
  EXPECT_EQ(io::parse_csv("a\n9007199254740993\n", {.dtype = kLong}).values.item<int64_t>(), 9007199254740993);
  EXPECT_TRUE(std::isinf(io::parse_csv("a\n1e999\n").values.item<float>()));
}

TEST(Csv, ErrorsNameTheFileTheLineAndTheColumn) {
  TempDir dir;
  write_file(dir / "x.csv", "a,b\n1,2\n\"3\n\",4\n5,six\n");
  expect_error<FormatError>([&] { io::read_csv(dir / "x.csv", {.missing = {"3\n"}}); },
                            {dir / "x.csv", "line 5, column 2", "'six' is not a number"});
  expect_error<FormatError>([] { io::parse_csv("a,b\n1,2\n3\n"); }, {"line 3", "has 1 fields, the first has 2"});
  expect_error<FormatError>([] { io::parse_csv("a,b\n1,2,3\n"); }, {"line 2", "has 3 fields"});
  expect_error<FormatError>([] { io::parse_csv("a\n\"1\n2\n"); }, {"line 2, column 1", "does not end"});
  expect_error<FormatError>([] { io::parse_csv("a\n\"1\"2\n"); }, {"closing quote"});
  expect_error<FormatError>([] { io::parse_csv("a\n1\"2\n"); }, {"inside a field"});
  expect_error<FormatError>([] { io::parse_csv(""); }, {"is empty"});
  expect_error<ValueError>([] { io::parse_csv("a,b\n", {.columns = {"c"}}); }, {"no column 'c'"});
  expect_error<ValueError>([] { io::parse_csv("1,2\n", {.header = false, .columns = {"2"}}); }, {"no column '2'"});
  expect_error<ValueError>([] { io::parse_csv("a\n", {.delimiter = '"'}); }, {"must differ"});
  expect_error<FileError>([&] { io::read_csv(dir / "none.csv"); }, {"none.csv"});
}

TEST(Csv, TablesWithoutRowsHaveTheirColumns) {
  EXPECT_EQ(io::parse_csv("a,b\n").values.sizes(), IntArrayRef({0, 2}));
  EXPECT_EQ(io::parse_csv("", {.header = false}).values.sizes(), IntArrayRef({0, 0}));
}

// ---- idx.

static std::string idx(int type, const std::vector<uint32_t>& shape, const std::string& data) {
  std::string s{0, 0, static_cast<char>(type), static_cast<char>(shape.size())};
  for (uint32_t n : shape)
    for (int shift = 24; shift >= 0; shift -= 8) s += static_cast<char>(n >> shift & 255);
  return s + data;
}

TEST(Idx, PlainAndCompressedFilesHoldTheSame) {
  expect_same(io::read_idx(golden_file("digits.idx")), count(kByte, {2, 3, 4}));
  expect_same(io::read_idx(golden_file("digits.idx.gz")), count(kByte, {2, 3, 4}));
}

TEST(Idx, EveryTypeOfElements) {
  auto parse = [](const std::string& s) { return io::parse_idx(s.data(), s.size()); };
  expect_same(parse(idx(8, {2}, "\1\xff")), tensor({1, 255}, kByte));
  expect_same(parse(idx(9, {2}, "\1\xff")), tensor({1, -1}, kChar));
  expect_same(parse(idx(11, {2}, std::string("\0\1\xff\xfe", 4))), tensor({1, -2}, kShort));
  expect_same(parse(idx(12, {1}, std::string("\0\0\1\0", 4))), tensor({256}, kInt));
  expect_same(parse(idx(13, {1}, std::string("\x3f\x80\0\0", 4))), tensor({1.0}, kFloat));
  expect_same(parse(idx(14, {1}, std::string("\x3f\xf0\0\0\0\0\0\0", 8))), tensor({1.0}, kDouble));
  expect_same(parse(idx(8, {0, 5}, "")), empty({0, 5}, kByte));
}

TEST(Bytes, NothingBehindTheElementsIsTouched) {
  for (const ScalarType dtype : {kByte, kShort, kFloat, kDouble, kComplexFloat}) {
    const int64_t size = element_size(value_type(dtype));
    std::string bytes;
    for (int i = 0; i < 24; ++i) bytes += static_cast<char>(i);
    const std::string before = bytes;
    io::swap_bytes(bytes.data(), 2 * static_cast<uint64_t>(size), dtype);
    for (size_t i = 0; i < 24; ++i) {
      const auto n = static_cast<size_t>(size);
      EXPECT_EQ(bytes[i], i < 2 * n ? before[i / n * n + n - 1 - i % n] : before[i]) << size << " bytes, at " << i;
    }
  }
  const Tensor t = tensor({0, 2, 3, 5}, kByte);
  io::normalize_bools(t.view(kBool).narrow(0, 0, 3));
  expect_same(t, tensor({0, 1, 1, 5}, kByte));
}

TEST(Idx, HostileFilesAreRefused) {
  TempDir dir;
  const std::string path = dir / "x.idx", gz = read_file(golden_file("digits.idx.gz"));
  std::string bad_sum = gz;
  bad_sum[bad_sum.size() - 8] = static_cast<char>(bad_sum[bad_sum.size() - 8] ^ 1);
  const std::vector<std::tuple<const char*, std::string, std::string>> files = {
      {"empty", "", "0 bytes"},
      {"no magic", "abcdefgh", "two zero bytes"},
      {"unknown type", idx(10, {1}, "a"), "unknown type of elements 10"},
      {"too many dimensions", std::string({0, 0, 8, 100}), "100 dimensions"},
      {"cut off in the sizes", idx(8, {1, 2}, "").substr(0, 9), "truncated"},
      {"overflow", idx(8, {0xffffffff, 0xffffffff, 0xffffffff}, ""), "overflows"},
      {"too little", idx(8, {3}, "ab"), "truncated"},
      {"too much", idx(8, {1}, "ab"), "1 bytes follow"},
      {"gzip cut off", gz.substr(0, gz.size() - 12), "truncated"},
      {"gzip with a wrong checksum", bad_sum, "bytes follow|damaged"},
      {"gzip of nonsense", std::string("\x1f\x8b\x08") + std::string(40, 'x'), "damaged"},
      {"gzip and more", gz + "trailing", "damaged"},
  };
  for (const auto& [what, bytes, phrase] : files) {
    write_file(path, bytes);
    const bool either = phrase.find('|') != std::string::npos;
    expect_error<FormatError>(
        [&] { io::read_idx(path); },
        either ? std::vector<std::string>{"'" + path + "'"} : std::vector<std::string>{"'" + path + "'", phrase}, what);
  }
}

TEST(Lines, EndsOfAnySystemAreTakenOff) {
  TempDir dir;
  write_file(dir / "x.txt", "one\ntwo\r\n\nfour");
  EXPECT_EQ(io::read_lines(dir / "x.txt"), (std::vector<std::string>{"one", "two", "", "four"}));
  write_file(dir / "x.txt", "");
  EXPECT_TRUE(io::read_lines(dir / "x.txt").empty());
}

// ---- Pictures.

static Tensor picture() {
  const Tensor x = arange(7).expand({5, 7}), y = arange(5).unsqueeze(1).expand({5, 7});
  return stack({x * 30, y * 50, x + y}).to(kByte);
}

TEST(Image, PngOfEveryKind) {
  expect_same(io::read_image(golden_file("rgb.png")), picture());
  const Tensor rgba = io::read_image(golden_file("rgba.png"));
  expect_same(rgba, cat({picture(), full({1, 5, 7}, 128, kByte)}));
  expect_same(io::read_image(golden_file("gray.png")), picture().narrow(0, 0, 1));
  expect_same(io::read_image(golden_file("gray16.png")), (arange(7).expand({1, 5, 7}) * 9000).to(kInt));
  expect_same(io::read_image(golden_file("bits.png")), (arange(7).expand({1, 5, 7}) % 2 * 255).to(kByte));
  EXPECT_EQ(io::read_image(golden_file("palette.png")).sizes(), IntArrayRef({3, 5, 7}));
}

TEST(Image, JpegOfEveryKind) {
  for (const char* name : {"smooth.jpg", "progressive.jpg", "cmyk.jpg"}) {
    const Tensor t = io::read_image(golden_file(name)).to(kFloat);
    ASSERT_EQ(t.sizes(), IntArrayRef({3, 16, 16})) << name;
    EXPECT_TRUE(t.sub(tensor({200.0, 100.0, 50.0}).view({3, 1, 1})).abs().max().item<float>() <= 3) << name;
  }
  const Tensor gray = io::read_image(golden_file("gray.jpg"));
  EXPECT_EQ(gray.sizes(), IntArrayRef({1, 16, 16}));
  EXPECT_NEAR(gray.to(kFloat).mean().item<double>(), 200, 2);
}

TEST(Image, ModesConvert) {
  const std::string png = io::encode_png(picture());
  auto as = [&](ImageMode mode) { return io::decode_image(png.data(), png.size(), {.mode = mode}); };
  expect_same(as(ImageMode::RGB), picture());
  expect_same(as(ImageMode::RGBA), cat({picture(), full({1, 5, 7}, 255, kByte)}));
  const Tensor gray = as(ImageMode::Gray);
  ASSERT_EQ(gray.sizes(), IntArrayRef({1, 5, 7}));
  // 0.299 r + 0.587 g + 0.114 b of (180, 200, 10)
  EXPECT_EQ(gray[0][4][6].item<int64_t>(), 172);
  EXPECT_EQ(as(ImageMode::GrayAlpha).sizes(), IntArrayRef({2, 5, 7}));
  const std::string one = io::encode_png(picture()[0]);
  const Tensor rgb = io::decode_image(one.data(), one.size(), {.mode = ImageMode::RGB});
  for (int c = 0; c < 3; ++c) expect_same(rgb[c], picture()[0]);
  const std::string jpeg = io::encode_jpeg(full({3, 8, 8}, 77, kByte), 95);
  EXPECT_EQ(io::decode_image(jpeg.data(), jpeg.size(), {.mode = ImageMode::Gray}).sizes(), IntArrayRef({1, 8, 8}));
}

TEST(Image, ModesKeepTheCoverOrMakeOne) {
  const auto through = [](const Tensor& image, ImageMode mode) {
    const std::string png = io::encode_png(image);
    return io::decode_image(png.data(), png.size(), {.mode = mode});
  };
  const Tensor cover = (arange(35).view({1, 5, 7}) * 7).to(kByte), gray = picture().narrow(0, 1, 1);
  expect_same(through(cat({picture(), cover}), ImageMode::GrayAlpha).narrow(0, 1, 1), cover);
  expect_same(through(cat({picture(), cover}), ImageMode::RGB), picture());
  expect_same(through(cat({gray, cover}), ImageMode::RGBA), cat({gray, gray, gray, cover}));
  expect_same(through(cat({gray, cover}), ImageMode::Gray), gray);
  const Tensor wide = gray.to(kInt) * 257;
  expect_same(through(wide, ImageMode::GrayAlpha), cat({wide, full({1, 5, 7}, 65535, kInt)}));
  expect_same(through(gray, ImageMode::GrayAlpha), cat({gray, full({1, 5, 7}, 255, kByte)}));
}

TEST(Image, SettingsAtTheirBounds) {
  const Tensor dot = ones({1, 2, 2}, kByte), line = ones({1, 1, 65535}, kByte), longer = ones({1, 1, 65536}, kByte);
  for (const int level : {0, 9}) EXPECT_FALSE(io::encode_png(dot, level).empty());
  for (const int level : {-1, 10}) expect_error<ValueError>([&] { io::encode_png(dot, level); }, {str("got ", level)});
  for (const int quality : {1, 100}) EXPECT_FALSE(io::encode_jpeg(dot, quality).empty());
  for (const int q : {0, 101}) expect_error<ValueError>([&] { io::encode_jpeg(dot, q); }, {str("got ", q)});
  for (const Tensor& t : {line, line.transpose(1, 2)}) EXPECT_FALSE(io::encode_png(t).empty());
  for (const Tensor& t : {longer, longer.transpose(1, 2)})
    expect_error<ValueError>([&] { io::encode_png(t); }, {"cannot be written"});
  for (const int64_t value : {0, 65535}) EXPECT_FALSE(io::encode_png(full({1, 2, 2}, value, kInt)).empty());
  for (const int64_t value : {-1, 65536})
    expect_error<ValueError>([&] { io::encode_png(full({1, 2, 2}, value, kInt)); }, {"0 ... 65535"});
  for (const int64_t channels : {1, 2, 3, 4}) EXPECT_FALSE(io::encode_png(ones({channels, 2, 2}, kByte)).empty());
  for (const int64_t channels : {0, 2, 4})
    expect_error<ValueError>([&] { io::encode_jpeg(ones({channels, 2, 2}, kByte), 90); }, {str(channels, " channels")});
  expect_error<TypeError>([&] { io::encode_jpeg(dot.to(kInt), 90); }, {"expected uint8, got int32"});
  const std::string png = read_file(golden_file("rgb.png"));
  EXPECT_EQ(io::decode_image(png.data(), png.size(), {.max_pixels = 35}).sizes(), IntArrayRef({3, 5, 7}));
}

TEST(Image, NothingStaysBehindWhenAPictureIsWritten) {
  const Tensor noise = randint(0, 256, {3, 64, 64}, kByte);
  const auto held = [&] {
    io::encode_jpeg(noise, 90);
    io::encode_png(noise);
    return static_cast<int64_t>(mallinfo2().uordblks);
  };
  const int64_t before = held(), size = static_cast<int64_t>(io::encode_jpeg(noise, 90).size());
  for (int k = 0; k < 20; ++k) held();
  EXPECT_LT(held() - before, 2 * size);
}

TEST(Image, RoundTripsThroughPng) {
  TempDir dir;
  for (int64_t c = 1; c <= 4; ++c) {
    const Tensor bytes = randint(256, {c, 6, 9}).to(kByte), wide = randint(65536, {c, 6, 9}).to(kInt);
    io::write_png(bytes, dir / "x.png");
    expect_same(io::read_image(dir / "x.png"), bytes);
    io::write_png(wide, dir / "x.png", 0);
    expect_same(io::read_image(dir / "x.png"), wide);
    io::write_png(bytes.transpose(1, 2), dir / "x.png", 9);
    expect_same(io::read_image(dir / "x.png"), bytes.transpose(1, 2).contiguous());
  }
  const Tensor smooth = (arange(64).view({8, 8}) * 3).to(kByte).expand({3, 8, 8});
  io::write_jpeg(smooth, dir / "x.jpg", 100);
  EXPECT_LE(io::read_image(dir / "x.jpg").to(kFloat).sub(smooth).abs().max().item<float>(), 4);
}

TEST(Image, WritingRefusesWhatIsNoPicture) {
  TempDir dir;
  expect_error<TypeError>([&] { io::write_png(ones({3, 2, 2}), dir / "x.png"); }, {"uint8", "float32"});
  expect_error<ValueError>([&] { io::write_png(ones({5, 2, 2}, kByte), dir / "x.png"); }, {"5 channels"});
  expect_error<ValueError>([&] { io::write_jpeg(ones({4, 2, 2}, kByte), dir / "x.jpg"); }, {"4 channels"});
  expect_error<ValueError>([&] { io::write_png(ones({2}, kByte), dir / "x.png"); }, {"[C, H, W]"});
  expect_error<ValueError>([&] { io::write_png(Tensor(), dir / "x.png"); }, {"[C, H, W]"});
  expect_error<ValueError>([&] { io::write_png(ones({1, 0, 2}, kByte), dir / "x.png"); }, {"cannot be written"});
  expect_error<ValueError>([&] { io::write_png(full({1, 2, 2}, 65536, kInt), dir / "x.png"); }, {"65535"});
  expect_error<ValueError>([&] { io::write_png(ones({1, 2, 2}, kByte), dir / "x.png", 10); }, {"level"});
  expect_error<ValueError>([&] { io::write_jpeg(ones({1, 2, 2}, kByte), dir / "x.jpg", 0); }, {"quality"});
  EXPECT_EQ(dir.count(), 0u);
}

TEST(Image, DamagedPicturesAreRefusedAtEveryPlace) {
  TempDir dir;
  for (const char* name : {"rgb.png", "palette.png", "gray16.png", "smooth.jpg", "progressive.jpg"}) {
    const std::string good = read_file(golden_file(name));
    const std::string path = dir / name;
    for (size_t n = 0; n < good.size() - 2; n += 7) {
      write_file(path, good.substr(0, n));
      expect_error<FormatError>([&] { io::read_image(path); }, {"'" + path + "'"}, str(name, " cut at ", n));
    }
    for (size_t i = 0; i < good.size(); ++i) {  // any change: an error or a picture, never a crash
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ 0x55);
      try {
        io::decode_image(bad.data(), bad.size(), {.max_pixels = 1 << 20});
      } catch (const Error&) {}
    }
  }
  expect_error<FormatError>([] { io::decode_image("hello", 5, {}, "the upload"); }, {"the upload", "neither"});
}

TEST(Image, ATruncatedPngIsSaidToBeTruncated) {
  const std::string good = read_file(golden_file("rgb.png"));
  for (size_t n = 8; n < good.size() - 12; ++n) {  // the last chunk has nothing in it
    const std::string cut = good.substr(0, n);
    expect_error<FormatError>([&] { io::decode_image(cut.data(), n); }, {"it is truncated"}, str("cut at ", n));
  }
}

TEST(Image, PicturesThatAreTooLargeAreRefusedBeforeMemoryIsAskedFor) {
  std::string png = read_file(golden_file("rgb.png"));
  expect_error<FormatError>([&] { io::decode_image(png.data(), png.size(), {.max_pixels = 34}); },
                            {"7 x 5", "max_pixels"});
  expect_error<ValueError>([&] { io::decode_image(png.data(), png.size(), {.max_pixels = 0}); }, {"max_pixels"});
  // 8000 x 8000 pixels in the header of a small file, with the right checksum.
  const std::string header("\0\0\0\x0dIHDR\0\0\x1f\x40\0\0\x1f\x40\x08\2\0\0\0", 21);
  std::string big = png.substr(0, 8) + header;
  uint32_t crc = ~0u;
  for (size_t i = 4; i < header.size(); ++i) {
    crc ^= static_cast<uint8_t>(header[i]);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  crc = ~crc;
  for (int shift = 24; shift >= 0; shift -= 8) big += static_cast<char>(crc >> shift & 255);
  big += png.substr(33);
  reset_peak_memory_stats();
  const int64_t before = memory_stats().allocated;
  expect_error<FormatError>([&] { io::decode_image(big.data(), big.size()); },
                            {"cannot hold a picture of 8000 x 8000"});
  std::string jpeg = read_file(golden_file("smooth.jpg"));
  const size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, jpeg.npos);
  jpeg.replace(frame + 5, 4, std::string("\x1f\x40\x1f\x40", 4));
  expect_error<FormatError>([&] { io::decode_image(jpeg.data(), jpeg.size()); },
                            {"cannot hold a picture of 8000 x 8000"});
  EXPECT_LT(memory_stats().peak - before, 1 << 20);
}

// ---- What all of them read from.

TEST(Input, ATensorBeyondTheEndIsTruncated) {
  const TempDir dir;
  write_file(dir / "x", std::string(10'000, 'a'));
  for (const bool map : {true, false}) {
    io::LoadOptions options;
    options.map = map;
    const io::Input file = io::Input::open(dir / "x", options);
    EXPECT_EQ(file.tensor(2'000, {2'000}, kFloat).numel(), 2'000);
    EXPECT_EQ(file.tensor(10'000, {0}, kFloat).numel(), 0);
    for (const uint64_t at : {uint64_t{2'004}, uint64_t{8'000}, uint64_t{10'000}, uint64_t{1} << 63})
      expect_error<FormatError>([&] { file.tensor(at, {2'000}, kFloat); }, {"is truncated: a tensor of shape [2000]"});
  }
}

}  // namespace taut::test
