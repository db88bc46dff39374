// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: constants of lib/ops/ferns/fern_tables.h.
#include "kernel_types.h"

#define POSTERIOR_ONE CLTRACK_POSTERIOR_ONE
