// Special functions, one number at a time.
#pragma once

namespace taut::special {

/// x = n pi/2 + rest for any x, however large: the last two bits of n, and the rest, at most pi/4. A NaN if x is not
/// finite.
int quadrant(double x, double& rest);
/// The logarithm of the absolute value of the gamma function.
double lgamma(double x);
/// x with erf(x) = y.
double erfinv(double y);
/// The derivative of lgamma.
double digamma(double x);
/// The n-th derivative of digamma; n is a whole number >= 0.
double polygamma(double n, double x);

/// Of an integer kernel that meets a zero divisor: Error("ZeroDivisionError").
[[noreturn]] void throw_zero_division();

}  // namespace taut::special
