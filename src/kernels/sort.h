// Sorting, selecting and searching along a dimension. NaN is greater than every number, -0 equals 0, and equal elements
// keep their order unless said otherwise. Views of no dimensions count as one element.
#pragma once
#include <cstdint>

#include "core/view.h"

namespace taut::kernels {

/// `values` and `indices` (int64) have the shape of `in`. Always stable. `values` may be `in` itself.
void sort(View values, View indices, View in, int dim, bool descending);

/// The k largest (or smallest) along dim, greatest (smallest) first if sorted. Which of several equal elements is taken
/// is what PyTorch takes.
void topk(View values, View indices, View in, int64_t k, int dim, bool largest, bool sorted);
/// The k-th smallest along dim, k from 1; among equals the k-th in stable order. The results have in's shape without
/// dim.
void kthvalue(View values, View indices, View in, int64_t k, int dim);
/// The lower median along dim, among equals the one that stable order puts there. If the slice has a NaN that is the
/// result, the first one; with ignore_nan (nanmedian) only if it has nothing else. Results as for kthvalue.
void median(View values, View indices, View in, int dim, bool ignore_nan);
/// The most frequent value along dim, the smallest of several, and where it occurs last. No NaN equals another.
void mode(View values, View indices, View in, int dim);

/// For each value, the place in its row of boundaries (sorted, along the last dimension) before which it would be put:
/// left of equal boundaries, or right of them. `boundaries` is 1-d or has the leading dimensions of `values`, and its
/// dtype; `out` is int64 or int32. `sorter`, if given, is int64, has the shape of boundaries and holds the order that
/// sorts them.
void searchsorted(View out, View boundaries, View values, bool right, const View* sorter = nullptr);

/// How many of the elements fall in each of out.numel() equal bins from low to high, both included; others, and NaN, do
/// not count. All of one floating-point dtype, float32 or float64.
void histc(View out, View in, double low, double high);
/// How often each integer from 0 to out.numel() - 1 occurs in the 1-d `in`, or the sum of their weights in the order of
/// `in`. Without weights `out` is int64; with weights it is float32 or float64 as they are.
void bincount(View out, View in, const View* weights = nullptr);

/// The distinct elements of the flattened `in`, ascending; every NaN is distinct. Writes the place in flattened `in`
/// where each occurs first, and if wanted how often it occurs, for which there must be room for in.numel() int64; and
/// if wanted, in the shape of `in`, which of the distinct elements each element is. Returns how many there are.
int64_t unique(View positions, const View* inverse, const View* counts, View in);
/// The same for runs of equal neighbours, in the order of `in`.
int64_t unique_consecutive(View positions, const View* inverse, const View* counts, View in);
/// The same for the rows of a matrix, ordered by their first difference.
int64_t unique_rows(View positions, const View* inverse, const View* counts, View in);
int64_t unique_consecutive_rows(View positions, const View* inverse, const View* counts, View in);

}  // namespace taut::kernels
