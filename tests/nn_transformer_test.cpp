// Multi-head attention and transformers as PyTorch's: every option and mask, clones, wrong arguments.
#include <cmath>
#include <fstream>
#include <sstream>

#include "support/module_case.h"
#include "support/paths.h"

namespace taut::test {
namespace {

namespace F = nn::functional;
using nn::MultiheadAttentionOptions, nn::TransformerDecoderLayerOptions, nn::TransformerEncoderLayerOptions,
    nn::TransformerOptions;

nn::MultiheadAttention mha(const MultiheadAttentionOptions& o) { return nn::MultiheadAttention(o); }
nn::TransformerEncoderLayer encoder_layer() {
  return nn::TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).dim_feedforward(6).dropout(0));
}
nn::TransformerDecoderLayer decoder_layer() {
  return nn::TransformerDecoderLayer(TransformerDecoderLayerOptions(4, 2).dim_feedforward(6).dropout(0));
}
nn::AnyModule norm4() { return nn::AnyModule(nn::LayerNorm(std::vector<int64_t>{4})); }

#define ENCODER_LAYER "nn.TransformerEncoderLayer(4, 2, 6, 0.0)"
#define DECODER_LAYER "nn.TransformerDecoderLayer(4, 2, 6, 0.0)"
#define CAUSAL "nn.Transformer.generate_square_subsequent_mask(3)"
Tensor causal() { return nn::TransformerImpl::generate_square_subsequent_mask(3); }
Tensor mask(std::initializer_list<TensorData> data) { return tensor(data).to(kBool); }

