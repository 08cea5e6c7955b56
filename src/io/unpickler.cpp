// A pickle machine that runs no code: the only "calls" are the few rebuild functions below, matched by name.
#include "io/unpickler.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "io/bytes.h"
#include "io/named.h"
#include "io/pickle_machine.h"
#include "taut/sparse.h"

namespace taut::io {

namespace {

constexpr size_t kDeepest = 500;  // of lists in lists: destroying them recurses

constexpr const char* kStorages[] = {
    "BoolStorage",        "ByteStorage",         "CharStorage",         "ShortStorage", "IntStorage",
    "LongStorage",        "HalfStorage",         "BFloat16Storage",     "FloatStorage", "DoubleStorage",
    "ComplexHalfStorage", "ComplexFloatStorage", "ComplexDoubleStorage"};
constexpr int kStorageCount = static_cast<int>(std::size(kStorages));  // the limited dtypes have none

enum class Global : uint8_t {
  Ordered,
  RebuildTensor,
  RebuildSparse,
  RebuildParameter,
  Layout,
  Size,
  Device,
  Storage,
  Module,
  First
};
constexpr std::pair<const char*, Global> kGlobals[] = {{"collections.OrderedDict", Global::Ordered},
                                                       {"torch._utils._rebuild_tensor_v2", Global::RebuildTensor},
                                                       {"torch._utils._rebuild_tensor_v3", Global::RebuildTensor},
                                                       {"torch._utils._rebuild_sparse_tensor", Global::RebuildSparse},
                                                       {"torch._utils._rebuild_parameter", Global::RebuildParameter},
                                                       {"torch.serialization._get_layout", Global::Layout},
                                                       {"torch.Size", Global::Size},
                                                       {"torch.device", Global::Device}};

// What the pickles of modules have besides: lists of one type, and values beside the name of their type.
constexpr const char* kFirstArguments[] = {"torch.jit._pickle.build_intlist", "torch.jit._pickle.build_doublelist",
                                           "torch.jit._pickle.build_boollist", "torch.jit._pickle.build_tensorlist",
                                           "torch.jit._pickle.restore_type_tag"};

}  // namespace

std::string layout_name(Layout layout) {
  static constexpr const char* names[] = {"strided",    "sparse_coo", "sparse_csr",
                                          "sparse_csc", "sparse_bsr", "sparse_bsc"};
  return str("torch.", names[static_cast<int>(layout)]);
}
const char* storage_name(ScalarType dtype) {
  const auto i = static_cast<int>(dtype);
  return i < kStorageCount ? kStorages[i] : "UntypedStorage";
}

std::string misfit(const Tensor& storage, IntArrayRef size, IntArrayRef stride, int64_t offset) {
  if (size.size() != stride.size()) return str("a tensor has ", size.size(), " sizes but ", stride.size(), " strides");
  if (size.size() > kMaxDims)
    return str("a tensor has more than ", kMaxDims, " dimensions; at most ", kMaxDims, " dimensions are possible");
  for (size_t d = 0; d < size.size(); ++d)
    if (size[d] < 0 || stride[d] < 0) return "the sizes and strides of a tensor are not whole numbers";
  if (!checked_bytes(size, storage.scalar_type())) return str("the size of shape ", size, " overflows");
  // The last element must be inside the storage.
  uint64_t last = static_cast<uint64_t>(offset);
  bool empty = false, fits = offset >= 0;
  for (size_t d = 0; d < size.size(); ++d) {
    if (size[d] == 0) empty = true;
    else if (const auto step = times(static_cast<uint64_t>(size[d] - 1), static_cast<uint64_t>(stride[d]));
             step && *step <= INT64_MAX)
      fits = fits && !__builtin_add_overflow(last, *step, &last);
    else fits = false;
  }
  if (fits && (empty ? last <= INT64_MAX : last < static_cast<uint64_t>(storage.numel()))) return "";
  return str("a tensor of shape ", size, ", strides ", stride, " and offset ", offset,
             " does not fit into its storage of ", storage.numel(), " elements");
}

Tensor elements_of(const Tensor& bytes, ScalarType dtype) {
  check<FormatError>(bytes.numel() % element_size(dtype) == 0, "a storage of ", bytes.numel(),
                     " bytes does not hold elements of ", dtype);
  return bytes.view(dtype);
}

Tensor over_storage(const Tensor& storage, IntArrayRef size, IntArrayRef stride, int64_t offset) {
  if (offset > storage.numel()) offset = 0;  // it is empty
  return storage.as_strided(size, stride, offset).data();
}

namespace {

/// A value on the stack: an Object, or one of the things that only exist while unpickling.
struct Slot {
  enum class What : uint8_t { Value, Global, Storage, Arguments } what = What::Value;
  Global global{};
  ScalarType dtype{};  // of a storage or its class
  Object value;        // of a storage: its elements
  // A tuple with classes or storages in it, for calls and persistent ids. It holds no other one.
  std::shared_ptr<std::vector<Slot>> arguments;
};
using What = Slot::What;
using Slots = std::vector<Slot>;

Slot slot_of(Object o) { return {What::Value, {}, {}, std::move(o), {}}; }

}  // namespace

class Unpickler : public PickleMachine<Unpickler, Slot> {
 public:
  static constexpr int kProtocol = 2;
  Unpickler(const Input& in, const std::string& text, const StorageLoader& load, bool modules)
      : PickleMachine(text), in_(in), load_storage_(load), modules_(modules) {}
  // Whatever was built may hold itself; emptying every container takes all such rings apart.
  ~Unpickler() {
    if (done_) return;
    clear();
    dismantle();
  }
  Object value() { return run().value; }

