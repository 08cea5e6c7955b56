// Line charts: scales, ticks, curves thinned to what a screen shows, and one column per step that tells its values.
#include "report/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/markup.h"
#include "taut/core/error.h"

namespace taut::report {

namespace {

constexpr double kWidth = 640, kHeight = 330, kTop = 12, kRight = 16, kBottom = 46;
constexpr size_t kColours = 8, kColumns = 120, kBuckets = 400;
constexpr size_t kLines = 12;   // of text that appear under the mouse
constexpr size_t kSparse = 40;  // a curve with no more points shows each of them, and needs no smoothing

/// Round numbers, about `count` of them, within [low, high].
std::vector<double> round_ticks(double low, double high, int count) {
  const double raw = (high - low) / count, power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (double nice : {1.0, 2.0, 2.5, 5.0})
    if (raw <= nice * power) {
      step = nice * power;
      break;
    }
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) ticks.push_back(i * step);
  return ticks;
}

/// Powers of ten, and 2 and 5 times those where the range is small.
std::vector<double> log_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  const double every = std::max(1.0, std::ceil(decades / 7));
  std::vector<double> ticks;
  for (double e = std::floor(std::log10(low)); e <= std::ceil(std::log10(high)); e += every)
    for (double m : {1.0, 2.0, 5.0}) {
      const double v = m * std::pow(10, e);
      if ((m == 1 || decades < 2.2) && v >= low * 0.999 && v <= high * 1.001) ticks.push_back(v);
    }
  return ticks;
}

/// One axis: values to a place between `from` and `to`.
struct Scale {
  double low = 0, high = 1, from = 0, to = 1;
  bool log = false;
  double operator()(double v) const {
    const double t = log ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
    return from + std::clamp(t, -0.02, 1.02) * (to - from);
  }
};

struct Plot {
  const std::vector<Curve>& curves;
  const ChartOptions& options;
  Scale x, y;
  double left = 0;
  std::string value(double v) const { return options.percent ? format(std::round(v * 1e4) / 100) + "%" : format(v); }
  bool drawable(double v) const { return std::isfinite(v) && (!y.log || v > 0); }
};

std::vector<double> smoothed(const std::vector<double>& y, double factor) {
  // A running mean whose start is not drawn towards zero.
  std::vector<double> s(y.size());
  double mean = 0, weight = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    if (std::isfinite(y[i])) {
      mean = factor * mean + (1 - factor) * y[i];
      weight = factor * weight + (1 - factor);
    }
    s[i] = std::isfinite(y[i]) ? mean / weight : y[i];
  }
  return s;
}

/// The `d` of a path. Of many points in one column of the screen, the lowest and the highest are kept.
std::string path(const Plot& plot, const std::vector<double>& xs, const std::vector<double>& ys) {
  std::string d;
  bool pen_down = false;
  const auto point = [&](size_t i) {
    if (!plot.drawable(ys[i])) return void(pen_down = false);
    d += str(pen_down ? "L" : "M", coordinate(plot.x(xs[i])), " ", coordinate(plot.y(ys[i])));
    pen_down = true;
  };
  const size_t n = xs.size();
  if (n <= 2 * kBuckets) {
    for (size_t i = 0; i < n; ++i) point(i);
    return d;
  }
  for (size_t b = 0; b < kBuckets; ++b) {
    const size_t begin = b * n / kBuckets, end = (b + 1) * n / kBuckets;
    size_t low = begin, high = begin;
    bool gap = false;
    for (size_t i = begin; i < end; ++i) {
      gap |= !plot.drawable(ys[i]);
      if (ys[i] < ys[low]) low = i;
      if (ys[i] > ys[high]) high = i;
    }
    if (gap) {
      for (size_t i = begin; i < end; ++i) point(i);
      continue;
    }
    point(std::min(low, high));
    if (low != high) point(std::max(low, high));
  }
  return d;
}

std::string colour(size_t i) { return str("c", i % kColours + 1, i >= kColours ? " dashed" : ""); }

size_t nearest(const std::vector<double>& xs, double x) {
  const auto it = std::lower_bound(xs.begin(), xs.end(), x);
  if (it == xs.end()) return xs.size() - 1;
  const auto i = static_cast<size_t>(it - xs.begin());
  return i > 0 && x - xs[i - 1] < xs[i] - x ? i - 1 : i;
}

/// All places that some curve has, or kColumns of them.
std::vector<double> hover_places(const Plot& plot) {
  std::vector<double> xs;
  for (const Curve& c : plot.curves) xs.insert(xs.end(), c.x.begin(), c.x.end());
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  if (xs.size() <= kColumns) return xs;
  std::vector<double> fewer;
  for (size_t i = 0; i < kColumns; ++i) fewer.push_back(xs[i * (xs.size() - 1) / (kColumns - 1)]);
  return fewer;
}