const std::vector<ModuleCase> kCases = {
    CASE("nn.MultiheadAttention(4, 2)", "t(3, 2, 4), t(5, 2, 4), t(5, 2, 4)", nn::MultiheadAttention(4, 2)),
    CASE("nn.MultiheadAttention(4, 2)", "t(3, 4), t(5, 4), t(5, 4)", nn::MultiheadAttention(4, 2)),
    CASE_CALL("nn.MultiheadAttention(4, 2)", "m(x[0], x[0], x[0])", "t(3, 2, 4)", nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) { return m(x[0], x[0], x[0]); }),
    CASE_CALL("nn.MultiheadAttention(4, 2)", "m(x[0], x[1], x[1])", "t(3, 2, 4), t(5, 2, 4)",
              nn::MultiheadAttention(4, 2), [](auto& m, const Tensors& x) { return m(x[0], x[1], x[1]); }),
    CASE_CALL("nn.MultiheadAttention(4, 2)", "m(x[0], x[0], x[0], need_weights=False)", "t(3, 2, 4)",
              nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) { return std::get<0>(m(x[0], x[0], x[0], Tensor(), false)); }),
    CASE_CALL("nn.MultiheadAttention(4, 2)", "m(x[0], x[0], x[0], average_attn_weights=False)", "t(3, 2, 4)",
              nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) { return m(x[0], x[0], x[0], Tensor(), true, Tensor(), false); }),
    CASE_CALL("nn.MultiheadAttention(4, 2, batch_first=True)", "m(x[0], x[0], x[0])", "t(2, 3, 4)",
              mha(MultiheadAttentionOptions(4, 2).batch_first(true)),
              [](auto& m, const Tensors& x) { return m(x[0], x[0], x[0]); }),
    CASE("nn.MultiheadAttention(4, 2, batch_first=True)", "t(2, 3, 4), t(2, 5, 4), t(2, 5, 4)",
         mha(MultiheadAttentionOptions(4, 2).batch_first(true))),
    CASE("nn.MultiheadAttention(4, 2, bias=False)", "t(3, 2, 4), t(5, 2, 4), t(5, 2, 4)",
         mha(MultiheadAttentionOptions(4, 2).bias(false))),
    CASE("nn.MultiheadAttention(4, 2, kdim=3, vdim=5)", "t(3, 2, 4), t(5, 2, 3), t(5, 2, 5)",
         mha(MultiheadAttentionOptions(4, 2).kdim(3).vdim(5))),
    CASE("nn.MultiheadAttention(4, 2, kdim=3, bias=False)", "t(3, 2, 4), t(5, 2, 3), t(5, 2, 4)",
         mha(MultiheadAttentionOptions(4, 2).kdim(3).bias(false))),
    CASE("nn.MultiheadAttention(4, 2, add_bias_kv=True)", "t(3, 2, 4), t(5, 2, 4), t(5, 2, 4)",
         mha(MultiheadAttentionOptions(4, 2).add_bias_kv(true))),
    CASE("nn.MultiheadAttention(4, 2, add_zero_attn=True)", "t(3, 2, 4), t(5, 2, 4), t(5, 2, 4)",
         mha(MultiheadAttentionOptions(4, 2).add_zero_attn(true))),
    CASE("nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True, kdim=3)",
         "t(3, 2, 4), t(5, 2, 3), t(5, 2, 4)",
         mha(MultiheadAttentionOptions(4, 2).add_bias_kv(true).add_zero_attn(true).kdim(3))),
    CASE("nn.MultiheadAttention(4, 2, dropout=0.5)", "t(3, 2, 4), t(5, 2, 4), t(5, 2, 4)",
         mha(MultiheadAttentionOptions(4, 2).dropout(0.5))),
    CASE_CALL("nn.MultiheadAttention(4, 2, dropout=0.5)", "m(x[0], x[0], x[0], need_weights=False)", "t(3, 2, 4)",
              mha(MultiheadAttentionOptions(4, 2).dropout(0.5)),
              [](auto& m, const Tensors& x) { return std::get<0>(m(x[0], x[0], x[0], Tensor(), false)); }),
    CASE("nn.MultiheadAttention(4, 2, dropout=0.5).eval()", "t(3, 2, 4), t(5, 2, 4), t(5, 2, 4)",
         in_eval_mode(mha(MultiheadAttentionOptions(4, 2).dropout(0.5)))),
    CASE_CALL("nn.MultiheadAttention(4, 2)",
              "m(x[0], x[0], x[0], key_padding_mask=torch.tensor([[0, 0, 1], [0, 1, 1]]).bool())", "t(3, 2, 4)",
              nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) { return m(x[0], x[0], x[0], mask({{0, 0, 1}, {0, 1, 1}})); }),
    CASE_CALL("nn.MultiheadAttention(4, 2)", "m(x[0], x[0], x[0], key_padding_mask=x[1])", "t(3, 2, 4), t(2, 3)",
              nn::MultiheadAttention(4, 2), [](auto& m, const Tensors& x) { return m(x[0], x[0], x[0], x[1]); }),
    CASE_CALL("nn.MultiheadAttention(4, 2)",
              "m(x[0], x[0], x[0], key_padding_mask=torch.tensor([0, 0, 1]).bool(), need_weights=False)", "t(3, 4)",
              nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) { return std::get<0>(m(x[0], x[0], x[0], mask({0, 0, 1}), false)); }),
    CASE_CALL("nn.MultiheadAttention(4, 2)",
              "m(x[0], x[0], x[0], attn_mask=torch.tensor([[0, 1, 1], [0, 0, 1], [1, 0, 0]]).bool())", "t(3, 2, 4)",
              nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) {
                return m(x[0], x[0], x[0], Tensor(), true, mask({{0, 1, 1}, {0, 0, 1}, {1, 0, 0}}));
              }),
    CASE_CALL("nn.MultiheadAttention(4, 2)", "m(x[0], x[0], x[0], attn_mask=x[1], need_weights=False)",
              "t(3, 2, 4), t(4, 3, 3)", nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) { return std::get<0>(m(x[0], x[0], x[0], Tensor(), false, x[1])); }),
    CASE_CALL("nn.MultiheadAttention(4, 2, add_bias_kv=True)",
              "m(x[0], x[0], x[0], attn_mask=x[1], key_padding_mask=x[2])", "t(3, 2, 4), t(3, 3), t(2, 3)",
              mha(MultiheadAttentionOptions(4, 2).add_bias_kv(true)),
              [](auto& m, const Tensors& x) { return m(x[0], x[0], x[0], x[2], true, x[1]); }),
    CASE_CALL("nn.MultiheadAttention(4, 2)",
              "m(x[0], x[0], x[0], attn_mask=" CAUSAL ", is_causal=True, need_weights=False)", "t(3, 2, 4)",
              nn::MultiheadAttention(4, 2),
              [](auto& m, const Tensors& x) {
                return std::get<0>(m(x[0], x[0], x[0], Tensor(), false, causal(), true, true));
              }),
    CASE_CALL("nn.MultiheadAttention(4, 2, add_zero_attn=True)",
              "m(x[0], x[0], x[0], attn_mask=" CAUSAL ", is_causal=True, need_weights=True)", "t(3, 2, 4)",
              mha(MultiheadAttentionOptions(4, 2).add_zero_attn(true)),
              [](auto& m, const Tensors& x) { return m(x[0], x[0], x[0], Tensor(), true, causal(), true, true); }),

    CASE("nn.TransformerEncoderLayer(4, 2, 6)", "t(3, 2, 4)",
         nn::TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).dim_feedforward(6))),
    CASE("nn.TransformerEncoderLayer(4, 2, 6).eval()", "t(3, 2, 4)",
         in_eval_mode(nn::TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).dim_feedforward(6)))),
    CASE(ENCODER_LAYER, "t(3, 4)", encoder_layer()),
    CASE("nn.TransformerEncoderLayer(4, 2)", "t(3, 2, 4)", nn::TransformerEncoderLayer(4, 2)),
    CASE("nn.TransformerEncoderLayer(4, 2, 6, 0.0, 'gelu', batch_first=True)", "t(2, 3, 4)",
         nn::TransformerEncoderLayer(
             TransformerEncoderLayerOptions(4, 2).dim_feedforward(6).dropout(0).activation(kGELU).batch_first(true))),
    CASE("nn.TransformerEncoderLayer(4, 2, 6, 0.0, torch.tanh, norm_first=True, layer_norm_eps=0.01)", "t(3, 2, 4)",
         nn::TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2)
                                         .dim_feedforward(6)
                                         .dropout(0)
                                         .activation([](const Tensor& x) { return x.tanh(); })
                                         .norm_first(true)
                                         .layer_norm_eps(0.01))),
    CASE("nn.TransformerEncoderLayer(4, 2, 6, 0.0, bias=False)", "t(3, 2, 4)",
         nn::TransformerEncoderLayer(
             TransformerEncoderLayerOptions(4, 2).dim_feedforward(6).dropout(0).bias(false))),
    CASE_CALL(ENCODER_LAYER, "m(x[0], " CAUSAL ", is_causal=True)", "t(3, 2, 4)", encoder_layer(),
              [](auto& m, const Tensors& x) { return m(x[0], causal(), Tensor(), true); }),
    CASE_CALL(ENCODER_LAYER, "m(x[0], x[1], torch.tensor([[0, 0, 1], [0, 0, 0]]).bool())", "t(3, 2, 4), t(3, 3)",
              encoder_layer(),
              [](auto& m, const Tensors& x) { return m(x[0], x[1], mask({{0, 0, 1}, {0, 0, 0}})); }),

    CASE("nn.TransformerDecoderLayer(4, 2, 6)", "t(3, 2, 4), t(5, 2, 4)",
         nn::TransformerDecoderLayer(TransformerDecoderLayerOptions(4, 2).dim_feedforward(6))),
    CASE(DECODER_LAYER, "t(3, 4), t(5, 4)", decoder_layer()),
    CASE("nn.TransformerDecoderLayer(4, 2, 6, 0.0, 'gelu', batch_first=True, norm_first=True, bias=False)",
         "t(2, 3, 4), t(2, 5, 4)",
         nn::TransformerDecoderLayer(TransformerDecoderLayerOptions(4, 2)
                                         .dim_feedforward(6)
                                         .dropout(0)
                                         .activation(kGELU)
                                         .batch_first(true)
                                         .norm_first(true)
                                         .bias(false))),
    CASE_CALL(DECODER_LAYER, "m(x[0], x[1], " CAUSAL ", tgt_is_causal=True)", "t(3, 2, 4), t(5, 2, 4)",
              decoder_layer(),
              [](auto& m, const Tensors& x) {
                return m(x[0], x[1], causal(), Tensor(), Tensor(), Tensor(), true);
              }),
    CASE_CALL(DECODER_LAYER,
              "m(x[0], x[1], x[2], x[3], torch.tensor([[0, 0, 1], [0, 0, 0]]).bool(), torch.tensor([[0, 0, 0, 1, 1], "
              "[0, 0, 0, 0, 0]]).bool())",
              "t(3, 2, 4), t(5, 2, 4), t(3, 3), t(3, 5)", decoder_layer(),
              [](auto& m, const Tensors& x) {
                return m(x[0], x[1], x[2], x[3], mask({{0, 0, 1}, {0, 0, 0}}), mask({{0, 0, 0, 1, 1}, {0, 0, 0, 0, 0}}));
              }),

    CASE("nn.TransformerEncoder(" ENCODER_LAYER ", 2)", "t(3, 2, 4)", nn::TransformerEncoder(encoder_layer(), 2)),
    CASE("nn.TransformerEncoder(" ENCODER_LAYER ", 3, nn.LayerNorm(4))", "t(3, 2, 4)",
         nn::TransformerEncoder(nn::TransformerEncoderOptions(encoder_layer(), 3).norm(norm4()))),
    CASE_CALL("nn.TransformerEncoder(" ENCODER_LAYER ", 2)", "m(x[0], " CAUSAL ")", "t(3, 2, 4)",
              nn::TransformerEncoder(encoder_layer(), 2),
              [](auto& m, const Tensors& x) { return m(x[0], causal()); }),
    CASE_CALL("nn.TransformerEncoder(" ENCODER_LAYER ", 2)",
              "m(x[0], None, torch.tensor([[0, 0, 1], [0, 0, 0]]).bool())", "t(3, 2, 4)",
              nn::TransformerEncoder(encoder_layer(), 2),
              [](auto& m, const Tensors& x) { return m(x[0], Tensor(), mask({{0, 0, 1}, {0, 0, 0}})); }),
    CASE("nn.TransformerDecoder(" DECODER_LAYER ", 2, nn.LayerNorm(4))", "t(3, 2, 4), t(5, 2, 4)",
         nn::TransformerDecoder(nn::TransformerDecoderOptions(decoder_layer(), 2).norm(norm4()))),
    CASE_CALL("nn.TransformerDecoder(" DECODER_LAYER ", 2)", "m(x[0], x[1], " CAUSAL ", memory_mask=x[2])",
              "t(3, 2, 4), t(5, 2, 4), t(3, 5)", nn::TransformerDecoder(decoder_layer(), 2),
              [](auto& m, const Tensors& x) { return m(x[0], x[1], causal(), x[2]); }),

    CASE("nn.Transformer(4, 2, 1, 1, 6)", "t(3, 2, 4), t(5, 2, 4)",
         nn::Transformer(TransformerOptions(4, 2, 1, 1).dim_feedforward(6))),
    CASE("nn.Transformer(4, 2, 2, 2, 6, 0.0, 'gelu', batch_first=True, norm_first=True, bias=False)",
         "t(2, 3, 4), t(2, 5, 4)",
         nn::Transformer(TransformerOptions(4, 2, 2, 2)
                             .dim_feedforward(6)
                             .dropout(0)
                             .activation(kGELU)
                             .batch_first(true)
                             .norm_first(true)
                             .bias(false))),
    CASE_CALL("nn.Transformer(4, 2, 1, 1, 6, 0.0)", "m(x[0], x[0], " CAUSAL ", " CAUSAL ", " CAUSAL ")", "t(3, 2, 4)",
              nn::Transformer(TransformerOptions(4, 2, 1, 1).dim_feedforward(6).dropout(0)),
              [](auto& m, const Tensors& x) { return m(x[0], x[0], causal(), causal(), causal()); }),
};