 private:
  friend class PickleMachine<Unpickler, Slot>;
  [[noreturn]] void refuse(const std::string& why) { in_.fail("PyTorch", why); }

  Slot none() { return {}; }
  Slot boolean(bool b) { return slot_of(b); }
  Slot integer(int64_t i) { return slot_of(i); }
  Slot long_integer(const uint8_t*, uint64_t n) { fail("an integer of ", n, " bytes does not fit into 64 bits"); }
  Slot real(double d) { return slot_of(d); }
  Slot text(const char* p, uint64_t n) {
    if (!is_utf8(p, n)) fail("a text is not UTF-8");
    return slot_of(std::string(p, n));
  }

  Object value_of(Slot&& s) {
    if (s.what != What::Value)
      fail(s.what == What::Storage ? "a storage" : "a class", " stands where a value should be");
    return std::move(s.value);
  }
  // Containers can be changed only through the list of all that were made.
  Slot container(Object o) {
    containers_.push_back(o);
    return slot_of(std::move(o));
  }
  Slot new_list() { return container(Object::List()); }
  Slot new_dict() { return container(Object::Dict()); }
  Slot tuple(Slots items) {
    bool plain = true;
    for (const Slot& s : items) {
      if (s.what == What::Arguments) fail("a class or a storage stands where a value should be");
      plain = plain && s.what == What::Value;
    }
    if (!plain) return {What::Arguments, {}, {}, {}, std::make_shared<Slots>(std::move(items))};
    Object::List list;
    list.reserve(items.size());
    for (Slot& s : items) list.push_back(std::move(s.value));
    return container(Object::tuple(std::move(list)));
  }
  void append(Slot& s, Slot item) {
    if (s.what != What::Value || s.value.kind_ != Object::Kind::List) fail("something is appended to what is no list");
    static_cast<Object::List*>(s.value.data_.get())->push_back(value_of(std::move(item)));
  }
  Object::Dict& dict_of(Slot& s) {
    if (s.what != What::Value || s.value.kind_ != Object::Kind::Dict) fail("a key is set in what is no dictionary");
    return *static_cast<Object::Dict*>(s.value.data_.get());
  }
  void set_item(Slot& s, Slot key, Slot value) {
    Object::Dict& dict = dict_of(s);
    Object k = value_of(std::move(key));
    if (k.kind_ == Object::Kind::List || k.kind_ == Object::Kind::Dict) fail("a key is ", kind_name(k.kind_));
    dict.emplace_back(std::move(k), value_of(std::move(value)));
  }
  /// The items of the tuple with which something is called.
  Slots arguments_of(Slot s) {
    if (s.what == What::Arguments) return *s.arguments;
    if (s.what != What::Value || s.value.kind_ != Object::Kind::Tuple) fail("the arguments of a call are not a tuple");
    Slots items;
    for (const Object& item : s.value.to_list()) items.push_back(slot_of(item));
    return items;
  }
  /// Attributes of an OrderedDict: a state_dict has its versions there. Those of a module are what it is.
  void build(Slot& made, Slot state) {
    const Object attributes = value_of(std::move(state));
    Object::Dict& dict = dict_of(made);
    if (!is_module(made)) return;
    if (!attributes.is_dict() || !dict.empty()) fail("a module is not described by its attributes");
    dict = attributes.to_dict();
  }
  bool is_module(const Slot& s) const { return modules_made_.contains(s.value.data_.get()); }
  /// A module becomes a dictionary of what it holds.
  Slot create(Slot cls, Slot arguments, Slot) {
    if (cls.what != What::Global || cls.global != Global::Module || !arguments_of(std::move(arguments)).empty())
      fail("an object is made that is no module");
    Slot made = new_dict();
    modules_made_.insert(made.value.data_.get());
    return made;
  }
  Slot finish(Slot result) {
    const Object value = value_of(std::move(result));
    dismantle(check_shape(value));  // what nobody can reach may still hold itself
    done_ = true;
    return slot_of(value);
  }

