// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/network_search.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "support/check_op.h"
#include "support/color_image.h"
#include "support/devices.h"
#include "support/random_network.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

std::shared_ptr<const NetworkModel> parsed(const test::NetworkFile& file) {
  return std::make_shared<const NetworkModel>(NetworkModel::parse(file.bytes()));
}

// Places of which the middle one has the highest score, but not the largest overlap.
TEST(NetworkFindings, TheSurestPlaceThatIsMuchLikeABox) {
  const NetworkFindings findings = {
      .window = {0, 0, 100, 100},
      .places = {{{40, 40, 20, 20}, 0.7f}, {{44, 40, 20, 20}, 0.9f}, {{52, 40, 20, 20}, 0.99f}}};
  const auto at = [&](const BoundingBox& box) { return findings.place_at(box); };
  EXPECT_EQ(at({40, 40, 20, 20})->score, 0.9f) << "the last one overlaps it by a quarter";
  EXPECT_EQ(at({40, 40, 20, 20})->box, (BoundingBox{44, 40, 20, 20}));
  EXPECT_EQ(at({40, 40, 40, 20})->score, 0) << "none is like it";
  EXPECT_EQ(at({5, 5, 20, 20})->score, 0);
  EXPECT_TRUE(at({90, 90, 20, 20})) << "its middle is in the window";
  EXPECT_FALSE(at({91, 90, 20, 20}));
  EXPECT_FALSE(at({90, 91, 20, 20}));
  EXPECT_FALSE(at({-11, 10, 20, 20}));
  EXPECT_FALSE(at({10, -11, 20, 20}));
}

TEST(NetworkFindings, OfPlacesThatAreAsSureTheMostAlikeCounts) {
  const NetworkFindings findings = {
      .window = {0, 0, 100, 100},
      .places = {{{44, 40, 20, 20}, 1}, {{41, 40, 20, 20}, 1}, {{43, 40, 20, 20}, 1}}};
  EXPECT_EQ(findings.place_at({40, 40, 20, 20})->box.x, 41);
}

constexpr BoundingBox kBoxes[] = {{30, 40, 41, 33}, {100.5f, 60.25f, 24, 50}, {-10, -5, 60, 40}};

class NetworkSearchOnDevice : public test::DeviceTest {
 protected:
  NetworkSearchOnDevice() {
    image_.fill_noise(7);
    planes_.borrow(image_.picture());
  }

  // Targets 1, 2, 3 at kBoxes.
  void start(NetworkSearch& search, std::size_t targets = std::size(kBoxes)) {
    search.begin(planes_);
    for (std::size_t i = 0; i < targets; ++i) start(search, i + 1, kBoxes[i]);
  }
  void start(NetworkSearch& search, std::uint64_t id, const BoundingBox& box) {
    search.start(id, box, box, *host_);
  }
  std::vector<std::optional<NetworkFindings>> find(NetworkSearch& search,
                                                   const std::vector<MotionTarget>& targets) {
    search.search(targets);
    return search.collect(*host_);
  }
  std::vector<std::optional<NetworkFindings>> find_all(NetworkSearch& search) {
    return find(search, {{1, kBoxes[0]}, {2, kBoxes[1]}, {3, kBoxes[2]}});
  }

  static void expect_same(const std::vector<std::optional<NetworkFindings>>& got,
                          const std::vector<std::optional<NetworkFindings>>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].has_value(), expected[i].has_value()) << i;
      if (!got[i]) continue;
      EXPECT_EQ(got[i]->window, expected[i]->window);
      ASSERT_EQ(got[i]->places.size(), expected[i]->places.size());
      for (std::size_t k = 0; k < got[i]->places.size(); ++k) {
        ASSERT_EQ(got[i]->places[k].box, expected[i]->places[k].box) << i << ", place " << k;
        ASSERT_EQ(got[i]->places[k].score, expected[i]->places[k].score) << i << ", place " << k;
      }
    }
  }

  std::shared_ptr<Queue> host_ = Device::host()->make_queue(2);
  test::ColorImage image_{test::color_format("NV12"), 211, 160, 3};
  ColorPlanes planes_;
  const std::shared_ptr<const NetworkModel> random_ = parsed(test::RandomNetwork::make(5));
};

TEST_P(NetworkSearchOnDevice, FindsWhatTheHostFinds) {
  NetworkSearch search(random_, queue_), on_host(random_, host_);
  start(search);
  start(on_host);
  const auto expected = find_all(on_host);
  ASSERT_EQ(expected[0]->places.size(), 49u);
  expect_same(find_all(search), expected);
  const auto grey = test::noise_image(90, 70, 3, 2);
  Plane luma;
  luma.borrow(grey.view());
  search.begin(luma);
  on_host.begin(luma);
  const auto other = find_all(on_host);
  EXPECT_NE(other[0]->places[0].score, expected[0]->places[0].score);
  expect_same(find_all(search), other);
}

TEST_P(NetworkSearchOnDevice, TargetsDoNotDependOnEachOther) {
  NetworkSearch search(random_, queue_);
  start(search);
  const auto all = find_all(search);
  expect_same(find(search, {{3, kBoxes[2]}, {1, kBoxes[0]}}), {all[2], all[0]});
  search.remove(2);
  expect_same(find_all(search), {all[0], std::nullopt, all[2]});
  start(search, 4, kBoxes[1]);  // takes its slot
  expect_same(find(search, {{4, kBoxes[1]}, {3, kBoxes[2]}, {2, kBoxes[1]}}),
              {all[1], all[2], std::nullopt});
  start(search, 4, kBoxes[0]);
  expect_same(find(search, {{4, kBoxes[0]}}), {all[0]});
  EXPECT_TRUE(find(search, {}).empty());
  expect_same(find(search, {{9, kBoxes[0]}}), {std::nullopt});
}