/// What the curves have at a place: dots on them, and a line of text for each, up to kLines.
struct Readings {
  struct Line {
    size_t curve;
    std::string markup;
  };
  std::vector<Line> lines;
  std::string dots;
  size_t longest = 0;  // line, in characters
};
Readings readings_at(const Plot& plot, double place, double reach) {
  Readings r;
  for (size_t k = 0; k < plot.curves.size(); ++k) {
    const Curve& c = plot.curves[k];
    const size_t j = nearest(c.x, place);
    // A curve with fewer points tells its value at those only.
    if (std::abs(plot.x(c.x[j]) - plot.x(place)) > reach) continue;
    if (plot.drawable(c.y[j]))
      r.dots += str("<circle class=\"dot ", colour(k), "\" cx=\"", coordinate(plot.x(c.x[j])), "\" cy=\"",
                    coordinate(plot.y(c.y[j])), "\" r=\"3.5\"/>");
    if (r.lines.size() == kLines) continue;
    const std::string text = plot.value(c.y[j]);
    r.longest = std::max(r.longest, c.name.size() + 1 + text.size());
    r.lines.push_back({k, str(escape(c.name), " <tspan class=\"head\">", text, "</tspan>")});
  }
  return r;
}

/// Invisible columns; the one under the mouse shows a line, dots and the values.
std::string hover(const Plot& plot) {
  const std::vector<double> xs = hover_places(plot);
  const double bottom = kHeight - kBottom;
  std::string s;
  for (size_t i = 0; i < xs.size(); ++i) {
    const double x = plot.x(xs[i]);
    const double begin = i == 0 ? plot.left : (plot.x(xs[i - 1]) + x) / 2;
    const double end = i + 1 == xs.size() ? kWidth - kRight : (plot.x(xs[i + 1]) + x) / 2;
    const Readings r = readings_at(plot, xs[i], std::max(1.0, (end - begin) / 2 + 0.5));
    const std::string title = plot.options.x_label + " " + format(xs[i]);
    const double width =
        34 + 7.3 * static_cast<double>(std::max(r.longest, title.size() - std::min<size_t>(title.size(), 2)));
    const double height = 26 + 16 * static_cast<double>(r.lines.size());
    const double box = x + 12 + width > kWidth ? std::max(2.0, x - 12 - width) : x + 12;
    s += str("<g class=\"hover\"><rect x=\"", coordinate(begin), "\" y=\"", kTop, "\" width=\"",
             coordinate(end - begin), "\" height=\"", bottom - kTop, "\"/><g class=\"tip\"><path class=\"cross\" d=\"M",
             coordinate(x), " ", kTop, "V", bottom, "\"/>", r.dots, "<rect class=\"box\" x=\"", coordinate(box),
             "\" y=\"", kTop + 4, "\" width=\"", coordinate(width), "\" height=\"", coordinate(height),
             "\" rx=\"5\"/><text class=\"head\" x=\"", coordinate(box + 9), "\" y=\"", kTop + 20, "\">", escape(title),
             "</text>");
    for (size_t k = 0; k < r.lines.size(); ++k) {
      const double y = kTop + 20 + 16 * static_cast<double>(k + 1);
      s += str("<circle class=\"dot ", colour(r.lines[k].curve), "\" cx=\"", coordinate(box + 12), "\" cy=\"", y - 4,
               "\" r=\"3.5\"/><text x=\"", coordinate(box + 21), "\" y=\"", y, "\">", r.lines[k].markup, "</text>");
    }
    s += "</g></g>";
  }
  return s;
}

/// The range of the values that can be drawn; a flat curve gets some room.
void fit(Plot& plot) {
  double x0 = std::numeric_limits<double>::infinity(), x1 = -x0, y0 = x0, y1 = -x0;
  for (const Curve& c : plot.curves)
    for (size_t i = 0; i < c.x.size(); ++i) {
      x0 = std::min(x0, c.x[i]);
      x1 = std::max(x1, c.x[i]);
      if (!plot.drawable(c.y[i])) continue;
      y0 = std::min(y0, c.y[i]);
      y1 = std::max(y1, c.y[i]);
    }
  if (!(y0 <= y1)) y0 = plot.y.log ? 0.1 : 0, y1 = 1;
  if (plot.y.log) {
    if (y1 / y0 < 1.5) y0 /= 2, y1 *= 2;
    y0 /= std::pow(y1 / y0, 0.04);
    y1 *= std::pow(y1 / y0, 0.04);
  } else {
    const double room = y1 > y0 ? (y1 - y0) * 0.06 : std::max(std::abs(y1) * 0.1, 1e-12);
    // A curve that stays on one side of zero does not cross it for the sake of room.
    const bool positive = y0 >= 0, negative = y1 <= 0;
    y0 -= room;
    y1 += room;
    if (positive) y0 = std::max(y0, 0.0);
    if (negative && y0 < 0) y1 = std::min(y1, 0.0);
    if (plot.options.percent && y1 > 1 && y1 - 2 * room <= 1) y1 = std::max(1.0, y0 + 1e-9);
  }
  if (plot.options.y_min) y0 = *plot.options.y_min;
  if (plot.options.y_max) y1 = *plot.options.y_max;
  if (!(y1 > y0)) y1 = y0 + 1;
  if (!(x1 > x0)) x0 -= 0.5, x1 += 0.5;
  plot.x = {x0, x1, 0, kWidth - kRight, false};
  plot.y = {y0, y1, kHeight - kBottom, kTop, plot.y.log};
}

