// Reading and writing PyTorch's zip files.
#include "taut/io/torch_file.h"

#include <map>

#include "io/bytes.h"
#include "io/input.h"
#include "io/named.h"
#include "io/pickler.h"
#include "io/unpickler.h"
#include "io/zip.h"
#include "taut/factories.h"

namespace taut::io {

namespace {

constexpr const char* kFormat = "PyTorch";
constexpr uint64_t kMaxPickle = 256 << 20;  // names and layouts of over a million tensors
constexpr const char* kPickle = "/data.pkl";

void check_kind(const Input& in) {
  uint8_t start[4] = {};
  in.read(0, start, std::min<uint64_t>(in.size(), sizeof start));
  if (start[0] == 'P' && start[1] == 'K') return;
  // A pickle at the start: what torch.save wrote before version 1.6.
  check<NotImplementedError>(!(start[0] == 0x80 && start[1] <= 5), in.name(),
                             " is in the legacy format of PyTorch before 1.6. Load it in PyTorch and save it again "
                             "with torch.save, which writes the zip format.");
}

Object load(const Input& in) {
  check_kind(in);
  const ZipReader zip(in, kFormat);
  const ZipEntry* main = nullptr;
  for (const ZipEntry& e : zip.entries()) {
    const size_t slash = e.name.find('/');
    if (slash == e.name.npos || e.name.compare(slash, e.name.npos, kPickle) != 0) continue;
    if (main) in.fail(kFormat, "it has more than one data.pkl");
    main = &e;
  }
  if (!main) in.fail(kFormat, "it has no data.pkl");
  const std::string archive = main->name.substr(0, main->name.size() - std::strlen(kPickle));
  check<NotImplementedError>(!zip.find(archive + "/constants.pkl"), in.name(),
                             " is a TorchScript archive, which holds code. Save the state_dict with torch.save.");
  bool big_endian = false;
  if (const ZipEntry* order = zip.find(archive + "/byteorder")) {
    const std::string text = zip.read(*order, 16);
    if (text != "little" && text != "big") in.fail(kFormat, "its byte order is neither 'little' nor 'big'");
    big_endian = text == "big";
  }

  // Every storage is loaded once; the tensors over it share its memory.
  std::map<std::string, Tensor> storages;
  return unpickle(in, zip.read(*main, kMaxPickle), [&](const std::string& key, ScalarType dtype, int64_t numel) {
    if (const auto known = storages.find(key); known != storages.end()) {
      if (known->second.scalar_type() != dtype || known->second.numel() != numel)
        in.fail(kFormat, "storage '", shortened(key), "' is used as ", dtype, " and as ", known->second.scalar_type());
      return known->second;
    }
    const ZipEntry* e = zip.find(archive + "/data/" + key);
    if (!e) in.fail(kFormat, "storage '", shortened(key), "' is missing");
    const auto bytes = checked_bytes({numel}, dtype);
    if (!bytes || *bytes != e->size)
      in.fail(kFormat, "storage '", shortened(key), "' has ", e->size, " bytes, but should hold ", numel,
              " elements of ", dtype);
    Tensor t;
    if (e->deflated) {
      t = empty({numel}, dtype);
      zip.open(*e)->read(t.data_ptr(), t.nbytes());
      if (big_endian) swap_bytes(t.data_ptr(), static_cast<uint64_t>(numel), t.element_size());
      normalize_bools(t);
    } else {
      t = in.tensor(e->data_at, {numel}, dtype, big_endian && element_size(dtype) > 1);
    }
    storages.emplace(key, t);
    return t;
  });
}

}  // namespace

Object load_torch(const std::string& path, LoadOptions options) { return load(Input::open(path, options)); }
Object parse_torch(const void* data, size_t size, const std::string& name) {
  return load(Input::memory(data, size, name));
}

void save_torch(const Object& object, const std::string& path) {
  const Pickled pickled = pickle(object);
  AtomicFile file(path);
  ZipWriter zip(file);
  zip.add("archive/data.pkl", pickled.text);
  zip.add("archive/byteorder", "little");
  for (const PickledStorage& s : pickled.storages)
    zip.add("archive/data/" + s.key, s.elements.numel() ? s.elements.data_ptr() : "", s.elements.nbytes());
  zip.add("archive/version", "3\n");
  zip.finish();
  file.commit();
}

}  // namespace taut::io
