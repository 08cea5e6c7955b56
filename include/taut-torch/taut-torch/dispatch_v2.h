// AT_DISPATCH_V2: a list of types of any length, for <ATen/Dispatch_v2.h>.
//   AT_DISPATCH_V2(t.scalar_type(), "op", AT_WRAP([&] { f<scalar_t>(); }), AT_EXPAND(AT_ALL_TYPES), kHalf);
#pragma once
#include "taut-torch/dispatch.h"
#include "torch/torch.h"

#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(types) types
#define AT_FLOATING_TYPES at::kDouble, at::kFloat
#define AT_INTEGRAL_TYPES at::kByte, at::kChar, at::kInt, at::kLong, at::kShort
#define AT_COMPLEX_TYPES at::kComplexDouble, at::kComplexFloat
#define AT_ALL_TYPES AT_INTEGRAL_TYPES, AT_FLOATING_TYPES
#define AT_ALL_TYPES_AND_COMPLEX AT_ALL_TYPES, AT_COMPLEX_TYPES
#define AT_DISPATCH_V2(type, name, body, ...) \
  AT_DISPATCH_SWITCH(type, name, TAUT_TORCH_4(TAUT_TORCH_EACH((body), __VA_ARGS__)))

// TAUT_TORCH_EACH writes one case and puts off the rest; every level below reads the text again, four times.
#define TAUT_TORCH_EACH(body, type, ...) \
  AT_DISPATCH_CASE(type, AT_WRAP body) __VA_OPT__(TAUT_TORCH_REST TAUT_TORCH_PARENS(body, __VA_ARGS__))
#define TAUT_TORCH_REST() TAUT_TORCH_EACH
#define TAUT_TORCH_PARENS ()
#define TAUT_TORCH_4(...) TAUT_TORCH_3(TAUT_TORCH_3(TAUT_TORCH_3(TAUT_TORCH_3(__VA_ARGS__))))
#define TAUT_TORCH_3(...) TAUT_TORCH_2(TAUT_TORCH_2(TAUT_TORCH_2(TAUT_TORCH_2(__VA_ARGS__))))
#define TAUT_TORCH_2(...) TAUT_TORCH_1(TAUT_TORCH_1(TAUT_TORCH_1(TAUT_TORCH_1(__VA_ARGS__))))
#define TAUT_TORCH_1(...) __VA_ARGS__