TEST_P(NetworkSearchOnDevice, MovesToAnotherDevice) {
  NetworkSearch search(random_, queue_);
  start(search);
  const auto before = find_all(search);
  search.place(host_);
  search.begin(planes_);
  expect_same(find_all(search), before);
  search.place(device_->make_queue());
  search.begin(planes_);
  start(search, 5, kBoxes[0]);
  expect_same(find_all(search), before);
}

TEST_P(NetworkSearchOnDevice, ForgetsItsTargets) {
  NetworkSearch search(random_, queue_);
  start(search);
  const auto before = find_all(search);
  search.abandon();
  search.begin(planes_);
  expect_same(find_all(search), before);
  search.reset();
  search.begin(planes_);
  expect_same(find_all(search), {std::nullopt, std::nullopt, std::nullopt});
  start(search);
  expect_same(find_all(search), before);
}

TEST_P(NetworkSearchOnDevice, KnowsATargetByWhatAnotherTemplateShows) {
  NetworkSearch search(random_, queue_), other(random_, queue_);
  search.begin(planes_);
  const TemplatePixels shown = search.start(1, kBoxes[0], kBoxes[0], *host_);
  ASSERT_EQ(shown.size(), std::size_t{3} * 31 * 31);
  const auto first = find(search, {{1, kBoxes[0]}});
  search.restart(2, shown, kBoxes[0], *host_);
  const auto again = find(search, {{2, kBoxes[0]}});
  for (std::size_t i = 0; i < first[0]->places.size(); ++i) {
    EXPECT_NEAR(again[0]->places[i].score, first[0]->places[i].score, 0.02f) << "rounded";
  }
  other.begin(planes_);
  other.restart(7, shown, kBoxes[0], *host_);
  expect_same(find(other, {{7, kBoxes[0]}}), again);
  other.restart(7, TemplatePixels(75), kBoxes[0], *host_);
  expect_same(find(other, {{7, kBoxes[0]}}), first);  // of a network with another template
}

// 63 / 31 of the box with a quarter of its mean side around it.
TEST_P(NetworkSearchOnDevice, LooksAroundTheBox) {
  NetworkSearch search(random_, queue_);
  start(search, 1);
  const BoundingBox window = find(search, {{1, {50, 40, 20, 20}}})[0]->window;
  EXPECT_FLOAT_EQ(window.width, 40 * 63.0f / 31);
  EXPECT_FLOAT_EQ(window.height, window.width);
  EXPECT_FLOAT_EQ(window.center_x(), 60);
  EXPECT_FLOAT_EQ(window.center_y(), 50);
}

// Whatever it looks at, the network means 8 pixels to the left and 12 to the right of a place, 10
// above and below, of a window whose box has 15.5 x 15.5.
TEST_P(NetworkSearchOnDevice, SaysWhereTheBoxIsAsThatWasGiven) {
  NetworkSearch search(parsed(test::RandomNetwork::constant(0.9f, {8, 10, 12, 10})), queue_);
  constexpr BoundingBox kBox = {70, 60, 40, 40};
  search.begin(planes_);
  start(search, 1, kBox);
  const auto found = find(search, {{1, kBox}})[0]->place_at(kBox);
  EXPECT_NEAR(found->score, 0.9f, 1e-5f);
  const auto expect_near = [](const BoundingBox& got, const BoundingBox& expected) {
    EXPECT_NEAR(got.x, expected.x, 1e-3f);
    EXPECT_NEAR(got.y, expected.y, 1e-3f);
    EXPECT_NEAR(got.width, expected.width, 1e-3f);
    EXPECT_NEAR(got.height, expected.height, 1e-3f);
  };
  expect_near(found->box, kBox);
  constexpr BoundingBox kLarger = {60, 40, 80, 80};
  expect_near(find(search, {{1, kLarger}})[0]->place_at(kLarger)->box, kLarger);
}

// Places of boxes of 8 x 40 look much unlike the target, and unsure ones say nothing of it.
TEST_P(NetworkSearchOnDevice, IsTakenAtItsWordWhereItDoesNotKnowTheBox) {
  constexpr BoundingBox kBox = {70, 60, 40, 40};
  const auto middle_of = [&](float score, const std::array<float, 4>& edges) {
    NetworkSearch search(parsed(test::RandomNetwork::constant(score, edges)), queue_);
    search.begin(planes_);
    start(search, 1, kBox);
    return find(search, {{1, kBox}})[0]->places[24].box;  // of 7 x 7
  };
  const BoundingBox narrow = middle_of(0.9f, {4, 20, 4, 20});
  EXPECT_NEAR(narrow.height / narrow.width, 5, 1e-3f);
  const BoundingBox unsure = middle_of(0.4f, {8, 10, 12, 10});
  EXPECT_NEAR(unsure.center_x(), 90 + 2 * 80.0f / 31, 1e-3f);
  EXPECT_NEAR(unsure.width, 20 * 80.0f / 31, 1e-3f);
}

CLTRACK_ON_EVERY_DEVICE(NetworkSearchOnDevice);

}  // namespace
}  // namespace cltrack
