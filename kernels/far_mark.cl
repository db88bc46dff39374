// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: what mark_far() says of a candidate, and a place that no sample has.
#include "kernel_types.h"

#define FAR 1
#define LEARNT 2
#define NO_SAMPLE UINT_MAX
