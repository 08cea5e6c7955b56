// Every sample of every op under vmap: each tensor batched or not, the items along each dimension, against one item
// after the other; and derivatives of and under vmap.
#include <fstream>
#include <set>

#include "support/paths.h"
#include "support/sweep.h"
#include "taut/func.h"

namespace taut::test {
namespace {

constexpr int64_t kItems = 3;
constexpr Tolerance kTolerance = {1e-9, 1e-10};

/// Three items, of which two differ where they can.
Tensors items_of(const Tensor& t) {
  Dims dims;
  for (int64_t d = 0; d < t.dim(); ++d) dims.push_back(d);
  Tensor other = dims.empty() ? t.clone() : t.flip(dims);
  if (is_differentiable(t.scalar_type())) other = other * 0.9375;
  return {t, other, t};
}
bool is_plain(const Tensor& t) { return t.defined() && t.layout() == kStrided && !is_limited(t.scalar_type()); }

/// One way to call a sample: which of its tensors have items, and along which dimension.
struct Case {
  std::vector<bool> batched;
  int64_t position;  // counted from the end if negative
};
std::vector<Case> cases_of(const Tensors& tensors) {
  std::vector<Case> cases;
  const size_t n = tensors.size();
  const unsigned all = n <= 3 ? (1u << n) - 1 : 0;
  for (unsigned mask = 1; mask <= all; ++mask) {
    Case c{std::vector<bool>(n), 0};
    for (size_t i = 0; i < n; ++i) c.batched[i] = mask >> i & 1;
    cases.push_back(c);
  }
  if (n > 3) {
    for (size_t i = 0; i < n; ++i) cases.push_back({std::vector<bool>(n), 0}), cases.back().batched[i] = true;
    cases.push_back({std::vector<bool>(n, true), 0});
  }
  for (int64_t position : {-1, 1}) cases.push_back({std::vector<bool>(n, true), position});
  for (Case& c : cases)
    for (size_t i = 0; i < n; ++i) c.batched[i] = c.batched[i] && is_plain(tensors[i]);
  std::erase_if(cases, [](const Case& c) { return std::count(c.batched.begin(), c.batched.end(), true) == 0; });
  return cases;
}
int64_t place(const Tensor& item, int64_t position) {
  return position < 0 ? item.dim() : std::min(position, item.dim());
}
std::string name_of(const Case& c) {
  std::string text;
  for (const bool b : c.batched) text += b ? 'x' : '-';
  return str(text, " at ", c.position);
}

/// The same call for each item, or for all of them.
struct Inputs {
  std::vector<Tensors> items;  // for each item
  Tensors whole;
  Inputs(const Tensors& tensors, const Case& c) : items(kItems), whole(tensors.size()) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      const Tensors list = c.batched[i] ? items_of(tensors[i]) : Tensors(kItems, tensors[i]);
      for (size_t b = 0; b < kItems; ++b) items[b].push_back(list[b]);
      whole[i] = c.batched[i] ? stack(list, place(tensors[i], c.position)) : tensors[i];
    }
  }
};
Tensors enter_all(const Tensors& whole, const Tensors& like, const Case& c, const func::Level& level) {
  Tensors all;
  for (size_t i = 0; i < whole.size(); ++i)
    all.push_back(c.batched[i] ? func::enter(whole[i], place(like[i], c.position), level) : whole[i]);
  return all;
}

