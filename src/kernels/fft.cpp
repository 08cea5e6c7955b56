// Plans of Fourier transforms, and how their work is shared out: a transform in each lane, or the columns of one.
// Lengths with a large prime factor become convolutions (Bluestein), real transforms of even length complex ones of
// half of it.
#include "kernels/fft.h"

#include <algorithm>
#include <bit>
#include <list>
#include <memory>
#include <vector>

#include "core/fork.h"
#include "core/maths.h"
#include "core/parallel.h"
#include "kernels/isa/fft.h"
#include "kernels/workspace.h"

namespace taut::kernels {
namespace {

template <class T>
const FftKernels<T>& loops() {
  if constexpr (sizeof(T) == 4) return fft_table().f32;
  else return fft_table().f64;
}

/// to[i] = exp(-2 pi i index(i) / n), for 0 <= index(i) < n. Angles are brought below pi / 4 as fractions, without a
/// rounding.
template <class T, class Index>
void roots(int64_t n, int64_t count, T* to, Index index) {
  constexpr int64_t kPiece = 256;
  constexpr double kQuarter = 1.57079632679489661923;
  double cosines[kPiece], sines[kPiece];
  uint8_t octants[kPiece];
  for (int64_t begin = 0; begin < count; begin += kPiece) {
    const int64_t piece = std::min(kPiece, count - begin);
    for (int64_t i = 0; i < piece; ++i) {
      int64_t at = index(begin + i);
      const bool below = 2 * at > n;
      at = 4 * (below ? n - at : at);  // in quarters of the circle, times n
      const bool left = at > n;
      if (left) at = 2 * n - at;
      const bool steep = 2 * at > n;
      if (steep) at = n - at;
      octants[i] = static_cast<uint8_t>(below | left << 1 | steep << 2);
      cosines[i] = sines[i] = static_cast<double>(at) / static_cast<double>(n) * kQuarter;
    }
    maths::cos(cosines, cosines, piece);
    maths::sin(sines, sines, piece);
    for (int64_t i = 0; i < piece; ++i) {
      double re = cosines[i], im = sines[i];
      if (octants[i] & 4) std::swap(re, im);
      to[2 * (begin + i)] = static_cast<T>(octants[i] & 2 ? -re : re);
      to[2 * (begin + i) + 1] = static_cast<T>(octants[i] & 1 ? im : -im);
    }
  }
}

/// A plan with the memory of its tables, and what a prime length or real numbers need beside.
template <class T>
struct Plan {
  FftPlan<T> plan;
  std::vector<std::vector<T>> tables;
  std::shared_ptr<const Plan> columns, rows;
  std::shared_ptr<const Plan> convolution;  // of a length for which the chirp and its transform are given
  const T *chirp = nullptr, *filter = nullptr;
  std::shared_ptr<const Plan> half;  // of a real transform of even length
  const T* mirror = nullptr;

