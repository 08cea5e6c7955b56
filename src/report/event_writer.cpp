#include "taut/event_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "taut/core/error.h"

namespace taut::report {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// TensorFlow stores checksums turned and shifted, so that a checksum of data that holds checksums still tells.
uint32_t masked(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; }

/// A record: length, its checksum, data, its checksum.
std::string record(const std::string& data) {
  const uint64_t n = data.size();
  std::string out(reinterpret_cast<const char*>(&n), sizeof n);
  const auto put = [&](uint32_t crc) { out.append(reinterpret_cast<const char*>(&crc), sizeof crc); };
  put(masked(crc32c(&n, sizeof n)));
  out += data;
  put(masked(crc32c(data.data(), data.size())));
  return out;
}

}  // namespace

struct EventWriter::File {
  std::string directory, suffix, path, pending;
  double flush_seconds, flushed = 0;
  int fd = -1;
  std::mutex mutex;

  void open() {
    static std::atomic<int> files{0};
    check<ValueError>((directory + suffix).find('\0') == std::string::npos,
                      "embedded null byte in the path of the events");
    std::filesystem::create_directories(directory);
    char host[256] = "localhost", stamp[32];
    ::gethostname(host, sizeof host - 1);
    std::snprintf(stamp, sizeof stamp, "%010lld", static_cast<long long>(now()));
    path = directory + "/events.out.tfevents." + stamp + "." + host + "." + std::to_string(::getpid()) + "." +
           std::to_string(files++) + suffix;
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    check(fd >= 0, "cannot open ", path, ": ", std::strerror(errno));
    flushed = now();
    pending += record(Proto().real(1, now()).text(3, "brain.Event:2").bytes());
    write();
  }
  void write() {
    size_t done = 0;
    while (done < pending.size()) {
      const ssize_t n = ::write(fd, pending.data() + done, pending.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        const int problem = errno;
        pending.erase(0, done);
        throw Error(str("cannot write ", path, ": ", std::strerror(problem)));
      }
      done += static_cast<size_t>(n);
    }
    pending.clear();
    flushed = now();
  }
  void close() {
    if (fd < 0) return;
    write();
    ::close(fd);
    fd = -1;
  }
};

EventWriter::EventWriter(const std::string& directory, const std::string& suffix, double flush_seconds)
    : file_(new File) {
  file_->directory = directory, file_->suffix = suffix, file_->flush_seconds = flush_seconds;
  file_->open();
}
EventWriter::EventWriter(EventWriter&&) noexcept = default;
EventWriter::~EventWriter() {
  try {
    if (file_) close();
  } catch (const std::exception&) {  // a full disk: nobody is left who could be told
  }
}

const std::string& EventWriter::path() const { return file_->path; }

void EventWriter::add_event(int field, const std::string& bytes, std::optional<int64_t> step,
                            std::optional<double> wall_time) {
  Proto event;
  event.real(1, wall_time.value_or(now()));
  if (step) event.integer(2, *step);
  event.text(field, bytes);
  const std::lock_guard lock(file_->mutex);
  if (file_->fd < 0) file_->open();
  file_->pending += record(event.bytes());
  constexpr size_t kMost = size_t{1} << 20;  // bytes that wait
  if (file_->pending.size() > kMost || now() - file_->flushed > file_->flush_seconds) file_->write();
}

void EventWriter::add_summary(const std::string& summary, std::optional<int64_t> step,
                              std::optional<double> wall_time) {
  constexpr int kSummary = 5;
  add_event(kSummary, summary, step, wall_time);
}

void EventWriter::scalar(const std::string& tag, double value, int64_t step, std::optional<double> wall_time) {
  add_summary(summary::scalar(tag, value), step, wall_time);
}
void EventWriter::histogram(const std::string& tag, const Tensor& values, int64_t step,
                            std::optional<double> wall_time) {
  add_summary(summary::histogram(tag, values), step, wall_time);
}
void EventWriter::image(const std::string& tag, const Tensor& image, int64_t step, const std::string& layout,
                        std::optional<double> wall_time) {
  add_summary(summary::image(tag, image, layout), step, wall_time);
}
void EventWriter::audio(const std::string& tag, const Tensor& samples, int64_t step, int64_t sample_rate,
                        std::optional<double> wall_time) {
  add_summary(summary::audio(tag, samples, sample_rate), step, wall_time);
}
void EventWriter::text(const std::string& tag, const std::string& text, int64_t step, std::optional<double> wall_time) {
  add_summary(summary::text(tag, text), step, wall_time);
}
void EventWriter::pr_curve(const std::string& tag, const Tensor& labels, const Tensor& predictions, int64_t step,
                           int64_t num_thresholds, std::optional<double> wall_time) {
  add_summary(summary::pr_curve(tag, labels, predictions, num_thresholds), step, wall_time);
}
void EventWriter::hparams(const std::vector<std::pair<std::string, summary::Setting>>& settings,
                          const std::vector<std::string>& metrics) {
  for (const std::string& s : summary::hparams(settings, metrics)) add_summary(s, {});
}

void EventWriter::flush() {
  const std::lock_guard lock(file_->mutex);
  if (file_->fd >= 0) file_->write();
}
void EventWriter::close() {
  const std::lock_guard lock(file_->mutex);
  file_->close();
}

}  // namespace taut::report
