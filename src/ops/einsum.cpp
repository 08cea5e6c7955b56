// Einstein sums, as letters for dimensions say. Every operand is brought to one order of all labels (the result's
// first, then those summed over), and pairs are contracted from left to right as batched products.
#include <algorithm>
#include <array>

#include "ops/op.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

/// A label is the number of a letter, or kLetters + k for dimension k of those that an ellipsis stands for.
using Labels = std::vector<size_t>;
constexpr size_t kLetters = 52, kMaxLabels = 128, kEllipsis = 1000;

/// An equation as it is written: in its terms an ellipsis is still one label.
struct Equation {
  std::string_view text;
  std::vector<Labels> terms;
  std::optional<Labels> result;
};

Labels parse_term(std::string_view term, std::string_view equation) {
  Labels labels;
  for (size_t i = 0; i < term.size(); ++i) {
    const char c = term[i];
    if (c == ' ') continue;
    if (c == '.') {
      check(term.substr(i, 3) == "...", "einsum(): found '.' that is not part of any ellipsis in ", equation);
      check(std::find(labels.begin(), labels.end(), kEllipsis) == labels.end(),
            "einsum(): found more than one ellipsis in one operand of ", equation);
      labels.push_back(kEllipsis);
      i += 2;
      continue;
    }
    const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
    check(upper || lower, "einsum(): invalid subscript '", c, "' in ", equation, ": subscripts must be in [a-zA-Z]");
    labels.push_back(static_cast<size_t>(upper ? c - 'A' : c - 'a' + 26));
  }
  return labels;
}

Equation parse(std::string_view text, size_t operands) {
  Equation equation{text, {}, {}};
  const size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  for (;;) {
    const size_t comma = left.find(',');
    equation.terms.push_back(parse_term(left.substr(0, comma), text));
    if (comma == left.npos) break;
    left.remove_prefix(comma + 1);
  }
  const size_t terms = equation.terms.size();
  check(terms == operands, "einsum(): ", terms < operands ? "more" : "fewer",
        " operands were provided than specified in the equation ", text, ": ", operands, " and ", terms);
  if (arrow != text.npos) equation.result = parse_term(text.substr(arrow + 2), text);
  return equation;
}

bool has_ellipsis(const Labels& term) { return std::find(term.begin(), term.end(), kEllipsis) != term.end(); }

/// How many of `dim` dimensions the ellipsis of a term stands for.
size_t covered_by_ellipsis(const Labels& term, int64_t dim) {
  return static_cast<size_t>(dim) - (term.size() - has_ellipsis(term));
}

/// What the longest ellipsis stands for. Every term must fit its operand.
size_t longest_ellipsis(const Equation& equation, TensorList tensors) {
  size_t longest = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Labels& term = equation.terms[i];
    const bool has = has_ellipsis(term);
    const size_t named = term.size() - has, dim = tensors[i].sizes().size();
    check(has ? named <= dim : named == dim, "einsum(): the number of subscripts in the equation (", named, ") ",
          has ? "is more than" : "does not match", " the number of dimensions (", dim, ") for operand ", i, " of ",
          equation.text, has ? "" : " and no ellipsis was given");
    if (has) longest = std::max(longest, dim - named);
  }
  check(longest <= kMaxLabels - kLetters, "einsum(): too many dimensions");
  return longest;
}

/// The term with its ellipsis spelled out: the last `count` of the labels that the longest one has.
Labels unfold(const Labels& term, size_t count, size_t longest) {
  Labels labels;
  for (size_t l : term) {
    if (l != kEllipsis) labels.push_back(l);
    else
      for (size_t k = longest - count; k < longest; ++k) labels.push_back(kLetters + k);
  }
  return labels;
}

/// What is to be computed: the labels of each operand, and the order to which all are brought.
struct Plan {
  std::vector<Labels> terms;
  Labels order;  // the result's labels, then those summed over
  size_t kept;   // labels of the result
};

using Uses = std::array<int, kMaxLabels>;

/// How often the terms use each label. Its sizes must agree, but for ones.
Uses count_uses(const Equation& equation, const std::vector<Labels>& terms, TensorList tensors) {
  Uses uses{};
  std::array<int64_t, kMaxLabels> size;
  size.fill(1);
  for (size_t i = 0; i < tensors.size(); ++i)
    for (size_t d = 0; d < terms[i].size(); ++d) {
      const size_t l = terms[i][d];
      ++uses[l];
      const int64_t n = tensors[i].sizes()[d];
      check(size[l] == 1 || n == 1 || size[l] == n, "einsum(): a subscript has size ", n, " for operand ", i,
            " which does not broadcast with previously seen size ", size[l], " in ", equation.text);
      if (n != 1) size[l] = n;
    }
  return uses;
}

