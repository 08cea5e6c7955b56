// A sample of the Gumbel-softmax distribution.
#include "ops/op.h"
#include "ops/registry.h"
#include "taut/factories.h"
#include "taut/ops/dropout.h"

namespace taut {

/// Row-major memory; of an item of many, of all of them.
static Tensor new_like(const Tensor& t) { return is_batched(t) ? empty_like(t) : empty(t.sizes(), t.scalar_type()); }
Tensor _gumbel_softmax(const Tensor& given, const Scalar& tau, bool hard, int64_t dim,
                       std::optional<Generator> generator) {
  const AsDry as(given);
  check_defined(given, "gumbel_softmax", "logits");
  // Nothing of any real dtype is drawn from, and divided it is a floating point number.
  const Tensor logits =
      given.numel() == 0 && !given.is_floating_point() && !given.is_complex() ? given.to(get_default_dtype()) : given;
  check(logits.is_floating_point(), "gumbel_softmax: expected a floating-point tensor, got ", logits.scalar_type());
  const Tensor noise = -new_like(logits).exponential_(1, std::move(generator)).log();
  const Tensor soft = softmax((logits + noise) / tau, dim);
  if (!hard) return soft;
  const Tensor index = std::get<1>(soft.detach().max(dim, true));
  return zeros(logits.sizes(), logits.scalar_type()).scatter(dim, index, 1.0) - soft.detach() + soft;
}

extern const OpEntry gumbel_ops[];
extern const size_t gumbel_ops_count;
const OpEntry gumbel_ops[] = {
    doc("A sample of the Gumbel-softmax distribution; hard ones are one-hot, with the gradient of the soft ones.",
        op<_gumbel_softmax>("_gumbel_softmax(Tensor logits, Scalar tau=1, bool hard=False, int dim=-1, *, Generator? "
                            "generator=None) -> Tensor",
                            "t(0, 3)\nt(0, 3), 2, True, 1")),
};
const size_t gumbel_ops_count = std::size(gumbel_ops);

}  // namespace taut
