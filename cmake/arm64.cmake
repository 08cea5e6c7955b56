# Cross-compiles for ARM64 with Debian's g++-aarch64-linux-gnu; programs run under qemu-user. See `make test-arm64`.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_LIBRARY_PATH /usr/lib/aarch64-linux-gnu)
set(CMAKE_IGNORE_PREFIX_PATH /usr/lib/x86_64-linux-gnu)
set(CMAKE_PREFIX_PATH /usr/lib/aarch64-linux-gnu)
# qemu keeps a record of every page of address space. With a limit the allocator reserves gigabytes of it instead of half
# a terabyte, whose record alone takes 3 GB and most of the time.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -R 16G)
