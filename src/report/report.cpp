// Collects what a report shows, and writes the page.
#include "taut/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <variant>

#include "report/chart.h"
#include "report/markup.h"
#include "report/style.h"
#include "taut/core/error.h"
#include "taut/io/image.h"
#include "taut/ops.h"

namespace taut {

using report::escape;
using report::format;

namespace {

struct ChartSection {
  std::vector<report::Curve> curves;
  ChartOptions options;
};
struct Gallery {
  std::vector<std::pair<std::string, std::string>> pictures;  // address, caption
};
/// Markup that is ready but for its card.
struct Block {
  std::string markup;
  bool half = false;  // narrow enough to stand beside another, as charts do
};
struct Section {
  std::string title;
  std::variant<ChartSection, Gallery, Block> content;
};

/// The numbers of a matrix, row by row.
std::vector<double> numbers(const Tensor& t) {
  const Tensor d = t.detach().to(kDouble).contiguous();
  return {d.data_ptr<double>(), d.data_ptr<double>() + d.numel()};
}

/// The width that an <svg> element asks for, in pixels; 0 when it does not say.
double width_of(const std::string& svg) {
  const size_t at = svg.find(" width=\"");
  if (at == svg.npos || at > svg.find('>')) return 0;
  char* end = nullptr;
  const double width = std::strtod(svg.c_str() + at + 8, &end);
  if (!std::isfinite(width)) return 0;
  return std::strncmp(end, "pt", 2) == 0 ? width * 4 / 3 : *end == '"' || std::strncmp(end, "px", 2) == 0 ? width : 0;
}

bool is_number(const std::string& s) {
  return !s.empty() && s.find_first_of("0123456789") != s.npos && s.find_first_not_of("0123456789.,+-%e ") == s.npos;
}

}  // namespace

struct Report::Content {
  std::string title, subtitle;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Section> sections;