// ---- what golden data cannot say

TEST(Transformer, CausalMaskIsFoundOutAndTheTiledKernelGivesTheSame) {
  manual_seed(0);
  nn::TransformerEncoder encoder(encoder_layer(), 2);
  const Tensor x = randn({70, 2, 4}), m = nn::TransformerImpl::generate_square_subsequent_mask(70);
  const Tensor found = encoder(x, m), told = encoder(x, m, Tensor(), std::optional<bool>(true));
  const Tensor plain = encoder(x, m, Tensor(), std::optional<bool>(false));
  EXPECT_TRUE(equal(found, told));
  EXPECT_TRUE(found.allclose(plain, 1e-4, 1e-5));
  EXPECT_TRUE(encoder(x, m == 0).allclose(encoder(x, m == 0, Tensor(), std::optional<bool>(false)), 1e-4, 1e-5));
  EXPECT_TRUE(equal(encoder(x, m != 0), found));
}

TEST(Transformer, LayersOfAStackAreCopies) {
  nn::TransformerEncoderLayer layer = encoder_layer();
  nn::TransformerEncoder encoder(layer, 2);
  EXPECT_EQ(encoder->layers->size(), 2u);
  EXPECT_EQ(encoder->parameters().size(), 2 * layer->parameters().size());
  const auto p = encoder->named_parameters(), own = layer->named_parameters();
  EXPECT_TRUE(equal(p["layers.1.linear1.weight"], own["linear1.weight"]));
  EXPECT_FALSE(p["layers.1.linear1.weight"].is_alias_of(own["linear1.weight"]));
}

