// Values of any type: comparing, naming and printing them.
#include "taut/autograd/ivalue.h"

#include <ostream>

namespace taut {

const char* IValue::tagKind() const {
  if (isNone()) return "None";
  if (isTensor()) return "Tensor";
  if (isBool()) return "Bool";
  if (isInt()) return "Int";
  if (isDouble()) return "Double";
  if (isString()) return "String";
  if (isDevice()) return "Device";
  if (isTuple()) return "Tuple";
  if (isGenericDict()) return "GenericDict";
  return isList() ? "GenericList" : "Object";
}

void IValue::wrong_type(const char* wanted) const { throw TypeError(str("Expected ", wanted, " but got ", tagKind())); }

void IValue::set_tuple(ivalue::List elements) { value_ = ivalue::Tuple::create(std::move(elements)); }

bool IValue::all(bool (IValue::*holds)() const) const {
  if (!isList()) return false;
  for (const IValue& x : *list())
    if (!(x.*holds)()) return false;
  return true;
}

std::vector<int64_t> IValue::toIntVector() const { return to<std::vector<int64_t>>(); }
std::vector<double> IValue::toDoubleVector() const { return to<std::vector<double>>(); }
std::vector<Tensor> IValue::toTensorVector() const { return to<std::vector<Tensor>>(); }

bool IValue::is(const IValue& other) const {
  if (isTensor() && other.isTensor()) return toTensor().is_same(other.toTensor());
  if (isList() && other.isList()) return list() == other.list();
  if (isGenericDict() && other.isGenericDict()) return dict() == other.dict();
  if (isTuple() && other.isTuple()) return toTuple() == other.toTuple();
  return *this == other;
}

bool operator==(const IValue& a, const IValue& b) {
  if (a.isScalar() && b.isScalar())
    return a.toScalar().type() == b.toScalar().type() && a.toScalar().equal(b.toScalar());
  if (a.isString() && b.isString()) return a.toStringRef() == b.toStringRef();
  if (a.isDevice() && b.isDevice()) return a.toDevice() == b.toDevice();
  if (a.isTensor() && b.isTensor()) return a.toTensor().is_same(b.toTensor());
  if (a.isList() && b.isList()) return *a.list() == *b.list();
  if (a.isTuple() && b.isTuple()) return a.elements() == b.elements();
  if (a.isGenericDict() && b.isGenericDict()) return *a.dict() == *b.dict();
  return a.isNone() && b.isNone();
}

namespace {
void print_all(std::ostream& out, const ivalue::List& list, const char* open, const char* close) {
  out << open;
  for (size_t i = 0; i < list.size(); ++i) out << (i ? ", " : "") << list[i];
  out << close;
}
}  // namespace

std::ostream& operator<<(std::ostream& out, const IValue& v) {
  if (v.isNone()) return out << "None";
  if (v.isTensor()) return out << v.toTensor();
  if (v.isBool()) return out << (v.toBool() ? "True" : "False");
  if (v.isInt()) return out << v.toInt();
  if (v.isDouble()) {
    const double d = v.toDouble();
    const bool whole = d > -1e15 && d < 1e15 && d == static_cast<double>(static_cast<int64_t>(d));
    return whole ? out << static_cast<int64_t>(d) << '.' : out << d;
  }
  if (v.isString()) return out << v.toStringRef();
  if (v.isDevice()) return out << v.toDevice();
  if (v.isList()) print_all(out, *v.list(), "[", "]");
  else if (v.isTuple()) print_all(out, v.elements(), "(", v.elements().size() == 1 ? ",)" : ")");
  else if (v.isGenericDict()) {
    out << '{';
    for (size_t i = 0; i < v.dict()->size(); ++i)
      out << (i ? ", " : "") << (*v.dict())[i].first << ": " << (*v.dict())[i].second;
    out << '}';
  } else {
    out << "<Object>";
  }
  return out;
}

}  // namespace taut
