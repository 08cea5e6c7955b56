// Plane rotations, and the problems of two rows that they solve.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::kernels {

/// sqrt(x^2 + y^2) without overflow on the way.
template <class T>
T hypotenuse(T x, T y) {
  const T a = std::abs(x), b = std::abs(y), big = std::max(a, b), small = std::min(a, b);
  if (small == 0 || big > std::numeric_limits<T>::max()) return big;
  const T ratio = small / big;
  return big * std::sqrt(1 + ratio * ratio);
}

/// c and s with [c s; -s c] [f; g] = [r; 0].
template <class T>
struct Rotation {
  T c, s, r;
  Rotation(T f, T g) : c(1), s(0), r(f) {
    if (g == 0) return;
    if (f == 0) {
      c = 0, s = std::copysign(T(1), g), r = std::abs(g);
      return;
    }
    const T d = hypotenuse(f, g);
    c = std::abs(f) / d;
    r = std::copysign(d, f);
    s = g / r;
  }
};

/// The eigenvalues of [a b; b c], the larger in absolute value first, and its unit eigenvector (cs, sn).
template <class T>
struct Symmetric2 {
  T first, second, cs, sn;
  Symmetric2(T a, T b, T c) {
    const T sum = a + c, difference = a - c, twice = b + b;
    const T root = hypotenuse(difference, twice), large = std::abs(a) > std::abs(c) ? a : c,
            small = std::abs(a) > std::abs(c) ? c : a;
    T sign = 1;
    if (sum == 0) {
      first = root / 2;
      second = -root / 2;
    } else {
      sign = sum < 0 ? T(-1) : T(1);
      first = (sum + sign * root) / 2;
      second = large / first * small - b / first * b;
    }
    const T other = difference >= 0 ? T(1) : T(-1), cosine = difference + other * root;
    if (std::abs(cosine) > std::abs(twice)) {
      const T cotangent = -twice / cosine;
      sn = 1 / std::sqrt(1 + cotangent * cotangent);
      cs = cotangent * sn;
    } else if (twice == 0) {
      cs = 1;
      sn = 0;
    } else {
      const T tangent = -cosine / twice;
      cs = 1 / std::sqrt(1 + tangent * tangent);
      sn = tangent * cs;
    }
    if (sign == other) {
      const T t = cs;
      cs = -sn;
      sn = t;
    }
  }
};

/// The smaller singular value of [f g; 0 h].
template <class T>
T least_singular2(T f, T g, T h) {
  const T a = std::abs(f), b = std::abs(g), c = std::abs(h), low = std::min(a, c), high = std::max(a, c);
  if (low == 0) return 0;
  if (b < high) {
    const T as = 1 + low / high, at = (high - low) / high, au = (b / high) * (b / high);
    return low * (2 / (std::sqrt(as * as + au) + std::sqrt(at * at + au)));
  }
  const T au = high / b;
  if (au == 0) return low * high / b;
  const T as = 1 + low / high, at = (high - low) / high;
  return 2 * (low * (1 / (std::sqrt(1 + (as * au) * (as * au)) + std::sqrt(1 + (at * au) * (at * au))))) * au;
}

/// The singular value decomposition of [f g; 0 h]: large and small with their signs, and the rotations of both sides.
template <class T>
struct Triangular2 {
  T large, small, cos_left, sin_left, cos_right, sin_right;
  Triangular2(T f, T g, T h) {
    const T kEps = std::numeric_limits<T>::epsilon() / 2;
    T ft = f, fa = std::abs(f), ht = h, ha = std::abs(h);
    int most = 1;
    const bool swap = ha > fa;
    if (swap) {
      most = 3;
      std::swap(ft, ht);
      std::swap(fa, ha);
    }
    const T gt = g, ga = std::abs(g);
    T clt = 1, crt = 1, slt = 0, srt = 0;
    if (ga == 0) {
      small = ha;
      large = fa;
    } else {
      bool normal = true;
      if (ga > fa) {
        most = 2;
        if (fa / ga < kEps) {
          normal = false;
          large = ga;
          small = ha > 1 ? fa / (ga / ha) : (fa / ga) * ha;
          clt = 1;
          slt = ht / gt;
          srt = 1;
          crt = ft / gt;
        }
      }
      if (normal) {
        const T d = fa - ha;
        T l = d == fa ? T(1) : d / fa;
        const T m = gt / ft;
        T t = 2 - l;
        const T mm = m * m, tt = t * t, s = std::sqrt(tt + mm), r = l == 0 ? std::abs(m) : std::sqrt(l * l + mm),
                a = (s + r) / 2;
        small = ha / a;
        large = fa * a;
        if (mm == 0) t = l == 0 ? std::copysign(T(2), ft) * std::copysign(T(1), gt) : gt / std::copysign(d, ft) + m / t;
        else t = (m / (s + t) + m / (r + l)) * (1 + a);
        l = std::sqrt(t * t + 4);
        crt = 2 / l;
        srt = t / l;
        clt = (crt + srt * m) / a;
        slt = (ht / ft) * srt / a;
      }
    }
    cos_left = swap ? srt : clt;
    sin_left = swap ? crt : slt;
    cos_right = swap ? slt : crt;
    sin_right = swap ? clt : srt;
    const auto sign = [](T x) { return std::copysign(T(1), x); };
    const T sign_large = most == 1   ? sign(cos_right) * sign(cos_left) * sign(f)
                         : most == 2 ? sign(sin_right) * sign(cos_left) * sign(g)
                                     : sign(sin_right) * sign(sin_left) * sign(h);
    large = std::copysign(large, sign_large);
    small = std::copysign(small, sign_large * sign(f) * sign(h));
  }
};

}  // namespace taut::kernels
