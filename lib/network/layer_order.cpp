// SPDX-License-Identifier: LGPL-2.1-or-later
#include "network/layer_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cltrack {
namespace {

bool changes_input(const OrderedLayer& each) { return each.scaling.has_value(); }

bool reads(const OrderedLayer& each, int tensor) {
  return each.layer.input == tensor || (each.scaling && each.scaling->input == tensor);
}
// Also what it adds to or multiplies.
bool writes(const OrderedLayer& each, int tensor) {
  return each.layer.output == tensor || (changes_input(each) && each.layer.input == tensor);
}
bool uses(const OrderedLayer& each, int tensor) {
  return reads(each, tensor) || writes(each, tensor);
}

// Parts of a tensor keep their order too: the first one makes room for the others.
bool conflict(const OrderedLayer& one, const OrderedLayer& other) {
  const auto needs = [](const OrderedLayer& writer, const OrderedLayer& user) {
    return uses(user, writer.layer.output) ||
           (changes_input(writer) && uses(user, writer.layer.input));
  };
  return needs(one, other) || needs(other, one);
}

// Hands products by gates over to the layer behind them, where that is the last one to use them.
void hand_over_scaling(std::vector<OrderedLayer>& all, std::span<const int> kept) {
  for (auto scale = all.begin(); scale != all.end();) {
    const int map = scale->layer.output, gates = scale->layer.input;
    const auto uses_map = [&](const OrderedLayer& each) { return uses(each, map); };
    const auto reader = std::find_if(scale + 1, all.end(), uses_map);
    const bool can = scale->layer.kind == LayerKind::scale && std::ranges::count(kept, map) == 0 &&
                     reader != all.end() && reader->layer.input == map &&
                     reader->layer.output != map &&
                     (reader->layer.kind == LayerKind::depthwise ||
                      reader->layer.kind == LayerKind::pointwise) &&
                     std::none_of(reader + 1, all.end(), uses_map) &&
                     std::none_of(scale + 1, reader + 1,
                                  [&](const OrderedLayer& each) { return writes(each, gates); });
    if (can) reader->scaling = scale->layer;
    scale = can ? all.erase(scale) : scale + 1;
  }
}

}  // namespace

// The layer with the most behind it is next, and with it all of its kind that can be.
std::vector<OrderedLayer> order_layers(const NetworkParts& parts, std::span<const int> kept) {
  std::vector<OrderedLayer> all;
  for (const auto layers : parts) {
    for (const NetworkLayer& layer : layers) all.push_back({layer});
  }
  hand_over_scaling(all, kept);
  const std::size_t count = all.size();
  std::vector<std::vector<std::size_t>> after(count);  // those that wait for each
  std::vector<std::size_t> awaited(count), behind(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      if (!conflict(all[i], all[j])) continue;
      after[i].push_back(j);
      ++awaited[j];
    }
  }
  for (std::size_t i = count; i-- > 0;) {
    for (const std::size_t j : after[i]) behind[i] = std::max(behind[i], behind[j] + 1);
  }
  std::vector<OrderedLayer> ordered;
  std::vector<bool> is_done(count);
  for (std::size_t turn = 0; ordered.size() < count; ++turn) {
    const auto is_ready = [&](std::size_t i) { return !is_done[i] && awaited[i] == 0; };
    std::size_t next = count;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_ready(i) && (next == count || behind[i] > behind[next])) next = i;
    }
    std::vector<std::size_t> together;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_ready(i) && all[i].layer.kind == all[next].layer.kind) together.push_back(i);
    }
    for (const std::size_t i : together) {
      is_done[i] = true;
      all[i].turn = turn;
      ordered.push_back(all[i]);
      for (const std::size_t j : after[i]) --awaited[j];
    }
  }
  return ordered;
}

}  // namespace cltrack
