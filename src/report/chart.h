// Line charts as SVG.
#pragma once
#include <string>
#include <vector>

#include "taut/report.h"

namespace taut::report {

struct Curve {
  std::string name;
  std::vector<double> x, y;
};

/// A figure with title, legend, axes, curves, and values that show when the mouse is over them. Needs the page's style.
std::string chart_html(const std::string& title, const std::vector<Curve>& curves, const ChartOptions& options);

}  // namespace taut::report
