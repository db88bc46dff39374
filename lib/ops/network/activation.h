// SPDX-License-Identifier: LGPL-2.1-or-later
// What a layer of a network does to its sums.
#pragma once

namespace cltrack {

enum class Activation { none, relu, relu6, hard_swish, hard_sigmoid, sigmoid, exp };

}  // namespace cltrack
