// c10/util/Flags.h: --name=value on the command line.
#pragma once
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "torch/torch.h"

namespace c10 {

namespace detail {
inline std::map<std::string, std::function<bool(const std::string&)>>& flags() {
  static std::map<std::string, std::function<bool(const std::string&)>> all;
  return all;
}
template <class T>
bool read_flag(const std::string& text, T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    value = text;
    return true;
  } else if constexpr (std::is_same_v<T, bool>) {
    value = text == "1" || text == "true" || text == "TRUE" || text == "True" || text.empty();
    return value || text == "0" || text == "false" || text == "FALSE" || text == "False";
  } else {
    std::istringstream in(text);
    return static_cast<bool>(in >> value) && in.eof();
  }
}
template <class T>
bool define_flag(const char* name, T& value) {
  flags()[name] = [&value](const std::string& text) { return read_flag(text, value); };
  return true;
}
}  // namespace detail

/// Takes the flags it knows out of the arguments: --name=value, --name value, --name for a bool.
inline bool ParseCommandLineFlags(int* argc, char*** argv) {
  bool all_right = true;
  std::vector<char*> rest = {(*argv)[0]};
  for (int i = 1; i < *argc; ++i) {
    const std::string text = (*argv)[i];
    const size_t begin = text.find_first_not_of('-'), equal = text.find('=');
    const auto flag = begin == 0 || begin == text.npos
                          ? detail::flags().end()
                          : detail::flags().find(text.substr(begin, equal == text.npos ? equal : equal - begin));
    if (flag == detail::flags().end()) {
      rest.push_back((*argv)[i]);
    } else if (equal != text.npos) {
      all_right = flag->second(text.substr(equal + 1)) && all_right;
    } else if (i + 1 < *argc && (*argv)[i + 1][0] != '-' && flag->second((*argv)[i + 1])) {
      ++i;
    } else {
      all_right = flag->second("") && all_right;
    }
  }
  for (size_t i = 0; i < rest.size(); ++i) (*argv)[i] = rest[i];
  *argc = static_cast<int>(rest.size());
  return all_right;
}
inline bool HasCommandLineFlag(const std::string& name) { return detail::flags().contains(name); }

}  // namespace c10

#define TAUT_TORCH_FLAG(type, name, value)                                                              \
  type FLAGS_##name = value;                                                                            \
  namespace {                                                                                           \
  [[maybe_unused]] const bool taut_torch_flag_##name = ::c10::detail::define_flag(#name, FLAGS_##name); \
  }
#define C10_DEFINE_int(name, value, help) TAUT_TORCH_FLAG(int, name, value)
#define C10_DEFINE_int32(name, value, help) TAUT_TORCH_FLAG(int32_t, name, value)
#define C10_DEFINE_int64(name, value, help) TAUT_TORCH_FLAG(int64_t, name, value)
#define C10_DEFINE_double(name, value, help) TAUT_TORCH_FLAG(double, name, value)
#define C10_DEFINE_bool(name, value, help) TAUT_TORCH_FLAG(bool, name, value)
#define C10_DEFINE_string(name, value, help) TAUT_TORCH_FLAG(std::string, name, value)
#define C10_DECLARE_int(name) extern int FLAGS_##name
#define C10_DECLARE_int32(name) extern int32_t FLAGS_##name
#define C10_DECLARE_int64(name) extern int64_t FLAGS_##name
#define C10_DECLARE_double(name) extern double FLAGS_##name
#define C10_DECLARE_bool(name) extern bool FLAGS_##name
#define C10_DECLARE_string(name) extern std::string FLAGS_##name