  template <class Index>
  const T* table(int64_t n, int64_t count, Index index) {
    tables.emplace_back(static_cast<size_t>(2 * count));
    roots(n, count, tables.back().data(), index);
    return tables.back().data();
  }
  size_t bytes() const {
    size_t sum = 0;
    for (const auto& t : tables) sum += t.size() * sizeof(T);
    return sum;
  }
};
template <class T>
using PlanPtr = std::shared_ptr<const Plan<T>>;

template <class T>
PlanPtr<T> plan_for(int64_t n, bool real = false);

bool has_small_factors(int64_t n) {
  for (int64_t p = 2; p < kFftLeaf; ++p)
    while (n % p == 0) n /= p;
  return n == 1;
}
/// n as a product of two numbers that fill the lanes well and are near each other.
int64_t first_factor(int64_t n) {
  int64_t best = 0;
  double least = 0;
  const auto filled = [](int64_t k) { return static_cast<double>((k + 15) / 16 * 16); };
  for (int64_t d = 2; d * d <= n; ++d) {
    if (n % d != 0) continue;
    const double cost = filled(d) * filled(n / d) * (1 + 0.05 * std::bit_width(static_cast<uint64_t>(n / d / d)));
    if (best == 0 || cost <= least) best = d, least = cost;
  }
  return best;
}

template <class T>
void plan_passes(Plan<T>& made, int64_t n) {
  FftPlan<T>& plan = made.plan;
  if (n == 1) plan.radix[plan.passes++] = 1;  // a copy
  for (int64_t left = n; left > 1;) {
    int64_t radix = 2;
    while (left % radix != 0) ++radix;
    if (radix == 2) radix = left % 8 == 0 && left != 16 ? 8 : left % 4 == 0 ? 4 : 2;
    plan.radix[plan.passes++] = static_cast<int>(radix);
    left /= radix;
  }
  for (int64_t i = 0, length = n; i < plan.passes; ++i) {
    const int64_t radix = plan.radix[i], m = length / radix;
    plan.turns[i] = made.table(length, m * (radix - 1),
                               [&](int64_t at) { return at / (radix - 1) * (at % (radix - 1) + 1) % length; });
    if (radix % 2 == 1) plan.circle[i] = made.table(radix, radix, [](int64_t at) { return at; });
    length = m;
  }
  plan.room = 2 * n * kFftRow<T>;
}
template <class T>
void plan_split(Plan<T>& made, int64_t n) {
  constexpr int64_t kMost = kFftLanes<T>, kExact = 1 << 14;
  FftPlan<T>& plan = made.plan;
  const int64_t n1 = first_factor(n), n2 = n / n1;
  made.columns = plan_for<T>(n1);
  made.rows = plan_for<T>(n2);
  plan.columns = &made.columns->plan, plan.rows = &made.rows->plan;
  const int64_t groups = (n2 + kMost - 1) / kMost, exact = n <= kExact ? groups : 1;
  std::vector<T>& twiddles = made.tables.emplace_back(static_cast<size_t>(exact * n1 * kFftRow<T>));
  std::vector<T> row(kFftRow<T>);
  for (int64_t at = 0; at < exact * n1; ++at) {
    const int64_t group = at / n1, k = at % n1;
    roots(n, kMost, row.data(), [&](int64_t lane) { return (group * kMost + lane) * k % n; });
    for (int64_t lane = 0; lane < kMost; ++lane)
      for (int64_t part = 0; part < 2; ++part)
        twiddles[static_cast<size_t>(at * kFftRow<T> + part * kMost + lane)] =
            row[static_cast<size_t>(2 * lane + part)];
  }
  plan.twiddles = twiddles.data();
  if (exact < groups)
    plan.steps = made.table(n, groups * n1, [&](int64_t at) { return at / n1 * kMost * (at % n1) % n; });
  plan.room = (n + n1) * kFftRow<T> + std::max(plan.columns->room, plan.rows->room);
}
template <class T>
void complex_lines(const Plan<T>& plan, int64_t count, const T* x, int64_t x_line, T* y, int64_t y_line, bool inverse,
                   T scale);
template <class T>
void plan_convolution(Plan<T>& made, int64_t n) {
  int64_t length = 0;
  for (const int64_t odd : {1, 3, 5, 9, 15}) {
    int64_t candidate = odd;
    while (candidate < 2 * n - 1) candidate *= 2;
    if (length == 0 || candidate < length) length = candidate;
  }
  made.convolution = plan_for<T>(length);
  // In double for floats too: all results are multiplied with it.
  Workspace<double> filter(2 * length), chirp(2 * n);
  int64_t square = 0;
  roots(2 * n, n, chirp.data(), [&](int64_t k) {
    const int64_t here = square;
    square = (square + 2 * k + 1) % (2 * n);
    return here;
  });
  std::fill(filter.data(), filter.data() + 2 * length, 0.0);
  for (int64_t k = 0; k < n; ++k)
    for (const int64_t at : {k, (length - k) % length}) {
      filter.data()[2 * at] = chirp.data()[2 * k];
      filter.data()[2 * at + 1] = -chirp.data()[2 * k + 1];
    }
  complex_lines<double>(*plan_for<double>(length), 1, filter.data(), 0, filter.data(), 0, false, 1);
  const auto keep = [&](const double* numbers, int64_t count) {
    std::vector<T>& kept = made.tables.emplace_back(static_cast<size_t>(2 * count));
    std::transform(numbers, numbers + 2 * count, kept.begin(), [](double v) { return static_cast<T>(v); });
    return kept.data();
  };
  made.chirp = keep(chirp.data(), n);
  made.filter = keep(filter.data(), length);
}

template <class T>
PlanPtr<T> make_plan(int64_t n, bool real) {
  auto made = std::make_shared<Plan<T>>();
  made->plan.n = n;
  if (real) {
    made->half = plan_for<T>(n / 2);
    // -i times the roots
    made->mirror = made->table(4 * n, n / 2, [&](int64_t k) { return n + 4 * k; });
  } else if (!has_small_factors(n)) {
    plan_convolution(*made, n);
  } else if (n <= kFftLeaf) {
    plan_passes(*made, n);
  } else {
    plan_split(*made, n);
  }
  return made;
}

/// The plans used last.
template <class T>
class Plans {
 public:
  PlanPtr<T> find(int64_t n, bool real) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.n == n && k.real == real; });
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return found->plan;
  }
  void keep(int64_t n, bool real, const PlanPtr<T>& plan) {
    const std::lock_guard lock(mutex_);
    kept_.push_front({n, real, plan});
    size_t bytes = 0, count = 0;
    for (auto k = kept_.begin(); k != kept_.end(); ++k, ++count) {
      bytes += k->plan->bytes();
      if (count > 0 && (bytes > kBytes || count >= kCount)) return void(kept_.erase(k, kept_.end()));
    }
  }

 private:
  static constexpr size_t kBytes = size_t{128} << 20, kCount = 64;
  struct Kept {
    int64_t n;
    bool real;
    PlanPtr<T> plan;
  };
  ForkSafeMutex mutex_;
  std::list<Kept> kept_;
};
template <class T>
PlanPtr<T> plan_for(int64_t n, bool real) {
  static Plans<T>& plans = *new Plans<T>();
  if (PlanPtr<T> found = plans.find(n, real)) return found;
  PlanPtr<T> made = make_plan<T>(n, real);
  plans.keep(n, real, made);
  return made;
}

