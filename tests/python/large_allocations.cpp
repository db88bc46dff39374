// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the blocks of memory from some size on that a process asks for, whoever asks. To be
// preloaded (LD_PRELOAD); glibc alone has these names of its own functions.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <limits>

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

static std::atomic<std::size_t> least{std::numeric_limits<std::size_t>::max()}, large{0};

static void see(std::size_t bytes) {
  if (bytes >= least) ++large;
}

// Begins to count.
void count_from(std::size_t bytes) {
  least = bytes;
  large = 0;
}
std::size_t counted() { return large; }

void* malloc(std::size_t bytes) {
  see(bytes);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  see(count * bytes);
  return __libc_calloc(count, bytes);
}
void* realloc(void* block, std::size_t bytes) {
  see(bytes);
  return __libc_realloc(block, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  see(bytes);
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  *block = memalign(alignment, bytes);
  return *block ? 0 : ENOMEM;
}

}  // extern "C"
