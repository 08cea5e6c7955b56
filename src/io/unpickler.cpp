// A pickle machine that runs no code: the only "calls" are the few rebuild functions below, matched by name.
#include "io/unpickler.h"

#include <algorithm>
#include <unordered_map>

#include "io/bytes.h"
#include "io/named.h"

namespace taut::io {

namespace {

constexpr size_t kDeepest = 500;  // of lists in lists: destroying them recurses
constexpr int64_t kMaxDims = 64;

constexpr const char* kStorages[] = {"BoolStorage", "ByteStorage", "CharStorage",     "ShortStorage", "IntStorage",
                                     "LongStorage", "HalfStorage", "BFloat16Storage", "FloatStorage", "DoubleStorage"};
constexpr const char* kDtypes[] = {"bool",  "uint8",   "int8",     "int16",   "int32",
                                   "int64", "float16", "bfloat16", "float32", "float64"};

enum class Global : uint8_t { Ordered, RebuildTensor, RebuildParameter, Size, Device, Storage };

}  // namespace

const char* storage_name(ScalarType dtype) { return kStorages[static_cast<int>(dtype)]; }

// A value on the stack: an Object, or one of the things that only exist while unpickling.
class Unpickler {
 public:
  Unpickler(const Input& in, const std::string& text, const StorageLoader& load)
      : in_(in), text_(text), load_storage_(load) {}
  // Whatever was built may hold itself; emptying every container takes all such rings apart.
  ~Unpickler() {
    if (done_) return;
    stack_.clear();
    memo_.clear();
    dismantle();
  }

  Object run();

 private:
  struct Slot {
    enum class What : uint8_t { Value, Global, Storage, Mark } what = What::Value;
    Global global{};
    ScalarType dtype{};  // of a storage or its class
    Object value;        // of a storage: its elements
  };
  using What = Slot::What;

  template <class... Args>
  [[noreturn]] void fail(const Args&... what) {
    in_.fail("PyTorch", what..., " (byte ", at_, " of its pickle)");
  }

  // Bytes.
  const uint8_t* bytes(uint64_t n) {
    if (n > text_.size() - at_) fail("the pickle ends in the middle");
    const auto* p = reinterpret_cast<const uint8_t*>(text_.data()) + at_;
    at_ += n;
    return p;
  }
  uint8_t byte() { return *bytes(1); }
  uint32_t word() { return load_little<uint32_t>(bytes(4)); }
  std::string line() {
    const size_t end = text_.find('\n', at_);
    if (end == text_.npos) fail("the pickle ends in the middle");
    std::string s = text_.substr(at_, end - at_);
    at_ = end + 1;
    return s;
  }
  Object unicode(uint64_t n) {
    const auto* p = reinterpret_cast<const char*>(bytes(n));
    if (!is_utf8(p, n)) fail("a text is not UTF-8");
    return std::string(p, n);
  }
  Object long_integer() {
    const size_t n = byte();
    const uint8_t* p = bytes(n);
    if (n > 8) fail("an integer of ", n, " bytes does not fit into 64 bits");
    uint64_t v = n > 0 && p[n - 1] & 0x80 ? ~uint64_t{0} : 0;
    for (size_t i = n; i-- > 0;) v = v << 8 | p[i];
    return static_cast<int64_t>(v);
  }

  // The stack.
  void push(Object o) { stack_.push_back({What::Value, {}, {}, std::move(o)}); }
  Slot pop_slot() {
    if (stack_.empty() || stack_.back().what == What::Mark) fail("the stack is empty");
    Slot s = std::move(stack_.back());
    stack_.pop_back();
    return s;
  }
  Object value_of(Slot&& s) {
    if (s.what != What::Value) fail(s.what == What::Mark ? "a mark" : "a class", " stands where a value should be");
    return std::move(s.value);
  }
  Object pop() { return value_of(pop_slot()); }
  Slot& top() {
    if (stack_.empty() || stack_.back().what == What::Mark) fail("the stack is empty");
    return stack_.back();
  }
  /// What lies above the last mark; the mark goes too.
  std::vector<Slot> pop_to_mark() {
    size_t i = stack_.size();
    while (i > 0 && stack_[i - 1].what != What::Mark) --i;
    if (i == 0) fail("there is no mark on the stack");
    std::vector<Slot> items(std::make_move_iterator(stack_.begin() + static_cast<std::ptrdiff_t>(i)),
                            std::make_move_iterator(stack_.end()));
    stack_.resize(i - 1);
    return items;
  }

