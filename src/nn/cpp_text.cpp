#include "nn/cpp_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "taut/nn/modules.h"

namespace taut::nn::detail {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A value in C++'s spelling: true, 0.001 with a stream's six digits, [2, 3].
std::string spelt(const std::string& text) {
  if (text == "True" || text == "False") return text == "True" ? "true" : "false";
  if (!text.empty() && (text[0] == '(' || text[0] == '[')) {
    std::string list = "[";
    std::istringstream items(text.substr(1, text.size() - 2));
    for (std::string item; std::getline(items, item, ',');) {
      item.erase(0, std::min(item.find_first_not_of(' '), item.size()));
      if (!item.empty()) list += (list.size() > 1 ? ", " : "") + spelt(item);
    }
    return list + "]";
  }
  if (text.find_first_of(".e") == text.npos || !is_digit(text[text[0] == '-'])) return text;
  std::ostringstream out;
  out << std::strtod(text.c_str(), nullptr);
  return out.str();
}

/// kBilinear for 'bilinear'.
std::string keyword(std::string word) {
  std::erase(word, '\'');
  if (word == "relu") return "kReLU";
  if (word == "nearest-exact") return "kNearestExact";
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return "k" + word;
}

/// A class and its arguments, each with a name or without.
struct Call {
  std::string name;
  std::vector<std::pair<std::string, std::string>> arguments;

  explicit Call(const std::string& text) {
    const size_t open = text.find('(');
    name = text.substr(0, open);
    if (const size_t colon = name.rfind(':'); colon != name.npos) name.erase(0, colon + 1);
    if (name.ends_with("Impl")) name.resize(name.size() - 4);
    int depth = 0;
    std::string piece;
    for (size_t i = open == text.npos ? text.size() : open + 1; i < text.size(); ++i) {
      const char c = text[i];
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (depth >= 0 && (c != ',' || depth > 0)) {
        piece += c;
        continue;
      }
      piece.erase(0, std::min(piece.find_first_not_of(' '), piece.size()));
      if (const size_t equal = piece.find('='); equal != piece.npos)
        arguments.emplace_back(piece.substr(0, equal), spelt(piece.substr(equal + 1)));
      else if (!piece.empty()) arguments.emplace_back("", spelt(piece));
      piece.clear();
    }
  }
  bool is(std::string_view part) const { return name.find(part) != name.npos; }
  std::string* find(const std::string& key) {
    for (auto& [k, v] : arguments)
      if (k == key) return &v;
    return nullptr;
  }
  void drop(const std::string& key) {
    std::erase_if(arguments, [&](const auto& a) { return a.first == key; });
  }
  void call_first(std::initializer_list<const char*> names) {
    size_t i = 0;
    for (const char* n : names)
      if (i < arguments.size() && arguments[i].first.empty()) arguments[i++].first = n;
  }
  /// The arguments with these defaults where there are none.
  void complete(std::initializer_list<std::pair<const char*, const char*>> all) {
    decltype(arguments) full;
    for (const auto& [key, value] : all) {
      const std::string* given = find(key);
      full.emplace_back(key, given ? *given : value);
    }
    arguments = std::move(full);
  }
  template <class... Values>
  void add(const char* key, const Values&... values) {
    std::ostringstream out;
    ((out << std::boolalpha << values), ...);
    arguments.emplace_back(key, out.str());
  }
  std::string text() const {
    std::string all = "torch::nn::" + name + "(";
    for (const auto& [key, value] : arguments)
      all += (all.back() == '(' ? "" : ", ") + (key.empty() ? "" : key + "=") + value;
    return all + ")";
  }
};

template <class Parameters>
std::string parameters_text(const char* name, const Parameters& list) {
  std::ostringstream out;
  out << "torch::nn::" << name << "(\n";
  for (const auto& p : list)
    out << '(' << p.key() << "): Parameter containing: [" << p.value().scalar_type() << " of size " << p.value().sizes()
        << "]\n";
  out << ')';
  return out.str();
}

/// One number for all dimensions, written for each of them.
void widen(Call& call) {
  const size_t d = call.is("old") && !call.is("Thresh") ? 2
                   : call.name.size() > 2 && call.name.back() == 'd'
                       ? static_cast<size_t>(call.name[call.name.size() - 2] - '0')
                       : 1;
  for (const char* key : {"kernel_size", "stride", "padding", "dilation", "output_size"}) {
    std::string* value = call.find(key);
    if (!value) continue;
    if (*value == "None" && call.is("LPPool")) *value = *call.find("kernel_size");
    if (value->size() > 2 && value->front() == '[' && value->find(',') == value->npos)
      *value = value->substr(1, value->size() - 2);
    if (d == 1 || value->front() == '[' || !is_digit(value->front())) continue;
    std::string list = "[";
    for (size_t i = 0; i < d; ++i) list += (i ? ", " : "") + *value;
    *value = list + "]";
  }
}

// Written by tools/layers.py from src/nn/layers; do not edit.
// clang-format off
void add_options(Call& call, const Module& module) {
  if (const auto* m = module.as<PairwiseDistance>()) {
    call.add("p", m->options.p());
    call.add("eps", m->options.eps());
    call.add("keepdim", m->options.keepdim());
  }
  if (const auto* m = module.as<CosineSimilarity>()) {
    call.add("dim", m->options.dim());
    call.add("eps", m->options.eps());
  }
  if (const auto* m = module.as<HingeEmbeddingLoss>()) {
    call.add("margin", m->options.margin());
  }
  if (const auto* m = module.as<CosineEmbeddingLoss>()) {
    call.add("margin", m->options.margin());
  }
  if (const auto* m = module.as<MultiMarginLoss>()) {
    call.add("p", m->options.p());
    call.add("margin", m->options.margin());
    call.add("weight", m->options.weight());
    call.add("reduction", keyword(std::string(m->options.reduction().name())));
  }
  if (const auto* m = module.as<TripletMarginLoss>()) {
    call.add("margin", m->options.margin());
    call.add("p", m->options.p());
    call.add("eps", m->options.eps());
    call.add("swap", m->options.swap());
  }
}
// clang-format on

}  // namespace