TEST(Transformer, ClonesComputeTheSameWithWeightsOfTheirOwn) {
  manual_seed(1);
  nn::Transformer a(TransformerOptions(4, 2, 2, 1).dim_feedforward(6).dropout(0));
  nn::Transformer b(std::dynamic_pointer_cast<nn::TransformerImpl>(a->clone()));
  const Tensor x = randn({3, 2, 4});
  EXPECT_TRUE(equal(a(x, x), b(x, x)));
  EXPECT_EQ(str(a), str(b));
  {
    NoGradGuard no_grad;
    for (const Tensor& p : a->parameters()) p.zero_();
  }
  EXPECT_FALSE(equal(a(x, x), b(x, x)));
}

struct OwnEncoderImpl : nn::Cloneable<OwnEncoderImpl> {
  void reset() override {}
  Tensor forward(const Tensor& src, const Tensor&, const Tensor&) { return src * 2; }
};
TAUT_MODULE(OwnEncoder);

TEST(Transformer, TakesAnEncoderOfOnesOwn) {
  manual_seed(2);
  nn::Transformer m(
      TransformerOptions(4, 2, 1, 1).dim_feedforward(6).dropout(0).custom_encoder(nn::AnyModule(OwnEncoder())));
  const Tensor x = randn({3, 2, 4});
  EXPECT_TRUE(m(x, x).allclose(m->decoder.forward(x, x * 2)));
}

