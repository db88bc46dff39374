// SPDX-License-Identifier: LGPL-2.1-or-later
// The similarity measures of template matching.
#pragma once

namespace cltrack {

// ncc: zero-mean normalised cross-correlation (OpenCV's TM_CCOEFF_NORMED), -1 to 1. cosine:
// normalised cross-correlation without subtracting the mean (TM_CCORR_NORMED), 0 to 1.
enum class Similarity { ncc, cosine };

}  // namespace cltrack