  // Containers can be changed only through the list of all that were made.
  void push_container(Object o) {
    containers_.push_back(o);
    push(std::move(o));
  }
  /// Tuples may hold classes and storages: the arguments of the rebuild functions and of persistent ids.
  void push_tuple(std::vector<Slot> items) {
    Object::List list;
    list.reserve(items.size());
    bool plain = true;
    for (const Slot& s : items) plain = plain && s.what == What::Value;
    if (plain) {
      for (Slot& s : items) list.push_back(std::move(s.value));
      return push_container(Object::tuple(std::move(list)));
    }
    if (!arguments_.empty()) fail("a class or a storage stands where a value should be");
    arguments_ = std::move(items);
    stack_.push_back({What::Value, {}, {}, Object::tuple({})});
    arguments_at_ = stack_.size();
  }
  void push_last(size_t n) {
    std::vector<Slot> items(n);
    for (size_t i = n; i-- > 0;) items[i] = pop_slot();
    push_tuple(std::move(items));
  }
  Object::List* list_of(Slot& s) {
    if (s.what != What::Value || s.value.kind_ != Object::Kind::List) fail("something is appended to what is no list");
    return static_cast<Object::List*>(s.value.data_.get());
  }
  Object::Dict* dict_of(Slot& s) {
    if (s.what != What::Value || s.value.kind_ != Object::Kind::Dict) fail("a key is set in what is no dictionary");
    return static_cast<Object::Dict*>(s.value.data_.get());
  }
  void set_item(Object::Dict& dict, Object key, Object value) {
    if (key.kind_ == Object::Kind::List || key.kind_ == Object::Kind::Dict) fail("a key is ", kind_name(key.kind_));
    dict.emplace_back(std::move(key), std::move(value));
  }
  /// The arguments of a call: the tuple on top of the stack.
  std::vector<Slot> pop_arguments() {
    if (!arguments_.empty() && arguments_at_ == stack_.size()) {
      stack_.pop_back();
      return std::exchange(arguments_, {});
    }
    const Object o = pop();
    if (o.kind_ != Object::Kind::Tuple) fail("the arguments of a call are not a tuple");
    std::vector<Slot> items;
    for (const Object& item : o.to_list()) items.push_back({What::Value, {}, {}, item});
    return items;
  }

