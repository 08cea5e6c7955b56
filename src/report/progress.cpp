// The progress bar. The fast path of a step is an addition and a look at the clock; whoever finds that a redraw is due
// draws, unless another thread is at it.
#include "taut/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <vector>

namespace taut {

namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = std::getenv(name); value && *value)
      return std::strstr(value, "UTF-8") || std::strstr(value, "utf8") || std::strstr(value, "utf-8");
  return false;
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// "1:02:03" or "02:03".
std::string clock_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 3.6e6) return "?";
  const auto s = static_cast<long>(seconds + 0.5);
  char text[32];
  if (s >= 3600) std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else std::snprintf(text, sizeof text, "%02ld:%02ld", s / 60, s % 60);
  return text;
}

std::string rate_text(double per_second) {
  char text[32];
  if (!std::isfinite(per_second) || per_second <= 0) return "?/s";
  if (per_second < 1) std::snprintf(text, sizeof text, "%.2f s each", 1 / per_second);
  else if (per_second < 100) std::snprintf(text, sizeof text, "%.1f/s", per_second);
  else if (per_second < 1e6) std::snprintf(text, sizeof text, "%.0f/s", per_second);
  else std::snprintf(text, sizeof text, "%.3g/s", per_second);
  return text;
}

/// As many digits at every step, so that the line does not jump.
std::string number_text(double value) {
  char text[48];
  const double size = std::abs(value);
  if (value == std::round(value) && size < 1e15) std::snprintf(text, sizeof text, "%.0f", value);
  else std::snprintf(text, sizeof text, size >= 1e-3 && size < 1e5 ? "%.4f" : "%.3e", value);
  return text;
}

/// Counted in characters: continuation bytes of UTF-8 take no room.
size_t width_of(std::string_view s) {
  return static_cast<size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string cut(std::string s, size_t columns) {
  size_t seen = 0, at = 0;
  for (; at < s.size(); ++at)
    if ((s[at] & 0xc0) != 0x80 && seen++ == columns) break;
  s.resize(at);
  return s;
}

/// Control characters would move the cursor.
std::string one_line(std::string s) {
  for (char& c : s)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  return s;
}

}  // namespace

struct Progress::State {
  std::optional<size_t> total;
  std::string label;
  ProgressOptions options;
  bool terminal, unicode;
  double start;
  std::atomic<size_t> count{0};
  std::atomic<double> next_draw;

  std::mutex mutex;  // guards what follows, and the output
  std::vector<std::pair<std::string, double>> values;
  std::string text;
  bool finished = false;
  size_t bar_width = 32;

  double interval() const { return terminal ? options.interval : options.line_interval; }

  std::string bar(double fraction, size_t width) const {
    std::string s;
    if (!unicode) {
      const auto full = static_cast<size_t>(fraction * static_cast<double>(width));
      s.append(full, '#').append(width - full, '.');
      return s;
    }
    static const char* const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<size_t>(fraction * static_cast<double>(width) * 8);
    for (size_t i = 0; i < eighths / 8; ++i) s += "█";
    s += parts[eighths % 8];
    s.append(width - eighths / 8 - (eighths % 8 ? 1 : 0), ' ');
    return s;
  }

  std::string line(double now) {
    const size_t n = count.load(std::memory_order_relaxed);
    const double elapsed = now - start, rate = elapsed > 0 ? static_cast<double>(n) / elapsed : 0;
    std::string before = label.empty() ? "" : label + "  ", after;
    double fraction = 0;
    if (total) {
      fraction = *total == 0 ? 1 : std::min(1.0, static_cast<double>(n) / static_cast<double>(*total));
      char percent[16];
      std::snprintf(percent, sizeof percent, "%3d%% ", static_cast<int>(fraction * 100));
      before += percent;
      after = std::to_string(n) + "/" + std::to_string(*total);
    } else {
      after = std::to_string(n);
    }
    after += "  " + clock_text(elapsed);
    if (total && n < *total) after += " (" + (n ? clock_text(static_cast<double>(*total - n) / rate) : "?") + " left)";
    after += "  " + rate_text(rate);
    for (const auto& [name, value] : values) {
      after += "  " + name + " " + number_text(value);
    }
    if (!text.empty()) after += "  " + text;
    if (!total) return before + after;
    size_t width = 24;
    if (terminal) {
      const auto columns = static_cast<size_t>(std::max(20, options.columns ? options.columns : terminal_columns()));
      const size_t used = width_of(before) + width_of(after) + 4;
      // It never grows again: a bar that breathes with the text beside it is hard to read.
      width = bar_width = used + 8 > columns ? 0 : std::min<size_t>(columns - used, bar_width);
    }
    return before + (width ? "|" + bar(fraction, width) + "| " : "") + after;
  }

  // A broken output must not end the training.
  void write(const std::string& s) {
    std::ostream& out = options.out ? *options.out : std::cerr;
    try {
      out << s << std::flush;
    } catch (const std::ios_base::failure&) {}
  }

  void draw(double now, bool last) {
    next_draw.store(now + interval(), std::memory_order_relaxed);
    if (!terminal) return write(line(now) + "\n");
    const int columns = options.columns ? options.columns : terminal_columns();
    write("\r" + cut(line(now), static_cast<size_t>(std::max(columns - 1, 1))) + "\x1b[K" + (last ? "\n" : ""));
  }
};

Progress::Progress(std::optional<size_t> total, std::string label, ProgressOptions options)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.total = total;
  s.label = one_line(std::move(label));
  s.options = std::move(options);
  if (!s.options.now) s.options.now = steady_seconds;
  s.terminal = s.options.terminal.value_or(!s.options.out && isatty(STDERR_FILENO));
  s.unicode = s.options.unicode.value_or(locale_is_utf8());
  s.start = s.options.now();
  s.next_draw = s.start + s.interval();
}

Progress::Progress(Progress&&) noexcept = default;

Progress::~Progress() {
  if (!state_) return;
  // Left early: the line stays as it is, but complete.
  finish();
}

void Progress::step(size_t n) {
  State& s = *state_;
  s.count.fetch_add(n, std::memory_order_relaxed);
  const double now = s.options.now();
  if (now < s.next_draw.load(std::memory_order_relaxed)) return;
  std::unique_lock lock(s.mutex, std::try_to_lock);
  if (lock && !s.finished && now >= s.next_draw.load(std::memory_order_relaxed)) s.draw(now, false);
}

size_t Progress::count() const { return state_->count.load(std::memory_order_relaxed); }

void Progress::set(std::string_view name, double value) {
  std::lock_guard lock(state_->mutex);
  for (auto& [known, v] : state_->values)
    if (known == name) return void(v = value);
  state_->values.emplace_back(one_line(std::string(name)), value);
}

void Progress::text(std::string text) {
  text = one_line(std::move(text));
  std::lock_guard lock(state_->mutex);
  state_->text = std::move(text);
}

void Progress::finish() {
  State& s = *state_;
  std::lock_guard lock(s.mutex);
  if (s.finished) return;
  s.finished = true;
  s.draw(s.options.now(), true);
}

}  // namespace taut
