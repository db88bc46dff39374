// SPDX-License-Identifier: LGPL-2.1-or-later
// By what templates are compared with pictures.
#pragma once

namespace cltrack {

// ncc: zero-mean normalised cross-correlation (OpenCV's TM_CCOEFF_NORMED), -1 to 1. cosine: of the
// grey values as they are (TM_CCORR_NORMED), 0 to 1.
enum class Similarity { ncc, cosine };

}  // namespace cltrack
