// Reading and writing PyTorch's zip files.
#include "taut/io/torch_file.h"

#include <algorithm>

#include "io/pickler.h"
#include "io/torch_archive.h"
#include "io/unpickler.h"

namespace taut::io {

static Object load(Input in) {
  TorchArchive archive(std::move(in), /*modules=*/true);
  const auto storage = [&](const std::string& key, ScalarType dtype, int64_t numel) {
    return archive.storage(key, dtype, numel);
  };
  return unpickle(archive.input(), archive.pickle(), storage, archive.of_modules());
}

Object load_torch(const std::string& path, LoadOptions options) { return load(Input::open(path, options)); }
Object parse_torch(const void* data, size_t size, const std::string& name) {
  return load(Input::memory(data, size, name));
}

void save_torch(const Object& object, const std::string& path) {
  const Pickled pickled = pickle(object);
  AtomicFile file(path);
  write_archive(file, "archive", pickled);
  file.commit();
}
std::string format_torch(const Object& object) {
  StringOutput out;
  write_archive(out, "archive", pickle(object));
  return std::move(out.text);
}

bool is_torch_file(const std::string& path) {
  const Input in = Input::open(path);
  char start[2] = {};
  in.read(0, start, std::min<uint64_t>(in.size(), sizeof start));
  return start[0] == 'P' && start[1] == 'K';
}

}  // namespace taut::io
