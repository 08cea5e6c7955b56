// The link by Gloo, the library with which PyTorch connects processors, over TCP.
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

#include "distributed/link.h"

namespace taut::distributed {
namespace {

class Meeting final : public gloo::rendezvous::Store {
 public:
  explicit Meeting(const Rendezvous& at) : at_(at) {}
  void set(const std::string& key, const std::vector<char>& data) override { at_.set(key, {data.begin(), data.end()}); }
  std::vector<char> get(const std::string& key) override {
    const std::string value = at_.get(key);
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string>& keys) override {
    for (const std::string& key : keys) at_.get(key);
  }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds&) override { wait(keys); }

 private:
  const Rendezvous& at_;
};

using Buffer = std::unique_ptr<gloo::transport::UnboundBuffer>;
// Who waits is woken now and then and looks for himself whether it makes sense to go on; the time Gloo would wait does
// not count.
constexpr std::chrono::hours kLong{24 * 365};

class Sending final : public Link::Transfer {
 public:
  explicit Sending(Buffer buffer) : buffer_(std::move(buffer)) {}
  bool wait(int*) override { return buffer_->waitSend(nullptr, kLong); }
  void wake() override { buffer_->abortWaitSend(); }

 private:
  Buffer buffer_;
};
class Receiving final : public Link::Transfer {
 public:
  explicit Receiving(Buffer buffer) : buffer_(std::move(buffer)) {}
  bool wait(int* source) override { return buffer_->waitRecv(source, kLong); }
  void wake() override { buffer_->abortWaitRecv(); }

 private:
  Buffer buffer_;
};

class GlooLink final : public Link {
 public:
  explicit GlooLink(const Rendezvous& at) : context_(std::make_shared<gloo::rendezvous::Context>(at.rank, at.size)) {
    gloo::transport::tcp::attr attributes(at.address.c_str());
    std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(attributes);
    context_->setTimeout(at.timeout);
    Meeting meeting(at);
    context_->connectFullMesh(meeting, device);
  }
  ~GlooLink() override { context_->closeConnections(); }
  std::unique_ptr<Transfer> send(int to, uint64_t slot, const void* data, size_t bytes) override {
    Buffer buffer = context_->createUnboundBuffer(const_cast<void*>(data), bytes);
    buffer->send(to, slot);
    return std::make_unique<Sending>(std::move(buffer));
  }
  std::unique_ptr<Transfer> receive(const std::vector<int>& from, uint64_t slot, void* data, size_t bytes) override {
    Buffer buffer = context_->createUnboundBuffer(data, bytes);
    if (from.size() == 1) buffer->recv(from[0], slot);
    else buffer->recv(from, slot);
    return std::make_unique<Receiving>(std::move(buffer));
  }

 private:
  std::shared_ptr<gloo::rendezvous::Context> context_;
};

}  // namespace
}  // namespace taut::distributed

extern "C" [[gnu::visibility("default")]] taut::distributed::Link* taut_link(const taut::distributed::Rendezvous& at) {
  return new taut::distributed::GlooLink(at);
}
