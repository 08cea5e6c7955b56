// The autograd graph as Graphviz text: a breadth-first walk from the result, so that a cut leaves what is nearest.
#include "taut/graph.h"

#include <chrono>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "report/process.h"
#include "taut/autograd.h"

namespace taut::graph {

namespace {

using autograd::Node;

constexpr size_t kUses = 4;                    // of a leaf, before it is drawn more than once
constexpr std::chrono::seconds kPatience{30};  // with dot

/// As a quoted string of the dot language.
std::string quoted(std::string_view text) {
  std::string s = "\"";
  for (char c : text) {
    if (c == '\n') s += "\\n";
    else if (static_cast<unsigned char>(c) < 32 || c == 127) s += ' ';
    else {
      if (c == '"' || c == '\\') s += '\\';
      s += c;
    }
  }
  return s + '"';
}

/// "MulBackward0" is the derivative of mul: the drawing shows what was computed.
std::string op_of(std::string_view name) {
  const size_t at = name.rfind("Backward");
  if (at != name.npos && at > 0 && name.find_first_not_of("0123456789", at + 8) == name.npos) name = name.substr(0, at);
  return std::string(name);
}

std::string shape_of(IntArrayRef sizes) { return sizes.empty() ? "scalar" : str(sizes); }

/// The node that gradients of `t` reach: its grad_fn, or the accumulator of a leaf.
Ref<Node> node_of(const Tensor& t) {
  if (Ref<Node> fn = t.grad_fn()) return fn;
  EnableGradGuard on;
  return t.view_as(t).grad_fn()->next_edge(0).function;
}

bool is_leaf(const Node& node) { return std::string_view(node.name()) == "AccumulateGrad"; }

/// Collects the lines of a drawing.
class Drawing {
 public:
  Drawing(const Names& names, size_t max_nodes) : max_nodes_(max_nodes) {
    for (const auto& [name, t] : names.list())
      if (t.defined() && t.requires_grad()) named_.emplace(node_of(t).get(), name);
  }

  void draw(const Tensor& tensor) {
    id_of(node_of(tensor), static_cast<uint32_t>(tensor.output_nr()));
    if (!tensor.is_leaf())
      lines_ += str("  result [class=\"result\", fillcolor=\"#dcfce7\", color=\"#16a34a\", label=",
                    quoted("result\n" + shape_of(tensor.sizes())), "];\n  n0 -> result;\n");
    while (!queue_.empty()) {
      const auto [node, output] = queue_.front();
      queue_.pop_front();
      if (is_leaf(*node)) leaves_.push_back({node.get(), shape_of(node->output_sizes(output))});
      else add_op(*node, shape_of(node->output_sizes(output)));
      add_edges(*node);
    }
    for (const Leaf& leaf : leaves_) add_leaf(leaf);
    if (left_out_ > 0) add_cut();
  }
  const std::string& lines() const { return lines_; }

 private:
  struct Leaf {
    const Node* node;
    std::string shape;
  };

  /// The number of a node, which is put in the queue when it is seen first; none where the drawing is full.
  std::optional<size_t> id_of(const Ref<Node>& node, uint32_t output) {
    if (const auto it = ids_.find(node.get()); it != ids_.end()) return it->second;
    if (ids_.size() >= max_nodes_) return std::nullopt;
    const size_t id = ids_.size();
    ids_.emplace(node.get(), id);
    queue_.emplace_back(node, output);
    return id;
  }

