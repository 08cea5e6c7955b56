// A progress bar for loops: how far, how fast, how long still, and numbers such as the loss.
//   auto bar = taut::progress(*loader, "epoch 1");
//   for (auto& batch : bar) bar.set("loss", train(batch));
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace taut {

struct ProgressOptions {
  double interval = 0.1;              // seconds between redraws of a terminal, at least
  double line_interval = 10;          // seconds between lines when the output is no terminal, at least
  std::ostream* out = nullptr;        // std::cerr unless given
  std::optional<bool> terminal = {};  // found out unless given
  std::optional<bool> unicode = {};   // from the locale unless given
  int columns = 0;                    // of the terminal; asked of the system unless given
  std::function<double()> now = {};   // seconds; a steady clock unless given
};

/// Counts steps. On a terminal it redraws one line in place; elsewhere it writes a line now and then, and one at the
/// end. Any thread may call any method. A step costs a look at the clock.
class Progress {
 public:
  /// `total` steps are expected, or an unknown number.
  explicit Progress(std::optional<size_t> total, std::string label = "", ProgressOptions options = {});
  /// Ends the line.
  ~Progress();
  Progress(Progress&&) noexcept;

  void step(size_t n = 1);
  size_t count() const;
  /// A number to show after the rate; the latest value of each name is kept.
  void set(std::string_view name, double value);
  /// Any text to show after the numbers.
  void text(std::string text);
  /// Draws the last state and ends the line; further steps are counted but not drawn.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A range and its progress bar; what progress(range) gives.
template <class Range>
class ProgressRange : public Progress {
 public:
  ProgressRange(Range&& range, std::optional<size_t> total, std::string label, ProgressOptions options)
      : Progress(total, std::move(label), std::move(options)), range_(std::forward<Range>(range)) {}

  template <class It>
  class Iterator {
   public:
    Iterator(It it, ProgressRange* bar) : it_(std::move(it)), bar_(bar) {}
    decltype(auto) operator*() { return *it_; }
    Iterator& operator++() {
      bar_->step();
      ++it_;
      return *this;
    }
    template <class End>
    bool operator!=(const End& end) {
      if (it_ != end.it_) return true;
      bar_->finish();
      return false;
    }
    It it_;

   private:
    ProgressRange* bar_;
  };
  auto begin() {
    using std::begin;
    return Iterator<decltype(begin(range_))>(begin(range_), this);
  }
  auto end() {
    using std::end;
    return Iterator<decltype(end(range_))>(end(range_), this);
  }

 private:
  Range range_;  // a reference when the range was one
};

/// Goes through `range` with a progress bar.
template <class Range>
ProgressRange<Range> progress(Range&& range, std::string label = "", ProgressOptions options = {}) {
  std::optional<size_t> total;
  if constexpr (requires { std::size(range); }) total = std::size(range);
  return {std::forward<Range>(range), total, std::move(label), std::move(options)};
}

}  // namespace taut