TEST(MultiheadAttention, StaticKeysTakeThePlaceOfProjectedOnes) {
  manual_seed(3);
  nn::MultiheadAttention m(4, 2);
  const Tensor x = randn({3, 2, 4}), k = randn({4, 5, 2}), v = randn({4, 5, 2});
  const auto [y, w] = F::multi_head_attention_forward(
      x, x, x,
      F::MultiheadAttentionForwardFuncOptions(4, 2, m->in_proj_weight, m->in_proj_bias, {}, {}, false, 0,
                                              m->out_proj->weight, m->out_proj->bias)
          .static_k(k)
          .static_v(v));
  EXPECT_EQ(y.sizes(), IntArrayRef({3, 2, 4}));
  EXPECT_EQ(w.sizes(), IntArrayRef({2, 3, 5}));
}

// ---- Every combination of options, as python/tests/attention_options.py writes them down.

Tensor pattern(IntArrayRef sizes) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return ((arange(n) * 37 % 19).to(kFloat) / 19 - 0.5).reshape(sizes);
}
double weighted(const Tensor& t) {
  return (t.to(kDouble).flatten() * (arange(t.numel()) * 13 % 7 + 1)).sum().item<double>();
}

/// Result and weights of one line.
std::tuple<Tensor, Tensor> attend(std::istream& in) {
  constexpr int64_t kLength = 3, kEmbed = 4, kHeads = 2;
  bool bias_kv, zero_attn, separate, fixed, batched, causal;
  std::string mask, padding, weights;
  in >> bias_kv >> zero_attn >> separate >> fixed >> batched >> causal >> mask >> padding >> weights;
  const int64_t batch = batched ? 2 : 1;
  const Tensor q = batched ? pattern({kLength, batch, kEmbed}) : pattern({kLength, kEmbed});
  const Tensor bias = bias_kv ? pattern({1, 1, kEmbed}) : Tensor(), square = ones({kLength, kLength});
  auto o = F::MultiheadAttentionForwardFuncOptions(kEmbed, kHeads, separate ? Tensor() : pattern({3 * kEmbed, kEmbed}),
                                                   pattern({3 * kEmbed}), bias, bias_kv ? bias * 2 : Tensor(),
                                                   zero_attn, 0, pattern({kEmbed, kEmbed}), pattern({kEmbed}));
  o.training(false).need_weights(weights != "none").average_attn_weights(weights == "mean").is_causal(causal);
  if (separate) {
    const std::vector<Tensor> own = pattern({3, kEmbed, kEmbed}).unbind();
    o.use_separate_proj_weight(true).q_proj_weight(own[0]).k_proj_weight(own[1]).v_proj_weight(own[2]);
  }
  if (fixed) {
    const Tensor kept = pattern({batch * kHeads, kLength, kEmbed / kHeads});
    o.static_k(kept).static_v(kept);
  }
  if (mask == "bool") o.attn_mask(square.triu(1).to(kBool));
  if (mask == "float") o.attn_mask(full({kLength, kLength}, -std::numeric_limits<double>::infinity()).triu(1));
  if (mask == "heads") o.attn_mask(pattern({batch * kHeads, kLength, kLength}));
  Tensor last = zeros({batch, kLength});
  last.select(1, kLength - 1).fill_(1);
  if (!batched) last = last.squeeze(0);
  if (padding == "bool") o.key_padding_mask(last.to(kBool));
  if (padding == "float") o.key_padding_mask(last * -3);
  return F::multi_head_attention_forward(q, q * 2, q * 3, o);
}

