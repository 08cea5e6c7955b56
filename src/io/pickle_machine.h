// The machine that runs a pickle: opcodes, stack, memo and lengths, for every kind of value. It calls nothing itself:
// whoever derives from it says what values are, which globals there are, and what a call of one of them gives.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "taut/core/error.h"

namespace taut::io {

/// `Self` has kProtocol, the highest one it reads (2 or 5), refuse(message), which throws, and makes values:
///   none, boolean, integer, long_integer, real, text; new_list, append, new_dict, set_item, tuple;
///   global(module, name), call(f, arguments), create(class, arguments, keywords), persistent(id), build(made, state),
///   finish(value).
/// Beyond protocol 2 also: bytes, byte_array, string; new_set, add, frozen_set.
template <class Self, class Value>
class PickleMachine {
 public:
  /// The value the pickle stands for.
  Value run() {
    for (;;) {
      const uint8_t op = byte();
      if (op == '.') return stop();
      if (atom(op) || container(op) || object(op) || memo(op)) continue;
      if constexpr (Self::kProtocol > 2)
        if (modern(op)) continue;
      fail("opcode ", int{op}, op >= 32 && op < 127 ? str(" ('", static_cast<char>(op), "')") : "",
           " is not one that plain data needs");
    }
  }

 protected:
  explicit PickleMachine(std::string_view text) : text_(text) {}

  template <class... Args>
  [[noreturn]] void fail(const Args&... what) {
    self().refuse(str(what..., " (byte ", at_, " of its pickle)"));
  }
  /// Lets go of everything that was built.
  void clear() {
    stack_.clear();
    memo_.clear();
  }

 private:
  using Values = std::vector<Value>;
  Self& self() { return static_cast<Self&>(*this); }

  // Bytes: a length is held against what is there before anybody asks for memory.
  const uint8_t* bytes(uint64_t n) {
    if (n > text_.size() - at_) fail("the pickle ends in the middle");
    const auto* p = reinterpret_cast<const uint8_t*>(text_.data()) + at_;
    at_ += n;
    return p;
  }
  template <class T>
  T number() {
    return load_little<T>(bytes(sizeof(T)));
  }
  uint8_t byte() { return *bytes(1); }
  uint32_t word() { return number<uint32_t>(); }
  std::string line() {
    const size_t end = text_.find('\n', at_);
    if (end == text_.npos) fail("the pickle ends in the middle");
    std::string s(text_.substr(at_, end - at_));
    at_ = end + 1;
    return s;
  }
  Value text(uint64_t n) { return self().text(reinterpret_cast<const char*>(bytes(n)), n); }
  Value long_integer(uint64_t n) {
    const uint8_t* p = bytes(n);
    if (n > 8) return self().long_integer(p, n);
    uint64_t v = n > 0 && p[n - 1] & 0x80 ? ~uint64_t{0} : 0;
    for (size_t i = n; i-- > 0;) v = v << 8 | p[i];
    return self().integer(static_cast<int64_t>(v));
  }

