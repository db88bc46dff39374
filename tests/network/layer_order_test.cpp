// SPDX-License-Identifier: LGPL-2.1-or-later
#include "network/layer_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <vector>

namespace cltrack {
namespace {

using testing::ElementsAre;
using Layers = std::vector<NetworkLayer>;

constexpr auto kGates = LayerKind::gates;
constexpr auto kScale = LayerKind::scale;
constexpr auto kPointwise = LayerKind::pointwise;
constexpr auto kDepthwise = LayerKind::depthwise;

NetworkLayer layer(LayerKind kind, int input, int output) {
  NetworkLayer made;
  made.kind = kind;
  made.input = input;
  made.output = output;
  return made;
}

// Turn, input, output of each layer, and its gates, -1 for none.
using Entry = std::tuple<std::size_t, int, int, int>;
std::vector<Entry> order_of(const Layers& first, const Layers& second,
                            const std::vector<int>& kept) {
  std::vector<Entry> all;
  for (const OrderedLayer& each : order_layers({first, second}, kept)) {
    all.emplace_back(each.turn, each.layer.input, each.layer.output,
                     each.scaling ? each.scaling->input : -1);
  }
  return all;
}

// 0 -> 1 -> 2, and 0 -> 3 -> 4 by the same kinds.
TEST(LayerOrder, BranchesThatAreAlikeGoTogether) {
  EXPECT_THAT(
      order_of({layer(kPointwise, 0, 1), layer(kDepthwise, 1, 2)},
               {layer(kPointwise, 0, 3), layer(kDepthwise, 3, 4)}, {2, 4}),
      ElementsAre(Entry{0, 0, 1, -1}, Entry{0, 0, 3, -1}, Entry{1, 1, 2, -1}, Entry{1, 3, 4, -1}));
}

// What leads to the longer rest is first; the other branch waits for a layer of its kind.
TEST(LayerOrder, TheLongestBranchLeads) {
  EXPECT_THAT(
      order_of({layer(kDepthwise, 0, 1)},
               {layer(kPointwise, 0, 2), layer(kDepthwise, 2, 3), layer(kPointwise, 3, 4)}, {1, 4}),
      ElementsAre(Entry{0, 0, 2, -1}, Entry{1, 0, 1, -1}, Entry{1, 2, 3, -1}, Entry{2, 3, 4, -1}));
}

// A sum with what is there, parts of a tensor, and what overwrites what others read.
TEST(LayerOrder, KeepsTheOrderOfWhatDependsOnEachOther) {
  NetworkLayer sum = layer(kPointwise, 2, 1);
  sum.adds = true;
  EXPECT_THAT(
      order_of({layer(kPointwise, 0, 1), layer(kPointwise, 1, 2), sum}, {layer(kPointwise, 1, 3)},
               {3}),
      ElementsAre(Entry{0, 0, 1, -1}, Entry{1, 1, 2, -1}, Entry{2, 2, 1, -1}, Entry{3, 1, 3, -1}));
  NetworkLayer part = layer(kPointwise, 0, 1);
  part.first_channel = 4;
  EXPECT_THAT(order_of({layer(kPointwise, 0, 1), part}, {}, {1}),
              ElementsAre(Entry{0, 0, 1, -1}, Entry{1, 0, 1, -1}));
}

TEST(LayerOrder, ScalingBelongsToTheOnlyReader) {
  const Layers gated = {layer(kGates, 1, 2), layer(kScale, 2, 1)};
  EXPECT_THAT(order_of(gated, {layer(kPointwise, 1, 3)}, {3}),
              ElementsAre(Entry{0, 1, 2, -1}, Entry{1, 1, 3, 2}));
  // Another one reads the product, it is kept, or a kind of layer that cannot.
  const auto alone =
      ElementsAre(Entry{0, 1, 2, -1}, Entry{1, 2, 1, -1}, Entry{2, 1, 3, -1}, Entry{2, 1, 4, -1});
  EXPECT_THAT(order_of(gated, {layer(kPointwise, 1, 3), layer(kPointwise, 1, 4)}, {3, 4}), alone);
  const auto apart = ElementsAre(Entry{0, 1, 2, -1}, Entry{1, 2, 1, -1}, Entry{2, 1, 3, -1});
  EXPECT_THAT(order_of(gated, {layer(kPointwise, 1, 3)}, {1, 3}), apart);
  EXPECT_THAT(order_of(gated, {layer(LayerKind::convolution, 1, 3)}, {3}), apart);
  // What makes other gates in the same place waits for the product.
  EXPECT_THAT(order_of({layer(kScale, 2, 1), layer(kPointwise, 1, 3)}, {layer(kGates, 0, 2)}, {3}),
              ElementsAre(Entry{0, 1, 3, 2}, Entry{1, 0, 2, -1}));
}

TEST(LayerOrder, NothingIsNothing) { EXPECT_TRUE(order_of({}, {}, {}).empty()); }

}  // namespace
}  // namespace cltrack
