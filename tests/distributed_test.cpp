// Several processes from C++: stores, collectives and DistributedDataParallel on forked ranks.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "support/files.h"
#include "taut/distributed.h"
#include "taut/taut.h"

namespace taut::test {
namespace {

using namespace distributed;  // NOLINT(build/namespaces)

/// Runs f(rank, group) in `count` processes; each must end without a failed expectation.
template <class F>
void on_ranks(int count, F f) {
  if (!is_backend_available("gloo")) GTEST_SKIP() << "built without Gloo (libgloo-dev)";
  const TempDir dir;
  std::vector<pid_t> children;
  for (int rank = 0; rank < count; ++rank) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child > 0) {
      children.push_back(child);
      continue;
    }
    try {
      auto store = std::make_shared<FileStore>(dir / "store", count, Milliseconds(60'000));
      ProcessGroup group("gloo", store, rank, count, Milliseconds(60'000));
      f(rank, group);
    } catch (const std::exception& e) {
      ADD_FAILURE() << "rank " << rank << ": " << e.what();
    }
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "a rank ended with status " << status;
  }
}

Tensor of_rank(int rank) { return arange(5, kDouble) + 10 * rank; }

TEST(Collectives, GiveWhatTheyShould) {
  constexpr int kRanks = 3;
  on_ranks(kRanks, [](int rank, ProcessGroup& group) {
    Tensor x = of_rank(rank);
    group.allreduce(x)->wait();
    EXPECT_TRUE(equal(x, of_rank(0) + of_rank(1) + of_rank(2)));
    x = of_rank(rank);
    group.allreduce(x, ReduceOp::MAX)->wait();
    EXPECT_TRUE(equal(x, of_rank(2)));
    x = of_rank(rank);
    group.reduce(x, 1, ReduceOp::PRODUCT)->wait();
    EXPECT_TRUE(rank != 1 || equal(x, of_rank(0) * of_rank(1) * of_rank(2)));
    x = of_rank(rank);
    group.broadcast(x, 2)->wait();
    EXPECT_TRUE(equal(x, of_rank(2)));

    std::vector<Tensor> all, own;
    for (int r = 0; r < kRanks; ++r) all.push_back(zeros({5}, kDouble)), own.push_back(of_rank(rank) + 100 * r);
    group.allgather(all, of_rank(rank))->wait();
    for (int r = 0; r < kRanks; ++r) EXPECT_TRUE(equal(all[r], of_rank(r)));
    group.alltoall(all, own)->wait();
    for (int r = 0; r < kRanks; ++r) EXPECT_TRUE(equal(all[r], of_rank(r) + 100 * rank));
    group.gather(rank == 0 ? all : std::vector<Tensor>(), of_rank(rank) * 2, 0)->wait();
    for (int r = 0; r < kRanks; ++r) EXPECT_TRUE(rank != 0 || equal(all[r], of_rank(r) * 2));
    group.scatter(x, rank == 0 ? own : std::vector<Tensor>(), 0)->wait();
    EXPECT_TRUE(equal(x, of_rank(0) + 100 * rank));
    group.reduce_scatter(x, own)->wait();
    EXPECT_TRUE(equal(x, of_rank(0) + of_rank(1) + of_rank(2) + 300 * rank));

    if (rank == 0) group.send(of_rank(7), 1, 5)->wait();
    if (rank == 1) {
      const WorkPtr got = group.recv(x, -1, 5);
      got->wait();
      EXPECT_EQ(got->source_rank(), 0);
      EXPECT_TRUE(equal(x, of_rank(7)));
    }
    group.monitored_barrier(Milliseconds(30'000));
    group.barrier()->wait();
  });
}

TEST(Collectives, ThatDoNotMatchRaiseOnAllAndSayWhatEachCalled) {
  on_ranks(2, [](int rank, ProcessGroup& group) {
    std::string said;
    try {
      if (rank == 0) group.allreduce(zeros({4}))->wait();
      else group.broadcast(zeros({3}), 0)->wait();
    } catch (const DistBackendError& e) {
      said = e.what();
    }
    for (const char* part : {"do not match", "all_reduce(float32 [4], SUM)", "broadcast(float32 [3], root 0)"})
      EXPECT_NE(said.find(part), said.npos) << said;
  });
}

nn::Sequential network() {
  manual_seed(0);
  return nn::Sequential{nn::Linear(6, 17), nn::Tanh(), nn::Linear(17, 2)};
}

TEST(DistributedDataParallel, HasTheBitsOfOneProcessThatAddsUpTheGradients) {
  constexpr int kRanks = 2, kSteps = 5;
  manual_seed(1);
  const Tensor x = randn({kSteps, kRanks, 4, 6});
  nn::Sequential alone = network();
  optim::SGD optimizer(alone->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  for (int step = 0; step < kSteps; ++step) {
    optimizer.zero_grad();
    for (int r = 0; r < kRanks; ++r) (alone->forward(x[step][r]).square().mean() / kRanks).backward();
    optimizer.step();
  }
  on_ranks(kRanks, [&](int rank, ProcessGroup& group) {
    nn::Sequential mine = network();
    if (rank > 0) {  // those of rank 0 are taken
      const NoGradGuard guard;
      for (Tensor& p : mine->parameters()) p.zero_();
    }
    DistributedDataParallel net(mine, std::shared_ptr<ProcessGroup>(&group, [](ProcessGroup*) {}));
    optim::SGD steps(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
    for (int step = 0; step < kSteps; ++step) {
      steps.zero_grad();
      net->forward(x[step][rank]).square().mean().backward();
      steps.step();
    }
    EXPECT_EQ(fingerprint(*mine), fingerprint(*alone));

    steps.zero_grad();
    {
      const auto only_here = net->no_sync();
      net->forward(x[0][rank]).sum().backward();
    }
    const Tensor before = mine->parameters()[0].grad().clone();
    nn::Sequential twin = network();
    twin->load_state_dict(mine->state_dict());
    twin->forward(x[0][rank]).sum().backward();
    EXPECT_TRUE(equal(before, twin->parameters()[0].grad()));
  });
}

void use(Store& store) {
  store.set("a", "1");
  EXPECT_EQ(store.get("a"), "1");
  EXPECT_EQ(store.add("n", 3), 3);
  EXPECT_EQ(store.add("n", -1), 2);
  EXPECT_EQ(store.compare_set("a", "0", "2"), "1");
  EXPECT_EQ(store.compare_set("a", "1", "2"), "2");
  store.append("a", "3");
  EXPECT_EQ(store.get("a"), "23");
  EXPECT_TRUE(store.check({"a", "n"}));
  EXPECT_FALSE(store.check({"a", "b"}));
  EXPECT_TRUE(store.delete_key("a"));
  EXPECT_FALSE(store.check({"a"}));
  EXPECT_THROW(store.wait({"never"}, Milliseconds(20)), DistStoreError);
  const std::shared_ptr<Store> same = store.clone();
  std::thread later([&] { same->set("late", "x"); });
  EXPECT_EQ(store.get("late"), "x");
  later.join();
}

TEST(Stores, KeepWhatIsSet) {
  const TempDir dir;
  HashStore table;
  use(table);
  FileStore file(dir / "store", 1);
  use(file);
  TCPStore server("127.0.0.1", 0, 1, true);
  use(server);
  TCPStore client("127.0.0.1", server.port());
  EXPECT_EQ(client.get("late"), "x");
  PrefixStore part("p", std::make_shared<HashStore>());
  use(part);
  EXPECT_TRUE(part.underlying_store()->check({"p/late"}));
}

TEST(ProcessGroups, RefuseWhatCannotBe) {
  const auto message = [](auto&& f) -> std::string {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  EXPECT_NE(message([] { get_rank(); }).find("has not been initialized"), std::string::npos);
  EXPECT_NE(message([] { init_process_group("gloo", "http://x", 0, 1); }).find("No rendezvous handler for http://"),
            std::string::npos);
  EXPECT_NE(message([] { init_process_group("gloo", "tcp://127.0.0.1", 0, 1); }).find("has no port"),
            std::string::npos);
  EXPECT_NE(message([] { ProcessGroup("nccl", std::make_shared<HashStore>(), 0, 1); }).find("there are gloo and mpi"),
            std::string::npos);
  EXPECT_NE(message([] { ProcessGroup("gloo", std::make_shared<HashStore>(), 2, 2); }).find("has no rank 2"),
            std::string::npos);
  EXPECT_FALSE(is_initialized());
}

}  // namespace
}  // namespace taut::test
