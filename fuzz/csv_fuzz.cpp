// CSV, as numbers and as texts.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const uint8_t kind = data[0];
  const taut::io::CsvOptions options{.delimiter = kind & 1 ? ';' : ',',
                                     .header = (kind & 2) != 0,
                                     .dtype = kind & 4   ? taut::kLong
                                              : kind & 8 ? taut::kByte
                                                         : taut::kFloat};
  return fuzz(data + 1, size - 1, [&](const uint8_t* bytes, size_t n) {
    const std::string text(reinterpret_cast<const char*>(bytes), n);
    const auto fields = taut::io::parse_csv_text(text, options);
    const auto numbers = taut::io::parse_csv(text, options);
    touch(numbers.values);
    require(numbers.values.size(0) == static_cast<int64_t>(fields.rows.size()));
  });
}