/// The labels of the result: as written, or what ellipses stand for and then the letters that are used once.
Labels result_labels(const Equation& equation, const Uses& uses, size_t longest) {
  Labels result;
  if (!equation.result) {
    for (size_t k = 0; k < longest; ++k) result.push_back(kLetters + k);
    for (size_t l = 0; l < kLetters; ++l)
      if (uses[l] == 1) result.push_back(l);
    return result;
  }
  result = unfold(*equation.result, longest, longest);
  for (size_t l : result) {
    check(std::count(result.begin(), result.end(), l) == 1, "einsum(): an output subscript appears more than once in ",
          equation.text);
    check(uses[l] > 0 || l >= kLetters,
          "einsum(): an output subscript does not appear in the equation for any input operand: ", equation.text);
  }
  return result;
}

Plan make_plan(const Equation& equation, TensorList tensors) {
  const size_t longest = longest_ellipsis(equation, tensors);
  Plan plan;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Labels& term = equation.terms[i];
    plan.terms.push_back(unfold(term, covered_by_ellipsis(term, tensors[i].dim()), longest));
  }
  const Uses uses = count_uses(equation, plan.terms, tensors);
  const Labels result = result_labels(equation, uses, longest);
  plan.order = result;
  plan.kept = result.size();
  for (size_t l = 0; l < uses.size(); ++l)
    if (uses[l] > 0 && std::find(result.begin(), result.end(), l) == result.end()) plan.order.push_back(l);
  return plan;
}

/// Dimensions with the same label become their diagonal, in the place of the first.
Tensor take_diagonals(Tensor x, Labels& term, size_t operand) {
  for (size_t d = 0; d < term.size(); ++d)
    for (size_t f = term.size(); --f > d;) {
      if (term[f] != term[d]) continue;
      const auto first = static_cast<int64_t>(d), second = static_cast<int64_t>(f);
      check(x.size(first) == x.size(second), "einsum(): a subscript is repeated for operand ", operand,
            " but the sizes don't match, ", x.size(first), " != ", x.size(second));
      x = x.diagonal(0, first, second).movedim(-1, first);
      term.erase(term.begin() + second);
    }
  return x;
}

/// Operand i with one dimension for each label of the order, of size one where it has none.
Tensor arrange(const Tensor& tensor, size_t i, const Plan& plan) {
  Labels term = plan.terms[i];
  const Tensor x = take_diagonals(tensor, term, i);
  Dims permutation, missing;
  for (size_t k = 0; k < plan.order.size(); ++k) {
    const auto at = std::find(term.begin(), term.end(), plan.order[k]);
    if (at == term.end()) missing.push_back(static_cast<int64_t>(k));
    else permutation.push_back(at - term.begin());
  }
  Tensor arranged = x.permute(permutation);
  for (int64_t d : missing) arranged = arranged.unsqueeze(d);
  return arranged;
}

/// The dimensions of two operands, by what a product does with them. Those that only one has and nobody reads any more
/// are summed before, and are then of size one in the batch.
struct Pairing {
  Dims batch, left, right, contracted, sum_left, sum_right;
};

/// `ends(d)`: is dimension d to be summed over, and does no later operand have it?
template <class F>
Pairing pair_up(const Tensor& a, const Tensor& b, F ends) {
  Pairing p;
  for (int64_t d = 0; d < a.dim(); ++d) {
    const bool in_a = a.size(d) != 1, in_b = b.size(d) != 1;
    if (in_a == in_b) {
      (in_a && ends(d) ? p.contracted : p.batch).push_back(d);
    } else if (ends(d)) {
      (in_a ? p.sum_left : p.sum_right).push_back(d);
      p.batch.push_back(d);
    } else {
      (in_a ? p.left : p.right).push_back(d);
    }
  }
  return p;
}

Dims joined(Dims all, std::initializer_list<const Dims*> more) {
  for (const Dims* dims : more)
    for (int64_t d : *dims) all.push_back(d);
  return all;
}
int64_t product_of_sizes(const Tensor& x, const Dims& dims) {
  int64_t n = 1;
  for (int64_t d : dims) n *= x.size(d);
  return n;
}
Tensor sum_over(const Tensor& x, const Dims& dims) { return dims.empty() ? x : x.sum(IntArrayRef(dims), true); }