/// What says that an item cannot be told from the others: numbers that decide on a shape, or what the op is to do.
bool is_refusal(const std::string& message) {
  for (const char* part :
       {"vmap:", "vmap-ing", "Vmap does not", "doesn't have storage: it is batched", "not supported for the Sparse"})
    if (message.find(part) != message.npos) return true;
  return false;
}
/// Ops of which that is to be expected.
const std::initializer_list<const char*> kReadNumbers = {"where",
                                                         "_unique2",
                                                         "unique_consecutive",
                                                         "unique_dim",
                                                         "index",
                                                         "index_put",
                                                         "masked_select",
                                                         "nonzero",
                                                         "argwhere",
                                                         "nonzero_static",
                                                         "one_hot",
                                                         "_gradient",
                                                         "narrow.Tensor",
                                                         "tensor_split.tensor_indices_or_sections",
                                                         "repeat_interleave.Tensor",
                                                         "repeat_interleave.self_Tensor",
                                                         "ctc_loss.Tensor",
                                                         "_pack_padded_sequence",
                                                         "_pack_padded_sequences",
                                                         "_unpad_sequence",
                                                         "_sparse_coo_tensor",
                                                         "_sparse_compressed_tensor",
                                                         "_spdiags",
                                                         "to_sparse",
                                                         "to_sparse.sparse_dim",
                                                         "to_sparse_csr",
                                                         "to_sparse_bsr",
                                                         "to_sparse_bsc",
                                                         "to_sparse_csc"};
/// Ops that ask for strides, which items along another dimension than the first do not have.
const std::initializer_list<const char*> kReadStrides = {"as_strided", "as_strided_copy", "as_strided_scatter",
                                                         "view",       "view_as",         "view.dtype",
                                                         "view_copy",  "view_copy.dtype", "view_as_complex"};

class SweepVmap : public Sweep {
 protected:
  using Check = std::function<std::string(const Sample&, const std::vector<Value>&, const Tensors&, const Case&)>;
  void each_case(const Check& check) {
    each([&](const Sample& s) -> std::string {
      const std::vector<Value> arguments = s.arguments({});
      const Tensors tensors = tensors_in(arguments);
      if (s.is_sparse() || unpredictable(s.name()) || among(s.name(), {"bernoulli", "cov"}))
        return {};  // as PyTorch's, cov looks at the numbers of weights
      for (const Case& c : cases_of(tensors)) {
        if (c.position != 0 && among(s.name(), kReadStrides)) continue;
        std::string problem;
        try {
          problem = check(s, arguments, tensors, c);
        } catch (const std::exception& e) {
          if (is_refusal(e.what()) && (s.in_place() || among(s.name(), kReadNumbers))) continue;
          problem = std::string("threw: ") + e.what();
        }
        if (!problem.empty()) return name_of(c) + ": " + problem;
      }
      return {};
    });
  }
};

/// Results of every item; empty where one of them throws.
std::vector<Tensors> one_by_one(const std::function<Tensors(const Tensors&)>& f, const std::vector<Tensors>& items) {
  std::vector<Tensors> results;
  try {
    for (const Tensors& item : items) results.push_back(f(item));
  } catch (const std::exception&) {
    return {};
  }
  return results;
}
/// The results of all items of output k, or undefined where they cannot be one tensor.
Tensor together(const std::vector<Tensors>& results, size_t k) {
  Tensors column;
  for (const Tensors& r : results) {
    if (!r[k].defined() || r[k].sizes() != results[0][k].sizes() || r[k].layout() != kStrided) return {};
    column.push_back(r[k]);
  }
  return stack(column);
}

Tensors clones(const Tensors& list) {
  Tensors all;
  for (const Tensor& t : list) all.push_back(t.defined() && t.layout() == kStrided ? t.clone() : t);
  return all;
}

