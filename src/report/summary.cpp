// The messages of TensorBoard. Field numbers are those of its .proto files, which are named where a message begins.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "report/gif.h"
#include "taut/event_writer.h"
#include "taut/factories.h"
#include "taut/io/image.h"
#include "taut/ops.h"

namespace taut::report::summary {

namespace {

constexpr int kFloat = 1, kDoubleTensor = 2, kString = 7;  // types of tensors, types.proto

/// summary.proto: a Summary of one value; `fill` writes the field that holds it.
template <class Fill>
std::string value(const std::string& tag, Fill fill) {
  Proto v;
  v.text(1, tag);
  fill(v);
  return Proto().message(1, v).bytes();
}

/// summary.proto: SummaryMetadata that says which plugin shows the value.
Proto metadata(const std::string& plugin, const std::string& content = "") {
  Proto data;
  data.text(1, plugin);
  if (!content.empty()) data.text(2, content);
  return Proto().message(1, data);
}

/// tensor_shape.proto
Proto shape_of(IntArrayRef sizes) {
  Proto shape;
  for (const int64_t n : sizes) shape.message(2, Proto().integer(1, n));
  return shape;
}

/// tensor.proto: floats.
Proto floats(const Tensor& t) {
  const Tensor x = t.to(kFloat32).contiguous();
  return Proto()
      .integer(1, kFloat)
      .message(2, shape_of(x.sizes()))
      .singles(5, x.data_ptr<float>(), static_cast<size_t>(x.numel()));
}

std::vector<double> numbers(const Tensor& t) {
  const Tensor x = t.detach().to(kDouble).contiguous().view({-1});
  return {x.data_ptr<double>(), x.data_ptr<double>() + x.numel()};
}

/// The edges that TensorBoard's own histograms have.
const std::vector<double>& default_edges() {
  static const auto edges = [] {
    std::vector<double> positive, all;
    for (double v = 1e-12; v < 1e20; v *= 1.1) positive.push_back(v);
    for (auto v = positive.rbegin(); v != positive.rend(); ++v) all.push_back(-*v);
    all.push_back(0);
    all.insert(all.end(), positive.begin(), positive.end());
    return all;
  }();
  return edges;
}

/// Counts of the values in [edges[i], edges[i + 1]), the last one closed.
std::vector<double> counts_between(const std::vector<double>& values, const std::vector<double>& edges) {
  std::vector<double> counts(edges.size() - 1);
  for (const double v : values) {
    if (std::isnan(v) || v < edges.front() || v > edges.back()) continue;
    const auto at = std::upper_bound(edges.begin(), edges.end(), v) - edges.begin() - 1;
    counts[std::min(static_cast<size_t>(at), counts.size() - 1)] += 1;
  }
  return counts;
}

}  // namespace

std::string scalar(const std::string& tag, double x, bool precise, bool modern) {
  return value(tag, [&](Proto& v) {
    if (modern) {
      Proto tensor;
      tensor.integer(1, precise ? kDoubleTensor : kFloat).message(2, Proto());
      if (precise) tensor.reals(6, {x});
      else {
        const auto f = static_cast<float>(x);
        tensor.singles(5, &f, 1);
      }
      v.message(8, tensor).message(9, metadata("scalars"));
    } else {
      v.single(2, static_cast<float>(x));
    }
  });
}

std::string histogram_raw(const std::string& tag, double min, double max, double num, double sum, double sum_squares,
                          const std::vector<double>& limits, const std::vector<double>& counts) {
  check<ValueError>(limits.size() == counts.size(), "len(bucket_limits) != len(bucket_counts), see the document.");
  return value(tag, [&](Proto& v) {
    v.message(5, Proto()
                     .real(1, min)
                     .real(2, max)
                     .real(3, num)
                     .real(4, sum)
                     .real(5, sum_squares)
                     .reals(6, limits)
                     .reals(7, counts));
  });
}

std::string histogram(const std::string& tag, const Tensor& values, const std::vector<double>& edges,
                      int64_t max_bins) {
  const std::vector<double> x = numbers(values);
  check<ValueError>(!x.empty(), "The input has no element.");
  std::vector<double> limits = edges.empty() ? default_edges() : edges;
  check<ValueError>(limits.size() > 1, "a histogram has at least two edges");
  std::vector<double> counts = counts_between(x, limits);
  if (max_bins > 0 && static_cast<int64_t>(counts.size()) > max_bins) {  // several neighbours as one
    const size_t joined = counts.size() / static_cast<size_t>(max_bins);
    std::vector<double> fewer, fewer_limits;
    for (size_t i = 0; i < counts.size(); i += joined) {
      double total = 0;
      for (size_t j = i; j < std::min(i + joined, counts.size()); ++j) total += counts[j];
      fewer.push_back(total);
      fewer_limits.push_back(limits[i]);
    }
    fewer_limits.push_back(limits.back());
    counts.swap(fewer), limits.swap(fewer_limits);
  }
  // What lies outside of the first and the last value is left out, but for one empty count before the first.
  const auto used = [](double c) { return c > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), used);
  check<ValueError>(first != counts.end(), "The histogram is empty, please file a bug report.");
  const auto start = static_cast<size_t>(first - counts.begin());
  const auto end = static_cast<size_t>(counts.rend() - std::find_if(counts.rbegin(), counts.rend(), used));
  std::vector<double> kept(1, start > 0 ? counts[start - 1] : 0);
  kept.insert(kept.end(), first, counts.begin() + static_cast<ptrdiff_t>(end));
  const std::vector<double> kept_limits(limits.begin() + static_cast<ptrdiff_t>(start),
                                        limits.begin() + static_cast<ptrdiff_t>(end) + 1);
  double sum = 0, squares = 0;
  for (const double v : x) sum += v, squares += v * v;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return histogram_raw(tag, *low, *high, static_cast<double>(x.size()), sum, squares, kept_limits, kept);
}

