// uint16, uint32, uint64 and the floats of eight bits from C++. python/tests/scripts/few_bits.py compares more with
// PyTorch.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/taut.h"

namespace taut {
namespace {

TEST(LimitedDtypes, HaveTheirNamesAndSizes) {
  EXPECT_EQ(dtype_of<uint16_t>, kUInt16);
  EXPECT_EQ(dtype_of<uint64_t>, kUInt64);
  EXPECT_EQ(dtype_of<Float8_e4m3fn>, kFloat8_e4m3fn);
  EXPECT_EQ(std::string(toString(kFloat8_e5m2fnuz)), "Float8_e5m2fnuz");
  EXPECT_EQ(element_size(kUInt32), 4);
  EXPECT_EQ(element_size(kFloat8_e8m0fnu), 1);
  EXPECT_TRUE(is_floating_point(kFloat8_e5m2));
  EXPECT_TRUE(is_integral(kUInt16));
}
TEST(LimitedDtypes, HoldTheirNumbers) {
  const Tensor x = tensor({0, 65535, 70000}, kInt).to(kUInt16);
  EXPECT_EQ(x.data_ptr<uint16_t>()[1], 65535);
  EXPECT_EQ(x.data_ptr<uint16_t>()[2], 70000 - 65536);
  EXPECT_EQ(repr(x), "tensor([    0, 65535,  4464], dtype=torch.uint16)");
  const Tensor large = full({2}, uint64_t{1} << 63, kUInt64);
  EXPECT_EQ(large.to(kDouble)[0].item<double>(), 0x1p63);
  EXPECT_EQ(repr(large), "tensor([9223372036854775808, 9223372036854775808], dtype=torch.uint64)");
  EXPECT_EQ(large[0].item().type(), kUInt64);
  EXPECT_EQ(std::get<0>(cat({large, ones({1}, kUInt64)}).sort()).to(kDouble)[0].item<double>(), 1);
}
TEST(LimitedDtypes, EveryFloatOfEightBitsComesBack) {
  for (const ScalarType t : {kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz, kFloat8_e8m0fnu})
    for (int bits = 0; bits < 256; ++bits) {
      const float f = float8_to_float(static_cast<uint8_t>(bits), t);
      if (std::isnan(f) || (t == kFloat8_e4m3fn && std::isinf(f))) continue;
      EXPECT_EQ(float8_from_float(f, t), bits) << t << " " << f;
    }
}
TEST(LimitedDtypes, OthersRefuseThem) {
  for (const ScalarType t : {kUInt16, kFloat8_e4m3fn}) {
    const Tensor x = ones({2, 2}, t);
    for (const auto& f : std::vector<std::function<void()>>{
             [&] { x + x; }, [&] { x.neg(); }, [&] { x.gt(x); }, [&] { x.matmul(x); }, [&] { x.softmax(0); },
             [&] { x.cummax(0); }, [&] { x.flip({0}); },
             [&] {
               x.gather(0, zeros({1, 2}, kLong));
             },
             [&] { x.max(); }, [&] { x.nonzero(); }, [&] { x.argmax(); }, [&] { x.topk(1); }, [&] { x.tril(); }})
      try {
        f();
        ADD_FAILURE() << t;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("not implemented for '"), std::string::npos) << e.what();
      }
  }
  EXPECT_THROW(promote_types(kUInt16, kInt), Error);
  EXPECT_THROW(promote_types(kFloat8_e5m2, kFloat), Error);
  EXPECT_EQ(promote_types(kUInt16, kHalf), kHalf);
}

}  // namespace
}  // namespace taut
