// SPDX-License-Identifier: LGPL-2.1-or-later
// Sequences in several variants, so that no figure hangs on single pixels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dataset.h"
#include "variant.h"

namespace cltrack::accuracy {

// Those that this machine can make, the most telling ones first: the first one changes nothing.
// Some need an encoder: without it they are not there.
const std::vector<Variant>& known_variants();

// Each sequence in the first `count` variants: its pictures, and its boxes where these have moved.
// Decodes a frame of each, for its size. One that cannot be read is there once, as it is.
std::vector<Sequence> perturbed(std::span<const Sequence> sequences, std::size_t count);

}  // namespace cltrack::accuracy
