// Stores within a process and in a file.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "distributed/table.h"

namespace taut::distributed {

using Clock = std::chrono::steady_clock;

void throw_store_timeout(const Store& store, const std::vector<std::string>& keys, Milliseconds timeout) {
  std::string names;
  for (const std::string& key : keys) names += (names.empty() ? "" : ", ") + key;
  throw DistStoreError(str("wait timeout after ", timeout.count(), "ms, keys: ", names, " (", store.description(),
                           "): no process has set them. Did every rank start, with the same address and world size?"));
}

class SharedTable {
 public:
  std::mutex mutex;
  std::condition_variable changed;
  Table table;
};

HashStore::HashStore() : table_(std::make_shared<SharedTable>()) {}
void HashStore::set(const std::string& key, const std::string& value) {
  const std::lock_guard lock(table_->mutex);
  table_->table.set(key, value);
  table_->changed.notify_all();
}
std::string HashStore::get(const std::string& key) {
  wait({key}, timeout_);
  const std::lock_guard lock(table_->mutex);
  return table_->table.find(key).value_or("");
}
int64_t HashStore::add(const std::string& key, int64_t amount) {
  const std::lock_guard lock(table_->mutex);
  table_->changed.notify_all();
  return table_->table.add(key, amount);
}
std::string HashStore::compare_set(const std::string& key, const std::string& expected, const std::string& desired) {
  const std::lock_guard lock(table_->mutex);
  table_->changed.notify_all();
  return table_->table.compare_set(key, expected, desired);
}
void HashStore::append(const std::string& key, const std::string& value) {
  const std::lock_guard lock(table_->mutex);
  table_->changed.notify_all();
  table_->table.append(key, value);
}
bool HashStore::delete_key(const std::string& key) {
  const std::lock_guard lock(table_->mutex);
  return table_->table.erase(key);
}
bool HashStore::check(const std::vector<std::string>& keys) {
  const std::lock_guard lock(table_->mutex);
  return table_->table.holds(keys);
}
int64_t HashStore::num_keys() {
  const std::lock_guard lock(table_->mutex);
  return table_->table.size();
}
void HashStore::wait(const std::vector<std::string>& keys, Milliseconds timeout) {
  std::unique_lock lock(table_->mutex);
  if (!table_->changed.wait_for(lock, timeout, [&] { return table_->table.holds(keys); }))
    throw_store_timeout(*this, keys, timeout);
}
std::shared_ptr<Store> HashStore::clone() { return std::make_shared<HashStore>(table_); }

// The file is a list of records, what kind of change and its texts, each preceded by its length. Who wants to change
// something locks it, reads what others have written since, and writes behind that.
namespace {
constexpr const char* kUsers = "\1users";

class LockedFile {
 public:
  explicit LockedFile(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    check<DistStoreError>(file_ >= 0, "FileStore: cannot open ", path, ": ", std::strerror(errno));
    while (flock(file_, LOCK_EX) != 0)
      if (errno != EINTR) {
        const int error = errno;
        close(file_);
        throw DistStoreError(str("FileStore: cannot lock ", path, ": ", std::strerror(error)));
      }
  }
  ~LockedFile() { close(file_); }  // which unlocks it
  LockedFile(const LockedFile&) = delete;

  std::string read_from(int64_t offset) const {
    std::string text;
    char buffer[4096];
    for (;;) {
      const ssize_t n = pread(file_, buffer, sizeof buffer, offset + static_cast<int64_t>(text.size()));
      if (n < 0 && errno == EINTR) continue;
      check<DistStoreError>(n >= 0, "FileStore: cannot read: ", std::strerror(errno));
      if (n == 0) return text;
      text.append(buffer, static_cast<size_t>(n));
    }
  }
  void write_at(int64_t offset, const std::string& text) const {
    for (size_t done = 0; done < text.size();) {
      const ssize_t n = pwrite(file_, text.data() + done, text.size() - done, offset + static_cast<int64_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        const int error = errno;
        const bool shortened = ftruncate(file_, offset) == 0;  // nobody sees half a record
        throw DistStoreError(
            str("FileStore: cannot write: ", std::strerror(error), shortened ? "" : ", and half of it is there"));
      }
      done += static_cast<size_t>(n);
    }
  }

