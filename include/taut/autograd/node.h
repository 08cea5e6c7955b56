// The nodes of the graph. Each op that was recorded is one; an edge leads to the node that made its input.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "taut/core/dims.h"
#include "taut/core/graph_node.h"
#include "taut/tensor.h"

namespace taut::autograd {

class Node;

/// The gradient of an input goes to output `input_nr` of `function`.
struct Edge {
  Ref<Node> function;
  uint32_t input_nr = 0;
  bool is_valid() const { return static_cast<bool>(function); }
  friend bool operator==(const Edge& a, const Edge& b) { return a.function == b.function && a.input_nr == b.input_nr; }
};
using edge_list = std::vector<Edge>;

struct NodeExtra;  // hooks and names; made on first need
struct OutputInfo {
  Dims sizes;
  ScalarType dtype = kFloat;
};

/// A recorded op. `backward` turns the gradients of its outputs into the gradients of its inputs.
class Node : public GraphNode {
 public:
  Node(uint32_t outputs, Edge* edges, uint32_t edge_count);
  ~Node() override;
  Node(const Node&) = delete;
  static void* operator new(size_t bytes);
  static void operator delete(void* p, size_t bytes);

  /// As PyTorch prints it: "MulBackward0".
  virtual const char* name() const = 0;
  /// grads[i] is the gradient of output i, undefined where there is none; out[j] is to be set for input j when
  /// wants(j).
  virtual void backward(Tensor* grads, Tensor* out) = 0;
  /// Frees what was saved; a later backward through here is an error.
  virtual void release_variables() {}
  /// A saved output has a tangent (forward mode).
  virtual void set_saved_tangent(uint32_t output, const Tensor& tangent) { (void)output, (void)tangent; }

  /// Must the gradient of input j be computed in the backward that is running?
  bool wants(uint32_t j) const;
  uint32_t num_inputs() const { return edge_count_; }
  uint32_t num_outputs() const { return outputs_; }
  const Edge& next_edge(uint32_t j) const { return edges_[j]; }
  void set_next_edge(uint32_t j, Edge e) { edges_[j] = std::move(e); }
  edge_list next_edges() const { return {edges_, edges_ + edge_count_}; }
  /// (node, slot) of every input, null where it needs no gradient.
  std::vector<std::pair<Ref<Node>, uint32_t>> next_functions() const;
  /// The step at which it was recorded: a count of ops in its thread.
  uint64_t sequence_nr() const { return sequence_; }

  /// Shape and dtype of output i, which its gradient must have.
  IntArrayRef output_sizes(uint32_t i = 0) const { return i == 0 ? sizes_ : more_[i - 1].sizes; }
  ScalarType output_dtype(uint32_t i = 0) const { return i == 0 ? dtype_ : more_[i - 1].dtype; }
  void set_output_info(uint32_t i, IntArrayRef sizes, ScalarType dtype);

  /// Runs before backward with the gradients of the outputs, after it with those of the inputs too; both may replace
  /// them. The result is a handle for remove_hook.
  unsigned add_pre_hook(std::function<void(std::vector<Tensor>& grads)> hook);
  unsigned add_post_hook(std::function<void(std::vector<Tensor>& grad_inputs, const std::vector<Tensor>& grads)> hook);
  unsigned add_tensor_hook(uint32_t output, std::function<Tensor(const Tensor&)> hook);
  void remove_hook(unsigned handle);
  NodeExtra* extra() const { return extra_.load(std::memory_order_acquire); }
  NodeExtra& make_extra();

 protected:
  uint32_t edge_count_;  // first: it fits into the padding of GraphNode, and nodes are many
  Edge* edges_;
  uint64_t sequence_;

 private:
  friend class Engine;
  std::atomic<uint32_t> task_{0};  // the backward that uses slot_, see Note [Claiming nodes]
  uint32_t slot_ = 0;
  std::atomic<NodeExtra*> extra_{nullptr};  // owned
  Dims sizes_;                              // of output 0; most ops have no other
  ScalarType dtype_ = kFloat;

 protected:
  uint32_t outputs_;

 private:
  std::unique_ptr<OutputInfo[]> more_;

 public:
  const char* cut_by = nullptr;  // an input came out of this op with its history cut off
};

/// A tensor kept for backward, with the version it had. A saved output is kept without its graph, so no cycle forms.
class SavedValue {
 public:
  SavedValue() = default;
  SavedValue(const Tensor& t, bool is_output);
  SavedValue(SavedValue&&) = default;  // before keep()
  SavedValue& operator=(SavedValue&&) = default;
  ~SavedValue() {
    if (kept_) forget();
  }
  /// The tensor may be written from now on: the write leaves a copy here, see Note [Kept values].
  void keep();
  /// `t`, which will be output `output_nr` of the node that saves it.
  static SavedValue output(const Tensor& t, uint32_t output_nr);
  /// The tensor again, connected to `edge` (an input) or to output `output_nr` of `owner` (an output). Throws when it
  /// was overwritten since; `owner` is named in the message.
  Tensor unpack(Node* owner, const Edge* edge) const;
  void reset();
  void set_tangent(const Tensor& tangent);
  bool defined() const { return tensor_.defined(); }

 private:
  friend class KeptValues;
  void forget();
  Tensor tensor_;
  uint32_t version_ = 0;
  uint32_t output_nr_ : 30 = 0;
  uint32_t is_output_ : 1 = 0;
  uint32_t kept_ : 1 = 0;
};

}  // namespace taut::autograd
