// Modules as text.
#include <torch/torch.h>

#include <iostream>

using namespace torch::nn;

struct Net : Module {
  Net() {
    register_module("conv", Conv2d(Conv2dOptions(1, 2, 3).padding(1)));
    register_module("body", Sequential(Linear(4, 5), ReLU(), Dropout(0.25)));
  }
};
struct OwnText : Module {
  void pretty_print(std::ostream& out) const override { out << "Own(True, 1.0)"; }
};
namespace mine {
struct PlainImpl : Module {};
TORCH_MODULE(Plain);
}  // namespace mine

template <class... M>
void show(const M&... modules) {
  ((std::cout << modules << '\n'), ...);
}

int main() {
  show(Linear(3, 4), Linear(LinearOptions(3, 4).bias(false)), Identity(), Bilinear(3, 2, 4), Flatten(),
       Flatten(FlattenOptions().start_dim(2).end_dim(4)), Unflatten(UnflattenOptions(0, {2, 2})));
  show(Conv1d(2, 3, 5), Conv2d(Conv2dOptions(2, 4, {2, 3}).stride(2).padding({1, 2}).groups(2).bias(false)),
       Conv3d(Conv3dOptions(2, 4, 3).dilation(2).padding_mode(torch::kCircular)),
       ConvTranspose2d(ConvTranspose2dOptions(3, 4, 5).stride(2).output_padding(1)),
       Conv2d(Conv2dOptions(1, 1, 3).padding(torch::kSame)));
  show(MaxPool1d(2), MaxPool2d(MaxPool2dOptions({5, 6}).stride({1, 2})), AvgPool2d(3),
       AvgPool3d(AvgPool3dOptions(2).count_include_pad(false)), AdaptiveAvgPool1d(5),
       AdaptiveAvgPool2d(AdaptiveAvgPool2dOptions({5, 6})), AdaptiveMaxPool3d(3), MaxUnpool2d(2),
       LPPool2d(LPPool2dOptions(1, 2).ceil_mode(true)),
       FractionalMaxPool2d(FractionalMaxPool2dOptions(5).output_size(1)));
  show(BatchNorm1d(5), BatchNorm2d(BatchNorm2dOptions(5).eps(1e-3).momentum(0.2).affine(false)), InstanceNorm1d(4),
       LayerNorm(LayerNormOptions({2, 3})), GroupNorm(2, 4), LocalResponseNorm(LocalResponseNormOptions(2)),
       CrossMapLRN2d(4));
  show(Dropout(), Dropout(0.1), Dropout2d(DropoutOptions(0.3).inplace(true)), AlphaDropout(),
       FeatureAlphaDropout(0.25));
  show(ReLU(), ReLU(true), ReLU6(), LeakyReLU(LeakyReLUOptions().negative_slope(0.42)),
       ELU(ELUOptions().alpha(2).inplace(true)), SELU(), CELU(), GELU(), SiLU(), Mish(), Sigmoid(), Tanh(), Softmax(1),
       Softmin(1), LogSoftmax(1), Softmax2d(), PReLU(), RReLU(), Hardtanh(), Hardshrink(), Softshrink(0.42), Softplus(),
       Softsign(), Tanhshrink(), LogSigmoid(), Threshold(3.0, 2.5), GLU());
  show(Embedding(10, 2), Embedding(EmbeddingOptions(10, 2).padding_idx(3).max_norm(2)), EmbeddingBag(10, 2));
  show(RNN(2, 3), LSTM(LSTMOptions(3, 4).num_layers(2).bidirectional(true).dropout(0.5)),
       GRU(GRUOptions(3, 4).batch_first(true)), LSTMCell(20, 10),
       RNNCell(RNNCellOptions(20, 10).nonlinearity(torch::kReLU)), GRUCell(20, 10));
  show(L1Loss(), MSELoss(), CrossEntropyLoss(), NLLLoss(), BCELoss(), BCEWithLogitsLoss(), KLDivLoss(), SmoothL1Loss(),
       HuberLoss(), HingeEmbeddingLoss(HingeEmbeddingLossOptions().margin(4)), CosineEmbeddingLoss(),
       TripletMarginLoss(), MarginRankingLoss(), MultiMarginLoss(), MultiLabelMarginLoss(), MultiLabelSoftMarginLoss(),
       SoftMarginLoss(), CTCLoss(), PoissonNLLLoss());
  show(ReflectionPad1d(2), ReflectionPad2d(ReflectionPad2dOptions({1, 1, 2, 0})), ReplicationPad3d(1), ZeroPad2d(1),
       ConstantPad2d(ConstantPad2dOptions(1, 3.5)), PixelShuffle(5), PixelUnshuffle(2), CosineSimilarity(),
       PairwiseDistance(), Upsample(UpsampleOptions().scale_factor(std::vector<double>({2, 2})).mode(torch::kBilinear)),
       Fold(FoldOptions({2, 3}, 2)), Unfold(UnfoldOptions({2, 4}).dilation(2)));
  show(Sequential(), Sequential(Linear(1, 2), ReLU()), Sequential({{"a", Linear(1, 2)}, {"b", Tanh()}}));
  ModuleList list(Linear(2, 3), Linear(2, 3), BatchNorm1d(4));
  torch::OrderedDict<std::string, std::shared_ptr<Module>> named = {{"linear", Linear(2, 3).ptr()}};
  ModuleDict dict(named);
  show(list, dict, ParameterList(torch::ones({2, 3}), torch::zeros({4})), Functional(torch::relu));
  std::cout << Net() << '\n' << OwnText() << '\n' << mine::Plain() << '\n';
  std::cout << Linear(1, 2)->name() << ' ' << Net().name() << ' ' << mine::Plain()->name() << '\n';
  std::cout << MultiheadAttention(4, 2) << '\n' << TransformerEncoderLayer(4, 2) << '\n';
}
