// The counted base of graph nodes.
#pragma once
#include "taut/core/ref.h"

namespace taut {

struct TensorImpl;

/// A node of the autograd graph, as far as core must know it: something counted, whose destruction never recurses.
/// A node with an owner lives inside that tensor and shares its reference count.
class GraphNode {
 public:
  GraphNode() = default;
  GraphNode(const GraphNode&) = delete;
  virtual ~GraphNode() = default;
  void retain();
  void release();
  /// How many own it; a node inside of a tensor is owned by that.
  uint32_t use_count() const { return refs_.count(); }

 protected:
  union {
    TensorImpl* owner_ = nullptr;
    GraphNode* next_dead_;  // of a node nobody holds any more
  };

 private:
  RefCount refs_;
};

}  // namespace taut