Tensor pixels(const Tensor& image, const std::string& layout) {
  check<ValueError>(image.dim() == static_cast<int64_t>(layout.size()),
                    "size of input tensor and input format are different. tensor shape: ", image.sizes(),
                    ", input_format: ", layout);
  const auto at = [&](char name) { return static_cast<int64_t>(layout.find(name)); };
  const auto has = [&](char name) { return layout.find(name) != std::string::npos; };
  check<ValueError>(
      has('H') && has('W') && (layout.size() == 2 || has('C')) && (layout.size() < 4 || has('N')) && layout.size() <= 4,
      "You can not use the same dimension shordhand twice. input_format: ", layout);
  check<ValueError>(image.numel() > 0, "a picture of shape ", image.sizes(), " has no pixels");
  Tensor x = image.detach();
  if (layout.size() == 2) x = x.permute({at('H'), at('W')}).unsqueeze(2);
  if (layout.size() == 3) x = x.permute({at('H'), at('W'), at('C')});
  if (layout.size() == 4) {  // eight in a row
    x = x.permute({at('N'), at('H'), at('W'), at('C')});
    const int64_t n = x.size(0), columns = std::min<int64_t>(n, 8), rows = (n + columns - 1) / columns;
    Tensor grid = zeros({rows * x.size(1), columns * x.size(2), x.size(3)}, TensorOptions(x.scalar_type()));
    for (int64_t i = 0; i < n; ++i)
      grid.narrow(0, i / columns * x.size(1), x.size(1)).narrow(1, i % columns * x.size(2), x.size(2)).copy_(x[i]);
    x = grid;
  }
  check<ValueError>(x.size(2) == 1 || x.size(2) == 3 || x.size(2) == 4, "a picture has 1, 3 or 4 channels, not ",
                    x.size(2));
  if (x.size(2) == 1) x = x.expand({x.size(0), x.size(1), 3});
  const double scale = image.scalar_type() == kUInt8 ? 1 : 255;
  return (x.to(kFloat32) * scale).clamp(0, 255).to(kUInt8).contiguous();
}

std::string image(const std::string& tag, const Tensor& picture, const std::string& layout) {
  const Tensor x = pixels(picture, layout);
  const std::string png = io::encode_png(x.permute({2, 0, 1}).contiguous());
  return value(tag, [&](Proto& v) {
    v.message(4, Proto().integer(1, x.size(0)).integer(2, x.size(1)).integer(3, x.size(2)).text(4, png));
  });
}

std::string video(const std::string& tag, const Tensor& frames, double fps) {
  check<ValueError>(frames.dim() == 5, "a film has dimensions [N, T, C, H, W], not ", frames.sizes());
  const int64_t n = frames.size(0), t = frames.size(1), h = frames.size(3), w = frames.size(4);
  check<ValueError>(frames.size(2) == 3 || frames.size(2) == 1, "a film has 1 or 3 channels, not ", frames.size(2));
  check<ValueError>(frames.numel() > 0, "a film of shape ", frames.sizes(), " has no pixels");
  int64_t many = 1;  // a power of two of films, as near to a square as may be
  while (many < n) many *= 2;
  int64_t rows = 1;
  while (rows * rows * 4 <= many) rows *= 2;
  const int64_t columns = many / rows;
  Tensor film = zeros({t, rows * h, columns * w, 3}, kUInt8);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < t; ++k)
      film[k].narrow(0, i / columns * h, h).narrow(1, i % columns * w, w).copy_(pixels(frames[i][k], "CHW"));
  const std::string gif = encode_gif(film.data_ptr<uint8_t>(), t, rows * h, columns * w, fps);
  return value(tag, [&](Proto& v) {
    v.message(4, Proto().integer(1, rows * h).integer(2, columns * w).integer(3, 3).text(4, gif));
  });
}

