// What every store keeps: keys and values, and the changes that can be made to them as one.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "taut/core/error.h"
#include "taut/distributed.h"

namespace taut::distributed {

class Table {
 public:
  void set(const std::string& key, const std::string& value) { values_[key] = value; }
  std::optional<std::string> find(const std::string& key) const {
    const auto at = values_.find(key);
    return at == values_.end() ? std::nullopt : std::optional(at->second);
  }
  int64_t add(const std::string& key, int64_t amount) {
    int64_t sum = amount;
    if (const auto before = find(key); before && !before->empty()) {
      size_t end = 0;
      try {
        sum += std::stoll(*before, &end);
      } catch (const std::exception&) {
        end = std::string::npos;
      }
      check<DistStoreError>(end == before->size(), "add: the value of '", key, "' is no number");
    }
    values_[key] = std::to_string(sum);
    return sum;
  }
  std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired) {
    const auto at = values_.find(key);
    if (at == values_.end()) {
      if (!expected.empty()) return expected;
      return values_[key] = desired;
    }
    if (at->second == expected) at->second = desired;
    return at->second;
  }
  void append(const std::string& key, const std::string& value) { values_[key] += value; }
  bool erase(const std::string& key) { return values_.erase(key) != 0; }
  bool holds(const std::vector<std::string>& keys) const {
    for (const std::string& key : keys)
      if (!values_.contains(key)) return false;
    return true;
  }
  int64_t size() const { return static_cast<int64_t>(values_.size()); }

 private:
  std::map<std::string, std::string> values_;
};

/// "after 300 s of waiting for a, b".
[[noreturn]] void throw_store_timeout(const Store& store, const std::vector<std::string>& keys, Milliseconds timeout);

}  // namespace taut::distributed