  /// The section of that title and kind, made on first need.
  template <class T>
  T& section(const std::string& name) {
    for (Section& s : sections)
      if (s.title == name)
        if (T* content = std::get_if<T>(&s.content)) return *content;
    sections.push_back({name, T{}});
    return std::get<T>(sections.back().content);
  }
  void add(const std::string& name, std::string markup, bool half = false) {
    sections.push_back({name, Block{std::move(markup), half}});
  }
};

Report::Report(std::string title, std::string subtitle) : content_(std::make_unique<Content>()) {
  content_->title = std::move(title);
  content_->subtitle = std::move(subtitle);
}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;

void Report::fact(const std::string& label, const std::string& value) {
  for (auto& [known, v] : content_->facts)
    if (known == label) return void(v = value);
  content_->facts.emplace_back(label, value);
}

void Report::text(const std::string& title, const std::string& paragraph) {
  content_->add(title, paragraph.empty() ? "" : str("<p>", escape(paragraph), "</p>"));
}

void Report::scalar(const std::string& name, double step, double value) {
  check<ValueError>(std::isfinite(step), "report: the step of '", name, "' must be finite, got ", step);
  const size_t slash = name.find('/');
  const std::string curve = slash == name.npos ? "" : name.substr(slash + 1);
  ChartSection& chart = content_->section<ChartSection>(name.substr(0, slash));
  const auto it =
      std::find_if(chart.curves.begin(), chart.curves.end(), [&](const auto& c) { return c.name == curve; });
  report::Curve& c = it == chart.curves.end() ? chart.curves.emplace_back() : *it;
  c.name = curve;
  // Steps go up; one that was written before is replaced.
  const auto at = static_cast<size_t>(std::lower_bound(c.x.begin(), c.x.end(), step) - c.x.begin());
  if (at < c.x.size() && c.x[at] == step) return void(c.y[at] = value);
  c.x.insert(c.x.begin() + static_cast<std::ptrdiff_t>(at), step);
  c.y.insert(c.y.begin() + static_cast<std::ptrdiff_t>(at), value);
}

void Report::chart(const std::string& name, ChartOptions options) {
  check<ValueError>(options.smoothing >= 0 && options.smoothing < 1, "report: smoothing must be in [0, 1), got ",
                    options.smoothing);
  for (const auto& limit : {options.y_min, options.y_max})
    check<ValueError>(!limit || (std::isfinite(*limit) && (!options.log_y || *limit > 0)),
                      "report: the limits of an axis must be finite, and positive on a logarithmic one, got ",
                      limit.value_or(0));
  check<ValueError>(!options.y_min || !options.y_max || *options.y_min < *options.y_max, "report: y_min ",
                    options.y_min.value_or(0), " is not below y_max ", options.y_max.value_or(0));
  content_->section<ChartSection>(name).options = std::move(options);
}

void Report::image(const std::string& gallery, const Tensor& image, const std::string& caption) {
  check<ValueError>(image.defined(), "report: expected an image, got an undefined tensor");
  const bool planar = image.dim() == 3 && (image.size(0) == 1 || image.size(0) == 3);
  check<ValueError>((image.dim() == 2 || planar) && image.numel() > 0,
                    "report: an image has the shape (H, W), (1, H, W) or (3, H, W), got ", image.sizes());
  const bool bytes = image.scalar_type() == kByte;
  check<TypeError>(bytes || image.is_floating_point() || image.scalar_type() == kBool,
                   "report: an image is made of floats from 0 to 1 or of bytes, got ", image.scalar_type());
  // A NaN is black.
  const Tensor pixels = bytes ? image : (image.detach().to(kFloat).nan_to_num(0) * 255).round().clamp(0, 255).to(kByte);
  content_->section<Gallery>(gallery).pictures.emplace_back(
      report::data_address("image/png", io::encode_png(pixels.contiguous())), caption);
}

void Report::table(const std::string& title, const std::vector<std::string>& header,
                   const std::vector<std::vector<std::string>>& rows) {
  for (const auto& row : rows)
    check<ValueError>(row.size() == header.size(), "report: the table '", title, "' has ", header.size(),
                      " columns, but a row has ", row.size());
  std::vector<bool> numeric(header.size(), !rows.empty());
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) numeric[i] = numeric[i] && is_number(row[i]);
  const auto cell = [&](const char* tag, size_t i, const std::string& s) {
    return str("<", tag, numeric[i] ? " class=\"number\">" : ">", escape(s), "</", tag, ">");
  };
  std::string s = "<div class=\"scroll\"><table class=\"table\"><thead><tr>";
  for (size_t i = 0; i < header.size(); ++i) s += cell("th", i, header[i]);
  s += "</tr></thead><tbody>";
  for (const auto& row : rows) {
    s += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) s += cell("td", i, row[i]);
    s += "</tr>";
  }
  content_->add(title, s + "</tbody></table></div>");
}

void Report::matrix(const std::string& title, const Tensor& values, const std::vector<std::string>& row_names,
                    const std::vector<std::string>& column_names, const std::string& row_title,
                    const std::string& column_title, bool diagonal) {
  check<ValueError>(values.defined() && values.dim() == 2, "report: a matrix has two dimensions, got ",
                    values.defined() ? str(values.sizes()) : "an undefined tensor");
  const auto rows = static_cast<size_t>(values.size(0)), columns = static_cast<size_t>(values.size(1));
  check<ValueError>(rows == row_names.size() && columns == column_names.size(), "report: the matrix '", title,
                    "' has the shape ", values.sizes(), ", but there are ", row_names.size(), " names of rows and ",
                    column_names.size(), " of columns");
  const std::vector<double> v = numbers(values);
  double largest = 0, largest_off = 0;
  for (size_t i = 0; i < v.size(); ++i)
    if (std::isfinite(v[i])) {
      largest = std::max(largest, std::abs(v[i]));
      if (i / columns != i % columns) largest_off = std::max(largest_off, std::abs(v[i]));
    }
  std::string s = "<div class=\"scroll\"><table class=\"matrix\"><thead>";
  if (!column_title.empty())
    s += str("<tr><th></th><th class=\"across\" colspan=\"", columns, "\">", escape(column_title), "</th></tr>");
  s += str("<tr><th class=\"corner\">", escape(row_title), "</th>");
  for (const auto& name : column_names) s += str("<th>", escape(name), "</th>");
  s += "</tr></thead><tbody>";
  for (size_t i = 0; i < rows; ++i) {
    s += str("<tr><th>", escape(row_names[i]), "</th>");
    for (size_t j = 0; j < columns; ++j) {
      const double value = v[i * columns + j];
      const bool off = diagonal && i != j;
      const double full = off ? largest_off : largest;
      const double share = full > 0 && std::isfinite(value) ? std::abs(value) / full : 0;
      const char* ink = off ? "bad" : diagonal ? "good" : "heat";
      const std::string place =
          row_title + " " + row_names[i] + ", " + column_title + " " + column_names[j] + ": " + format(value);
      s += str("<td title=\"", escape(place), "\"");
      if (share > 0)
        s += str(" style=\"background:rgba(var(--", ink, "),", report::coordinate(0.12 + (off ? 0.33 : 0.4) * share),
                 ")\"");
      else s += " class=\"zero\"";
      s += str(">", value == 0 && diagonal ? "·" : format(value), "</td>");
    }
    s += "</tr>";
  }
  content_->add(title, s + "</tbody></table></div>", columns <= 12);
}

