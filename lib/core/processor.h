// SPDX-License-Identifier: LGPL-2.1-or-later
// Bodies for AVX2. A function that is faster with AVX2 is compiled twice, the second time with
// CLTRACK_AVX2, and calls the one that fastest_body() chooses:
//
//   void sum_narrow(...) { sum<Narrow>(...); }
//   CLTRACK_AVX2 void sum_wide(...) { sum<Wide>(...); }
//
//   void vector::sum(...) {
//     static const auto body = fastest_body(sum_narrow, sum_wide);
//     body(...);
//   }
//
// Both give the same results in every bit. On other processors than x86 both are compiled alike,
// and the first one is called. Intrinsics need #if CLTRACK_X86.
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#define CLTRACK_X86 1
#define CLTRACK_AVX2 [[gnu::target("avx2")]]
#else
#define CLTRACK_X86 0
#define CLTRACK_AVX2
#endif

namespace cltrack {

inline bool has_avx2() {
#if CLTRACK_X86
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

// Of two functions, or of two structures of functions.
template <typename Body>
Body fastest_body(Body narrow, Body wide) {
  return has_avx2() ? wide : narrow;
}

}  // namespace cltrack
