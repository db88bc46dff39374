// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: kPosteriorOne of lib/ops/ferns/fern_tables.h.
#include "kernel_types.h"

#define POSTERIOR_ONE (1u << 15)