std::string audio(const std::string& tag, const Tensor& samples, int64_t sample_rate) {
  const Tensor x = samples.detach().squeeze();
  check<ValueError>(x.dim() == 1, "input tensor should be 1 dimensional.");
  const Tensor words = (x.to(kFloat32).clamp(-1, 1) * 32767).to(kInt16).contiguous();
  const auto bytes = static_cast<uint32_t>(words.numel() * 2), rate = static_cast<uint32_t>(sample_rate);
  std::string wav;
  const auto put = [&](uint32_t v, int n) {
    for (int i = 0; i < n; ++i) wav.push_back(static_cast<char>(v >> 8 * i & 0xff));
  };
  wav += "RIFF", put(36 + bytes, 4), wav += "WAVEfmt ", put(16, 4);
  put(1, 2), put(1, 2), put(rate, 4), put(rate * 2, 4), put(2, 2), put(16, 2);  // plain numbers, one channel
  wav += "data", put(bytes, 4);
  wav.append(reinterpret_cast<const char*>(words.data_ptr()), bytes);
  return value(tag, [&](Proto& v) {
    v.message(6, Proto()
                     .single(1, static_cast<float>(sample_rate))
                     .integer(2, 1)
                     .integer(3, words.numel())
                     .text(4, wav)
                     .text(5, "audio/wav"));
  });
}

std::string text(const std::string& tag, const std::string& words) {
  return value(tag + "/text_summary", [&](Proto& v) {
    v.message(8, Proto().integer(1, kString).message(2, shape_of({1})).text(8, words)).message(9, metadata("text"));
  });
}

std::string pr_curve_raw(const std::string& tag, const Tensor& data) {
  check<ValueError>(data.dim() == 2 && data.size(0) == 6, "counts of a curve have dimensions [6, thresholds], not ",
                    data.sizes());
  const Proto content = Proto().integer(2, data.size(1));
  return value(tag, [&](Proto& v) { v.message(8, floats(data)).message(9, metadata("pr_curves", content.bytes())); });
}

std::string pr_curve(const std::string& tag, const Tensor& labels, const Tensor& predictions, int64_t num_thresholds,
                     const Tensor& weights) {
  check<ValueError>(num_thresholds > 0, "a curve has at least one threshold, not ", num_thresholds);
  num_thresholds = std::min<int64_t>(num_thresholds, 127);  // as many as TensorBoard takes
  const std::vector<double> truth = numbers(labels), guess = numbers(predictions);
  check<ValueError>(truth.size() == guess.size(), "labels and predictions differ in number: ", truth.size(), " and ",
                    guess.size());
  const std::vector<double> weight = weights.defined() ? numbers(weights) : std::vector<double>(truth.size(), 1.0);
  check<ValueError>(weight.size() == truth.size(), "labels and weights differ in number: ", truth.size(), " and ",
                    weight.size());
  const auto n = static_cast<size_t>(num_thresholds);
  std::vector<double> right(n), wrong(n);  // weights of positives and negatives in each bucket
  for (size_t i = 0; i < truth.size(); ++i) {
    check<ValueError>(!std::isnan(guess[i]), "predictions must be numbers from 0 to 1, got nan");
    const auto bucket = static_cast<size_t>(
        std::clamp(std::floor(guess[i] * static_cast<double>(n - 1)), 0.0, static_cast<double>(n - 1)));
    (truth[i] != 0 ? right : wrong)[bucket] += truth[i] != 0 ? truth[i] * weight[i] : weight[i];
  }
  for (size_t i = n - 1; i-- > 0;) right[i] += right[i + 1], wrong[i] += wrong[i + 1];  // at this threshold or above
  constexpr double kMin = 1e-7;                                                         // no division by zero
  Tensor data = zeros({6, num_thresholds}, kDouble);
  auto* p = data.data_ptr<double>();
  for (size_t i = 0; i < n; ++i) {
    const double row[] = {right[i],
                          wrong[i],
                          wrong[0] - wrong[i],
                          right[0] - right[i],
                          right[i] / std::max(kMin, right[i] + wrong[i]),
                          right[i] / std::max(kMin, right[0])};
    for (size_t k = 0; k < 6; ++k) p[k * n + i] = row[k];
  }
  return pr_curve_raw(tag, data);
}