struct Ticks {
  std::vector<double> x, y;
};
/// Chooses them, and makes room for what is written beside the vertical axis.
Ticks place_ticks(Plot& plot) {
  const Ticks ticks{round_ticks(plot.x.low, plot.x.high, 7),
                    plot.y.log ? log_ticks(plot.y.low, plot.y.high) : round_ticks(plot.y.low, plot.y.high, 5)};
  size_t longest = 1;
  for (double t : ticks.y) longest = std::max(longest, plot.value(t).size());
  plot.left = 16 + 7.6 * static_cast<double>(longest) + (plot.options.y_label.empty() ? 0 : 18);
  plot.x.from = plot.left;
  return ticks;
}

std::string caption(const std::string& title, const Plot& plot) {
  std::string s = str("<figcaption><h3>", escape(title), "</h3>");
  if (!plot.options.description.empty()) s += str("<p>", escape(plot.options.description), "</p>");
  if (plot.curves.size() > 1) {
    s += "<ul class=\"legend\">";
    for (size_t k = 0; k < plot.curves.size(); ++k)
      s += str("<li><svg width=\"18\" height=\"10\" aria-hidden=\"true\"><path class=\"curve ", colour(k),
               "\" d=\"M1 5H17\"/></svg>", escape(plot.curves[k].name), "</li>");
    s += "</ul>";
  }
  return s + "</figcaption>";
}

std::string axes(const Plot& plot, const Ticks& ticks) {
  const double bottom = kHeight - kBottom;
  std::string s;
  for (double t : ticks.y) {
    const std::string y = coordinate(plot.y(t));
    s += str("<path class=\"grid\" d=\"M", coordinate(plot.left), " ", y, "H", kWidth - kRight,
             "\"/><text class=\"tick end\" x=\"", coordinate(plot.left - 8), "\" y=\"", coordinate(plot.y(t) + 4),
             "\">", plot.value(t), "</text>");
  }
  for (double t : ticks.x)
    s += str("<path class=\"mark\" d=\"M", coordinate(plot.x(t)), " ", bottom, "v5\"/><text class=\"tick middle\" x=\"",
             coordinate(plot.x(t)), "\" y=\"", bottom + 19, "\">", format(t), "</text>");
  s += str("<path class=\"axis\" d=\"M", coordinate(plot.left), " ", bottom, "H", kWidth - kRight, "\"/>");
  s += str("<text class=\"label middle\" x=\"", coordinate((plot.left + kWidth - kRight) / 2), "\" y=\"", kHeight - 8,
           "\">", escape(plot.options.x_label), "</text>");
  if (!plot.options.y_label.empty())
    s += str("<text class=\"label middle\" transform=\"translate(13 ", (kTop + bottom) / 2, ") rotate(-90)\">",
             escape(plot.options.y_label), "</text>");
  return s;
}

/// Curve number k: as it is, smoothed over it, and the points themselves where they are few.
std::string curve(const Plot& plot, size_t k) {
  const Curve& c = plot.curves[k];
  const bool sparse = c.x.size() <= kSparse, smooth = plot.options.smoothing > 0 && !sparse;
  std::string s = str("<path class=\"curve ", colour(k), smooth ? " raw" : "", "\" d=\"", path(plot, c.x, c.y), "\"/>");
  if (smooth)
    s += str("<path class=\"curve ", colour(k), "\" d=\"", path(plot, c.x, smoothed(c.y, plot.options.smoothing)),
             "\"/>");
  for (size_t i = 0; sparse && i < c.x.size(); ++i)
    if (plot.drawable(c.y[i]))
      s += str("<circle class=\"dot ", colour(k), "\" cx=\"", coordinate(plot.x(c.x[i])), "\" cy=\"",
               coordinate(plot.y(c.y[i])), "\" r=\"2.5\"/>");
  return s;
}

/// A sentence about values that the curves lack.
std::string warning(const Plot& plot) {
  size_t missing = 0;
  for (const Curve& c : plot.curves)
    for (double v : c.y) missing += !plot.drawable(v);
  if (missing == 0) return "";
  return str("<p class=\"warning\">", missing, missing == 1 ? " value is" : " values are",
             plot.y.log ? " not finite or not positive" : " not finite", " and cannot be drawn.</p>");
}

}  // namespace

std::string chart_html(const std::string& title, const std::vector<Curve>& curves, const ChartOptions& options) {
  Plot plot{curves, options, {}, {}, 0};
  plot.y.log = options.log_y;
  fit(plot);
  const Ticks ticks = place_ticks(plot);
  std::string s = str("<figure class=\"chart\">", caption(title, plot), "<svg viewBox=\"0 0 ", kWidth, " ", kHeight,
                      "\" role=\"img\" aria-label=\"", escape(title), "\">", axes(plot, ticks));
  for (size_t k = 0; k < curves.size(); ++k) s += curve(plot, k);
  return s + hover(plot) + "</svg>" + warning(plot) + "</figure>";
}

}  // namespace taut::report
