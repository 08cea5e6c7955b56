// Graph drawings and the HTML report.
#include <gtest/gtest.h>
#include <taut/graph.h>
#include <taut/report.h>
#include <taut/taut.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

using namespace taut;

namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// Every tag that is opened is closed, in order; attributes are quoted.
std::string unbalanced(const std::string& html) {
  std::vector<std::string> open;
  for (size_t at = html.find("<main>"); at < html.size(); ++at) {
    if (html[at] != '<') continue;
    const size_t end = html.find('>', at);
    const std::string tag = html.substr(at + 1, end - at - 1);
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected </" + tag.substr(1);
      open.pop_back();
      if (open.empty()) return "";
    } else if (tag.back() != '/' && tag.rfind("img", 0) != 0 && tag.rfind("!--", 0) != 0) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
    if (count(tag, "\"") % 2) return "odd quotes in <" + tag;
    at = end;
  }
  return "never closed";
}

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string data;
  uint32_t bits = 0, n = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(digits.find(c));
    if ((n += 6) >= 8) data += static_cast<char>(bits >> (n -= 8) & 255);
  }
  return data;
}

struct PathGuard {
  explicit PathGuard(const char* value) : before(std::getenv("PATH")) { setenv("PATH", value, 1); }
  ~PathGuard() { setenv("PATH", before.c_str(), 1); }
  std::string before;
};

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST(Graph, NamesOpsShapesAndLeaves) {
  const Tensor w = zeros({3, 2}, requires_grad()), x = ones({4, 3}), b = zeros({2}, requires_grad());
  const Tensor y = (x.matmul(w) + b).tanh();
  const std::string dot = graph::to_dot(y, {{"weight", w}, {"hidden", y}});
  EXPECT_TRUE(has(dot, "label=\"weight\\n[3, 2]\"")) << dot;
  EXPECT_TRUE(has(dot, "label=\"leaf\\n[2]\"")) << dot;
  EXPECT_TRUE(has(dot, "label=\"Tanh (hidden)\\n[4, 2]\", tooltip=\"TanhBackward0\"")) << dot;
  EXPECT_TRUE(has(dot, "label=\"Add\\n[4, 2]\"")) << dot;
  EXPECT_TRUE(has(dot, "label=\"result\\n[4, 2]\"")) << dot;
  EXPECT_EQ(count(dot, "->"), 5u) << dot;
  EXPECT_EQ(dot, graph::to_dot(y, std::map<std::string, Tensor>{{"weight", w}, {"hidden", y}}));
}

TEST(Graph, ALeafAndANodeUsedTwice) {
  const Tensor x = tensor(2.0, requires_grad());
  EXPECT_TRUE(has(graph::to_dot(x, {{"x", x}}), "label=\"x\\nscalar\""));
  const Tensor y = x * 2, z = y * y;
  EXPECT_EQ(count(graph::to_dot(z), "class=\"op\""), 2u);
}

TEST(Graph, ShowsTheShapeOfTheOutputThatIsUsed) {
  const Tensor x = zeros({3, 4}, requires_grad());
  const auto parts = x.split_with_sizes({1, 3}, 1);
  EXPECT_TRUE(has(graph::to_dot(parts[1].exp()), "[3, 3]"));
}