/// a [batch, left, contracted] times b [batch, contracted, right], with every dimension in its old place.
Tensor batched_product(const Tensor& a, const Tensor& b, const Pairing& p) {
  const auto as_matrices = [&](const Tensor& x, const Dims& rows, const Dims& columns, const Dims& of_size_one) {
    return x.permute(joined(p.batch, {&rows, &columns, &of_size_one}))
        .reshape({product_of_sizes(x, p.batch), product_of_sizes(x, rows), product_of_sizes(x, columns)});
  };
  const Dims order = joined(p.batch, {&p.left, &p.right, &p.contracted});
  Dims shape, back(order.size());
  for (size_t k = 0; k < order.size(); ++k) {
    const int64_t d = order[k], m = a.size(d), n = b.size(d);
    shape.push_back(k + p.contracted.size() >= order.size() ? 1 : m == 1 ? n : m);
    back[static_cast<size_t>(d)] = static_cast<int64_t>(k);
  }
  return bmm(as_matrices(a, p.left, p.contracted, p.right), as_matrices(b, p.contracted, p.right, p.left))
      .reshape(shape)
      .permute(back);
}

/// The operands from left to right. A label is summed over as soon as no later operand has it.
Tensor contract(const std::vector<Tensor>& operands, size_t kept) {
  const auto summed = static_cast<int64_t>(kept);
  Tensor result = operands[0];
  if (operands.size() == 1) {
    Dims dims;
    for (int64_t d = summed; d < result.dim(); ++d) dims.push_back(d);
    return sum_over(result, dims);
  }
  for (size_t i = 1; i < operands.size(); ++i) {
    const Pairing p = pair_up(result, operands[i], [&](int64_t d) {
      return d >= summed && std::all_of(operands.begin() + static_cast<std::ptrdiff_t>(i) + 1, operands.end(),
                                        [&](const Tensor& later) { return later.size(d) == 1; });
    });
    const Tensor a = sum_over(result, p.sum_left), b = sum_over(operands[i], p.sum_right);
    // Without a sum it is a product, which takes two dtypes too.
    result = p.contracted.empty() ? a * b : batched_product(a, b, p);
  }
  return result;
}

}  // namespace

Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArrayRef) {
  check(!tensors.empty(), "einsum(): must provide at least one operand");
  for (const Tensor& t : tensors) check_defined(t, "einsum");
  const Plan plan = make_plan(parse(equation, tensors.size()), tensors);
  std::vector<Tensor> operands;
  for (size_t i = 0; i < tensors.size(); ++i) operands.push_back(arrange(tensors[i], i, plan));
  Tensor result = contract(operands, plan.kept);
  result = result.reshape(result.sizes().slice(0, plan.kept));  // what is summed over has size one
  std::vector<const Tensor*> in;
  for (const Tensor& t : tensors) in.push_back(&t);
  forget_views(in.data(), in.size(), &result, 1);
  return result;
}

extern const OpEntry einsum_ops[];
extern const size_t einsum_ops_count;
const OpEntry einsum_ops[] = {
    doc("Sums of products, as letters for dimensions say: \"ij,jk->ik\".",
        op<einsum>(
            "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
            "'ij,jk->ik', [z(2, 3), z(3, 4)]\n'bij,bij->b', [z(2, 3, 2), z(2, 3, 2)]\n'ij,jk->ik', [t(2, 3), t(3, "
            "4)]\n'ii', [t(3, 3)]\n'ii->i', [t(3, 3)]\n'ij->ji', [t(2, "
            "3)]\n'bij,bjk->bik', [t(2, 2, 3), t(2, 3, 2)]\n'i,j->ij', [t(2), t(3)]\n'...ij,...jk->...ik', [t(2, 2, "
            "3), t(3, 2)]\n'ij,ij->', [t(2, 3), t(2, 3)]\n'bn,anm,bm->ba', [t(2, 3), t(4, 3, 2), t(2, 2)]\n'ij', "
            "[t(2, 3)]\n'ijk->j', [t(2, 3, 2)]\n'i,i,i->i', [t(3), t(3), t(3)]\n'...,...->...', [t(2, 3), t(3)]")),
};
const size_t einsum_ops_count = std::size(einsum_ops);

}  // namespace taut
