// Elementary functions of doubles that have the same bits on every processor with fused multiply-add, where those of
// the C library differ between machines and versions.
#pragma once

namespace taut::maths {

double exp(double x);
double log(double x);
double expm1(double x);
double log1p(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double atan(double x);
double erf(double x);
double erfc(double x);
double pow(double x, double exponent);

}  // namespace taut::maths
