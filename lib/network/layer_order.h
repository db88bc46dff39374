// SPDX-License-Identifier: LGPL-2.1-or-later
// In which order the layers of a network run, so that a device has few launches.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "network/model_file.h"

namespace cltrack {

struct OrderedLayer {
  NetworkLayer layer;
  // A layer that multiplies the input by gates, in the launch of this one, which is the only one
  // that reads the product.
  std::optional<NetworkLayer> scaling = {};
  // Layers with the same number are of the same kind and need nothing of each other; numbers rise.
  std::size_t turn = 0;
};

// The layers of these parts, one after the other, with the same results. Tensors that are `kept`
// are needed afterwards.
std::vector<OrderedLayer> order_layers(const NetworkParts& parts, std::span<const int> kept);

}  // namespace cltrack
