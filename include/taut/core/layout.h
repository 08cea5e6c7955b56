// How a tensor keeps its elements.
#pragma once
#include <cstdint>

namespace taut {

/// Strided: all of them, in memory. The others: those that are not zero, with where they are, by coordinates (COO), row
/// by row or column by column; SparseBsr and SparseBsc keep blocks that are not zero.
enum class Layout : int8_t { Strided, Sparse, SparseCsr, SparseCsc, SparseBsr, SparseBsc };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse, kSparseCsr = Layout::SparseCsr,
                 kSparseCsc = Layout::SparseCsc, kSparseBsr = Layout::SparseBsr, kSparseBsc = Layout::SparseBsc;

}  // namespace taut