TEST(MultiheadAttention, EveryCombinationOfOptionsIsPyTorchs) {
  std::ifstream golden(golden_path("attention_options.txt"));
  int lines = 0;
  for (std::string line; std::getline(golden, line);) {
    if (line.starts_with("#")) continue;
    ++lines;
    std::istringstream in(line);
    std::string want[2];
    Tensor y, w;
    bool raised = false;
    try {
      std::tie(y, w) = attend(in);
    } catch (const Error&) {
      raised = true;
    }
    in >> want[0] >> want[1];
    ASSERT_EQ(raised, want[0] == "error") << line;
    if (raised) continue;
    EXPECT_NEAR(weighted(y), std::stod(want[0]), 1e-4) << line;
    ASSERT_EQ(w.defined(), want[1] != "-") << line;
    if (w.defined()) {
      EXPECT_NEAR(weighted(w), std::stod(want[1]), 1e-4) << line;
    }
  }
  EXPECT_EQ(lines, 2304);
}

TEST(MultiheadAttention, CanBeDifferentiatedTwice) {
  manual_seed(4);
  nn::MultiheadAttention m(4, 2);
  m->to(kDouble);
  const auto f = [&](const Tensors& in) { return Tensors{std::get<0>(m(in[0], in[0], in[0], Tensor(), false))}; };
  const Tensors x = {randn({3, 1, 4}, kDouble).requires_grad_()};
  EXPECT_TRUE(autograd::gradcheck(f, x));
  EXPECT_TRUE(autograd::gradgradcheck(f, x));
}