TEST_P(SweepVmap, ResultsAreThoseOfOneItemAfterTheOther) {
  each_case([](const Sample& s, const std::vector<Value>& arguments, const Tensors& tensors,
               const Case& c) -> std::string {
    const Inputs in(tensors, c);
    const auto call = [&](const Tensors& t) {
      return s.tensors(with_tensors(arguments, s.in_place() ? clones(t) : t));
    };
    const std::vector<Tensors> want = one_by_one(call, in.items);
    if (want.empty()) return {};
    const func::Level level(kItems, func::Randomness::Different);
    const Tensors got =
        s.tensors(with_tensors(arguments, enter_all(s.in_place() ? clones(in.whole) : in.whole, tensors, c, level)));
    if (got.size() != want[0].size()) return str(got.size(), " results instead of ", want[0].size());
    for (size_t k = 0; k < got.size(); ++k) {
      const Tensor all = together(want, k);
      if (!all.defined()) continue;
      if (!got[k].defined()) return str("result ", k, " is undefined");
      if (const std::string d = difference(func::leave(got[k], 0, level), all, kTolerance); !d.empty())
        return str("result ", k, ": ", d);
    }
    return {};
  });
}

/// Gradients of the sum of all results by all float inputs.
Tensors gradients(const std::function<Tensors(const Tensors&)>& f, const Tensors& inputs, bool lifted) {
  const func::detail::Transform transform;
  Tensors opened;
  for (const Tensor& t : inputs) {
    if (!t.defined() || !is_differentiable(t.scalar_type()) || t.layout() != kStrided) opened.push_back(t);
    else opened.push_back((lifted ? func::lift(t) : t).detach().requires_grad_());
  }
  Tensors roots, seeds, wanted;
  for (const Tensor& y : f(opened))
    if (y.defined() && y.requires_grad() && y.layout() == kStrided)
      roots.push_back(y), seeds.push_back(ones_like(y.detach()));
  for (const Tensor& t : opened)
    if (t.defined() && t.requires_grad()) wanted.push_back(t);
  if (roots.empty() || wanted.empty()) return {};
  Tensors found = autograd::grad(roots, wanted, seeds, std::nullopt, false, true);
  for (size_t i = 0; i < found.size(); ++i)
    if (!found[i].defined() || found[i].layout() != kStrided) found[i] = zeros_like(wanted[i].detach());
  return found;
}

TEST_P(SweepVmap, GradientsInsideAreThoseOfEachItem) {
  each_case([](const Sample& s, const std::vector<Value>& arguments, const Tensors& tensors,
               const Case& c) -> std::string {
    if (s.in_place()) return {};
    const Inputs in(tensors, c);
    const auto call = [&](const Tensors& t) { return s.tensors(with_tensors(arguments, t)); };
    const std::vector<Tensors> want = one_by_one([&](const Tensors& t) { return gradients(call, t, false); }, in.items);
    if (want.empty() || want[0].empty()) return {};
    const func::Level level(kItems, func::Randomness::Different);
    const Tensors got = gradients(call, enter_all(in.whole, tensors, c, level), true);
    for (size_t k = 0; k < got.size(); ++k)
      if (const std::string d = difference(func::leave(got[k], 0, level), together(want, k), kTolerance); !d.empty())
        return str("gradient ", k, ": ", d);
    return {};
  });
}

TEST_P(SweepVmap, GradientsOutsideAreSumsOverItemsWhereTheyShare) {
  each_case([](const Sample& s, const std::vector<Value>& arguments, const Tensors& tensors,
               const Case& c) -> std::string {
    if (s.in_place()) return {};
    const Inputs in(tensors, c);
    const auto call = [&](const Tensors& t) { return s.tensors(with_tensors(arguments, t)); };
    const std::vector<Tensors> want = one_by_one([&](const Tensors& t) { return gradients(call, t, false); }, in.items);
    if (want.empty() || want[0].empty()) return {};
    const auto mapped = [&](const Tensors& whole) {
      const func::Level level(kItems, func::Randomness::Different);
      Tensors all;
      for (const Tensor& y : s.tensors(with_tensors(arguments, enter_all(whole, tensors, c, level))))
        all.push_back(y.defined() ? func::leave(y, 0, level) : y);
      return all;
    };
    const Tensors got = gradients(mapped, in.whole, false);
    size_t k = 0;
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!tensors[i].defined() || !is_differentiable(tensors[i].scalar_type()) || tensors[i].layout() != kStrided)
        continue;
      const Tensor all = together(want, k);
      const Tensor wanted = c.batched[i] ? all.movedim(0, place(tensors[i], c.position)) : all.sum(0);
      if (const std::string d = difference(got[k++], wanted, {1e-8, 1e-9}); !d.empty())
        return str("gradient ", i, ": ", d);
    }
    return {};
  });
}

