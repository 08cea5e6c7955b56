// The backward pass.
#pragma once
#include <cstdint>

#include "taut/autograd.h"

namespace taut::autograd {

struct Task;
bool is_needed(const Task& task, Node* node);
/// The backward that is running in this thread, as a number; 0 when there is none.
uint32_t running_task();
/// Does it free what a node saved, once the node has run?
bool frees_saved();
/// Is the gradient of this node still to come in that backward, or being worked on?
bool is_expected(Node* node);
/// May this gradient be written: nobody else sees it, and no two of its elements share memory.
bool is_ours(const Tensor& g);
/// Backward calls made so far in this process.
uint64_t backward_count();
/// An op that cut a branch of the graph the last backward of this thread went through; null when there was none.
const char* last_cut();
/// The result of one backward: gradients captured for `inputs`, in their order; undefined where none arrived.
variable_list run_backward(const variable_list& roots, const variable_list& gradients, bool keep_graph,
                           bool create_graph, const variable_list& inputs, bool accumulate);

}  // namespace taut::autograd