bool is_own(const std::type_info& type) { return std::string_view(type.name()).starts_with("N4taut2nn"); }

std::string cpp_name(const std::string& name) {
  if (name == "torch::nn::MultiheadAttentionImpl") return "torch::nn::MultiheadAttention";
  if (name.ends_with("::OutputProjection")) return "torch::nn::LinearImpl";
  return name;
}

bool sets_boolalpha(const std::string& name) {
  constexpr std::string_view kPrefix = "torch::nn::";
  if (!name.starts_with(kPrefix)) return false;
  for (const char* start : {"Linear",
                            "Bilinear",
                            "BatchNorm",
                            "InstanceNorm",
                            "LayerNorm",
                            "GroupNorm",
                            "LocalResponseNorm",
                            "CrossMapLRN",
                            "Dropout",
                            "AlphaDropout",
                            "FeatureAlphaDropout",
                            "Hardshrink",
                            "Hardtanh",
                            "LeakyReLU",
                            "MaxPool",
                            "MaxUnpool",
                            "LPPool",
                            "CosineSimilarity",
                            "PairwiseDistance",
                            "Triplet",
                            "RNNImpl",
                            "LSTMImpl",
                            "GRUImpl"})
    if (name.compare(kPrefix.size(), std::strlen(start), start) == 0) return true;
  return false;
}

std::string cpp_text(const Module& module, const std::string& python, bool has_children) {
  if (const auto* list = module.as<ParameterList>()) return parameters_text("ParameterList", *list);
  if (const auto* dict = module.as<ParameterDict>()) return parameters_text("ParameterDict", *dict);
  Call call(python);
  if (call.name == "NonDynamicallyQuantizableLinear") call.name = "Linear";
  // Containers have no brackets of their own, nor have two losses.
  if (call.name == "Sequential" || call.name == "ModuleList" || call.name == "ModuleDict" ||
      call.name == "SmoothL1Loss" || call.name == "HuberLoss")
    return "torch::nn::" + call.name;
  if (has_children) return "torch::nn::" + call.name + (call.name.starts_with("Transformer") ? "Impl" : "");
  add_options(call, module);
  if (call.is("Norm")) call.drop("bias");
  if (call.name == "GELU" && call.find("approximate") && *call.find("approximate") == "'none'")
    call.drop("approximate");
  if (call.name.starts_with("Embedding")) {
    call.call_first({"num_embeddings", "embedding_dim"});
    if (const std::string* mode = call.find("mode"); mode && *mode == "'mean'") call.drop("mode");
  }
  if (call.name == "RNN" || call.name == "LSTM" || call.name == "GRU") {
    call.call_first({"input_size", "hidden_size"});
    call.complete({{"input_size", ""},
                   {"hidden_size", ""},
                   {"num_layers", "1"},
                   {"bias", "true"},
                   {"batch_first", "false"},
                   {"dropout", "0"},
                   {"bidirectional", "false"}});
  }
  if (call.is("Pad")) call.call_first({"padding"});
  if (call.name == "Unflatten")
    if (std::string* size = call.find("unflattened_size")) size->front() = '{', size->back() = '}';
  if (call.is("Pool") || call.is("Unpool") || call.name == "Fold" || call.name == "Unfold" || call.is("Conv"))
    widen(call);
  if (std::string* padding = call.find("padding");
      padding && std::isalpha(static_cast<unsigned char>(padding->front())))
    *padding = "'" + *padding + "'";
  for (const char* key : {"padding_mode", "nonlinearity", "mode"})
    if (std::string* value = call.find(key)) *value = keyword(*value);
  return call.text();
}

}  // namespace taut::nn::detail