TEST_P(SweepVmap, TangentsGoThroughIt) {
  each_function({}, [](const Function& f) -> std::string {
    if (!f.all_of(kDouble) || f.sample().has_float_literal() || f.sample().is_sparse() || !f.is_finite()) return {};
    const Tensors x = f.leaves(), v = f.tangents();
    Tensors whole, along;
    for (size_t i = 0; i < x.size(); ++i)
      whole.push_back(stack(items_of(x[i].detach()))), along.push_back(stack({v[i], v[i] * 2, v[i] * -1}));
    std::vector<Tensors> want;
    try {
      for (int64_t b = 0; b < kItems; ++b) {
        Tensors primals, tangents;
        for (size_t i = 0; i < x.size(); ++i)  // cloned, for as_strided reads what else is in a storage
          primals.push_back(whole[i].select(0, b).clone().requires_grad_()),
              tangents.push_back(along[i].select(0, b).clone());
        want.push_back(autograd::jvp(f, primals, tangents).second);
      }
    } catch (const std::exception&) {
      return {};
    }
    const auto mapped = [&](const Tensors& inputs) {
      const func::Level level(kItems, func::Randomness::Different);
      Tensors items, all;
      for (const Tensor& t : inputs) items.push_back(func::enter(t, 0, level));
      for (const Tensor& y : f(items)) all.push_back(func::leave(y, 0, level));
      return all;
    };
    Tensors got;
    try {
      got = autograd::jvp(mapped, whole, along).second;
    } catch (const std::exception& e) {
      if (is_refusal(e.what()) && among(f.sample().name(), kReadNumbers)) return {};
      throw;
    }
    for (size_t k = 0; k < got.size(); ++k) {
      if (!want[0][k].defined() || want[0][k].layout() != kStrided) continue;
      const Tensor all = together(want, k);
      const Tensor tangent = got[k].defined() ? got[k] : zeros_like(all);
      if (const std::string d = difference(tangent, all, {1e-8, 1e-9}); !d.empty()) return str("tangent ", k, ": ", d);
    }
    return {};
  });
}

TAUT_SWEEP(SweepVmap);

/// The ops that run for one item after the other: those in this list, which is less than a twentieth of the registry.
TEST(VmapRules, FewOpsHaveNone) {
  set_warning_handler([](const std::string&) {});
  for (const OpEntry* op : all_ops())
    for (const Sample& s : samples_of(*op)) {
      if (s.is_sparse() || unpredictable(s.name())) continue;
      try {
        const std::vector<Value> arguments = s.arguments({});
        const Tensors tensors = tensors_in(arguments);
        for (const Case& c : cases_of(tensors)) {
          const Inputs in(tensors, c);
          const func::Level level(kItems, func::Randomness::Different);
          try {
            s.tensors(with_tensors(arguments, enter_all(clones(in.whole), tensors, c, level)));
          } catch (const std::exception&) {  // other tests say what is refused
          }
        }
      } catch (const std::exception&) {}
    }
  set_warning_handler({});
  std::set<std::string> listed;
  std::ifstream file(golden_path("vmap_without_rule.txt"));
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') listed.insert(line);
  std::string missing;
  for (const std::string& name : func::ops_without_rule())
    if (!listed.contains(name)) missing += name + "\n";
  EXPECT_EQ(missing, "") << "have no batching rule, and are not in tests/golden/vmap_without_rule.txt";
  EXPECT_LT(listed.size() * 20, all_ops().size());
}

}  // namespace
}  // namespace taut::test
