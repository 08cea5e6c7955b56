// Checkpoints: everything a training run needs to go on, in one file that is whole whenever it is there.
#pragma once
#include <string>

#include "taut/io/safetensors.h"
#include "taut/random.h"
#include "taut/serialize.h"

namespace taut::io {

/// The state of a training run. Parts are named: model, optimizer, scheduler, loader, or whatever the program has.
///
///   Checkpoint c;
///   c.add("model", model).add("optimizer", optimizer).add_random();
///   c.epoch = 3;
///   save_checkpoint(c, "run.safetensors");
///   ...
///   Checkpoint c = load_latest("run.safetensors");
///   c.restore("model", model).restore("optimizer", optimizer).restore_random();
class Checkpoint {
 public:
  int64_t epoch = 0, step = 0;
  Metadata texts;  // anything else worth knowing; no key may start with "taut."

  /// The state_dict of a module (or its holder), an optimiser, a scheduler, or one given as it is.
  template <class T>
  Checkpoint& add(const std::string& part, const T& value) {
    if constexpr (std::is_convertible_v<const T&, const TensorDict&>) return add_state(part, value);
    else return add_state(part, detail::stateful(value).state_dict());
  }
  /// Loads a part; throws when there is none of that name, and names the part when it does not fit.
  template <class T>
  Checkpoint& restore(const std::string& part, T&& value) {
    detail::load_state(str("checkpoint part '", part, "'"),
                       [&] { detail::stateful(value).load_state_dict(state(part)); });
    return *this;
  }
  /// The state of a generator of random numbers; the default one unless another is given.
  Checkpoint& add_random(const std::string& part = "random", const Generator& generator = default_generator());
  Checkpoint& restore_random(const std::string& part = "random", Generator generator = default_generator());

  Checkpoint& add_state(const std::string& part, const TensorDict& state);
  bool has(const std::string& part) const { return parts_.contains(part); }
  const TensorDict& state(const std::string& part) const;
  const OrderedDict<std::string, TensorDict>& parts() const { return parts_; }

 private:
  OrderedDict<std::string, TensorDict> parts_{"Part"};
};

/// Replaces `path` at once, when all is on the disk; the file that was there is kept as `path`.previous. Every tensor
/// and the header carry a checksum. It is a safetensors file, which other programs can read.
void save_checkpoint(const Checkpoint& checkpoint, const std::string& path);
/// Reads one file and compares all checksums; a damaged file is a FormatError that names the tensor.
Checkpoint load_checkpoint(const std::string& path, LoadOptions options = {});
/// `path`, or with a warning `path`.previous when that one is missing or damaged.
Checkpoint load_latest(const std::string& path, LoadOptions options = {});
/// Is there anything load_latest could try?
bool has_checkpoint(const std::string& path);

}  // namespace taut::io
