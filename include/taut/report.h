// A training report: curves, pictures, tables and graphs, written as one HTML page that needs nothing else.
//   taut::Report report("Digits");
//   report.scalar("loss/train", step, loss);     // the curve `train` in the chart `loss`
//   report.save("report.html");
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/tensor.h"

namespace taut {

struct ChartOptions {
  std::string description = {};  // a sentence under the title
  std::string x_label = "step";
  std::string y_label = {};
  bool log_y = false;
  bool percent = false;  // values are fractions
  double smoothing = 0;  // in [0, 1): draws a running mean over the raw curve
  std::optional<double> y_min = {}, y_max = {};
};

/// Sections appear in the order in which they are first named. One thread at a time may use a report.
class Report {
 public:
  explicit Report(std::string title, std::string subtitle = "");
  ~Report();
  Report(Report&&) noexcept;

  /// A headline number at the top of the page.
  void fact(const std::string& label, const std::string& value);
  /// A heading and a paragraph; either may be empty.
  void text(const std::string& title, const std::string& paragraph);
  /// A point of a curve. `name` is "chart/curve", or "chart" when it has but one. Values that are not finite leave a
  /// gap, and the chart says so.
  void scalar(const std::string& name, double step, double value);
  /// How a chart looks; may come before or after its points.
  void chart(const std::string& name, ChartOptions options);
  /// A picture in a gallery: (H, W), (1, H, W) or (3, H, W); floats from 0 to 1, or bytes.
  void image(const std::string& gallery, const Tensor& image, const std::string& caption = "");
  void table(const std::string& title, const std::vector<std::string>& header,
             const std::vector<std::vector<std::string>>& rows);
  /// A matrix of numbers as coloured cells; of a confusion matrix (`diagonal`), mistakes have another colour.
  void matrix(const std::string& title, const Tensor& values, const std::vector<std::string>& row_names,
              const std::vector<std::string>& column_names, const std::string& row_title = "",
              const std::string& column_title = "", bool diagonal = false);
  /// A drawing, such as graph::to_svg() gives.
  void svg(const std::string& title, const std::string& svg, const std::string& description = "");

  std::string html() const;
  /// Writes html() to a file; replaces an older one as a whole.
  void save(const std::string& path) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace taut
