// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: kPosteriorOne of lib/ops/fern_tables.h, kNoSample of fern_update.h.
#include "kernel_types.h"

#define POSTERIOR_ONE (1u << 15)
#define NO_SAMPLE UINT_MAX