// ---- transforms

/// How many transforms of n numbers make a piece of work worth a thread's while.
int64_t per_piece(int64_t n) { return std::max<int64_t>(1, 16384 / std::max<int64_t>(n, 1)); }

template <class T>
void multiply(int64_t n, const T* x, bool swap_x, const T* w, T* y, bool swap_y, T scale) {
  parallel_for(n, 32768, [&](int64_t begin, int64_t end) {
    loops<T>().multiply(end - begin, x + 2 * begin, swap_x, w + 2 * begin, y + 2 * begin, swap_y, scale);
  });
}

template <class T>
int64_t groups_of(int64_t n) {
  return (n + kFftLanes<T> - 1) / kFftLanes<T>;
}
/// By its columns and its rows, in memory of split_room numbers.
template <class T>
int64_t split_room(const FftPlan<T>& plan) {
  return groups_of<T>(plan.columns->n) * plan.rows->n * kFftRow<T> +
         std::max(plan.columns->n * kFftRow<T> + plan.columns->room, plan.rows->room);
}
template <class T>
void split_line(const FftPlan<T>& plan, const T* x, T* y, bool inverse, T scale, T* between) {
  const int64_t n1 = plan.columns->n, n2 = plan.rows->n;
  T* room = between + groups_of<T>(n1) * n2 * kFftRow<T>;
  for (int64_t g = 0; g < groups_of<T>(n2); ++g) loops<T>().columns(plan, g, x, between, inverse, room);
  for (int64_t g = 0; g < groups_of<T>(n1); ++g) loops<T>().rows(plan, g, between, y, inverse, scale, room);
}
/// A long one, whose columns and rows may go to several threads.
template <class T>
void split_long_line(const FftPlan<T>& plan, const T* x, T* y, bool inverse, T scale) {
  const int64_t n1 = plan.columns->n, n2 = plan.rows->n;
  Workspace<T> between(groups_of<T>(n1) * n2 * kFftRow<T>);
  parallel_for(groups_of<T>(n2), per_piece(n1 * kFftLanes<T>), [&](int64_t begin, int64_t end) {
    Workspace<T> room(n1 * kFftRow<T> + plan.columns->room);
    for (int64_t g = begin; g < end; ++g) loops<T>().columns(plan, g, x, between.data(), inverse, room.data());
  });
  parallel_for(groups_of<T>(n1), per_piece(n2 * kFftLanes<T>), [&](int64_t begin, int64_t end) {
    Workspace<T> room(plan.rows->room);
    for (int64_t g = begin; g < end; ++g) loops<T>().rows(plan, g, between.data(), y, inverse, scale, room.data());
  });
}
template <class T>
void convolved_line(const Plan<T>& plan, const T* x, T* y, bool inverse, T scale, T* z) {
  const int64_t n = plan.plan.n, length = plan.convolution->plan.n;
  multiply<T>(n, x, inverse, plan.chirp, z, false, 1);
  std::fill(z + 2 * n, z + 2 * length, T(0));
  complex_lines<T>(*plan.convolution, 1, z, 0, z, 0, false, 1);
  multiply<T>(length, z, false, plan.filter, z, false, 1);
  complex_lines<T>(*plan.convolution, 1, z, 0, z, 0, true, static_cast<T>(1.0 / static_cast<double>(length)));
  multiply<T>(n, z, false, plan.chirp, y, inverse, scale);
}
/// Are there better as many transforms in the lanes as columns of one? (The bits are the same.)
template <class T>
bool in_lanes(const Plan<T>& plan, int64_t count) {
  constexpr int64_t kMost = kFftLanes<T>;
  return !plan.convolution && (!plan.plan.columns || (plan.plan.n < kMost * kMost && count > 1));
}
template <class T>
void lines_in_lanes(const Plan<T>& plan, FftEnds ends, const T* mirror, int64_t count, const T* x, int64_t x_line, T* y,
                    int64_t y_line, bool inverse, T scale) {
  constexpr int64_t kMost = kFftLanes<T>;
  const int64_t n = plan.plan.n;
  parallel_for(groups_of<T>(count), per_piece(n * kMost), [&](int64_t begin, int64_t end) {
    Workspace<T> room(2 * (n + 1) * kFftRow<T> + plan.plan.room);
    for (int64_t i = begin * kMost; i < std::min(end * kMost, count); i += kMost)
      loops<T>().lines(plan.plan, ends, mirror, std::min(kMost, count - i), x + i * x_line, x_line, y + i * y_line,
                       y_line, inverse, scale, room.data());
  });
}
template <class T>
void complex_lines(const Plan<T>& plan, int64_t count, const T* x, int64_t x_line, T* y, int64_t y_line, bool inverse,
                   T scale) {
  if (in_lanes(plan, count))
    return lines_in_lanes<T>(plan, FftEnds::Complex, nullptr, count, x, x_line, y, y_line, inverse, scale);
  constexpr int64_t kLong = 1 << 15;
  if (!plan.convolution && count == 1 && plan.plan.n >= kLong) return split_long_line(plan.plan, x, y, inverse, scale);
  parallel_for(count, per_piece(plan.plan.n), [&](int64_t begin, int64_t end) {
    Workspace<T> room(plan.convolution ? 2 * plan.convolution->plan.n : split_room(plan.plan));
    for (int64_t i = begin; i < end; ++i) {
      if (plan.convolution) convolved_line(plan, x + i * x_line, y + i * y_line, inverse, scale, room.data());
      else split_line(plan.plan, x + i * x_line, y + i * y_line, inverse, scale, room.data());
    }
  });
}

