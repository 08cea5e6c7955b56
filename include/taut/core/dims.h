// A short list of int64: the sizes or strides of a tensor. Inline up to five, on the heap beyond.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "taut/core/array_ref.h"

namespace taut {

void* allocate(size_t bytes);
void deallocate(void* block, size_t bytes) noexcept;

class Dims {
 public:
  static constexpr uint32_t kInline = 5;
  Dims() = default;
  Dims(IntArrayRef list) { assign(list); }
  Dims(std::initializer_list<int64_t> list) { assign(IntArrayRef(list.begin(), list.size())); }
  explicit Dims(size_t n, int64_t value = 0) {
    resize(n);
    std::fill(begin(), end(), value);
  }
  Dims(const Dims& o) { copy(o); }
  Dims(Dims&& o) noexcept { steal(o); }
  Dims& operator=(const Dims& o) {
    if (this != &o) copy(o);
    return *this;
  }
  Dims& operator=(Dims&& o) noexcept {
    if (this != &o) {
      drop();
      steal(o);
    }
    return *this;
  }
  ~Dims() { drop(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return capacity_ > kInline ? heap_ : inline_; }
  const int64_t* data() const { return capacity_ > kInline ? heap_ : inline_; }
  int64_t* begin() { return data(); }
  int64_t* end() { return data() + size_; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }
  int64_t& operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  int64_t& back() { return data()[size_ - 1]; }
  int64_t back() const { return data()[size_ - 1]; }
  operator IntArrayRef() const { return {data(), size_}; }
  std::vector<int64_t> vec() const { return {begin(), end()}; }

  void resize(size_t n) {
    reserve(n);
    int64_t* p = data();
    for (size_t i = size_; i < n; ++i) p[i] = 0;
    size_ = static_cast<uint32_t>(n);
  }
  void push_back(int64_t v) {
    reserve(size_ + 1);
    data()[size_++] = v;
  }
  void insert(size_t at, int64_t v) {
    reserve(size_ + 1);
    int64_t* p = data();
    for (size_t i = size_++; i > at; --i) p[i] = p[i - 1];
    p[at] = v;
  }
  void erase(size_t at) {
    int64_t* p = data();
    for (size_t i = at + 1; i < size_; ++i) p[i - 1] = p[i];
    --size_;
  }
  void assign(IntArrayRef list) {
    reserve(list.size());
    int64_t* p = data();
    for (size_t i = 0; i < list.size(); ++i) p[i] = list[i];
    size_ = static_cast<uint32_t>(list.size());
  }
  friend bool operator==(const Dims& a, const Dims& b) { return IntArrayRef(a) == IntArrayRef(b); }

 private:
  void reserve(size_t n) {
    if (n <= capacity_) return;
    const size_t room = std::max<size_t>(n, capacity_ * 2);
    auto* p = static_cast<int64_t*>(allocate(room * sizeof(int64_t)));
    std::memcpy(p, data(), size_ * sizeof(int64_t));
    drop();
    heap_ = p;
    capacity_ = static_cast<uint32_t>(room);
  }
  void copy(const Dims& o) {
    if (o.size_ > kInline || capacity_ > kInline) return assign(o);
    std::memcpy(inline_, o.data(), sizeof(inline_));  // all of them: quicker than asking how many
    size_ = o.size_;
  }
  void drop() {
    if (capacity_ > kInline) deallocate(heap_, capacity_ * sizeof(int64_t));
    capacity_ = kInline;
  }
  void steal(Dims& o) {
    size_ = o.size_;
    capacity_ = o.capacity_;
    std::memcpy(inline_, o.inline_, sizeof(inline_));
    o.capacity_ = kInline;
    o.size_ = 0;
  }
  uint32_t size_ = 0, capacity_ = kInline;
  union {
    int64_t inline_[kInline];
    int64_t* heap_;
  };
};

}  // namespace taut
