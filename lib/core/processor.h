// SPDX-License-Identifier: LGPL-2.1-or-later
// Bodies for AVX2, chosen when the program runs. Both forms of a body give the same results in
// every bit. A body that compilers vectorise is written once, as an always_inline function:
//
//   [[gnu::always_inline]] inline void add(...) { ... }
//
//   void vector::add(...) { kFastest<add>(...); }
//
// One whose vectors depend on the processor has two functions:
//
//   void sum_narrow(...) { sum<Narrow>(...); }
//   CLTRACK_AVX2 void sum_wide(...) { sum<Wide>(...); }
//
//   void vector::sum(...) {
//     static const auto body = fastest_body(sum_narrow, sum_wide);
//     body(...);
//   }
//
// On other processors than x86 both are compiled alike. Intrinsics need #if CLTRACK_X86.
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

// The faster one of two functions, or of two structures of functions.
template <typename Body>
Body fastest_body(Body narrow, Body wide) {
  return has_avx2() ? wide : narrow;
}

namespace detail {

template <auto kBody>
struct Compiled;
template <typename Result, typename... Arguments, Result (*kBody)(Arguments...)>
struct Compiled<kBody> {
  static Result narrow(Arguments... arguments) { return kBody(arguments...); }
  CLTRACK_AVX2 static Result wide(Arguments... arguments) { return kBody(arguments...); }
};

}  // namespace detail

// The function kBody as compiled for this processor.
template <auto kBody>
inline const auto kFastest = fastest_body(detail::Compiled<kBody>::narrow,
                                          detail::Compiled<kBody>::wide);

}  // namespace cltrack
