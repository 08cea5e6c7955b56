// Files that TensorBoard reads: numbers, histograms, pictures, sounds, text, curves and settings of a run.
//   taut::report::EventWriter writer("runs/first");
//   writer.scalar("loss/train", loss, step);
// Then: tensorboard --logdir runs
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "taut/tensor.h"

namespace taut::report {

/// A message of Protocol Buffers, written field by field.
class Proto {
 public:
  Proto& integer(int field, int64_t value);
  Proto& real(int field, double value);        // a double
  Proto& single(int field, float value);       // a float
  Proto& text(int field, std::string_view s);  // a string, bytes or a message
  Proto& message(int field, const Proto& m) { return text(field, m.bytes()); }
  Proto& reals(int field, const std::vector<double>& values);      // packed
  Proto& singles(int field, const float* values, size_t n);        // packed
  Proto& integers(int field, const std::vector<int64_t>& values);  // packed
  const std::string& bytes() const { return bytes_; }

 private:
  void key(int field, int type);
  void varint(uint64_t v);
  std::string bytes_;
};

/// The messages of TensorBoard, as bytes: what EventWriter puts into events.
namespace summary {

using Setting = std::variant<double, bool, std::string>;

/// `modern` writes it as a tensor, which newer readers prefer, and keeps a double if it is `precise`.
std::string scalar(const std::string& tag, double value, bool precise = false, bool modern = false);
/// Counts of values between edges; without edges, those of TensorBoard: exponential, on both sides of zero. At most
/// `max_bins` counts, if it is not 0.
std::string histogram(const std::string& tag, const Tensor& values, const std::vector<double>& edges = {},
                      int64_t max_bins = 0);
std::string histogram_raw(const std::string& tag, double min, double max, double num, double sum, double sum_squares,
                          const std::vector<double>& limits, const std::vector<double>& counts);
/// `layout` names the dimensions of the picture, such as CHW, HWC, HW or NCHW (a grid of eight in a row). Floats are
/// from 0 to 1.
std::string image(const std::string& tag, const Tensor& image, const std::string& layout = "CHW");
/// The pixels of such a picture: uint8 [H, W, 1, 3 or 4].
Tensor pixels(const Tensor& image, const std::string& layout = "CHW");
/// Frames [N, T, C, H, W] of a film as a GIF; N films side by side.
std::string video(const std::string& tag, const Tensor& frames, double fps = 4);
/// One channel of samples from -1 to 1, as a WAV file of 16 bits.
std::string audio(const std::string& tag, const Tensor& samples, int64_t sample_rate = 44100);
std::string text(const std::string& tag, const std::string& text);
/// Precision and recall of predictions from 0 to 1 for labels 0 and 1, at thresholds.
std::string pr_curve(const std::string& tag, const Tensor& labels, const Tensor& predictions,
                     int64_t num_thresholds = 127, const Tensor& weights = {});
/// The same from counts: [6, thresholds] of true and false positives, true and false negatives, precision, recall.
std::string pr_curve_raw(const std::string& tag, const Tensor& data);
/// Points [B, N, 3] with colours [B, N, 3] and triangles [B, M, 3], which may be undefined.
std::string mesh(const std::string& tag, const Tensor& vertices, const Tensor& colors, const Tensor& faces,
                 const std::string& config_json);
/// The settings of a run and the metrics it gives: an experiment, the start and the end of a session.
std::vector<std::string> hparams(const std::vector<std::pair<std::string, Setting>>& settings,
                                 const std::vector<std::string>& metrics,
                                 const std::map<std::string, std::vector<Setting>>& discrete = {});
/// How TensorBoard lays out charts of several scalars: {category: {chart: (kind, tags)}}, kind Multiline or Margin.
using Layout = std::vector<
    std::pair<std::string, std::vector<std::pair<std::string, std::pair<std::string, std::vector<std::string>>>>>>;
std::string layout(const Layout& charts);

}  // namespace summary

/// Appends events to a file of its own in a directory. Any thread may call any method. What was added is on its way to
/// the disk at flush(), at close() and when the writer goes; and by itself after `flush_seconds`.
class EventWriter {
 public:
  explicit EventWriter(const std::string& directory, const std::string& suffix = "", double flush_seconds = 120);
  ~EventWriter();
  EventWriter(EventWriter&&) noexcept;

  const std::string& path() const;

  void scalar(const std::string& tag, double value, int64_t step, std::optional<double> wall_time = {});
  void histogram(const std::string& tag, const Tensor& values, int64_t step, std::optional<double> wall_time = {});
  void image(const std::string& tag, const Tensor& image, int64_t step, const std::string& layout = "CHW",
             std::optional<double> wall_time = {});
  void audio(const std::string& tag, const Tensor& samples, int64_t step, int64_t sample_rate = 44100,
             std::optional<double> wall_time = {});
  void text(const std::string& tag, const std::string& text, int64_t step, std::optional<double> wall_time = {});
  void pr_curve(const std::string& tag, const Tensor& labels, const Tensor& predictions, int64_t step,
                int64_t num_thresholds = 127, std::optional<double> wall_time = {});
  void hparams(const std::vector<std::pair<std::string, summary::Setting>>& settings,
               const std::vector<std::string>& metrics);

  /// A summary, as the functions above make them; without a step, it has none.
  void add_summary(const std::string& summary, std::optional<int64_t> step, std::optional<double> wall_time = {});
  /// An event whose field `field` is these bytes: 4 for a graph, 8 for the run of one, 7 for the log of a session.
  void add_event(int field, const std::string& bytes, std::optional<int64_t> step = {},
                 std::optional<double> wall_time = {});
  void flush();
  /// Ends the file; a later event begins another one.
  void close();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// The checksum of records of TensorFlow: CRC-32C.
uint32_t crc32c(const void* data, size_t n);

}  // namespace taut::report
