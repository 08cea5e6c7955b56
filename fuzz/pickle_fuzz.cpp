// The pickle alone: the input is the text of data.pkl, wrapped into an archive with two storages.
#include "fuzz.h"
#include "io/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz(data, size, [](const uint8_t* bytes, size_t n) {
    taut::io::StringOutput out;
    taut::io::ZipWriter zip(out);
    zip.add("x/data.pkl", bytes, n);
    zip.add("x/data/0", std::string(24, 'a'));
    zip.add("x/data/1", std::string(8, 'b'));
    zip.finish();
    touch(taut::io::parse_torch(out.text.data(), out.text.size()).state_dict());
  });
}