  // The stack. A mark is the place where something begins.
  bool push(Value v) {
    stack_.push_back(std::move(v));
    return true;
  }
  size_t below() const { return marks_.empty() ? 0 : marks_.back(); }
  Value& top() {
    if (stack_.size() <= below()) fail("the stack is empty");
    return stack_.back();
  }
  Value pop() {
    Value v = std::move(top());
    stack_.pop_back();
    return v;
  }
  Values pop_last(size_t n) {
    if (stack_.size() - below() < n) fail("the stack is empty");
    return pop_from(stack_.size() - n);
  }
  /// What lies above the last mark; the mark goes too.
  Values pop_to_mark() {
    if (marks_.empty()) fail("there is no mark on the stack");
    const size_t from = marks_.back();
    marks_.pop_back();
    return pop_from(from);
  }
  Values pop_from(size_t from) {
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(from);
    Values items(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
    stack_.erase(begin, stack_.end());
    return items;
  }

  Value stop() {
    Value result = pop();
    if (!stack_.empty() || !marks_.empty()) fail("the stack is not empty at the end");
    if (at_ != text_.size()) fail("something follows the end of the pickle");
    return self().finish(std::move(result));
  }

  bool atom(uint8_t op) {
    switch (op) {
      case 0x80:  // PROTO
        if (const int version = byte(); version > Self::kProtocol)
          fail("it uses pickle protocol ", version, "; torch.save writes protocol 2 unless told otherwise");
        return true;
      case 'N': return push(self().none());
      case 0x88: return push(self().boolean(true));
      case 0x89: return push(self().boolean(false));
      case 'J': return push(self().integer(static_cast<int32_t>(word())));
      case 'K': return push(self().integer(byte()));
      case 'M': return push(self().integer(number<uint16_t>()));
      case 0x8a: return push(long_integer(byte()));
      case 'G': return push(self().real(std::bit_cast<double>(load_big<uint64_t>(bytes(8)))));
      case 'X': return push(text(word()));
      default: return false;
    }
  }

  bool container(uint8_t op) {
    switch (op) {
      case '(': return marks_.push_back(stack_.size()), true;
      case ')': return push(self().tuple({}));
      case 0x85:
      case 0x86:
      case 0x87: return push(self().tuple(pop_last(op - 0x84u)));
      case 't': return push(self().tuple(pop_to_mark()));
      case ']': return push(self().new_list());
      case '}': return push(self().new_dict());
      case 'a': {
        Value item = pop();
        self().append(top(), std::move(item));
        return true;
      }
      case 'e': {
        Values items = pop_to_mark();
        Value& list = top();
        for (Value& item : items) self().append(list, std::move(item));
        return true;
      }
      case 's': {
        Value value = pop(), key = pop();
        self().set_item(top(), std::move(key), std::move(value));
        return true;
      }
      case 'u': {
        Values items = pop_to_mark();
        if (items.size() % 2) fail("a key has no value");
        Value& dict = top();
        for (size_t i = 0; i < items.size(); i += 2)
          self().set_item(dict, std::move(items[i]), std::move(items[i + 1]));
        return true;
      }
      default: return false;
    }
  }

  bool object(uint8_t op) {
    switch (op) {
      case 'c': {
        const std::string module = line(), name = line();
        return push(self().global(module, name));
      }
      case 'R': {
        Value arguments = pop(), f = pop();
        return push(self().call(std::move(f), std::move(arguments)));
      }
      case 'Q': return push(self().persistent(pop()));
      case 'b': {
        Value state = pop();
        self().build(top(), std::move(state));
        return true;
      }
      case 0x81: {
        Value arguments = pop(), cls = pop();
        return push(self().create(std::move(cls), std::move(arguments), Value()));
      }
      default: return false;
    }
  }

  bool memo(uint8_t op) {
    switch (op) {
      case 'q': return keep(byte());
      case 'r': return keep(word());
      case 'h': return recall(byte());
      case 'j': return recall(word());
      default: return false;
    }
  }
  bool keep(uint32_t key) {
    memo_.insert_or_assign(key, top());
    return true;
  }
  bool recall(uint32_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) fail("it refers to a value that was not kept");
    return push(found->second);
  }

  /// What later protocols have, and what only classes need.
  bool modern(uint8_t op) {
    switch (op) {
      case 0x95: return bytes(8), true;  // FRAME: how much to read at once
      case 0x94: return keep(static_cast<uint32_t>(memo_.size()));
      case '0':
        if (stack_.size() > below()) return pop(), true;
        [[fallthrough]];  // a mark is popped
      case '1': return pop_to_mark(), true;
      case '2': return push(top());
      case 0x8b: return push(long_integer(word()));
      case 0x8c: return push(text(byte()));
      case 0x8d: return push(text(number<uint64_t>()));
      case 'C': return push_bytes(byte());
      case 'B': return push_bytes(word());
      case 0x8e: return push_bytes(number<uint64_t>());
      case 0x96: {
        const auto n = number<uint64_t>();
        return push(self().byte_array(bytes(n), n));
      }
      case 'U':
      case 'T': {  // texts of Python 2
        const uint64_t n = op == 'U' ? byte() : word();
        return push(self().string(bytes(n), n));
      }
      case 0x8f: return push(self().new_set());
      case 0x90: {
        Values items = pop_to_mark();
        Value& set = top();
        for (Value& item : items) self().add(set, std::move(item));
        return true;
      }
      case 0x91: return push(self().frozen_set(pop_to_mark()));
      case 0x93: {
        const Value name = pop(), module = pop();
        return push(self().global(self().name_in(module), self().name_in(name)));
      }
      case 0x92: {
        Value keywords = pop(), arguments = pop(), cls = pop();
        return push(self().create(std::move(cls), std::move(arguments), std::move(keywords)));
      }
      default: return false;
    }
  }
  bool push_bytes(uint64_t n) { return push(self().bytes(bytes(n), n)); }

  std::string_view text_;
  size_t at_ = 0;
  Values stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, Value> memo_;
};

}  // namespace taut::io