  void add_op(const Node& node, const std::string& shape) {
    const auto name = named_.find(&node);
    const std::string title = op_of(node.name()) + (name == named_.end() ? "" : " (" + name->second + ")");
    lines_ += str("  n", ids_[&node], " [class=\"op\", label=", quoted(title + "\n" + shape),
                  ", tooltip=", quoted(node.name()), "];\n");
  }
  void add_edges(const Node& node) {
    const size_t id = ids_[&node];
    for (uint32_t j = 0; j < node.num_inputs(); ++j) {
      const autograd::Edge& edge = node.next_edge(j);
      if (!edge.is_valid()) continue;
      const auto from = id_of(edge.function, edge.input_nr);
      if (!from) ++left_out_;
      else if (is_leaf(*edge.function)) users_[edge.function.get()].push_back(id);
      else lines_ += str("  n", *from, " -> n", id, ";\n");
    }
  }
  /// A leaf that is used all over the graph is drawn beside each use: its edges would cross everything.
  void add_leaf(const Leaf& leaf) {
    const std::vector<size_t>& uses = users_[leaf.node];
    const bool repeated = uses.size() > kUses;
    const auto known = named_.find(leaf.node);
    std::string label = (known == named_.end() ? "leaf" : known->second) + "\n" + leaf.shape;
    if (repeated) label += str("\n(drawn ", uses.size(), " times)");
    for (size_t copy = 0; copy < (repeated ? uses.size() : 1); ++copy) {
      const std::string name = repeated ? str("n", ids_[leaf.node], "_", copy) : str("n", ids_[leaf.node]);
      lines_ += str("  ", name, " [class=\"leaf\", fillcolor=\"#dbeafe\", color=\"#2563eb\", label=", quoted(label),
                    ", tooltip=\"AccumulateGrad\"];\n");
      for (size_t u = 0; u < uses.size(); ++u)
        if (!repeated || u == copy) lines_ += str("  ", name, " -> n", uses[u], ";\n");
    }
  }
  void add_cut() {
    const std::string label =
        str("cut off: only the ", ids_.size(), " nodes nearest to the\nresult are drawn; ", left_out_,
            left_out_ == 1 ? " edge leads" : " edges lead", " out of the picture.\nOptions::max_nodes draws more.");
    lines_ += str("  cut [class=\"cut\", shape=note, fillcolor=\"#fef9c3\", color=\"#ca8a04\", label=", quoted(label),
                  "];\n");
  }

  size_t max_nodes_, left_out_ = 0;  // left_out_: edges
  std::string lines_;
  std::unordered_map<const Node*, std::string> named_;
  std::unordered_map<const Node*, size_t> ids_;
  std::unordered_map<const Node*, std::vector<size_t>> users_;  // of leaves
  std::vector<Leaf> leaves_;
  std::deque<std::pair<Ref<Node>, uint32_t>> queue_;  // with the output that led to it
};

}  // namespace

std::string to_dot(const Tensor& tensor, const Names& names, const Options& options) {
  check<ValueError>(tensor.defined(), "graph: expected a tensor, got an undefined one");
  check<ValueError>(tensor.requires_grad(),
                    "graph: this tensor does not require grad, so nothing was recorded that could be drawn");
  check<ValueError>(options.max_nodes > 0, "graph: max_nodes must be positive");
  Drawing drawing(names, options.max_nodes);
  drawing.draw(tensor);
  return str("digraph autograd {\n  rankdir=", options.left_to_right ? "LR" : "TB",
             ";\n  bgcolor=\"transparent\";\n  nodesep=0.18;\n  ranksep=0.22;\n"
             "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f4f4f5\", color=\"#a1a1aa\", "
             "fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, margin=\"0.09,0.05\"];\n"
             "  edge [color=\"#71717a\", arrowsize=0.6];\n",
             drawing.lines(), "}\n");
}

std::string to_svg(const Tensor& tensor, const Names& names, const Options& options) {
  const std::string dot = to_dot(tensor, names, options);
  const report::ProcessResult r = report::run_process({"dot", "-Tsvg"}, dot, kPatience);
  check(r.found,
        "graph::to_svg: the program `dot` was not found. It belongs to Graphviz (Debian: apt-get install graphviz); "
        "to_dot() works without it");
  check(!r.timed_out, "graph::to_svg: dot found no layout within ", kPatience.count(),
        " seconds; a lower Options::max_nodes makes the drawing simpler");
  check(r.status == 0 && !r.out.empty(), "graph::to_svg: dot failed (status ", r.status, "): ", r.err);
  return r.out;
}

}  // namespace taut::graph
