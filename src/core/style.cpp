// The style in which things are printed, and dtypes as text.
#include <atomic>
#include <ostream>

#include "taut/core/dtype.h"
#include "taut/core/error.h"
#include "taut/core/style.h"

namespace taut {

static std::atomic<PrintStyle> style{PrintStyle::Python};
PrintStyle print_style() { return style.load(std::memory_order_relaxed); }
void set_print_style(PrintStyle s) { style.store(s, std::memory_order_relaxed); }

const char* toString(ScalarType t) {
  constexpr const char* names[] = {"Bool",
                                   "Byte",
                                   "Char",
                                   "Short",
                                   "Int",
                                   "Long",
                                   "Half",
                                   "BFloat16",
                                   "Float",
                                   "Double",
                                   "ComplexHalf",
                                   "ComplexFloat",
                                   "ComplexDouble",
                                   "Float8_e5m2",
                                   "Float8_e4m3fn",
                                   "Float8_e5m2fnuz",
                                   "Float8_e4m3fnuz",
                                   "Float8_e8m0fnu",
                                   "UInt16",
                                   "UInt32",
                                   "UInt64",
                                   "Undefined"};
  return names[static_cast<int>(t)];
}
std::ostream& operator<<(std::ostream& out, ScalarType t) {
  return out << (print_style() == PrintStyle::Cpp ? toString(t) : dtype_name(t));
}

const char* TypeMeta::name() const {
  constexpr const char* names[] = {"bool",
                                   "unsigned char",
                                   "signed char",
                                   "short int",
                                   "int",
                                   "long int",
                                   "c10::Half",
                                   "c10::BFloat16",
                                   "float",
                                   "double",
                                   "c10::Complex<c10::Half>",
                                   "c10::Complex<float>",
                                   "c10::Complex<double>",
                                   "c10::Float8_e5m2",
                                   "c10::Float8_e4m3fn",
                                   "c10::Float8_e5m2fnuz",
                                   "c10::Float8_e4m3fnuz",
                                   "c10::Float8_e8m0fnu",
                                   "unsigned short",
                                   "unsigned int",
                                   "unsigned long",
                                   "nullptr (uninitialized)"};
  return names[static_cast<int>(type_)];
}
std::ostream& operator<<(std::ostream& out, TypeMeta t) {
  return out << (print_style() == PrintStyle::Cpp ? t.name() : dtype_name(t));
}

}  // namespace taut
