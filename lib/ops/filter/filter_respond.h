// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a correlation filter responds: the sum over all channels of the correlation of filter and
// features, on the 32 x 32 cells of a window. Entry x * 32 + y is the response to the target having
// moved by (x, y) cells, both modulo 32; 1 is what the filter was taught to answer.
//
// Sums over channels go from channel 0 to 31 in every bin: every device gives the same bits.
#pragma once

#include <span>

#include "ops/filter/filter_spectra.h"

namespace cltrack {

// One spectrum and one filter, both kFilterSpectrum floats; response: kFilterPlane. In double, the
// result rounded.
namespace reference {
void filter_respond(std::span<const float> spectrum, std::span<const float> filter,
                    std::span<float> response);
}

namespace vector {
void filter_respond(const FilterTables& tables, std::span<const float> spectrum,
                    std::span<const float> filter, std::span<float> response);
}

// Response of job i begins at kFilterPlane * i. Reads window and slot of the jobs, which must lie
// inside spectra and filters. Resizes `responses`. Does not wait. Throws Error.
void filter_respond(Queue& queue, const FilterTables& tables, const Array<float>& spectra,
                    const Array<FilterJob>& jobs, const Array<float>& filters,
                    Array<float>& responses);

}  // namespace cltrack