/// Where the numbers of a transform are not side by side: those of several transforms are.
template <class T>
void complex_beside(const Plan<T>& plan, int64_t outer, int64_t inner, const T* x, T* y, bool inverse, T scale) {
  constexpr int64_t kMost = kFftLanes<T>;
  const int64_t n = plan.plan.n, groups = groups_of<T>(inner);
  parallel_for(outer * groups, per_piece(n * kMost), [&](int64_t begin, int64_t end) {
    const bool convolved = plan.convolution != nullptr;
    Workspace<T> room(n * kFftRow<T> + (convolved ? 0 : plan.plan.room));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % groups * kMost, count = std::min(kMost, inner - first);
      const int64_t at = 2 * (i / groups * n * inner + first);
      if (!convolved) {
        loops<T>().beside(plan.plan, count, x + at, y + at, 2 * inner, inverse, scale, room.data());
        continue;
      }
      T* z = room.data();
      for (int64_t l = 0; l < count; ++l)
        for (int64_t j = 0; j < n; ++j) std::copy_n(x + at + 2 * (j * inner + l), 2, z + 2 * (l * n + j));
      complex_lines(plan, count, z, 2 * n, z, 2 * n, inverse, scale);
      for (int64_t j = 0; j < n; ++j)
        for (int64_t l = 0; l < count; ++l) std::copy_n(z + 2 * (l * n + j), 2, y + at + 2 * (j * inner + l));
    }
  });
}

