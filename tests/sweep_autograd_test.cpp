// Every sample of every op as part of a program: any of its inputs frozen, its in-place twin, and its inputs and
// results overwritten before backward.
#include <fstream>
#include <map>
#include <sstream>

#include "support/paths.h"
#include "support/sweep.h"

namespace taut::test {
namespace {

constexpr Tolerance kSame{0, 0};

class Autograd : public Sweep {};

/// The float tensors among `tensors` that may be asked for a gradient, as bits; at most six count.
std::vector<size_t> floats_of(const Tensors& tensors) {
  std::vector<size_t> list;
  for (size_t i = 0; i < tensors.size() && list.size() < 6; ++i)
    if (is_differentiable(tensors[i].scalar_type())) list.push_back(i);
  return list;
}

/// A call whose tensors are copies of leaves, so that they may be written in place.
struct Recorded {
  Tensors leaves, copies, results, kept;
  Recorded(const Sample& s, const std::vector<Value>& arguments, const std::vector<size_t>& tracked,
           bool in_place = false) {
    for (const Tensor& t : tensors_in(arguments)) leaves.push_back(t.detach().clone());
    for (size_t i : tracked) leaves[i].set_requires_grad(true);
    for (const Tensor& t : leaves) copies.push_back(t.clone());
    const std::vector<Value> values = with_tensors(arguments, copies);
    if (in_place) {
      manual_seed(0);
      s.op()->in_place(*s.op(), values.data(), values.size());
      results = {copies[0]};
    } else {
      results = s.tensors(values);
    }
    for (const Tensor& r : results)
      if (r.defined() && r.requires_grad()) kept.push_back(r);
  }
  /// The gradients of all leaves, undefined for those that are frozen.
  Tensors gradients(bool create_graph = false) const {
    Tensors seeds, wanted, all(leaves.size());
    for (size_t k = 0; k < kept.size(); ++k)
      seeds.push_back(numbers(Kind::Any, 100 + static_cast<int>(k), kept[k].sizes(), kept[k].scalar_type()));
    for (const Tensor& t : leaves)
      if (t.requires_grad()) wanted.push_back(t);
    const Tensors got = autograd::grad(kept, wanted, seeds, std::nullopt, create_graph, true);
    for (size_t i = 0, k = 0; i < leaves.size(); ++i)
      if (leaves[i].requires_grad()) all[i] = got[k++].defined() ? got[k - 1] : zeros_like(leaves[i]);
    return all;
  }
};

/// The call as a Recorded; nothing when it is refused or nothing is recorded.
std::optional<Recorded> run(const Sample& s, const std::vector<Value>& arguments, const std::vector<size_t>& tracked) {
  try {
    Recorded r(s, arguments, tracked);
    if (!r.kept.empty()) return r;
  } catch (const Error&) {  // the golden data say whether it should
  }
  return std::nullopt;
}

std::string subset_text(const std::vector<size_t>& tracked) {
  std::string text = "with a gradient for";
  for (size_t i : tracked) text += str(" ", i);
  return text + ": ";
}

TEST_P(Autograd, GradientsAreTheSameWhateverElseIsFrozen) {
  each([](const Sample& s) -> std::string {
    const std::vector<Value> arguments = s.arguments();
    const std::vector<size_t> floats = floats_of(tensors_in(arguments));
    const auto all = run(s, arguments, floats);
    if (!all) return {};
    const Tensors want = all->gradients();
    for (unsigned mask = 1; mask < 1u << floats.size(); ++mask) {
      std::vector<size_t> tracked;
      for (size_t i = 0; i < floats.size(); ++i)
        if (mask >> i & 1) tracked.push_back(floats[i]);
      for (bool create_graph : {false, true}) {
        const auto r = run(s, arguments, tracked);
        if (!r || r->kept.size() != all->kept.size()) continue;
        const Tensors got = r->gradients(create_graph);
        for (size_t i : tracked)
          if (const std::string d = difference(got[i], want[i], {1e-11, 1e-12}); !d.empty())
            return str(subset_text(tracked), create_graph ? "recorded, " : "", "input ", i, ": ", d);
      }
    }
    return {};
  });
}

TEST_P(Autograd, InPlaceTwinsGiveTheSameValuesAndGradients) {
  if (!GetParam()->in_place) return;
  each([](const Sample& s) -> std::string {
    const std::vector<Value> arguments = s.arguments();
    if (!arguments[0].get<Tensor>()) return {};
    const std::vector<size_t> floats = floats_of(tensors_in(arguments));
    std::optional<Recorded> in, out;
    try {
      out.emplace(s, arguments, floats);
      in.emplace(s, arguments, floats, true);
    } catch (const Error&) {
      return {};  // a result of another shape or kind does not fit
    }
    const Tensor want = out->results.at(0).to(in->results[0].scalar_type());
    if (const std::string d = difference(in->results[0], want, kSame); !d.empty()) return d;
    if (in->kept.empty()) return out->kept.empty() ? "" : "only the op that makes a new tensor is recorded";
    const Tensors got = in->gradients();
    const Tensors grads = out->kept.empty() ? Tensors(got.size()) : out->gradients();
    for (size_t i : floats)  // an op without a derivative leaves nothing of the gradient of what it overwrites
      if (const std::string d = difference(got[i], grads[i].defined() ? grads[i] : zeros_like(got[i]), kSame);
          !d.empty())
        return str("gradient of input ", i, ": ", d);
    return {};
  });
}

TEST_P(Autograd, WritesInPlaceAreNewVersions) {
  each([](const Sample& s) -> std::string {
    const bool named = s.in_place();
    if (!named && !s.op()->in_place) return {};
    const std::vector<Value> arguments = s.arguments();
    if (!arguments[0].get<Tensor>()) return {};
    for (bool grad : {false, true}) {
      Tensor self = arguments[0].to_tensor().clone();
      if (is_differentiable(self.scalar_type())) self = self.requires_grad_(grad).clone();
      std::vector<Value> values = arguments;
      values[0] = self;
      const uint32_t before = self._version();
      const std::vector<double> was = values_of(self);
      try {
        if (named) s.op()->call(values.data(), values.size());
        else s.op()->in_place(*s.op(), values.data(), values.size());
      } catch (const Error&) {
        continue;
      }
      if (self._version() == before && values_of(self) != was) return "written, and no new version";
      const bool may_stay = s.name().find("dropout") != std::string::npos;  // as it is, when nothing is dropped
      if (self._version() == before && !named && !may_stay) return "no new version";
    }
    return {};
  });
}

/// tests/golden/writes.txt: for a call, the signs of each set of tracked inputs.
const std::map<std::string, std::vector<std::string>>& golden() {
  static const auto table = [] {
    std::map<std::string, std::vector<std::string>> t;
    std::ifstream in(golden_path("writes.txt"));
    for (std::string line; std::getline(in, line);) {
      const size_t tab = line.rfind('\t');
      if (line.starts_with('#') || tab == line.npos) continue;
      std::istringstream signs(line.substr(tab + 1));
      for (std::string set; signs >> set;) t[line.substr(0, tab)].push_back(set);
    }
    return t;
  }();
  return table;
}

TEST_P(Autograd, WhatPyTorchDoesNotKeepMayBeOverwritten) {
  each([](const Sample& s) -> std::string {
    const auto it = golden().find(s.name() + "\t" + s.text());
    if (it == golden().end()) return {};
    const std::vector<Value> arguments = s.arguments();
    const Tensors tensors = tensors_in(arguments);
    std::vector<size_t> floats;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (is_differentiable(tensors[i].scalar_type())) floats.push_back(i);
    std::string problems;
    for (size_t set = 0; set < it->second.size(); ++set) {
      const std::string& signs = it->second[set];
      const std::vector<size_t> tracked = set == 0 ? floats : std::vector<size_t>{floats.at(set - 1)};
      const auto plain = run(s, arguments, tracked);
      if (!plain) continue;
      const Tensors want = plain->gradients();
      const size_t colon = signs.find(':');
      for (size_t i = 0; i < signs.size(); ++i) {
        if (signs[i] != 'w') continue;
        const auto r = run(s, arguments, tracked);
        const bool input = i < colon;
        const std::string what = str(subset_text(tracked), input ? "input " : "result ", input ? i : i - colon - 1);
        Tensors list = input ? r->copies : r->results;
        const size_t at = input ? i : i - colon - 1;
        if (at >= list.size()) continue;
        try {
          {
            NoGradGuard guard;
            list[at].zero_();
          }
          if (const std::string d = difference(r->gradients(), want, {1e-11, 1e-12}); !d.empty())
            problems += str("\n  ", what, ": ", d);
        } catch (const Error& e) {
          problems += str("\n  ", what, ": ", e.what());
        }
      }
    }
    return problems;
  });
}

TAUT_SWEEP(Autograd);

TEST(SweepItself, KnowsWhatMayBeOverwrittenForMostOps) {
  size_t known = 0;
  for (const OpEntry* op : all_ops())
    for (const Sample& s : samples_of(*op)) known += golden().contains(s.name() + "\t" + s.text());
  EXPECT_GT(known, golden().size() * 9 / 10);
}

}  // namespace
}  // namespace taut::test