  Slot global(const std::string& module, const std::string& name);
  Slot call(Slot f, Slot arguments);
  Slot persistent(Slot id);
  Tensor rebuild_tensor(Slots& a);
  Tensor rebuild_sparse(Slots& a);
  int64_t int_of(Slot& s, const char* what);
  std::vector<int64_t> ints_of(Slot& s, const char* what);
  using Depths = std::unordered_map<const void*, size_t>;
  /// Empties the containers that are not among `kept`.
  void dismantle(const Depths& kept = {}) {
    for (Object& o : containers_) {
      if (kept.contains(o.data_.get())) continue;
      if (o.kind_ == Object::Kind::Dict) Object::Dict().swap(*static_cast<Object::Dict*>(o.data_.get()));
      else Object::List().swap(*static_cast<Object::List*>(o.data_.get()));
    }
  }
  Depths check_shape(const Object& root);

  const Input& in_;
  const StorageLoader& load_storage_;
  std::vector<Object> containers_;
  std::unordered_set<const void*> modules_made_;
  bool modules_, done_ = false;
};

Slot Unpickler::global(const std::string& module, const std::string& name) {
  const std::string full = module + '.' + name;
  Slot s;
  s.what = What::Global;
  for (const auto& [known, global] : kGlobals) {
    s.global = global;
    if (full == known) return s;
  }
  for (int i = 0; i < kDtypeCount; ++i) {
    if (module == "torch" && name == dtype_name(static_cast<ScalarType>(i))) return slot_of(static_cast<ScalarType>(i));
    s.global = Global::Storage;
    s.dtype = static_cast<ScalarType>(i);
    if (module == "torch" && i < kStorageCount && name == kStorages[i]) return s;
  }
  s.dtype = kByte;
  if (full == "torch.storage.UntypedStorage") return s;
  if (modules_) {
    s.global = Global::Module;
    if (full.starts_with("__torch__.") && !full.starts_with("__torch__.torch.classes.")) return s;
    s.global = Global::First;
    for (const char* known : kFirstArguments)
      if (full == known) return s;
  }
  check<NotImplementedError>(
      !full.starts_with("torch.") || !(name.ends_with("Storage") || name.starts_with("_rebuild")), in_.name(), ": '",
      shortened(full), "' is a kind of tensor that Taut does not have");
  fail("it asks for '", shortened(full),
       "', which is not plain data, and nothing in a file is run. Save the state_dict");
}

int64_t Unpickler::int_of(Slot& s, const char* what) {
  if (s.what != What::Value || s.value.kind_ != Object::Kind::Int) fail(what, " of a tensor is not an integer");
  return s.value.to_int();
}
std::vector<int64_t> Unpickler::ints_of(Slot& s, const char* what) {
  if (s.what != What::Value || s.value.kind_ != Object::Kind::Tuple) fail(what, " of a tensor is not a tuple");
  std::vector<int64_t> list;
  for (const Object& o : s.value.to_list()) {
    if (o.kind_ != Object::Kind::Int) fail(what, " of a tensor is not made of whole numbers");
    list.push_back(o.to_int());
  }
  return list;
}

Tensor Unpickler::rebuild_tensor(Slots& a) {
  if (a.size() < 6 || a.size() > 8 || a[0].what != What::Storage)
    fail("a tensor is not described by a storage and its layout");
  Tensor base = a[0].value.to_tensor();
  if (a.size() > 6 && a[6].what == What::Value && a[6].value.kind_ == Object::Kind::Dtype)
    base = elements_of(base, a[6].value.to_dtype());
  const int64_t offset = int_of(a[1], "the offset");
  const std::vector<int64_t> size = ints_of(a[2], "the size"), stride = ints_of(a[3], "the stride");
  if (a[4].what != What::Value || a[4].value.kind_ != Object::Kind::Bool)
    fail("requires_grad of a tensor is not a bool");
  if (a[5].what != What::Value || !(a[5].value.is_none() || (a[5].value.is_dict() && a[5].value.size() == 0)))
    fail("a tensor has hooks, which are code");
  if (const std::string why = misfit(base, size, stride, offset); !why.empty()) fail(why);
  Tensor t = over_storage(base, size, stride, offset);
  if (a[4].value.to_bool()) {
    if (!is_differentiable(t.scalar_type())) fail("a tensor of ", t.scalar_type(), " requires a gradient");
    t.requires_grad_();
  }
  return t;
}

/// From its layout and its parts; that its indices are within its size is checked.
Tensor Unpickler::rebuild_sparse(Slots& a) {
  if (a.size() != 2 || a[0].what != What::Value || !a[0].value.is_string() || a[1].what != What::Value ||
      a[1].value.kind_ != Object::Kind::Tuple)
    fail("a sparse tensor is not described by a layout and its parts");
  const std::string name = a[0].value.to_string();
  Layout layout = kStrided;
  for (const Layout known : {kSparse, kSparseCsr, kSparseCsc, kSparseBsr, kSparseBsc})
    if (name == layout_name(known)) layout = known;
  const Object::List& parts = a[1].value.to_list();
  const size_t tensors = layout == kSparse ? 2 : 3;
  if (layout == kStrided || parts.size() <= tensors || parts.size() > tensors + 2)
    fail("a sparse tensor of layout '", shortened(name), "' is made of ", parts.size(), " parts");
  for (size_t i = 0; i < tensors; ++i)
    if (!parts[i].is_tensor() || parts[i].to_tensor().layout() != kStrided)
      fail("a part of a sparse tensor is no tensor");
  Slot size = slot_of(parts[tensors]);
  const std::vector<int64_t> sizes = ints_of(size, "the size");
  const auto part = [&](size_t i) -> const Tensor& { return parts[i].to_tensor(); };
  try {
    if (layout != kSparse)
      return sparse_compressed_tensor(part(0), part(1), part(2), sizes, TensorOptions().layout(layout));
    std::optional<bool> coalesced;
    if (parts.size() > 3 && parts[3].kind_ == Object::Kind::Bool) coalesced = parts[3].to_bool();
    return sparse_coo_tensor(part(0), part(1), sizes, {}, coalesced);
  } catch (const Error& e) {
    fail("a sparse tensor does not fit: ", e.what());
  }
}

Slot Unpickler::call(Slot f, Slot arguments) {
  Slots a = arguments_of(std::move(arguments));
  if (f.what != What::Global) fail("something is called that is no function");
  switch (f.global) {
    case Global::Ordered:
      if (!a.empty()) fail("an OrderedDict is made with arguments");
      return new_dict();
    case Global::RebuildTensor: return slot_of(rebuild_tensor(a));
    case Global::RebuildSparse: return slot_of(rebuild_sparse(a));
    case Global::Layout:
      if (a.size() != 1 || a[0].what != What::Value || !a[0].value.is_string()) fail("a layout has no name");
      return a[0];
    case Global::RebuildParameter: {
      if (a.size() != 3 || a[0].what != What::Value || !a[0].value.is_tensor() ||
          a[1].value.kind_ != Object::Kind::Bool)
        fail("a parameter is not described by a tensor and requires_grad");
      const Tensor& t = a[0].value.to_tensor();
      if (a[1].value.to_bool() && !is_differentiable(t.scalar_type()))
        fail("a parameter of ", t.scalar_type(), " requires a gradient");
      t.requires_grad_(a[1].value.to_bool());
      return slot_of(t);
    }
    case Global::Size: {
      if (a.size() != 1) fail("torch.Size takes one tuple");
      Object::List list;
      for (int64_t i : ints_of(a[0], "the size")) list.emplace_back(i);
      return container(Object::tuple(std::move(list)));
    }
    case Global::Device:
      if (a.empty() || a[0].what != What::Value || !a[0].value.is_string()) fail("torch.device takes a name");
      return a[0];
    case Global::First:
      if (a.empty() || a[0].what != What::Value) fail("a list of one type is made of nothing");
      return a[0];
    case Global::Module:
    case Global::Storage: break;
  }
  fail("a class is called that makes no value");
}

Slot Unpickler::persistent(Slot id) {
  Slots a = arguments_of(std::move(id));
  if (a.size() != 5 || a[0].what != What::Value || !a[0].value.is_string() || a[0].value.to_string() != "storage" ||
      a[1].what != What::Global || a[1].global != Global::Storage || a[2].what != What::Value ||
      !a[2].value.is_string())
    fail("a persistent id does not describe a storage");
  const int64_t numel = int_of(a[4], "the length of the storage");
  if (numel < 0) fail("a storage has ", numel, " elements");
  return {What::Storage, {}, a[1].dtype, load_storage_(a[2].value.to_string(), a[1].dtype, numel), {}};
}

/// Nothing may hold itself, nor be nested so deep that walking it would exhaust the stack.
Unpickler::Depths Unpickler::check_shape(const Object& root) {
  struct Frame {
    const Object* object;
    size_t next = 0;
    size_t depth = 1;  // of what hangs below, so far
  };
  Depths depth;  // 0: on the path
  std::vector<Frame> path;
  auto is_container = [](const Object& o) { return o.is_list() || o.is_dict(); };
  if (!is_container(root)) return depth;
  depth.reserve(containers_.size());
  auto enter = [&](const Object& o) {
    depth[o.data_.get()] = 0;
    path.push_back({&o});
  };
  enter(root);
  while (!path.empty()) {
    Frame& f = path.back();
    const size_t n = f.object->size() * (f.object->is_dict() ? 2 : 1);
    if (f.next == n) {
      const size_t d = f.depth;
      depth[f.object->data_.get()] = d;
      path.pop_back();
      if (!path.empty()) path.back().depth = std::max(path.back().depth, d + 1);
      if (d > kDeepest) fail("its values are nested more than ", kDeepest, " deep");
      continue;
    }
    const size_t i = f.next++;
    const Object* child = nullptr;
    if (f.object->is_dict()) {
      const auto& pair = f.object->to_dict()[i / 2];
      child = i % 2 ? &pair.second : &pair.first;
    } else {
      child = &f.object->to_list()[i];
    }
    if (!is_container(*child)) continue;
    const auto seen = depth.find(child->data_.get());
    if (seen == depth.end()) enter(*child);
    else if (seen->second == 0) fail("a list or a dictionary holds itself");
    else f.depth = std::max(f.depth, seen->second + 1);
  }
  return depth;
}

Object unpickle(const Input& in, const std::string& text, const StorageLoader& load_storage, bool modules) {
  return Unpickler(in, text, load_storage, modules).value();
}

}  // namespace taut::io
