// Notes which functions of the library each test reaches, for tools/mutants.py: linked into every test program
// (reached_gtest.cpp), and loaded before all else into the interpreter that runs the Python tests (reached_pytest.py).
//
// TAUT_FUNCTIONS names a file of their addresses (hexadecimal, one per line, as `nm` has them). The first byte of each
// becomes a breakpoint; whoever meets it puts the byte back and goes on. TAUT_REACHED names the file that gets, for
// each test, a line "name milliseconds" and a byte per eight functions; beside it is what all processes of a test mark
// together. The library is the very one that is tested otherwise: nothing has to be compiled anew, and the tests run at
// their usual speed.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

// The library's own threads block all signals, and a breakpoint whose signal is blocked ends the process.
extern "C" int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  static const auto real = reinterpret_cast<decltype(&pthread_sigmask)>(dlsym(RTLD_NEXT, "pthread_sigmask"));
  sigset_t wanted;
  if (set) wanted = *set, sigdelset(&wanted, SIGTRAP);
  return real(how, set ? &wanted : nullptr, before);
}

namespace {

constexpr unsigned char kBreakpoint = 0xCC;
// Never destroyed: the library is still at work when the program ends.
auto& functions = *new std::vector<unsigned char*>;  // sorted
auto& first_bytes = *new std::vector<unsigned char>;
unsigned char* reached;  // shared with the processes that tests start

void on_breakpoint(int, siginfo_t*, void* context) {
  auto& next = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  auto* const at = reinterpret_cast<unsigned char*>(next - 1);
  const auto i = std::lower_bound(functions.begin(), functions.end(), at) - functions.begin();
  if (i == std::ssize(functions) || functions[static_cast<size_t>(i)] != at) abort();
  __atomic_store_n(&reached[i], 1, __ATOMIC_RELAXED);
  __atomic_store_n(at, first_bytes[static_cast<size_t>(i)], __ATOMIC_RELEASE);
  next -= 1;
}

void plant(const char* addresses, const std::string& marks) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* file) {
        if (!strstr(info->dlpi_name, "libtaut.so")) return 0;
        std::ifstream in(static_cast<const char*>(file));
        for (uintptr_t address = 0; in >> std::hex >> address;)
          functions.push_back(reinterpret_cast<unsigned char*>(info->dlpi_addr + address));
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const uintptr_t begin = (info->dlpi_addr + part.p_vaddr) & ~uintptr_t{4095};
          if (part.p_type == PT_LOAD && (part.p_flags & PF_X))
            mprotect(reinterpret_cast<void*>(begin), info->dlpi_addr + part.p_vaddr + part.p_memsz - begin,
                     PROT_READ | PROT_WRITE | PROT_EXEC);
        }
        return 1;
      },
      const_cast<char*>(addresses));
  std::sort(functions.begin(), functions.end());
  const size_t size = functions.size() + 8;
  const int file = open(marks.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) abort();
  void* const shared = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) abort();
  close(file);
  reached = static_cast<unsigned char*>(shared);
  for (auto* f : functions) first_bytes.push_back(*f);
  struct sigaction action {};
  action.sa_sigaction = on_breakpoint;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(SIGTRAP, &action, nullptr);
  for (auto* f : functions) *f = kBreakpoint;
}

[[maybe_unused]] const bool begun = [] {
  const char *addresses = getenv("TAUT_FUNCTIONS"), *path = getenv("TAUT_REACHED");
  if (addresses && path) plant(addresses, std::string(path) + ".marks");
  return true;
}();

}  // namespace

/// A test has ended. What was reached since the last one is its.
extern "C" void reached_note(const char* test, long milliseconds) {
  std::string bits((functions.size() + 7) / 8, '\0');
  for (size_t i = 0; i < functions.size(); ++i) {
    if (!reached[i]) continue;
    bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << i % 8);
    reached[i] = 0;
    *functions[i] = kBreakpoint;
  }
  std::ofstream(getenv("TAUT_REACHED"), std::ios::binary | std::ios::app) << test << ' ' << milliseconds << '\n'
                                                                          << bits;
}
