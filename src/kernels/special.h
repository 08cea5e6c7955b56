// Special functions that libm lacks, one number at a time.
#pragma once

namespace taut::special {

/// x with erf(x) = y.
double erfinv(double y);
/// The derivative of lgamma.
double digamma(double x);
/// The n-th derivative of digamma; n is a whole number >= 0.
double polygamma(double n, double x);

/// Of an integer kernel that meets a zero divisor: Error("ZeroDivisionError").
[[noreturn]] void throw_zero_division();

}  // namespace taut::special
