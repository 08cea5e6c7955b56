// The files that EventWriter writes, read back: records with checksums, and the messages in them.
#include "taut/event_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "taut/factories.h"
#include "taut/io/image.h"

namespace {

using taut::report::crc32c;
using taut::report::EventWriter;
namespace summary = taut::report::summary;

struct Message {
  std::map<int, std::vector<std::string>> texts;
  std::map<int, std::vector<uint64_t>> numbers;  // varints; fixed ones by their bits
  explicit Message(const std::string& data) {
    size_t at = 0;
    const auto varint = [&] {
      uint64_t v = 0;
      for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<uint8_t>(data.at(at++));
        v |= uint64_t{byte & 127u} << shift;
        if (byte < 128) return v;
      }
    };
    while (at < data.size()) {
      const uint64_t key = varint();
      const int field = static_cast<int>(key >> 3);
      if ((key & 7) == 0) {
        numbers[field].push_back(varint());
      } else if ((key & 7) == 2) {
        const size_t n = varint();
        texts[field].push_back(data.substr(at, n));
        at += n;
      } else {
        const size_t n = (key & 7) == 1 ? 8 : 4;
        uint64_t bits = 0;
        std::memcpy(&bits, data.data() + at, n);
        numbers[field].push_back(bits);
        at += n;
      }
    }
  }
  const std::string& text(int field) const { return texts.at(field).at(0); }
};

double as_double(uint64_t bits) { return std::bit_cast<double>(bits); }
float as_float(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

std::vector<Message> events(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  const std::string data = all.str();
  std::vector<Message> found;
  const auto masked = [](const std::string& s) {
    const uint32_t crc = crc32c(s.data(), s.size());
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
  };
  for (size_t at = 0; at < data.size();) {
    uint64_t n = 0;
    uint32_t of_length = 0, of_data = 0;
    std::memcpy(&n, data.data() + at, 8);
    std::memcpy(&of_length, data.data() + at + 8, 4);
    const std::string body = data.substr(at + 12, n);
    std::memcpy(&of_data, data.data() + at + 12 + n, 4);
    EXPECT_EQ(of_length, masked(data.substr(at, 8)));
    EXPECT_EQ(of_data, masked(body));
    found.emplace_back(body);
    at += 16 + n;
  }
  return found;
}

struct Directory {
  std::string path = testing::TempDir() + "events_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  Directory() { std::filesystem::remove_all(path); }
  ~Directory() { std::filesystem::remove_all(path); }
};

TEST(EventWriter, ChecksumIsThatOfTheStandard) { EXPECT_EQ(crc32c("123456789", 9), 0xe3069283u); }

TEST(EventWriter, ScalarsComeBackWithStepsAndTimes) {
  const Directory directory;
  EventWriter writer(directory.path, ".mine");
  writer.scalar("loss", 0.5, 3, 100.0);
  writer.scalar("loss", 0.25, 4);
  writer.flush();
  EXPECT_TRUE(writer.path().ends_with(".mine"));
  const auto found = events(writer.path());
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].text(3), "brain.Event:2");
  EXPECT_EQ(as_double(found[1].numbers.at(1)[0]), 100.0);
  EXPECT_EQ(found[1].numbers.at(2)[0], 3u);
  const Message value(Message(found[1].text(5)).text(1));
  EXPECT_EQ(value.text(1), "loss");
  EXPECT_EQ(as_float(value.numbers.at(2)[0]), 0.5f);
}

TEST(EventWriter, WritesWhenItGoesAndGoesOnInAnotherFileAfterClose) {
  const Directory directory;
  std::string first;
  {
    EventWriter writer(directory.path);
    first = writer.path();
    writer.text("note", "words", 0);
    writer.close();
    writer.text("note", "more", 1);
    EXPECT_NE(writer.path(), first);
  }
  EXPECT_EQ(events(first).size(), 2u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path), {}), 2);
}

TEST(EventWriter, PicturesAreTheirPixels) {
  const taut::Tensor image = taut::rand({3, 4, 5});
  const Message value(Message(summary::image("x", image)).text(1));
  const Message picture(value.text(4));
  EXPECT_EQ(picture.numbers.at(1)[0], 4u);
  EXPECT_EQ(picture.numbers.at(2)[0], 5u);
  const std::string& png = picture.text(4);
  const taut::Tensor back = taut::io::decode_image(png.data(), png.size());
  EXPECT_TRUE(back.equal((image * 255).to(taut::kUInt8)));
}

TEST(EventWriter, HistogramsCountWhatLiesBetweenTheirEdges) {
  const std::string made = summary::histogram("h", taut::tensor({0.5, 1.5, 1.5, 3.0}), {0, 1, 2, 3});
  const Message histogram(Message(Message(made).text(1)).text(5));
  EXPECT_EQ(as_double(histogram.numbers.at(3)[0]), 4);
  EXPECT_EQ(as_double(histogram.numbers.at(4)[0]), 6.5);
  const std::string& counts = histogram.text(7);
  std::vector<double> values(counts.size() / 8);
  std::memcpy(values.data(), counts.data(), counts.size());
  EXPECT_EQ(values, (std::vector<double>{0, 1, 2, 1}));
  EXPECT_THROW(summary::histogram("h", taut::empty({0})), taut::ValueError);
}

TEST(EventWriter, SettingsKeepTheirKinds) {
  const auto made = summary::hparams({{"lr", 0.1}, {"on", true}, {"name", std::string("sgd")}}, {"accuracy"});
  ASSERT_EQ(made.size(), 3u);
  const Message plugin{Message{Message{Message{made[0]}.text(1)}.text(9)}.text(1)};
  EXPECT_EQ(plugin.text(1), "hparams");
  const Message experiment(Message(plugin.text(2)).text(2));
  ASSERT_EQ(experiment.texts.at(4).size(), 3u);
  const uint64_t kinds[] = {3, 2, 1};
  for (size_t k = 0; k < 3; ++k) EXPECT_EQ(Message(experiment.texts.at(4)[k]).numbers.at(4)[0], kinds[k]);
}

TEST(EventWriter, APathWithAZeroByteIsNone) {
  const std::string path = testing::TempDir() + "zero_byte";
  EXPECT_THROW(EventWriter(path + std::string("\0x", 2)), taut::ValueError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(EventWriter, WhatHoldsNothingOrDoesNotFitIsNotDrawn) {
  const auto empty = taut::zeros({0, 3, 4, 4}), labels = taut::ones({2}), guesses = taut::full({2}, 0.5);
  EXPECT_THROW(summary::image("a", empty, "NCHW"), taut::ValueError);
  EXPECT_THROW(summary::video("a", taut::zeros({2, 0, 3, 4, 4}), 4), taut::ValueError);
  EXPECT_THROW(summary::pr_curve("a", labels, guesses, 0, {}), taut::ValueError);
  EXPECT_THROW(summary::pr_curve("a", labels, guesses, 5, taut::ones({1})), taut::ValueError);
  EXPECT_THROW(summary::pr_curve("a", labels, taut::full({2}, __builtin_nan("")), 5, {}), taut::ValueError);
  EXPECT_NO_THROW(summary::pr_curve("a", labels, guesses, 1, labels));
}

TEST(EventWriter, ADirectoryThatCannotBeMadeIsAnError) { EXPECT_ANY_THROW(EventWriter("/proc/nothing/here")); }

}  // namespace
