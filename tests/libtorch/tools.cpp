// c10's and ATen's tools: ranges, text, checks, warnings, dispatch, threads.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <c10/util/irange.h>
#include <torch/torch.h>

#include <iostream>

template <class F>
void says(const char* what, F&& f) {
  try {
    f();
    std::cout << what << ": nothing\n";
  } catch (const c10::IndexError& e) {
    std::cout << what << ": IndexError " << e.what_without_backtrace() << '\n';
  } catch (const c10::ValueError& e) {
    std::cout << what << ": ValueError " << e.what_without_backtrace() << '\n';
  } catch (const c10::TypeError& e) {
    std::cout << what << ": TypeError " << e.what_without_backtrace() << '\n';
  } catch (const c10::NotImplementedError& e) {
    std::cout << what << ": NotImplementedError " << e.what_without_backtrace() << '\n';
  } catch (const c10::Error& e) {
    const std::string text = e.what_without_backtrace();  // TORCH_CHECK_EQ puts the time and the place before it
    const size_t begin = text.find("Check failed");
    std::cout << what << ": Error " << text.substr(begin == text.npos ? 0 : begin, text.find('\n') - begin) << '\n';
  }
}

struct Collect : c10::WarningHandler {
  void process(const c10::Warning& w) override { texts.push_back(w.msg()); }
  std::vector<std::string> texts;
};

void warn_once() { TORCH_WARN_ONCE("only once"); }

int main() {
  for (const auto i : c10::irange(3)) std::cout << i << ' ';
  for (const auto i : c10::irange(2, 5)) std::cout << i << ' ';
  for (const auto i : c10::irange(int64_t{-2}, int64_t{1})) std::cout << i << ' ';
  for (const auto i : c10::irange(0)) std::cout << i << "never";
  std::cout << '\n' << c10::str("a", 1, ' ', 2.5, true) << c10::str() << '\n';
  std::cout << c10::Join(", ", std::vector<int>{1, 2, 3}) << '|' << c10::Join("-", std::vector<std::string>{}) << '\n';
  c10::optional<int> maybe = c10::nullopt;
  std::cout << maybe.value_or(4) << ' ' << c10::make_optional(3).value() << ' ' << c10::string_view("view").size()
            << '\n';

  const std::vector<int64_t> numbers = {4, 5, 6, 7};
  const c10::ArrayRef<int64_t> ref(numbers);
  std::cout << ref << ' ' << ref.slice(1) << ' ' << ref.slice(1, 2) << ' ' << ref.at(3) << ' ' << ref.front()
            << ref.back() << ' ' << ref.equals({4, 5, 6, 7}) << ' ' << ref.vec().size() << ' '
            << (ref == c10::IntArrayRef{4}) << '\n';
  says("at", [&] { ref.at(4); });
  const c10::SmallVector<int64_t, 4> small = {1, 2};
  std::cout << c10::IntArrayRef(small) << ' ' << torch::zeros(small).sizes() << ' ' << c10::multiply_integers(numbers)
            << '\n';

  says("plain", [] { TORCH_CHECK(1 > 2, "one ", 1, " and ", 2.5); });
  says("bare", [] { TORCH_CHECK(1 > 2); });
  says("fine", [] { TORCH_CHECK(true, "never"); });
  says("index", [] { TORCH_CHECK_INDEX(false, "no ", 7); });
  says("value", [] { TORCH_CHECK_VALUE(false, "bad"); });
  says("type", [] { TORCH_CHECK_TYPE(false, "bad"); });
  says("not implemented", [] { TORCH_CHECK_NOT_IMPLEMENTED(false, "later"); });
  says("argument", [] { TORCH_CHECK_ARG(false, 2, "too small"); });
  says("error", [] { AT_ERROR("sum is ", 1 + 1); });
  says("equal", [] { TORCH_CHECK_EQ(1 + 1, 3); });
  says("less", [] { TORCH_CHECK_LT(5, 3) << "more " << 1; });
  says("equal and fine", [] { TORCH_CHECK_EQ(2, 2) << "never"; });
  try {
    TORCH_INTERNAL_ASSERT(1 == 2, "so ", 3);
  } catch (const std::exception& e) {
    const std::string text = e.what();
    std::cout << (text.find("1 == 2 INTERNAL ASSERT FAILED at") == 0) << (text.find("so 3") != text.npos) << '\n';
  }

  Collect collect;
  {
    c10::WarningUtils::WarningHandlerGuard guard(&collect);
    TORCH_WARN("careful: ", 1);
    for (int i = 0; i < 3; ++i) warn_once();
  }
  for (const auto& text : collect.texts) std::cout << text << '\n';

  for (auto type : {torch::kFloat, torch::kDouble, torch::kInt}) {
    says("dispatch", [&] {
      const auto x = torch::arange(4).to(type);
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "sum_of", [&] {
        scalar_t sum = 0;
        for (const auto i : c10::irange(x.numel())) sum += x.data_ptr<scalar_t>()[i];
        std::cout << sizeof(scalar_t) << ' ' << sum << '\n';
      });
    });
  }
  const auto size = [](torch::ScalarType type) {
    return AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBool, type, "size_of", [&] { return sizeof(scalar_t); });
  };
  for (auto type : {torch::kByte, torch::kShort, torch::kLong, torch::kHalf, torch::kBool})
    std::cout << size(type) << ' ';
  says("all types", [&] { size(torch::kBFloat16); });
  AT_DISPATCH_INTEGRAL_TYPES(torch::kInt, "f", ([&] { std::cout << std::is_same_v<scalar_t, int> << '\n'; }));
  AT_DISPATCH_INDEX_TYPES(torch::kLong, "f", [&] { std::cout << sizeof(index_t) << '\n'; });
  AT_DISPATCH_SWITCH(torch::kFloat, "f", AT_DISPATCH_CASE(at::kFloat, [&] { std::cout << "float\n"; }));

  std::vector<int64_t> squares(1000);
  at::parallel_for(0, 1000, 10, [&](int64_t begin, int64_t end) {
    for (const auto i : c10::irange(begin, end)) squares[static_cast<size_t>(i)] = i * i;
  });
  const auto sum = at::parallel_reduce(
      0, 1000, 100, int64_t{0},
      [&](int64_t begin, int64_t end, int64_t start) {
        for (const auto i : c10::irange(begin, end)) start += squares[static_cast<size_t>(i)];
        return start;
      },
      [](int64_t a, int64_t b) { return a + b; });
  std::cout << squares[999] << ' ' << sum << ' ' << at::in_parallel_region() << '\n';
  says("parallel",
       [] { at::parallel_for(3, 4, 1, [](int64_t begin, int64_t) { TORCH_CHECK(false, "part ", begin); }); });
  torch::set_num_threads(2);
  std::cout << torch::get_num_threads() << ' ' << (at::get_num_interop_threads() >= 1) << '\n';
}
