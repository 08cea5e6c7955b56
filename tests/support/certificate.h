// The certificate: fingerprints of what Taut computes, the same on every processor with fused multiply-add and for any
// number of threads (docs/reproducibility.md). tests/golden/certificate.txt has them, a line "<fingerprint> <what>"
// each.
#pragma once
#include <string>
#include <vector>

#include "taut/taut.h"

namespace taut::test {

/// Fails if the certificate has another fingerprint for these tensors, or none. A NaN is a NaN, whatever its bits:
/// processors differ there. Without fused multiply-add nothing is compared. With TAUT_CERTIFY=<file> in the environment
/// the line is appended to that file instead.
void certify(const std::string& what, const std::vector<Tensor>& tensors);
/// The fingerprint that a certificate has of them.
std::string fingerprint_of(const std::vector<Tensor>& tensors);
/// Are fingerprints compared, or recorded, here?
bool certifies();

}  // namespace taut::test
