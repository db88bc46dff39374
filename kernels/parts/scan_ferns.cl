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

// Where the tables of a job begin.
size_t tables_of(int job, global const struct ScanJob* jobs) {
  return (size_t)jobs[job].tables * (FERNS << PAIRS);
}