  void global();
  void reduce();
  void persistent();
  Tensor rebuild_tensor(std::vector<Slot>& a);
  int64_t integer(Slot& s, const char* what);
  std::vector<int64_t> integers(Slot& s, const char* what);
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
  const std::string& text_;
  const StorageLoader& load_storage_;
  size_t at_ = 0;
  std::vector<Slot> stack_;
  std::unordered_map<uint32_t, Slot> memo_;
  std::vector<Object> containers_;
  // A tuple with classes or storages in it is used at once, so that one at a time is enough.
  std::vector<Slot> arguments_;
  size_t arguments_at_ = 0;
  bool done_ = false;
};

void Unpickler::global() {
  const std::string module = line(), name = line(), full = module + '.' + name;
  Slot s;
  s.what = What::Global;
  auto known = [&](const char* wanted, Global g) {
    if (full != wanted) return false;
    s.global = g;
    stack_.push_back(s);
    return true;
  };
  if (known("collections.OrderedDict", Global::Ordered) ||
      known("torch._utils._rebuild_tensor_v2", Global::RebuildTensor) ||
      known("torch._utils._rebuild_parameter", Global::RebuildParameter) || known("torch.Size", Global::Size) ||
      known("torch.device", Global::Device))
    return;
  for (int i = 0; i < kDtypeCount; ++i) {
    if (module == "torch" && name == kDtypes[i]) return push(static_cast<ScalarType>(i));
    if (module == "torch" && name == kStorages[i]) {
      s.global = Global::Storage;
      s.dtype = static_cast<ScalarType>(i);
      return stack_.push_back(s);
    }
  }
  check<NotImplementedError>(
      !full.starts_with("torch.") || !(name.ends_with("Storage") || name.starts_with("_rebuild")), in_.name(), ": '",
      shortened(full), "' is a kind of tensor that Taut does not have");
  fail("it asks for '", shortened(full),
       "', which is not plain data, and nothing in a file is run. Save the state_dict");
}

int64_t Unpickler::integer(Slot& s, const char* what) {
  if (s.what != What::Value || s.value.kind_ != Object::Kind::Int) fail(what, " of a tensor is not an integer");
  return s.value.to_int();
}
std::vector<int64_t> Unpickler::integers(Slot& s, const char* what) {
  if (s.what != What::Value || s.value.kind_ != Object::Kind::Tuple) fail(what, " of a tensor is not a tuple");
  std::vector<int64_t> list;
  for (const Object& o : s.value.to_list()) {
    if (o.kind_ != Object::Kind::Int || o.to_int() < 0) fail(what, " of a tensor is not made of whole numbers");
    list.push_back(o.to_int());
  }
  if (list.size() > kMaxDims) fail("a tensor has more than ", kMaxDims, " dimensions");
  return list;
}

Tensor Unpickler::rebuild_tensor(std::vector<Slot>& a) {
  if (a.size() < 6 || a.size() > 7 || a[0].what != What::Storage)
    fail("a tensor is not described by a storage and its layout");
  const Tensor base = a[0].value.to_tensor();
  const int64_t offset = integer(a[1], "the offset");
  const std::vector<int64_t> size = integers(a[2], "the size"), stride = integers(a[3], "the stride");
  if (size.size() != stride.size()) fail("a tensor has ", size.size(), " sizes but ", stride.size(), " strides");
  if (a[4].what != What::Value || a[4].value.kind_ != Object::Kind::Bool)
    fail("requires_grad of a tensor is not a bool");
  if (a[5].what != What::Value || !(a[5].value.is_none() || (a[5].value.is_dict() && a[5].value.size() == 0)))
    fail("a tensor has hooks, which are code");
  // The last element must be inside the storage.
  if (!checked_bytes(size, base.scalar_type())) fail("the size of shape ", IntArrayRef(size), " overflows");
  uint64_t last = static_cast<uint64_t>(offset);
  bool empty = false, fits = offset >= 0;
  for (size_t d = 0; d < size.size(); ++d) {
    if (size[d] == 0) empty = true;
    else if (const auto step = times(static_cast<uint64_t>(size[d] - 1), static_cast<uint64_t>(stride[d]));
             step && *step <= INT64_MAX)
      fits = fits && !__builtin_add_overflow(last, *step, &last);
    else fits = false;
  }
  if (!fits || (empty ? last > INT64_MAX : last >= static_cast<uint64_t>(base.numel())))
    fail("a tensor of shape ", IntArrayRef(size), ", strides ", IntArrayRef(stride), " and offset ", offset,
         " does not fit into its storage of ", base.numel(), " elements");
  Tensor t = empty ? base.new_empty(size) : base.as_strided(size, stride, offset).data();
  if (a[4].value.to_bool()) {
    if (!t.is_floating_point()) fail("a tensor of ", t.scalar_type(), " requires a gradient");
    t.requires_grad_();
  }
  return t;
}

void Unpickler::reduce() {
  std::vector<Slot> a = pop_arguments();
  const Slot f = pop_slot();
  if (f.what != What::Global) fail("something is called that is no function");
  switch (f.global) {
    case Global::Ordered:
      if (!a.empty()) fail("an OrderedDict is made with arguments");
      return push_container(Object::Dict());
    case Global::RebuildTensor: return push(rebuild_tensor(a));
    case Global::RebuildParameter: {
      if (a.size() != 3 || a[0].what != What::Value || !a[0].value.is_tensor() ||
          a[1].value.kind_ != Object::Kind::Bool)
        fail("a parameter is not described by a tensor and requires_grad");
      const Tensor& t = a[0].value.to_tensor();
      if (a[1].value.to_bool() && !t.is_floating_point())
        fail("a parameter of ", t.scalar_type(), " requires a gradient");
      t.requires_grad_(a[1].value.to_bool());
      return push(t);
    }
    case Global::Size:
      if (a.size() != 1) fail("torch.Size takes one tuple");
      return push_container(Object::tuple([&] {
        Object::List list;
        for (int64_t i : integers(a[0], "the size")) list.emplace_back(i);
        return list;
      }()));
    case Global::Device: {
      if (a.empty() || a[0].what != What::Value || !a[0].value.is_string()) fail("torch.device takes a name");
      return push(a[0].value);
    }
    case Global::Storage: break;
  }
  fail("a storage class is called");
}

void Unpickler::persistent() {
  std::vector<Slot> a = pop_arguments();
  if (a.size() != 5 || a[0].what != What::Value || !a[0].value.is_string() || a[0].value.to_string() != "storage" ||
      a[1].what != What::Global || a[1].global != Global::Storage || a[2].what != What::Value ||
      !a[2].value.is_string())
    fail("a persistent id does not describe a storage");
  const int64_t numel = integer(a[4], "the length of the storage");
  if (numel < 0) fail("a storage has ", numel, " elements");
  Slot s;
  s.what = What::Storage;
  s.dtype = a[1].dtype;
  s.value = load_storage_(a[2].value.to_string(), s.dtype, numel);
  stack_.push_back(std::move(s));
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

Object Unpickler::run() {
  for (;;) {
    const uint8_t op = byte();
    switch (op) {
      case 0x80:  // PROTO
        if (const int version = byte(); version > 2)
          fail("it uses pickle protocol ", version, "; torch.save writes protocol 2 unless told otherwise");
        break;
      case '.': {  // STOP
        Object result = pop();
        if (!arguments_.empty()) fail("a class or a storage stands where a value should be");
        if (!stack_.empty()) fail("the stack is not empty at the end");
        if (at_ != text_.size()) fail("something follows the end of the pickle");
        dismantle(check_shape(result));  // what nobody can reach may still hold itself
        done_ = true;
        return result;
      }
      case '(': stack_.push_back({What::Mark, {}, {}, {}}); break;
      case 'N': push({}); break;
      case 0x88: push(true); break;
      case 0x89: push(false); break;
      case 'J': push(static_cast<int64_t>(static_cast<int32_t>(word()))); break;
      case 'K': push(static_cast<int64_t>(byte())); break;
      case 'M': push(static_cast<int64_t>(load_little<uint16_t>(bytes(2)))); break;
      case 0x8a: push(long_integer()); break;
      case 'G': push(std::bit_cast<double>(load_big<uint64_t>(bytes(8)))); break;
      case 'X': push(unicode(word())); break;
      case ')': push_container(Object::tuple({})); break;
      case 't': push_tuple(pop_to_mark()); break;
      case 0x85: push_last(1); break;
      case 0x86: push_last(2); break;
      case 0x87: push_last(3); break;
      case ']': push_container(Object::List()); break;
      case '}': push_container(Object::Dict()); break;
      case 'a': {
        Object item = pop();
        list_of(top())->push_back(std::move(item));
        break;
      }
      case 'e': {
        auto items = pop_to_mark();
        Object::List* list = list_of(top());
        for (Slot& s : items) list->push_back(value_of(std::move(s)));
        break;
      }
      case 's': {
        Object value = pop(), key = pop();
        set_item(*dict_of(top()), std::move(key), std::move(value));
        break;
      }
      case 'u': {
        auto items = pop_to_mark();
        if (items.size() % 2) fail("a key has no value");
        Object::Dict* dict = dict_of(top());
        for (size_t i = 0; i < items.size(); i += 2)
          set_item(*dict, value_of(std::move(items[i])), value_of(std::move(items[i + 1])));
        break;
      }
      case 'c': global(); break;
      case 'R': reduce(); break;
      case 'Q': persistent(); break;
      case 'b': {  // attributes of an OrderedDict: a state_dict has its versions there
        pop();
        dict_of(top());
        break;
      }
      case 'q': memo_[byte()] = top(); break;
      case 'r': memo_[word()] = top(); break;
      case 'h':
      case 'j': {
        const auto found = memo_.find(op == 'h' ? byte() : word());
        if (found == memo_.end()) fail("it refers to a value that was not kept");
        stack_.push_back(found->second);
        break;
      }
      default:
        fail("opcode ", int{op}, op >= 32 && op < 127 ? str(" ('", static_cast<char>(op), "')") : "",
             " is not one that plain data needs");
    }
  }
}

Object unpickle(const Input& in, const std::string& text, const StorageLoader& load_storage) {
  return Unpickler(in, text, load_storage).run();
}

}  // namespace taut::io