template <class E = Error, class G>
void bad(const char* part, G f) {
  try {
    f();
    ADD_FAILURE() << "no exception, expected one about: " << part;
  } catch (const E& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(MultiheadAttention, SaysWhatIsWrong) {
  bad("divisible by num_heads", [] { nn::MultiheadAttention(4, 3); });
  bad("greater than 0", [] { nn::MultiheadAttention(0, 3); });
  bad("greater than 0", [] { nn::MultiheadAttention(4, -2); });
  bad("kdim and vdim", [] { mha(MultiheadAttentionOptions(4, 2).kdim(0)); });
  bad("between 0 and 1", [] { mha(MultiheadAttentionOptions(4, 2).dropout(2)); });
  bad("between 0 and 1", [] { mha(MultiheadAttentionOptions(4, 2).dropout(std::nan(""))); });
  nn::MultiheadAttention m(4, 2);
  const Tensor x = ones({3, 1, 4}), none;
  bad("undefined", [&] { m(x, none, x); });
  bad("received 1-D", [&] { m(ones({4}), ones({4}), ones({4})); });
  bad("to be 2-D", [&] { m(ones({3, 4}), x, x); });
  bad("to be 3-D", [&] { m(x, ones({3, 4}), ones({3, 4})); });
  bad("embedding dimension of 4", [&] { m(ones({3, 1, 5}), ones({3, 1, 5}), ones({3, 1, 5})); });
  bad("features", [&] { m(x, ones({3, 1, 5}), ones({3, 1, 5})); });
  bad("does not match value shape", [&] { m(x, x, ones({2, 1, 4})); });
  bad("batch", [&] { m(x, ones({3, 2, 4}), ones({3, 2, 4})); });
  bad("2D attn_mask", [&] { m(x, x, x, none, true, ones({2, 3})); });
  bad("3D attn_mask", [&] { m(x, x, x, none, true, ones({1, 3, 3})); });
  bad("2-D or 3-D", [&] { m(x, x, x, none, true, ones({3})); });
  bad("floating types of attn_mask", [&] { m(x, x, x, none, true, ones({3, 3}, kLong)); });
  bad("floating types of key_padding_mask", [&] { m(x, x, x, ones({1, 3}, kLong)); });
  bad("Expected key_padded_mask.shape[1] to be 3, but got 4", [&] { m(x, x, x, zeros({1, 4}, kBool)); });
  bad("key_padding_mask", [&] { m(x, x, x, zeros({3}, kBool)); });
  bad("is_causal hint", [&] { m(x, x, x, none, true, none, true, true); });
  bad("(2, 3, 3)", [&] { m(ones({3, 4}), ones({3, 4}), ones({3, 4}), none, true, ones({1, 3, 3})); });
}

TEST(Transformer, WhatIsSaidOfAMaskCountsMoreThanTheMask) {
  nn::TransformerEncoder m(encoder_layer(), 1);
  m->eval();
  const Tensor x = randn({3, 1, 4}), causal = nn::TransformerImpl::generate_square_subsequent_mask(3),
               all = zeros({3, 3});
  const Tensor want = m(x, causal);
  EXPECT_TRUE(allclose(m(x, all, Tensor(), true), want));
  EXPECT_TRUE(allclose(m(x, causal, Tensor(), false), want));
  EXPECT_FALSE(allclose(m(x, all), want));
}

TEST(Transformer, SaysWhatIsWrong) {
  bad("relu/gelu", [] { nn::TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).activation(kTanh)); });
  bad("empty function", [] {
    nn::TransformerEncoderLayer(
        TransformerEncoderLayerOptions(4, 2).activation(std::function<Tensor(const Tensor&)>()));
  });
  bad("divisible by nhead", [] { nn::TransformerDecoderLayer(5, 2); });
  bad("divisible by nhead", [] { nn::TransformerEncoderLayer(4, 0); });
  bad("dim_feedforward", [] { nn::TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).dim_feedforward(0)); });
  bad("between 0 and 1", [] { nn::TransformerDecoderLayer(TransformerDecoderLayerOptions(4, 2).dropout(-1)); });
  bad("finite", [] { nn::TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).layer_norm_eps(INFINITY)); });
  bad("num_layers", [] { nn::TransformerEncoder(encoder_layer(), 0); });
  bad("the layer is empty", [] {
    nn::TransformerDecoder(
        nn::TransformerDecoder::Impl(nn::TransformerDecoderOptions(nn::TransformerDecoderLayer(nullptr), 2)));
  });
  nn::Transformer m(TransformerOptions(4, 2, 1, 1).dim_feedforward(6));
  bad("batch number", [&] { m(ones({3, 1, 4}), ones({3, 2, 4})); });
  bad("feature number", [&] { m(ones({3, 1, 5}), ones({3, 1, 5})); });
  bad("3D, or 2D", [&] { m(ones({3, 4}), ones({3, 1, 4})); });
  bad("undefined", [&] { m(ones({3, 4}), Tensor()); });
  bad("negative", [] { nn::TransformerImpl::generate_square_subsequent_mask(-1); });
}

}  // namespace
}  // namespace taut::test

MODULE_CASES(nn_transformer, taut::test::kCases)
