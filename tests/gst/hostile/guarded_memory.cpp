// SPDX-License-Identifier: LGPL-2.1-or-later
#include "guarded_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>  // nothing where the sanitizer is not in use
#else
#define ASAN_POISON_MEMORY_REGION(address, size)
#define ASAN_UNPOISON_MEMORY_REGION(address, size)
#endif

namespace cltrack::test {
namespace {

constexpr gsize kGuard = 4096;  // more than a row of most pictures
constexpr std::align_val_t kAlignment{64};
constexpr guint8 kMark = 0xA7;

// [guard, misalignment included][size bytes][guard]
struct Block {
  guint8* bytes;
  gsize size, first;

  guint8* data() const { return bytes + first; }
  guint8* behind() const { return data() + size; }
};

bool is_untouched(const guint8* begin, const guint8* end) {
  return std::all_of(begin, end, [](guint8 byte) { return byte == kMark; });
}

void release(gpointer data) {
  const std::unique_ptr<Block> block(static_cast<Block*>(data));
  ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->first);
  ASAN_UNPOISON_MEMORY_REGION(block->behind(), kGuard);
  EXPECT_TRUE(is_untouched(block->bytes, block->data()))
      << "something was written before the memory of a buffer";
  EXPECT_TRUE(is_untouched(block->behind(), block->behind() + kGuard))
      << "something was written behind the memory of a buffer";
  ::operator delete(block->bytes, kAlignment);
}

}  // namespace

GstMemory* make_guarded_memory(gsize size, gsize misalignment, GstMemoryFlags flags) {
  auto block = std::make_unique<Block>();
  block->size = size;
  block->first = kGuard + misalignment;
  const gsize whole = block->first + size + kGuard;
  block->bytes = static_cast<guint8*>(::operator new(whole, kAlignment));
  std::fill_n(block->bytes, whole, kMark);
  ASAN_POISON_MEMORY_REGION(block->bytes, block->first);
  ASAN_POISON_MEMORY_REGION(block->behind(), kGuard);
  guint8* data = block->data();
  return gst_memory_new_wrapped(flags, data, size, 0, size, block.release(), release);
}

}  // namespace cltrack::test
