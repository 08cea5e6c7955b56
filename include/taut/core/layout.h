// How a tensor keeps its elements.
#pragma once
#include <cstdint>

namespace taut {

/// Strided: all of them, in memory. Sparse (COO), SparseCsr and SparseCsc: those that are not zero, with where they
/// are.
enum class Layout : int8_t { Strided, Sparse, SparseCsr, SparseCsc };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse, kSparseCsr = Layout::SparseCsr,
                 kSparseCsc = Layout::SparseCsc;

}  // namespace taut
