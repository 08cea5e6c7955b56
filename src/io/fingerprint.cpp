// Fingerprints of tensors, and the log of an optimiser's steps.
#include "taut/fingerprint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "io/hash.h"
#include "taut/autograd.h"

namespace taut {

namespace {

std::string hex(const io::Hash128& h) {
  std::string text;
  for (uint64_t half : {h.first, h.second})
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[half >> shift & 15];
  return text;
}
io::Hash128 hash(const std::string& text) { return io::murmur128(text.data(), text.size()); }

const char* log_path() {
  static const char* const path = std::getenv("TAUT_FINGERPRINT");
  return path && *path ? path : nullptr;
}

}  // namespace

std::string fingerprint(const Tensor& tensor) {
  check(tensor.defined(), "fingerprint: the tensor is undefined");
  const NoGradGuard no_grad;
  const Tensor dense = tensor.detach().resolve_conj().contiguous();
  const io::Hash128 kind = hash(str(dtype_name(dense.scalar_type()), " ", dense.sizes()));
  return hex(io::murmur128(dense.data_ptr(), dense.nbytes(), kind));
}

std::string fingerprint(const OrderedDict<std::string, Tensor>& tensors) {
  std::vector<std::pair<std::string, Tensor>> sorted;
  for (const auto& item : tensors) sorted.push_back(item.pair());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string lines;
  for (const auto& [name, tensor] : sorted) {
    check(tensor.defined(), "fingerprint: the tensor '", name, "' is undefined");
    lines += fingerprint(tensor) + " " + name + "\n";
  }
  return hex(hash(lines));
}

std::string fingerprint(const std::vector<Tensor>& tensors) {
  OrderedDict<std::string, Tensor> numbered;
  for (size_t i = 0; i < tensors.size(); ++i) numbered.insert(std::to_string(i), tensors[i]);
  return fingerprint(numbered);
}

bool logs_steps() { return log_path(); }

void log_step(const std::string& optimizer, int64_t step, const std::vector<Tensor>& parameters) {
  const std::string line = str(optimizer, " ", step, " ", fingerprint(parameters), "\n");
  // One write of a file opened for appending: lines of several threads and processes do not mix.
  static const int file = ::open(log_path(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  check<FileError>(written, "TAUT_FINGERPRINT: cannot append to '", log_path(), "': ", std::strerror(errno));
}

}  // namespace taut
