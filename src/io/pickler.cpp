// Pickle protocol 2, as torch.load(weights_only=True) accepts it.
#include "io/pickler.h"

#include <algorithm>
#include <map>

#include "io/bytes.h"
#include "io/pickle_text.h"
#include "taut/ops/sparse.h"

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
    value(object);
    Pickled result;
    result.text = out_.finish();
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
      check<NotImplementedError>(!t.defined() || !t.is_meta(), "Cannot copy out of meta tensor; no data!");
      check<ValueError>(t.defined(), "save: a tensor is undefined");
      check<ValueError>(!t.is_conj(), "save: a tensor is a conjugate view; save what resolve_conj() makes of it");
      if (t.layout() != kStrided) {
        for (const Tensor& part : parts_of(t)) collect(part, depth + 1);
        return;
      }
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

  /// Indices, for compressed layouts those of lines and of what is in them, and values; the same whenever it is asked.
  const std::vector<Tensor>& parts_of(const Tensor& t) {
    std::vector<Tensor>& parts = parts_[t.unsafeGetTensorImpl()];
    if (!parts.empty()) return parts;
    const Layout layout = t.layout();
    const Tensor plain = t.detach();
    if (layout == kSparse) parts = {_indices(plain)};
    else if (layout == kSparseCsr || layout == kSparseBsr) parts = {crow_indices(plain), col_indices(plain)};
    else parts = {ccol_indices(plain), row_indices(plain)};
    parts.push_back(_values(plain));
    return parts;
  }
  void sparse(const Tensor& t) {
    const std::vector<Tensor>& parts = parts_of(t);
    const bool coo = t.layout() == kSparse;
    out_.global("torch._utils", "_rebuild_sparse_tensor");
    out_.tuple(2, [&] {
      out_.global("torch.serialization", "_get_layout");
      out_.tuple(1, [&] { out_.text(layout_name(t.layout())); });
      out_.op('R');
      out_.tuple(4, [&] {
        for (const Tensor& part : parts) value(part);
        out_.integers(t.sizes());
        if (coo) out_.boolean(t.is_coalesced());
      });
    });
    out_.op('R');
  }

  void text(const std::string& s) {
    check<ValueError>(is_utf8(s.data(), s.size()), "save: a text is not UTF-8");
    out_.text(s);
  }
  void value(const Object& o) {
    switch (o.kind()) {
      case Object::Kind::None: return out_.none();
      case Object::Kind::Bool: return out_.boolean(o.to_bool());
      case Object::Kind::Int: return out_.integer(o.to_int());
      case Object::Kind::Float: return out_.real(o.to_double());
      case Object::Kind::String: return text(o.to_string());
      case Object::Kind::Dtype: return out_.global("torch", dtype_name(o.to_dtype()));
      case Object::Kind::Tensor: {
        const Tensor& t = o.to_tensor();
        if (t.layout() != kStrided) return sparse(t);
        const Storage& s = storage_of(t);
        return out_.tensor(t, s.key, s.elements.numel(), t.numel() == 0 ? 0 : t.storage_offset() - s.begin);
      }
      case Object::Kind::Tuple:
        return out_.tuple(o.size(), [&] {
          for (const Object& item : o.to_list()) value(item);
        });
      case Object::Kind::List:
        out_.op(']');
        if (o.size() == 0) return;
        out_.op('(');
        for (const Object& item : o.to_list()) value(item);
        return out_.op('e');
      case Object::Kind::Dict:
        out_.op('}');
        if (o.size() == 0) return;
        out_.op('(');
        for (const auto& [key, v] : o.to_dict()) {
          check<ValueError>(key.kind() != Object::Kind::List && key.kind() != Object::Kind::Dict, "save: a key is ",
                            kind_name(key.kind()), ", which Python cannot use as one");
          value(key);
          value(v);
        }
        return out_.op('u');
    }
  }

  PickleText out_;
  std::map<const void*, std::vector<Tensor>> parts_;
  std::map<std::pair<const void*, ScalarType>, Storage> storages_;
};

}  // namespace

Pickled pickle(const Object& object) { return Pickler().run(object); }

}  // namespace taut::io