 private:
  int file_;
};

void put(std::string& to, const std::string& text) {
  const auto n = static_cast<uint32_t>(text.size());
  to.append(reinterpret_cast<const char*>(&n), sizeof n).append(text);
}
std::string record(char kind, const std::string& key, const std::string& value = "") {
  std::string r(1, kind);
  put(r, key);
  put(r, value);
  return r;
}
/// Applies the whole records of `text`; returns how many bytes they are.
size_t apply_records(const std::string& text, Table& table) {
  size_t at = 0;
  for (;;) {
    size_t next = at + 1;
    std::string parts[2];
    for (std::string& part : parts) {
      uint32_t n;
      if (next + sizeof n > text.size()) return at;
      std::memcpy(&n, text.data() + next, sizeof n);
      next += sizeof n;
      if (n > text.size() - next) return at;
      part = text.substr(next, n);
      next += n;
    }
    if (text[at] == 'd') table.erase(parts[0]);
    else table.set(parts[0], parts[1]);
    at = next;
  }
}
}  // namespace

/// change(table) gives the record to be written, or nothing; it sees what all others wrote.
template <class F>
void FileStore::locked(F&& change) {
  const std::lock_guard lock(mutex_);
  const LockedFile file(path_);
  read_ += static_cast<int64_t>(apply_records(file.read_from(read_), *table_));
  const std::string made = change(*table_);
  if (made.empty()) return;
  file.write_at(read_, made);
  read_ += static_cast<int64_t>(apply_records(made, *table_));
}

FileStore::FileStore(std::string path, int64_t world_size, Milliseconds timeout)
    : Store(timeout), path_(std::move(path)), world_size_(world_size), table_(std::make_unique<Table>()) {
  add(kUsers, 1);
}
FileStore::~FileStore() {
  try {
    if (counted_ && add(kUsers, -1) == 0 && world_size_ >= 0) unlink(path_.c_str());
  } catch (const std::exception&) {
    // the file is gone, which is as well
  }
}
void FileStore::set(const std::string& key, const std::string& value) {
  locked([&](Table&) { return record('s', key, value); });
}
std::string FileStore::get(const std::string& key) {
  wait({key}, timeout_);
  std::string value;
  locked([&](Table& table) {
    value = table.find(key).value_or("");
    return std::string();
  });
  return value;
}
int64_t FileStore::add(const std::string& key, int64_t amount) {
  int64_t sum = 0;
  locked([&](Table& table) {
    sum = table.add(key, amount);
    return record('s', key, std::to_string(sum));
  });
  return sum;
}
std::string FileStore::compare_set(const std::string& key, const std::string& expected, const std::string& desired) {
  std::string there;
  locked([&](Table& table) {
    const auto before = table.find(key);
    there = table.compare_set(key, expected, desired);
    const auto after = table.find(key);
    return before == after ? std::string() : record('s', key, *after);
  });
  return there;
}
void FileStore::append(const std::string& key, const std::string& value) {
  locked([&](Table& table) { return record('s', key, table.find(key).value_or("") + value); });
}
bool FileStore::delete_key(const std::string& key) {
  bool was_there = false;
  locked([&](Table& table) {
    was_there = table.holds({key});
    return was_there ? record('d', key) : std::string();
  });
  return was_there;
}
bool FileStore::check(const std::vector<std::string>& keys) {
  bool there = false;
  locked([&](Table& table) {
    there = table.holds(keys);
    return std::string();
  });
  return there;
}
int64_t FileStore::num_keys() {
  int64_t n = 0;
  locked([&](Table& table) {
    n = table.size() - (table.holds({kUsers}) ? 1 : 0);
    return std::string();
  });
  return n;
}
void FileStore::wait(const std::vector<std::string>& keys, Milliseconds timeout) {
  const auto end = Clock::now() + timeout;
  for (auto pause = Milliseconds(1); !check(keys); pause = std::min(pause * 2, Milliseconds(50))) {
    if (Clock::now() > end) throw_store_timeout(*this, keys, timeout);
    std::this_thread::sleep_for(pause);
  }
}
std::shared_ptr<Store> FileStore::clone() {
  auto other = std::make_shared<FileStore>(path_, -1, timeout_);
  other->add(kUsers, -1);  // it counts for nobody
  other->counted_ = false;
  return other;
}

}  // namespace taut::distributed