void Report::svg(const std::string& title, const std::string& svg, const std::string& description) {
  const size_t begin = svg.find("<svg");
  check<ValueError>(begin != svg.npos, "report: the drawing '", title, "' is no SVG: it has no <svg> element");
  std::string drawing = svg.substr(begin);
  // A wide drawing shrinks to the page, but not until nobody can read it; then it scrolls.
  if (const double width = width_of(drawing); width > 0)
    drawing.insert(4, str(" style=\"width:100%;max-width:", std::lround(width),
                          "px;min-width:", std::lround(width * 0.6), "px\""));
  content_->add(title, str(description.empty() ? "" : str("<p>", escape(description), "</p>"),
                           "<div class=\"scroll drawing\">", drawing, "</div>"));
}

std::string Report::html() const {
  const Content& c = *content_;
  std::string s =
      str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          escape(c.title), "</title>\n<style>", report::kStyle, "</style>\n</head>\n<body>\n<main>\n<header><h1>",
          escape(c.title), "</h1>");
  if (!c.subtitle.empty()) s += str("<p class=\"subtitle\">", escape(c.subtitle), "</p>");
  s += "</header>\n";
  if (!c.facts.empty()) {
    s += "<dl class=\"facts\">";
    for (const auto& [label, value] : c.facts)
      s += str("<div><dt>", escape(label), "</dt><dd>", escape(value), "</dd></div>");
    s += "</dl>\n";
  }
  bool halves = false;
  for (const Section& section : c.sections) {
    const auto* chart = std::get_if<ChartSection>(&section.content);
    if (chart && chart->curves.empty()) continue;  // options without a point
    const auto* block = std::get_if<Block>(&section.content);
    if (const bool half = chart || (block && block->half); half != halves) {
      s += half ? "<div class=\"halves\">\n" : "</div>\n";
      halves = half;
    }
    if (chart) {
      s += str("<section class=\"card\">", chart_html(section.title, chart->curves, chart->options), "</section>\n");
      continue;
    }
    s += "<section class=\"card\">";
    if (!section.title.empty()) s += str("<h2>", escape(section.title), "</h2>");
    if (const auto* gallery = std::get_if<Gallery>(&section.content)) {
      s += "<div class=\"gallery\">";
      for (const auto& [address, caption] : gallery->pictures)
        s += str("<figure><img alt=\"", escape(caption), "\" title=\"", escape(caption), "\" src=\"", address,
                 "\"><figcaption>", escape(caption), "</figcaption></figure>");
      s += "</div>";
    } else {
      s += block->markup;
    }
    s += "</section>\n";
  }
  if (halves) s += "</div>\n";
  return s + "<footer>Written by Taut.</footer>\n</main>\n</body>\n</html>\n";
}

void Report::save(const std::string& path) const { io::save_bytes(html(), path); }

}  // namespace taut