std::string mesh(const std::string& tag, const Tensor& vertices, const Tensor& colors, const Tensor& faces,
                 const std::string& config_json) {
  struct Part {
    const char* name;
    int kind;
    const Tensor& values;
  };
  const Part parts[] = {{"VERTEX", 1, vertices}, {"FACE", 2, faces}, {"COLOR", 3, colors}};
  int64_t components = 0;
  for (const Part& part : parts)
    if (part.values.defined()) components |= int64_t{1} << part.kind;
  Proto all;
  for (const Part& part : parts) {
    if (!part.values.defined()) continue;
    check<ValueError>(part.values.dim() == 3, "a mesh has dimensions [B, N, 3], not ", part.values.sizes());
    Proto content;
    content.text(2, tag).integer(3, part.kind).text(5, config_json);
    content.integers(6, {part.values.sizes().begin(), part.values.sizes().end()}).integer(7, components);
    Proto v;
    v.text(1, tag + "_" + part.name).message(8, floats(part.values)).message(9, metadata("mesh", content.bytes()));
    all.message(1, v);
  }
  return all.bytes();
}

namespace {
/// google/protobuf/struct.proto: Value.
Proto boxed(const Setting& s) {
  if (const auto* x = std::get_if<double>(&s)) return Proto().real(2, *x);
  if (const auto* x = std::get_if<bool>(&s)) return Proto().integer(4, *x);
  return Proto().text(3, std::get<std::string>(s));
}
}  // namespace

std::vector<std::string> hparams(const std::vector<std::pair<std::string, Setting>>& settings,
                                 const std::vector<std::string>& metrics,
                                 const std::map<std::string, std::vector<Setting>>& discrete) {
  // plugins/hparams/hparams.proto and api.proto of TensorBoard
  constexpr int kExperiment = 2, kStart = 3, kEnd = 4, kSuccess = 1;
  constexpr int kTypes[] = {3, 2, 1};  // of a double, a bool, a string
  Proto experiment, start;
  for (const auto& [name, setting] : settings) {
    Proto info;
    info.text(1, name).integer(4, kTypes[setting.index()]);
    if (const auto domain = discrete.find(name); domain != discrete.end()) {
      Proto list;
      for (const Setting& s : domain->second) list.message(1, boxed(s));
      info.message(5, list);
    }
    experiment.message(4, info);
    start.message(1, Proto().text(1, name).message(2, boxed(setting)));
  }
  for (const std::string& metric : metrics) experiment.message(5, Proto().message(1, Proto().text(2, metric)));
  const auto now = static_cast<double>(std::time(nullptr));
  start.real(5, now);
  const std::pair<const char*, Proto> parts[] = {
      {"_hparams_/experiment", Proto().message(kExperiment, experiment)},
      {"_hparams_/session_start_info", Proto().message(kStart, start)},
      {"_hparams_/session_end_info", Proto().message(kEnd, Proto().integer(1, kSuccess).real(2, now))}};
  std::vector<std::string> made;
  for (const auto& [tag, content] : parts)
    made.push_back(value(tag, [&, &data = content](Proto& v) { v.message(9, metadata("hparams", data.bytes())); }));
  return made;
}

std::string layout(const Layout& charts) {
  // plugins/custom_scalar/layout.proto of TensorBoard
  Proto all;
  for (const auto& [category, list] : charts) {
    Proto group;
    group.text(1, category);
    for (const auto& [title, content] : list) {
      const auto& [kind, tags] = content;
      Proto chart, inner;
      chart.text(1, title);
      if (kind == "Margin") {
        check<ValueError>(tags.size() == 3,
                          "a chart of kind Margin has three tags: the value, the lower and upper bound");
        inner.message(1, Proto().text(1, tags[0]).text(2, tags[1]).text(3, tags[2]));
        chart.message(3, inner);
      } else {
        for (const std::string& tag : tags) inner.text(1, tag);
        chart.message(2, inner);
      }
      group.message(2, chart);
    }
    all.message(2, group);
  }
  return value("custom_scalars__config__", [&](Proto& v) {
    v.message(8, Proto().integer(1, kString).message(2, Proto()).text(8, all.bytes()))
        .message(9, metadata("custom_scalars"));
  });
}

}  // namespace taut::report::summary
