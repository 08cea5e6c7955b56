// How a tensor keeps its elements.
#pragma once
#include <cstdint>

namespace taut {

/// Strided: all of them, in memory. Sparse (COO), SparseCsr and SparseCsc: those that are not zero, with where they
/// are. Batched is Strided to those who ask: an item of many, of which a function under vmap sees one.
enum class Layout : int8_t { Batched = -1, Strided, Sparse, SparseCsr, SparseCsc };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse, kSparseCsr = Layout::SparseCsr,
                 kSparseCsc = Layout::SparseCsc;

}  // namespace taut
