#include "support/certificate.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>

#include "core/cpu.h"
#include "support/paths.h"
#include "taut/fingerprint.h"

namespace taut::test {
namespace {

const char* record_path() {
  static const char* const path = std::getenv("TAUT_CERTIFY");
  return path && *path ? path : nullptr;
}

const std::map<std::string, std::string>& certificate() {
  static const auto all = [] {
    std::map<std::string, std::string> lines;
    std::ifstream in(golden_path("certificate.txt"));
    for (std::string line; std::getline(in, line);)
      if (const size_t space = line.find(' '); space != line.npos)
        lines[line.substr(space + 1)] = line.substr(0, space);
    return lines;
  }();
  return all;
}

/// A nan has one fingerprint, whatever its bits.
Tensor without_nan_bits(const Tensor& x) {
  if (x.is_complex()) return view_as_complex(without_nan_bits(view_as_real(x.resolve_conj().contiguous())));
  return x.masked_fill(x.isnan(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::string fingerprint_of(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> all;
  for (const Tensor& t : tensors) {
    if (!t.defined()) continue;
    const Tensor x = t.detach();
    all.push_back(is_differentiable(x.scalar_type()) ? without_nan_bits(x) : x);
  }
  return fingerprint(all);
}

bool certifies() {
#if defined(__x86_64__) && defined(TAUT_ONE_ISA)
  return false;  // a build for whatever this processor has, no release
#elif defined(__x86_64__)
  return isa_level > 0;
#else
  return true;
#endif
}

void certify(const std::string& what, const std::vector<Tensor>& tensors) {
  if (!certifies()) return;
  const std::string mine = fingerprint_of(tensors);
  if (record_path()) {
    std::ofstream(record_path(), std::ios::app) << mine << ' ' << what << '\n';
    return;
  }
  const auto it = certificate().find(what);
  if (it == certificate().end()) ADD_FAILURE() << what << ": not in the certificate; `make certify RECORD=1` adds it";
  else if (it->second != mine)
    ADD_FAILURE() << what << ": other bits than in the certificate, with " << get_num_threads() << " threads at level "
                  << isa_level;
}

}  // namespace taut::test
