// The text of a pickle, opcode by opcode: what every writer of one needs.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "io/unpickler.h"
#include "taut/core/error.h"
#include "taut/tensor.h"

namespace taut::io {

/// Opcodes of protocol 2, which every later one has too.
class PickleText {
 public:
  explicit PickleText(int protocol = 2) {
    op(0x80);
    put(static_cast<uint8_t>(protocol));
  }
  std::string finish() {
    op('.');
    return std::move(out_);
  }

  void op(uint8_t code) { out_ += static_cast<char>(code); }
  template <class T>
  void put(T v) {
    out_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void raw(std::string_view s) { out_ += s; }

  void none() { op('N'); }
  void boolean(bool b) { op(b ? 0x88 : 0x89); }
  void integer(int64_t v) {
    if (v >= 0 && v < 256) {
      op('K');
      put(static_cast<uint8_t>(v));
    } else if (v >= INT32_MIN && v <= INT32_MAX) {
      op('J');
      put(static_cast<int32_t>(v));
    } else {
      op(0x8a);
      op(8);
      put(v);
    }
  }
  void real(double d) {
    op('G');
    put(__builtin_bswap64(std::bit_cast<uint64_t>(d)));
  }
  /// UTF-8.
  void text(std::string_view s) {
    check<ValueError>(s.size() < UINT32_MAX, "save: a text of ", s.size(), " bytes is too long");
    op('X');
    put(static_cast<uint32_t>(s.size()));
    raw(s);
  }
  /// A class or function by its name, which is written once.
  void global(const std::string& module, const std::string& name) {
    const auto [known, is_new] = globals_.try_emplace(module + '\n' + name + '\n', kept_);
    if (!is_new) return recall(known->second);
    op('c');
    raw(known->first);
    keep();
  }
  /// What was written last can be had again, by this number.
  uint32_t keep() {
    op(kept_ < 256 ? 'q' : 'r');
    if (kept_ < 256) put(static_cast<uint8_t>(kept_));
    else put(kept_);
    return kept_++;
  }
  void recall(uint32_t number) {
    op(number < 256 ? 'h' : 'j');
    if (number < 256) put(static_cast<uint8_t>(number));
    else put(number);
  }
  /// A tuple of what `items` writes, n in all.
  template <class F>
  void tuple(size_t n, F items) {
    if (n == 0) return op(')');
    if (n > 3) op('(');
    items();
    op(n > 3 ? 't' : static_cast<uint8_t>(0x84 + n));
  }
  void integers(IntArrayRef list) {
    tuple(list.size(), [&] {
      for (int64_t i : list) integer(i);
    });
  }
  /// The arguments with which a tensor is made again: its layout over the storage `key` of `numel` elements.
  void tensor_arguments(const Tensor& t, const std::string& key, int64_t numel, int64_t offset) {
    // The limited dtypes came after PyTorch gave up storages of one dtype: theirs are of bytes.
    const bool bytes = is_limited(t.scalar_type());
    tuple(bytes ? 7 : 6, [&] {
      tuple(5, [&] {
        text("storage");
        if (bytes) global("torch.storage", "UntypedStorage");
        else global("torch", storage_name(t.scalar_type()));
        text(key);
        text("cpu");
        integer(bytes ? numel * t.element_size() : numel);
      });
      op('Q');
      integer(offset);
      integers(t.sizes());
      integers(t.strides());
      boolean(t.requires_grad());
      global("collections", "OrderedDict");
      op(')');
      op('R');
      if (bytes) global("torch", dtype_name(t.scalar_type()));
    });
  }
  void tensor(const Tensor& t, const std::string& key, int64_t numel, int64_t offset) {
    global("torch._utils", is_limited(t.scalar_type()) ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
    tensor_arguments(t, key, numel, offset);
    op('R');
  }

 private:
  std::string out_;
  std::map<std::string, uint32_t> globals_;
  uint32_t kept_ = 0;
};

}  // namespace taut::io
