// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels. A window that a scan has found, as lib/ops/ferns/scan.h has it.
#include "kernel_types.h"

struct Candidate {
  uint window;
  uint score;
};
