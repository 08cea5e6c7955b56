// Finding the records of PyTorch's files, and writing them.
#include "io/torch_archive.h"

#include <cstring>

#include "io/bytes.h"
#include "io/named.h"

namespace taut::io {

namespace {

constexpr const char* kFormat = "PyTorch";
constexpr uint64_t kMaxInflated = 256 << 20;  // names and layouts of over a million tensors
constexpr const char* kPickle = "/data.pkl";

Input of_kind(Input in) {
  uint8_t start[4] = {};
  in.read(0, start, std::min<uint64_t>(in.size(), sizeof start));
  // A pickle at the start, not a zip archive.
  check<NotImplementedError>(!(start[0] == 0x80 && start[1] <= 5), in.name(),
                             " is in the legacy format that torch.save wrote before PyTorch 1.6 (or a plain pickle), "
                             "which Taut does not read. Load it in PyTorch and save it again with torch.save, which "
                             "writes the zip format.");
  return in;
}

}  // namespace

TorchArchive::TorchArchive(Input in, bool modules) : in_(of_kind(std::move(in))), zip_(in_, kFormat) {
  bool found = false;
  for (const ZipEntry& e : zip_.entries()) {
    const size_t slash = e.name.find('/');
    if (slash == e.name.npos || e.name.compare(slash, e.name.npos, kPickle) != 0) continue;
    if (found) in_.fail(kFormat, "it has more than one data.pkl");
    found = true;
    top_ = e.name.substr(0, slash + 1);
  }
  if (!found) in_.fail(kFormat, "it has no data.pkl");
  of_modules_ = zip_.find(top_ + "constants.pkl") != nullptr;
  check<NotImplementedError>(modules || !of_modules_, in_.name(),
                             " is a TorchScript archive, which holds code. Save the state_dict with torch.save.");
  if (const ZipEntry* order = zip_.find(top_ + "byteorder")) {
    const std::string text = zip_.read(*order, 16);
    if (text != "little" && text != "big") in_.fail(kFormat, "its byte order is neither 'little' nor 'big'");
    big_endian_ = text == "big";
  }
}

std::string TorchArchive::pickle() const {
  const ZipEntry& e = *zip_.find(top_ + (kPickle + 1));
  return zip_.read(e, e.deflated ? kMaxInflated : e.size);
}

Tensor TorchArchive::storage(const std::string& key, ScalarType dtype, int64_t numel) {
  if (const auto known = storages_.find(key); known != storages_.end()) {
    if (known->second.scalar_type() != dtype || known->second.numel() != numel)
      in_.fail(kFormat, "storage '", shortened(key), "' is used as ", dtype, " and as ", known->second.scalar_type());
    return known->second;
  }
  const ZipEntry* e = zip_.find(top_ + "data/" + key);
  if (!e) in_.fail(kFormat, "storage '", shortened(key), "' is missing");
  const auto bytes = checked_bytes({numel}, dtype);
  if (!bytes || *bytes != e->size)
    in_.fail(kFormat, "storage '", shortened(key), "' has ", e->size, " bytes, but should hold ", numel,
             " elements of ", dtype);
  return storages_.emplace(key, zip_.tensor(*e, {numel}, dtype, big_endian_)).first->second;
}

void write_archive(Output& out, const std::string& name, const Pickled& pickled, bool byte_order) {
  ZipWriter zip(out);
  zip.add(name + kPickle, pickled.text);
  if (byte_order) zip.add(name + "/byteorder", "little");
  for (const PickledStorage& s : pickled.storages)
    zip.add(name + "/data/" + s.key, s.elements.numel() ? s.elements.data_ptr() : "", s.elements.nbytes());
  zip.add(name + "/version", "3\n");
  zip.finish();
}

}  // namespace taut::io
