// The objects that stand for tensors in another language: what the core must know of them.
#pragma once

namespace taut {

/// Called when a tensor goes to which set_python_object() gave something that it still has: by any thread.
void set_object_dropper(void (*drop)(void*));

}  // namespace taut
