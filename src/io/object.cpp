// Access to the plain values of a .pt file.
#include "taut/io/object.h"

#include <algorithm>
#include <unordered_map>

namespace taut::io {

namespace {
constexpr size_t kMostTensors = 1'000'000;  // a dictionary whose parts occur many times may stand for very many
constexpr int kDeepest = 1000;

template <class T>
const T& as(const std::shared_ptr<void>& data) {
  return *static_cast<const T*>(data.get());
}
[[noreturn]] void wrong(const char* wanted, Object::Kind kind) {
  throw TypeError(str("the object is ", kind_name(kind), ", not ", wanted));
}

/// How many tensors a container stands for. Each is counted once, however often it occurs.
using Counts = std::unordered_map<const void*, size_t>;
const void* identity(const Object& o) {
  return o.is_dict() ? static_cast<const void*>(&o.to_dict()) : o.is_list() ? &o.to_list() : nullptr;
}
size_t count(const Object& o, int depth, Counts& known) {
  check<ValueError>(depth <= kDeepest, "state_dict: the object is nested more than ", kDeepest, " deep");
  if (!identity(o)) return o.is_tensor();
  if (const auto found = known.find(identity(o)); found != known.end()) return found->second;
  size_t n = 0;
  const auto add = [&](const Object& part) { n = std::min(n + count(part, depth + 1, known), kMostTensors + 1); };
  if (o.is_dict())
    for (const auto& [key, value] : o.to_dict()) add(value);
  else
    for (const Object& item : o.to_list()) add(item);
  return known[identity(o)] = n;
}

void collect(const Object& o, const std::string& name, Counts& known, OrderedDict<std::string, Tensor>& out) {
  if (identity(o) && known[identity(o)] == 0) return;
  auto below = [&](const std::string& key) { return name.empty() ? key : name + '.' + key; };
  if (o.is_tensor()) {
    out.insert(name, o.to_tensor());
  } else if (o.is_dict()) {
    for (const auto& [key, value] : o.to_dict()) {
      if (key.is_string()) collect(value, below(key.to_string()), known, out);
      else if (key.kind() == Object::Kind::Int) collect(value, below(std::to_string(key.to_int())), known, out);
    }
  } else if (o.is_list()) {
    for (size_t i = 0; i < o.size(); ++i) collect(o[i], below(std::to_string(i)), known, out);
  }
}
}  // namespace

const char* kind_name(Object::Kind kind) {
  constexpr const char* names[] = {"None",     "a bool",  "an int", "a float", "a text",
                                   "a tensor", "a dtype", "a list", "a tuple", "a dictionary"};
  return names[static_cast<int>(kind)];
}

Object::Object(const std::vector<taut::Tensor>& tensors) : Object(List(tensors.begin(), tensors.end())) {}
Object::Object(const OrderedDict<std::string, taut::Tensor>& tensors) : Object(Dict()) {
  auto dict = std::make_shared<Dict>();
  for (const auto& item : tensors) dict->emplace_back(item.key(), item.value());
  data_ = std::move(dict);
}

bool Object::to_bool() const {
  if (kind_ != Kind::Bool) wrong("a bool", kind_);
  return int_ != 0;
}
int64_t Object::to_int() const {
  if (kind_ != Kind::Int) wrong("an int", kind_);
  return int_;
}
double Object::to_double() const {
  if (kind_ == Kind::Int) return static_cast<double>(int_);
  if (kind_ != Kind::Float) wrong("a float", kind_);
  return double_;
}
const std::string& Object::to_string() const {
  if (kind_ != Kind::String) wrong("a text", kind_);
  return as<std::string>(data_);
}
const taut::Tensor& Object::to_tensor() const {
  if (kind_ != Kind::Tensor) wrong("a tensor", kind_);
  return as<taut::Tensor>(data_);
}
ScalarType Object::to_dtype() const {
  if (kind_ != Kind::Dtype) wrong("a dtype", kind_);
  return static_cast<ScalarType>(int_);
}
const Object::List& Object::to_list() const {
  if (!is_list()) wrong("a list", kind_);
  return as<List>(data_);
}
const Object::Dict& Object::to_dict() const {
  if (!is_dict()) wrong("a dictionary", kind_);
  return as<Dict>(data_);
}

size_t Object::size() const { return is_dict() ? to_dict().size() : to_list().size(); }
const Object& Object::operator[](size_t index) const {
  const List& list = to_list();
  check<IndexError>(index < list.size(), "index ", index, " is out of range for a list of ", list.size());
  return list[index];
}
const Object* Object::find(const std::string& key) const {
  const Dict& dict = to_dict();
  for (auto i = dict.rbegin(); i != dict.rend(); ++i)  // of equal keys the last counts
    if (i->first.is_string() && i->first.to_string() == key) return &i->second;
  return nullptr;
}
const Object& Object::at(const std::string& key) const {
  const Object* found = find(key);
  check<IndexError>(found, "the dictionary has no key '", key, "'");
  return *found;
}

OrderedDict<std::string, taut::Tensor> Object::state_dict() const {
  OrderedDict<std::string, taut::Tensor> result("Tensor");
  Counts known;
  check<ValueError>(count(*this, 0, known) <= kMostTensors, "state_dict: more than ", kMostTensors, " tensors");
  collect(*this, "", known, result);
  return result;
}

}  // namespace taut::io
