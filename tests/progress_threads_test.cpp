// The progress bar: what it draws and when, from one thread and from many.
#include <gtest/gtest.h>
#include <taut/data.h>
#include <taut/progress.h>
#include <taut/taut.h>

#include <atomic>
#include <sstream>
#include <thread>
#include <vector>

using namespace taut;

namespace {

/// A bar with a clock of ours.
struct Screen {
  std::ostringstream out;
  double time = 0;
  ProgressOptions options(bool terminal, int columns = 80) {
    ProgressOptions o;
    o.out = &out;
    o.terminal = terminal;
    o.unicode = false;
    o.columns = columns;
    o.now = [this] { return time; };
    return o;
  }
  std::string take() {
    std::string s = out.str();
    out.str("");
    return s;
  }
};

}  // namespace

TEST(Progress, RedrawsATerminalInPlaceAndNotTooOften) {
  Screen screen;
  Progress bar(200, "train", screen.options(true));
  for (int i = 0; i < 50; ++i) bar.step();
  EXPECT_EQ(screen.take(), "");
  screen.time = 10;
  bar.set("loss", 0.123456);
  bar.step(50);
  EXPECT_EQ(screen.take(), "\rtrain   50% |########........| 100/200  00:10 (00:10 left)  10.0/s  loss 0.1235\x1b[K");
  bar.step();
  EXPECT_EQ(screen.take(), "");
  screen.time = 20;
  bar.step(99);
  bar.finish();
  const std::string end = screen.take();
  EXPECT_NE(end.find("100% |"), end.npos);
  EXPECT_NE(end.find("200/200  00:20  10.0/s"), end.npos);
  EXPECT_EQ(end.back(), '\n');
  bar.finish();
  bar.step();
  EXPECT_EQ(screen.take(), "");
  EXPECT_EQ(bar.count(), 201u);
}

TEST(Progress, WritesPlainLinesElsewhere) {
  Screen screen;
  {
    Progress bar(4, "", screen.options(false));
    screen.time = 5;
    bar.step();
    EXPECT_EQ(screen.take(), "");
    screen.time = 12;
    bar.text("nearly\nthere");
    bar.step();
    EXPECT_EQ(screen.take(), " 50% |############............| 2/4  00:12 (00:12 left)  6.00 s each  nearly there\n");
  }
  EXPECT_EQ(screen.take(), " 50% |############............| 2/4  00:12 (00:12 left)  6.00 s each  nearly there\n");
}

TEST(Progress, AnUnknownTotalHasNoBar) {
  Screen screen;
  Progress bar(std::nullopt, "files", screen.options(false));
  screen.time = 3700;
  bar.step(7400);
  EXPECT_EQ(screen.take(), "files  7400  1:01:40  2.0/s\n");
}

TEST(Progress, FitsANarrowTerminalAndNothingToDo) {
  Screen screen;
  Progress bar(10, "a rather long label", screen.options(true, 30));
  screen.time = 1;
  bar.step();
  EXPECT_EQ(screen.take(), "\ra rather long label   10% 1/1\x1b[K");
  Progress none(0, "none", screen.options(false));
  none.finish();
  EXPECT_NE(screen.take().find("100%"), std::string::npos);
}

TEST(Progress, DrawsEighthsWhereTheLocaleCan) {
  Screen screen;
  ProgressOptions o = screen.options(false);
  o.unicode = true;
  Progress bar(192, "", o);
  screen.time = 20;
  bar.step(13);
  EXPECT_NE(screen.take().find("|█▋                      |"), std::string::npos);
}

TEST(Progress, GoesThroughARange) {
  Screen screen;
  std::vector<int> numbers{1, 2, 3};
  int sum = 0;
  auto bar = progress(numbers, "sum", screen.options(false));
  for (int n : bar) sum += n, bar.set("sum", sum);
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(bar.count(), 3u);
  const std::string line = screen.take();
  EXPECT_NE(line.find("3/3"), line.npos);
  EXPECT_NE(line.find("sum 6"), line.npos);
}

TEST(Progress, GoesThroughALoaderThatKnowsItsSize) {
  Screen screen;
  data::BatchLoader loader({arange(10)}, true, data::DataLoaderOptions(3));
  int64_t sum = 0;
  for (auto& batch : progress(loader, "", screen.options(false))) sum += batch[0].sum().item<int64_t>();
  EXPECT_EQ(sum, 45);
  EXPECT_NE(screen.take().find("4/4"), std::string::npos);
}

TEST(Progress, ManyThreadsMayStep) {
  Screen screen;
  ProgressOptions o = screen.options(true);
  std::atomic<int> clock{0};
  o.now = [&clock] { return ++clock * 0.01; };
  Progress bar(4000, "", o);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&bar, t] {
      for (int i = 0; i < 1000; ++i) {
        bar.step();
        bar.set("t" + std::to_string(t), i);
      }
    });
  for (auto& t : threads) t.join();
  bar.finish();
  EXPECT_EQ(bar.count(), 4000u);
  EXPECT_NE(screen.take().find("4000/4000"), std::string::npos);
}
