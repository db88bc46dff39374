// SPDX-License-Identifier: LGPL-2.1-or-later
// What the processor that runs this can do beyond what every one of its kind can. A function with a
// faster body for such a processor is compiled twice, the second time with CLTRACK_AVX2, and
// chooses when it is first called.
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#define CLTRACK_AVX2 [[gnu::target("avx2")]]
#endif

namespace cltrack {

inline bool has_avx2() {
#ifdef CLTRACK_AVX2
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

}  // namespace cltrack
