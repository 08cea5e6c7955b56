// `f(x, out=y)`: which ops take a destination, what it must be, and how the result gets there.
#include "taut/out.h"
#include "ops/autocast.h"

#include <mutex>
#include <unordered_map>

#include "autograd/engine.h"
#include "ops/pointwise.h"
#include "ops/promotion.h"
#include "ops/registry.h"
#include "taut/core/runtime.h"

namespace taut {

namespace {

struct OutRule {
  std::string name;
  Out out;
  OpEntry::Apart apart;
  bool makes_tensors;
  int dtype_place = -1;  // of the argument `dtype`, where what is left open is the destination's
  Value open_dtype;      // its default
};

Out out_of(const OpEntry& op) {
  if (op.out != Out::ByTable) return op.out;
  for (const OpTable& table : op_tables())
    if (&op >= table.rows && &op < table.rows + table.count) return table.out;
  return Out::None;
}

const OutRule& rule_of(const OpEntry& op) {
  static std::mutex mutex;
  static std::unordered_map<const OpEntry*, OutRule> rules;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = rules.try_emplace(&op);
  OutRule& rule = place->second;
  if (!is_new) return rule;
  const Schema schema = parse_schema(op.schema);
  rule.name = schema.name;
  rule.out = schema.name.ends_with('_') || schema.returns.ends_with("[]") ? Out::None : out_of(op);
  rule.apart = op.out_apart;
  bool of_tensors = false;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    of_tensors |= schema.arguments[i].type.starts_with("Tensor");
    if (schema.arguments[i].type != "ScalarType?") continue;
    rule.dtype_place = static_cast<int>(i);
    rule.open_dtype = schema.arguments[i].default_value;
  }
  rule.makes_tensors = !of_tensors;
  return rule;
}

/// Throws when `out` overlaps an argument in a way that this op forbids. False where the loop of a pointwise op, which
/// reads an element before it writes there, may not run on them.
bool check_overlap(const OutRule& rule, const Tensor& out, const Tensor& x, bool is_first) {
  if (!x.defined() || x.impl()->storage->data() != out.impl()->storage->data()) return true;
  const char* name = rule.name.c_str();
  const bool apart = rule.apart == OpEntry::Apart::All || (rule.apart == OpEntry::Apart::ButFirst && !is_first);
  if (apart && x.is_contiguous() && out.is_contiguous()) {
    const auto *a = static_cast<const char*>(x.data_ptr()), *b = static_cast<const char*>(out.data_ptr());
    check(a + x.nbytes() <= b || b + out.nbytes() <= a, name,
          ": unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
          "memory location. Please clone() the tensor before performing the operation.");
  }
  const Tensor* const others[] = {&x};
  return x.sizes() != out.sizes() ? false : !shares_memory(out, others, 1, name);
}

/// "fft_rfft2: rfftn expects a complex output tensor, but got Float": PyTorch's two-dimensional transforms are those of
/// n.
void check_parts(const std::string& name, const Tensor& out, const Tensor& result) {
  std::string inner = name.substr(name.find('_') + 1);
  if (inner.back() == '2') inner.back() = 'n';
  if (result.is_complex())
    check(out.is_complex(), inner, " expects a complex output tensor, but got ", toString(out.scalar_type()));
  else
    check(out.is_floating_point(), inner, " expects a floating point output tensor, but got ",
          toString(out.scalar_type()));
}

void check_out(const char* name, const Tensor& out) {
  check_defined(out, name, "out");
  check(!thread_state.grad_mode || !out.requires_grad(), name,
        ": functions with out=... arguments don't support automatic differentiation, but one of the arguments requires "
        "grad. Detach it, or call the function without out.");
  check_writable(out, name);
}
void check_result(const char* name, const Tensor& out, const Tensor& result, bool casts) {
  check(!result.requires_grad(), name,
        ": functions with out=... arguments don't support automatic differentiation, but one of the arguments requires "
        "grad. Detach it, or call the function without out.");
  if (casts)
    check(can_cast(result.scalar_type(), out.scalar_type()), name, ": result type ", result.scalar_type(),
          " can't be cast to the desired output type ", out.scalar_type());
  else
    check(result.scalar_type() == out.scalar_type(), name, ": Expected out tensor to have dtype ", result.scalar_type(),
          ", but got ", out.scalar_type(), " instead");
}
void write(const Tensor& out, const Tensor& result, bool warns) {
  const bool shared = out.impl()->storage->data() == result.impl()->storage->data();
  const Tensor source = shared ? result.clone() : result;
  if (out.sizes() != result.sizes()) {
    if (warns && out.numel() > 0)
      warn(str("An output with one or more elements was resized since it had shape ", out.sizes(),
               ", which does not match the required output shape ", result.sizes(),
               ". This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they "
               "have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements "
               "with t.resize_(0)."));
    out.resize_(result.sizes());
  }
  out.copy_(source);
}

}  // namespace

