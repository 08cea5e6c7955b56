// A small picture in axes, for the examples that draw what they found: every mark is a function of distance to it.
#pragma once
#include <taut/taut.h>

#include <algorithm>
#include <string>

class Picture {
 public:
  /// What the picture shows: x from left to right, y from below to above.
  Picture(double left, double right, double below, double above, int64_t width = 960, int64_t height = 480)
      : image_(taut::ones({height, width, 3}, taut::kFloat)),
        x_(taut::linspace(left, right, width)),
        y_(taut::linspace(above, below, height).unsqueeze(1)),
        per_x_(static_cast<double>(width - 1) / (right - left)),
        per_y_(static_cast<double>(height - 1) / (above - below)) {}

  /// Where in x each column of pixels is.
  const taut::Tensor& x() const { return x_; }

  /// Colours what lies between two curves, given at each x().
  void band(const taut::Tensor& below, const taut::Tensor& above, const taut::Tensor& colour) {
    paint(taut::minimum(y_ - below, above - y_) * per_y_, colour);
  }
  /// A curve, given at each x().
  void line(const taut::Tensor& y, const taut::Tensor& colour, double width = 2) {
    const taut::Tensor slope = taut::gradient(y * per_y_)[0], steep = (1 + slope.square()).sqrt();
    paint(width / 2 - (y_ - y).abs() * per_y_ / steep, colour);
  }
  /// A round dot at each of the places.
  void dots(const taut::Tensor& x, const taut::Tensor& y, const taut::Tensor& colour, double radius = 3.5) {
    const auto reach = static_cast<int64_t>(radius) + 2;
    for (int64_t i = 0; i < x.numel(); ++i) {
      // Only what is near is looked at.
      const taut::Tensor right = (x_ - x[i]) * per_x_, up = (y_ - y[i]) * per_y_;
      const int64_t column = right.abs().argmin().item<int64_t>(), row = up.abs().argmin().item<int64_t>();
      const taut::indexing::Slice rows(std::max<int64_t>(row - reach, 0), row + reach),
          columns(std::max<int64_t>(column - reach, 0), column + reach);
      const taut::Tensor near = image_.index({rows, columns});
      near.copy_(mixed(near, radius - taut::hypot(right.index({columns}), up.index({rows})), colour));
    }
  }
  /// A picture of [H, W] grey levels from 0 to 1, every pixel `zoom` wide, its corner at this row and column.
  void inset(const taut::Tensor& grey, int64_t row, int64_t column, int64_t zoom) {
    const taut::Tensor big = grey.repeat_interleave(zoom, 0).repeat_interleave(zoom, 1).unsqueeze(-1);
    image_.narrow(0, row, big.size(0)).narrow(1, column, big.size(1)).copy_(big);
  }
  void save(const std::string& path) const {
    taut::io::write_png((image_.permute({2, 0, 1}) * 255).round().to(taut::kByte), path);
  }

 private:
  /// `inside` says how many pixels a pixel lies within the mark; edges are mixed.
  static taut::Tensor mixed(const taut::Tensor& image, const taut::Tensor& inside, const taut::Tensor& colour) {
    return taut::lerp(image, colour, (inside + 0.5).clamp(0, 1).to(taut::kFloat).unsqueeze(-1));
  }
  void paint(const taut::Tensor& inside, const taut::Tensor& colour) { image_.copy_(mixed(image_, inside, colour)); }

  taut::Tensor image_, x_, y_;
  double per_x_, per_y_;
};

inline taut::Tensor rgb(double red, double green, double blue) {
  return taut::tensor({red, green, blue}, taut::kFloat);
}