template <class T>
void to_half(int64_t count, int64_t n, const T* x, T* y, T scale) {
  const int64_t m = n / 2, half = m + 1;
  const bool even = n % 2 == 0;
  const PlanPtr<T> plan = plan_for<T>(n, even);
  if (even && in_lanes(*plan->half, count))
    return lines_in_lanes(*plan->half, FftEnds::ToHalf, plan->mirror, count, x, n, y, 2 * half, false, scale / 2);
  const int64_t length = even ? m : n;
  parallel_for(count, per_piece(n), [&](int64_t begin, int64_t end) {
    Workspace<T> room((end - begin) * 2 * length);
    T* z = room.data();
    if (even) {
      complex_lines<T>(*plan->half, end - begin, x + begin * n, n, z, n, false, 1);
      for (int64_t i = begin; i < end; ++i, z += n) {
        T* to = y + 2 * half * i;
        to[0] = (z[0] + z[1]) * scale, to[1] = 0;
        to[n] = (z[0] - z[1]) * scale, to[n + 1] = 0;
        loops<T>().mirror(m, z, plan->mirror, false, to, scale / 2);
      }
      return;
    }
    for (int64_t j = 0; j < (end - begin) * n; ++j) z[2 * j] = x[begin * n + j], z[2 * j + 1] = 0;
    complex_lines<T>(*plan, end - begin, z, 2 * n, z, 2 * n, false, scale);
    for (int64_t i = begin; i < end; ++i, z += 2 * n) {
      std::copy_n(z, 2 * half, y + 2 * half * i);
      y[2 * half * i + 1] = 0;
    }
  });
}
/// The imaginary parts of what must be real, by symmetry, are not looked at.
template <class T>
void from_half(int64_t count, int64_t n, const T* x, T* y, T scale) {
  const int64_t m = n / 2, half = m + 1;
  const bool even = n % 2 == 0;
  const PlanPtr<T> plan = plan_for<T>(n, even);
  if (even && in_lanes(*plan->half, count))
    return lines_in_lanes(*plan->half, FftEnds::FromHalf, plan->mirror, count, x, 2 * half, y, n, true, scale);
  const int64_t length = even ? m : n;
  parallel_for(count, per_piece(n), [&](int64_t begin, int64_t end) {
    Workspace<T> room((end - begin) * 2 * length);
    for (int64_t i = begin; i < end; ++i) {
      const T* from = x + 2 * half * i;
      T* z = room.data() + (i - begin) * 2 * length;
      if (even) {
        z[0] = from[0] + from[n], z[1] = from[0] - from[n];
        loops<T>().mirror(m, from, plan->mirror, true, z, 1);
        continue;
      }
      z[0] = from[0], z[1] = 0;
      for (int64_t k = 1; k < half; ++k) {
        z[2 * k] = z[2 * (n - k)] = from[2 * k];
        z[2 * k + 1] = from[2 * k + 1], z[2 * (n - k) + 1] = -from[2 * k + 1];
      }
    }
    if (even) return complex_lines<T>(*plan->half, end - begin, room.data(), n, y + begin * n, n, true, scale);
    complex_lines<T>(*plan, end - begin, room.data(), 2 * n, room.data(), 2 * n, true, scale);
    for (int64_t j = 0; j < (end - begin) * n; ++j) y[begin * n + j] = room.data()[2 * j];
  });
}

template <class T>
void transform(Fft kind, int64_t outer, int64_t n, int64_t inner, const T* x, T* y, bool inverse, double factor) {
  const T scale = static_cast<T>(factor);
  if (kind == Fft::ToHalf) return to_half(outer, n, x, y, scale);
  if (kind == Fft::FromHalf) return from_half(outer, n, x, y, scale);
  const PlanPtr<T> plan = plan_for<T>(n);
  if (inner == 1) complex_lines(*plan, outer, x, 2 * n, y, 2 * n, inverse, scale);
  else complex_beside(*plan, outer, inner, x, y, inverse, scale);
}

}  // namespace

void fft(Fft kind, ScalarType type, int64_t outer, int64_t n, int64_t inner, const void* x, void* y, bool inverse,
         double scale) {
  if (outer == 0 || inner == 0) return;
  if (type == kDouble)
    transform(kind, outer, n, inner, static_cast<const double*>(x), static_cast<double*>(y), inverse, scale);
  else transform(kind, outer, n, inner, static_cast<const float*>(x), static_cast<float*>(y), inverse, scale);
}

}  // namespace taut::kernels
