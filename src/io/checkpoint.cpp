// Checkpoints as safetensors files: names "part.name", and in the metadata a checksum of everything.
#include "taut/io/checkpoint.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "io/hash.h"
#include "io/named.h"
#include "io/output.h"
#include "io/safetensors_write.h"
#include "taut/core/runtime.h"

namespace taut::io {

namespace {

constexpr const char *kVersion = "taut.checkpoint", *kParts = "taut.parts", *kEpoch = "taut.epoch",
                     *kStep = "taut.step", *kHeader = "taut.header", *kSum = "taut.xxh64.";

std::string hex(uint64_t v) {
  char text[17] = {};
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(v));
  return text;
}

std::string checksum(const Tensor& t) {
  if (t.numel() == 0) return hex(xxh64("", 0));
  const Tensor dense = t.data().resolve_conj().contiguous();
  return hex(xxh64(dense.data_ptr(), dense.nbytes()));
}

/// Over names, types, shapes and all texts: what the sums of the tensors do not cover.
std::string header_checksum(const TensorDict& tensors, const Metadata& metadata) {
  std::string all;
  auto put = [&](const std::string& s) { all += str(s.size(), ':', s); };
  for (const auto& item : tensors) {
    put(item.key());
    put(str(item.value().scalar_type(), item.value().sizes()));
  }
  for (const auto& [key, value] : metadata) {
    if (key == kHeader) continue;
    put(key);
    put(value);
  }
  return hex(xxh64(all.data(), all.size()));
}

const std::string& text_of(const Metadata& metadata, const std::string& key, const std::string& path) {
  const auto found = metadata.find(key);
  check<FormatError>(found != metadata.end(), "'", path, "' is not a valid checkpoint: '", shortened(key),
                     "' is missing in its metadata");
  return found->second;
}

int64_t number_of(const Metadata& metadata, const char* key, const std::string& path) {
  const std::string& text = text_of(metadata, key, path);
  int64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  check<FormatError>(error == std::errc() && end == text.data() + text.size(), "'", path,
                     "' is not a valid checkpoint: '", key, "' is not a number");
  return v;
}

std::string previous_of(const std::string& path) { return path + ".previous"; }

}  // namespace

Checkpoint& Checkpoint::add_state(const std::string& part, const TensorDict& state) {
  const bool plain = !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  check<ValueError>(plain, "checkpoint: the name of a part is made of letters, digits, '_' and '-', got '",
                    shortened(part), "'");
  if (TensorDict* known = parts_.find(part)) *known = state;
  else parts_.insert(part, state);
  return *this;
}

const TensorDict& Checkpoint::state(const std::string& part) const {
  const TensorDict* found = parts_.find(part);
  check<IndexError>(found, "checkpoint: there is no part '", shortened(part), "'");
  return *found;
}

Checkpoint& Checkpoint::add_random(const std::string& part, const Generator& generator) {
  TensorDict state;
  state.insert("state", generator.get_state());
  return add_state(part, state);
}

Checkpoint& Checkpoint::restore_random(const std::string& part, Generator generator) {
  const Tensor* found = state(part).find("state");
  check<IndexError>(found, "checkpoint: part '", part, "' holds no state of a generator");
  detail::load_state(str("checkpoint part '", part, "'"), [&] { generator.set_state(*found); });
  return *this;
}

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  TensorDict tensors;
  Metadata metadata;
  std::string parts;
  for (const auto& [key, value] : checkpoint.texts) {
    check<ValueError>(!key.starts_with("taut."), "save_checkpoint: texts cannot be called 'taut. ...', got '",
                      shortened(key), "'");
    metadata[key] = value;
  }
  for (const auto& part : checkpoint.parts()) {
    parts += (parts.empty() ? "" : ",") + part.key();
    for (const auto& item : part.value()) {
      const std::string name = part.key() + '.' + item.key();
      check_named_tensor(name, item.value());
      tensors.insert(name, item.value());
      metadata[kSum + name] = checksum(item.value());
    }
  }
  metadata[kVersion] = "1";
  metadata[kParts] = parts;
  metadata[kEpoch] = std::to_string(checkpoint.epoch);
  metadata[kStep] = std::to_string(checkpoint.step);
  metadata[kHeader] = header_checksum(tensors, metadata);
  AtomicFile file(path);
  write_safetensors(file, tensors, metadata);
  file.commit(/*keep_previous=*/true);
}

Checkpoint load_checkpoint(const std::string& path, LoadOptions options) {
  Safetensors file = load_safetensors(path, options);
  Metadata& metadata = file.metadata;
  check<FormatError>(metadata.contains(kVersion), "'", path,
                     "' is a safetensors file but not a checkpoint. Use taut::load for it.");
  check<FormatError>(text_of(metadata, kHeader, path) == header_checksum(file.tensors, metadata), "'", path,
                     "' is damaged: the checksum of its header is wrong");
  check<FormatError>(metadata[kVersion] == "1", "'", path, "' is a checkpoint of version ", metadata[kVersion],
                     ", which this version of Taut does not know");
  Checkpoint c;
  c.epoch = number_of(metadata, kEpoch, path);
  c.step = number_of(metadata, kStep, path);
  const std::string& parts = text_of(metadata, kParts, path);
  OrderedDict<std::string, TensorDict> states;
  for (size_t at = 0; at < parts.size();) {
    const size_t comma = std::min(parts.find(',', at), parts.size());
    states.insert(parts.substr(at, comma - at), TensorDict("Tensor"));
    at = comma + 1;
  }
  for (auto& item : file.tensors) {
    const size_t dot = item.key().find('.');
    TensorDict* state = dot == std::string::npos ? nullptr : states.find(item.key().substr(0, dot));
    check<FormatError>(state, "'", path, "' is not a valid checkpoint: tensor '", shortened(item.key()),
                       "' belongs to no part");
    check<FormatError>(text_of(metadata, kSum + item.key(), path) == checksum(item.value()), "'", path,
                       "' is damaged: the checksum of tensor '", shortened(item.key()), "' is wrong");
    state->insert(item.key().substr(dot + 1), item.value());
  }
  for (auto& state : states) c.add_state(state.key(), state.value());
  for (auto& [key, value] : metadata)
    if (!key.starts_with("taut.")) c.texts.emplace(key, std::move(value));
  return c;
}

Checkpoint load_latest(const std::string& path, LoadOptions options) {
  const std::string previous = previous_of(path);
  try {
    return load_checkpoint(path, options);
  } catch (const Error& e) {  // damage may look like a dtype we do not have, too
    if (::access(previous.c_str(), F_OK) != 0) throw;
    const std::string reason = e.what();
    Checkpoint c;
    try {
      c = load_checkpoint(previous, options);
    } catch (const Error& second) {
      throw FormatError(str("neither checkpoint can be loaded: ", reason, "; and the one before: ", second.what()));
    }
    warn(str("load_latest: ", reason, ". Going on from '", previous, "', the checkpoint before it."));
    return c;
  }
}

bool has_checkpoint(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0 || ::access(previous_of(path).c_str(), F_OK) == 0;
}

}  // namespace taut::io