bool takes_out(const OpEntry& op) { return rule_of(op).out != Out::None; }

void write_out(const Tensor& out, const Tensor& result, bool casts) {
  check_out("out", out);
  check_result("out", out, result, casts);
  write(out, result, true);
}

void call_into(const OpEntry& op, const Value* args, size_t n, TensorList outs) {
  const OutRule& rule = rule_of(op);
  const char* name = rule.name.c_str();
  const bool casts = rule.out == Out::Casts || rule.out == Out::CastsAnyway || rule.out == Out::Range;
  check<TypeError>(rule.out != Out::None, name, "() got an unexpected keyword argument 'out'");
  for (const Tensor& out : outs) check_out(name, out);
  bool at_once = outs.size() == 1 && op.into && !autograd::forward_mode() && !autograd::global_state.anomaly;
  for (size_t i = 0; i < n; ++i) {
    const Tensor* one = args[i].get<Tensor>();
    const bool is_list = args[i].get<Value::List>();
    at_once = at_once && !is_list;
    if (!one && !is_list) continue;
    const auto look = [&](const Tensor& t) {
      for (const Tensor& out : outs) at_once &= check_overlap(rule, out, t, i == 0);
      at_once = at_once && !(thread_state.grad_mode && tracked(t.impl()));
    };
    if (one) look(*one);
    else
      for (const Value& v : args[i].to_list())
        if (const Tensor* t = v.get<Tensor>()) look(*t);
  }
  if (at_once && op.into(args, n, outs[0])) return;

  std::vector<Value> values(args, args + n);
  if (rule.dtype_place >= 0 && outs.size() == 1 && (casts || rule.makes_tensors)) {
    Value& dtype = values[static_cast<size_t>(rule.dtype_place)];
    if (dtype.is_none() || (!rule.open_dtype.is_none() && dtype.to_dtype() == rule.open_dtype.to_dtype()))
      dtype = outs[0].scalar_type();
    check(dtype.to_dtype() == outs[0].scalar_type(), name, ": dtype ", dtype.to_dtype(),
          " does not match dtype of out parameter (", outs[0].scalar_type(), ")");
  }
  const NoAutocast as_given;
  std::vector<Tensor> results = op.call(values.data(), n).to_tensors();
  check<TypeError>(results.size() == outs.size(), name, ": out must be ", results.size(), " tensors, got ",
                   outs.size());
  if (rule.out == Out::Parts) check_parts(rule.name, outs[0], results[0]);
  if (rule.out == Out::CastsAnyway || rule.out == Out::Parts) results[0] = results[0].to(outs[0].scalar_type());
  const bool cast = outs.size() == 1 && (casts || (rule.out == Out::OrByte && outs[0].scalar_type() == kByte) ||
                                         (rule.out == Out::CastsByNumber && args[n - 1].to_tensor().dim() == 0));
  for (size_t i = 0; i < outs.size(); ++i) check_result(name, outs[i], results[i], cast);
  for (size_t i = 0; i < outs.size(); ++i) {
    const bool reshaped = rule.out == Out::Range && results[i].numel() == outs[i].numel();
    write(outs[i], reshaped ? results[i].view(outs[i].sizes()) : results[i], !rule.makes_tensors);
  }
}

bool compute_into(const PointwiseOp& formula, const void* attributes, const Value* args, size_t n, const Tensor& out) {
  const Tensor* in[detail::kMaxOperands];
  Tensor numbers[detail::kMaxOperands];
  const auto operands = static_cast<size_t>(formula.arity);
  for (size_t j = 0; j < n; ++j) {
    const Tensor* t = args[j].get<Tensor>();
    if (j >= operands) {
      if (t || args[j].is_none() || !args[j].to_scalar().equal(1)) return false;
    } else if (t) {
      // What the function does with whole numbers before the formula is not done here.
      if (!t->defined() || !t->is_floating_point()) return false;
      in[j] = t;
    } else {
      if (j == 0 || in[0]->element_size() < 4) return false;
      numbers[j] = wrapped(args[j].to_scalar(), *in[0]);
      in[j] = &numbers[j];
    }
  }
  const detail::PointwisePlan plan = detail::plan_pointwise(formula, in);
  if (plan.result != out.scalar_type() || IntArrayRef(plan.sizes) != out.sizes()) return false;
  detail::run_pointwise_into(formula, attributes, in, out, plan);
  out.impl()->storage->bump(formula.name, thread_state.step);
  return true;
}

}  // namespace taut
