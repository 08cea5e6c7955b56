// Pickle protocol 2, as torch.load(weights_only=True) accepts it.
#include "io/pickler.h"

#include <algorithm>
#include <map>

#include "io/bytes.h"
#include "io/unpickler.h"

namespace taut::io {

namespace {

constexpr int kDeepest = 500;

class Pickler {
 public:
  Pickled run(const Object& object) {
    collect(object, 0);
    for (auto& [id, s] : storages_) {
      s.key = std::to_string(s.number);
      // One dimension over the part of the storage that somebody uses.
      s.elements = s.any.data().as_strided({s.end - s.begin}, {1}, s.begin);
    }
    out_ = "\x80\x02";
    value(object);
    out_ += '.';
    Pickled result;
    result.text = std::move(out_);
    result.storages.resize(storages_.size());
    for (auto& [id, s] : storages_) result.storages[s.number] = {s.key, s.elements};
    return result;
  }

 private:
  struct Storage {
    size_t number = 0;
    std::string key;
    Tensor any, elements;
    int64_t begin = 0, end = 0;  // elements in use
  };

  /// Tensors of one dtype over one storage.
  static std::pair<const void*, ScalarType> id_of(const Tensor& t) {
    return {static_cast<const char*>(t.data_ptr()) - t.storage_offset() * t.element_size(), t.scalar_type()};
  }
  Storage& storage_of(const Tensor& t) {
    // Empty tensors have no memory to share.
    const auto id = t.numel() == 0 ? std::pair<const void*, ScalarType>(nullptr, t.scalar_type()) : id_of(t);
    const auto [at, is_new] = storages_.try_emplace(id);
    Storage& s = at->second;
    if (is_new) {
      s.number = storages_.size() - 1;
      s.any = t;
      s.begin = t.numel() == 0 ? 0 : INT64_MAX;
    }
    return s;
  }
  void collect(const Object& o, int depth) {
    check<ValueError>(depth <= kDeepest, "save: the object is nested more than ", kDeepest, " deep");
    if (o.is_tensor()) {
      const Tensor& t = o.to_tensor();
      check<ValueError>(t.defined(), "save: a tensor is undefined");
      Storage& s = storage_of(t);
      if (t.numel() == 0) return;
      int64_t last = t.storage_offset();
      for (int64_t d = 0; d < t.dim(); ++d) last += (t.size(d) - 1) * t.stride(d);
      s.begin = std::min(s.begin, t.storage_offset());
      s.end = std::max(s.end, last + 1);
    } else if (o.is_dict()) {
      for (const auto& [key, v] : o.to_dict()) {
        collect(key, depth + 1);
        collect(v, depth + 1);
      }
    } else if (o.is_list()) {
      for (const Object& item : o.to_list()) collect(item, depth + 1);
    }
  }

  template <class T>
  void put(T v) {
    out_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void text(const std::string& s) {
    check<ValueError>(is_utf8(s.data(), s.size()), "save: a text is not UTF-8");
    check<ValueError>(s.size() < UINT32_MAX, "save: a text of ", s.size(), " bytes is too long");
    out_ += 'X';
    put(static_cast<uint32_t>(s.size()));
    out_ += s;
  }
  void integer(int64_t v) {
    if (v >= 0 && v < 256) {
      out_ += 'K';
      put(static_cast<uint8_t>(v));
    } else if (v >= INT32_MIN && v <= INT32_MAX) {
      out_ += 'J';
      put(static_cast<int32_t>(v));
    } else {
      out_ += "\x8a\x08";
      put(v);
    }
  }
  void boolean(bool b) { out_ += b ? '\x88' : '\x89'; }
  void global(const char* module, const char* name) { out_ += str('c', module, '\n', name, '\n'); }
  template <class F>
  void tuple(size_t n, F items) {
    if (n == 0) {
      out_ += ')';
      return;
    }
    out_ += '(';
    items();
    out_ += 't';
  }
  void integers(IntArrayRef list) {
    tuple(list.size(), [&] {
      for (int64_t i : list) integer(i);
    });
  }

  void tensor(const Tensor& t) {
    const Storage& s = storage_of(t);
    global("torch._utils", "_rebuild_tensor_v2");
    tuple(6, [&] {
      tuple(5, [&] {
        text("storage");
        global("torch", storage_name(t.scalar_type()));
        text(s.key);
        text("cpu");
        integer(s.elements.numel());
      });
      out_ += 'Q';
      integer(t.numel() == 0 ? 0 : t.storage_offset() - s.begin);
      integers(t.sizes());
      integers(t.strides());
      boolean(t.requires_grad());
      global("collections", "OrderedDict");
      out_ += ")R";
    });
    out_ += 'R';
  }

  void value(const Object& o) {
    switch (o.kind()) {
      case Object::Kind::None: out_ += 'N'; break;
      case Object::Kind::Bool: boolean(o.to_bool()); break;
      case Object::Kind::Int: integer(o.to_int()); break;
      case Object::Kind::Float:
        out_ += 'G';
        put(__builtin_bswap64(std::bit_cast<uint64_t>(o.to_double())));
        break;
      case Object::Kind::String: text(o.to_string()); break;
      case Object::Kind::Tensor: tensor(o.to_tensor()); break;
      case Object::Kind::Dtype: global("torch", dtype_name(o.to_dtype())); break;
      case Object::Kind::List:
        out_ += ']';
        if (o.size() == 0) break;
        out_ += '(';
        for (const Object& item : o.to_list()) value(item);
        out_ += 'e';
        break;
      case Object::Kind::Tuple:
        tuple(o.size(), [&] {
          for (const Object& item : o.to_list()) value(item);
        });
        break;
      case Object::Kind::Dict:
        out_ += '}';
        if (o.size() == 0) break;
        out_ += '(';
        for (const auto& [key, v] : o.to_dict()) {
          check<ValueError>(key.kind() != Object::Kind::List && key.kind() != Object::Kind::Dict, "save: a key is ",
                            kind_name(key.kind()), ", which Python cannot use as one");
          value(key);
          value(v);
        }
        out_ += 'u';
        break;
    }
  }

  std::string out_;
  std::map<std::pair<const void*, ScalarType>, Storage> storages_;
};

}  // namespace

Pickled pickle(const Object& object) { return Pickler().run(object); }

}  // namespace taut::io
