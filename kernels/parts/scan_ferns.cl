// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: what the scans agree on.
//
// FERNS, PAIRS: of the ensemble; pixel pairs of each fern.
#include "parts/candidate.cl"

#ifndef FERNS
#define FERNS 10
#endif
#ifndef PAIRS
#define PAIRS 13
#endif