TEST(Graph, HostileNamesStayInsideTheirQuotes) {
  const Tensor x = tensor(2.0, requires_grad());
  const std::string dot = graph::to_dot(x, {{"a\"]; evil [label=\"\\", x}});
  EXPECT_TRUE(has(dot, R"(label="a\"]; evil [label=\"\\\nscalar")")) << dot;
}

TEST(Graph, ALongChainIsCutWithANote) {
  Tensor x = tensor(1.0, requires_grad());
  for (int i = 0; i < 200000; ++i) x = x + 1;
  const std::string dot = graph::to_dot(x, {}, {.max_nodes = 50});
  EXPECT_EQ(count(dot, "class=\"op\""), 50u);
  EXPECT_TRUE(has(dot, "only the 50 nodes nearest"));
  EXPECT_TRUE(has(dot, "1 edge leads"));
}

TEST(Graph, WithoutAGraphThereIsNothingToDraw) {
  EXPECT_TRUE(has(message([] { graph::to_dot(zeros({2})); }), "does not require grad"));
  EXPECT_TRUE(has(message([] { graph::to_dot(Tensor()); }), "undefined"));
  EXPECT_TRUE(has(message([] { graph::to_dot(zeros({2}, requires_grad()), {}, {.max_nodes = 0}); }), "max_nodes"));
}

TEST(Graph, SvgNeedsGraphvizAndSaysSo) {
  const Tensor x = tensor(2.0, requires_grad());
  {
    PathGuard nowhere("/nonexistent");
    EXPECT_TRUE(has(message([&] { graph::to_svg(x * x); }), "apt-get install graphviz"));
  }
  if (std::system("dot -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "Graphviz is not installed";
  Tensor y = x;
  for (int i = 0; i < 300; ++i) y = y * x;  // more text than a pipe holds
  const std::string svg = graph::to_svg(y, {{"x & <y>", x}});
  EXPECT_TRUE(has(svg, "<svg"));
  EXPECT_TRUE(has(svg, "</svg>"));
  EXPECT_TRUE(has(svg, "x &amp; &lt;y&gt;"));
  EXPECT_EQ(count(svg, "class=\"node op\""), 300u);
  EXPECT_EQ(count(svg, "class=\"node leaf\""), 301u);  // x beside each use
}

TEST(Report, IsOneWellFormedPageWithEverythingInIt) {
  Report report("Digits <& \"more\">", "A subtitle");
  report.fact("accuracy", "97%");
  report.fact("accuracy", "98%");
  for (int i = 0; i < 30; ++i) {
    report.scalar("loss/train", i, 1.0 / (i + 1));
    report.scalar("loss/test", i, 1.5 / (i + 1));
    report.scalar("norm", i, std::exp(-i));
  }
  report.chart("norm", {.description = "falls", .y_label = "size", .log_y = true});
  report.image("digits", arange(64, kFloat).reshape({8, 8}) / 63, "a 3\n93% sure");
  report.image("digits", zeros({3, 2, 2}, kByte), "black");
  report.table("Layers", {"name", "size"}, {{"conv", "144"}, {"fc", "10"}});
  report.matrix("Confusion", tensor({{5, 1}, {0, 6}}), {"a", "b"}, {"a", "b"}, "true", "said", true);
  report.svg("Graph", "<?xml version=\"1.0\"?><!DOCTYPE svg><svg><g/></svg>", "one step");
  report.text("Notes", "x < y");
  const std::string html = report.html();
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_TRUE(has(html, "<h1>Digits &lt;&amp; &quot;more&quot;&gt;</h1>"));
  EXPECT_TRUE(has(html, "98%"));
  EXPECT_FALSE(has(html, "97%"));
  EXPECT_EQ(count(html, "class=\"chart\""), 2u);
  EXPECT_EQ(count(html, "class=\"hover\""), 60u);
  EXPECT_EQ(count(html, "data:image/png;base64,"), 2u);
  EXPECT_FALSE(has(html, "<?xml"));
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "http"));
  EXPECT_TRUE(has(html, "x &lt; y"));
  EXPECT_TRUE(has(html, "true a, said b: 1"));
}

TEST(Report, APictureIsAPngOfItsPixels) {
  Report report("r");
  report.image("g", tensor({{0.0, 0.2, 1.0, 7.0, -1.0, std::nan("")}}));
  const std::string html = report.html(), mark = "data:image/png;base64,";
  const size_t begin = html.find(mark) + mark.size();
  const std::string png = from_base64(html.substr(begin, html.find('"', begin) - begin));
  const Tensor pixels = io::decode_image(png.data(), png.size());
  EXPECT_TRUE(pixels.equal(tensor({{{0, 51, 255, 255, 0, 0}}}, kByte))) << pixels;
}

TEST(Report, ValuesThatAreNotFiniteLeaveAGapAndAWarning) {
  Report report("r");
  for (int i = 0; i < 5; ++i) report.scalar("loss", i, i == 2 ? std::nan("") : i);
  report.scalar("loss", 5, INFINITY);
  const std::string html = report.html();
  EXPECT_TRUE(has(html, "2 values are not finite"));
  EXPECT_EQ(count(html, "nan\"") + count(html, "inf\""), 0u);
  EXPECT_EQ(unbalanced(html), "");
}

TEST(Report, OddDataStillDraws) {
  Report report("");
  report.scalar("one", 3, 7);
  report.scalar("flat", 0, 0);
  report.scalar("flat", 1, 0);
  report.scalar("only nan", 0, std::nan(""));
  report.scalar("negative on a log axis", 0, -1);
  report.chart("negative on a log axis", {.log_y = true});
  report.scalar("huge", 0, 1e300);
  report.scalar("huge", 1, -1e300);
  for (int i = 0; i < 5000; ++i) report.scalar("long", i, std::sin(i * 0.01) + (i == 2000 ? 10 : 0));
  for (int i = 0; i < 20; ++i) report.scalar("many/" + std::to_string(i), 0, i);
  report.chart("never drawn", {});
  const std::string html = report.html();
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_FALSE(has(html, "never drawn"));
  EXPECT_EQ(count(html, "\"nan") + count(html, "Mnan"), 0u);
  EXPECT_LT(html.size(), 400000u);
}

TEST(Report, StepsMayComeInAnyOrder) {
  Report report("r");
  report.scalar("loss", 2, 21.7);
  report.scalar("loss", 1, 10);
  report.scalar("loss", 2, 30);
  const std::string html = report.html();
  EXPECT_EQ(count(html, "class=\"hover\""), 2u);
  EXPECT_FALSE(has(html, "21.7"));
}

TEST(Report, AWideDrawingShrinksToThePage) {
  Report report("r");
  report.svg("a", "<svg width=\"600pt\" height=\"20pt\"></svg>");
  report.svg("b", "<svg viewBox=\"0 0 1 1\"><g width=\"3\"/></svg>");
  const std::string html = report.html();
  EXPECT_TRUE(has(html, "<svg style=\"width:100%;max-width:800px;min-width:480px\" width=\"600pt\""));
  EXPECT_TRUE(has(html, "<svg viewBox"));
}

TEST(Report, BadInputIsRefused) {
  Report report("r");
  EXPECT_TRUE(has(message([&] { report.scalar("x", INFINITY, 1); }), "must be finite"));
  EXPECT_TRUE(has(message([&] { report.chart("x", {.smoothing = 1}); }), "smoothing must be in [0, 1)"));
  EXPECT_TRUE(has(message([&] { report.chart("x", {.y_min = 2, .y_max = 1}); }), "is not below"));
  EXPECT_TRUE(has(message([&] { report.chart("x", {.log_y = true, .y_min = 0}); }), "positive on a logarithmic"));
  EXPECT_TRUE(has(message([&] { report.image("x", zeros({2, 2, 2})); }), "got [2, 2, 2]"));
  EXPECT_TRUE(has(message([&] { report.image("x", zeros({0, 2})); }), "got [0, 2]"));
  EXPECT_TRUE(has(message([&] { report.image("x", zeros({2, 2}, kLong)); }), "floats from 0 to 1"));
  EXPECT_TRUE(has(message([&] { report.image("x", Tensor()); }), "undefined"));
  EXPECT_TRUE(has(message([&] { report.table("t", {"a"}, {{"1", "2"}}); }), "1 columns, but a row has 2"));
  EXPECT_TRUE(has(message([&] { report.matrix("m", zeros({2, 2}), {"a"}, {"a", "b"}); }), "1 names of rows"));
  EXPECT_TRUE(has(message([&] { report.svg("s", "<html>"); }), "is no SVG"));
  EXPECT_TRUE(has(message([&] { report.save("/nonexistent/dir/r.html"); }), "cannot open"));
}

TEST(Report, SavingReplacesTheFile) {
  const std::string path = testing::TempDir() + "taut_report_test.html";
  Report report("first");
  report.save(path);
  Report("second").save(path);
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), Report("second").html());
  std::remove(path.c_str());
}
