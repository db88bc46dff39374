// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>

#include "cltrack/error.h"
#include "ops/match/best_match.h"
#include "support/devices.h"
#include "support/match_scenes.h"
#include "support/match_search.h"

namespace cltrack {
namespace {

using test::MatchScene;
using test::PaddedImage;

constexpr Similarity kSimilarities[] = {Similarity::ncc, Similarity::cosine};

class BestMatchOnDevice : public test::DeviceTest {
 protected:
  MatchPlace search(const ImageView& view, MatchTemplate& pattern,
                    std::optional<MatchMethod> method = {}) {
    return test::find_match(*queue_, view, pattern, scratch_, method);
  }

  void expect_equals_reference(std::optional<MatchMethod> method = {}) {
    for (const MatchScene& scene : test::match_scenes()) {
      for (const Similarity similarity : kSimilarities) {
        SCOPED_TRACE(scene.name + (similarity == Similarity::ncc ? ", ncc" : ", cosine"));
        MatchTemplate pattern(scene.pattern.view(), similarity);
        EXPECT_EQ(search(scene.plane.view(), pattern, method),
                  reference::best_match(scene.plane.view(), pattern));
      }
    }
  }

  MatchScratch scratch_;
};

// Another device may have another layout of spectra, and this one may have failed.
TEST_P(BestMatchOnDevice, AnotherDeviceNeedsNothingOfThisOne) {
  if (queue_->is_host()) GTEST_SKIP() << "the host is no device";
  const MatchScene scene = test::match_scenes().front();
  MatchTemplate pattern(scene.pattern.view(), Similarity::ncc);
  const MatchPlace expected = search(scene.plane.view(), pattern, MatchMethod::spectral);
  DeviceInfo info = queue_->device().info();
  info.unified_memory = !info.unified_memory;
  const std::shared_ptr<Queue> first = std::exchange(queue_, Device::open(info)->make_queue());
  ASSERT_NE(&first->device(), &queue_->device());
  scratch_ = {};
  const TransferCount before = first->count();
  const std::uint64_t position = first->position();
  EXPECT_EQ(search(scene.plane.view(), pattern, MatchMethod::spectral), expected);
  EXPECT_EQ(first->count(), before);
  EXPECT_EQ(first->position(), position);
}

TEST_P(BestMatchOnDevice, EqualsReference) { expect_equals_reference(); }
TEST_P(BestMatchOnDevice, DirectEqualsReference) { expect_equals_reference(MatchMethod::direct); }
TEST_P(BestMatchOnDevice, SpectralEqualsReference) {
  expect_equals_reference(MatchMethod::spectral);
}
// As on a device whose local memory has room for transforms of 40 values.
TEST_P(BestMatchOnDevice, LongTransformsEqualReference) {
  if (queue_->is_host()) GTEST_SKIP() << "the host has no local memory";
  DeviceInfo info = GetParam();
  info.local_memory = 4 * 256 + 16 * 40;
  queue_ = Device::open(info)->make_queue();
  ASSERT_EQ(queue_->device().info().local_memory, info.local_memory);
  expect_equals_reference(MatchMethod::spectral);
}

// One scratch and one template serve planes of changing size, parts of a picture among them.
TEST_P(BestMatchOnDevice, SubRectanglesOfChangingSizes) {
  const PaddedImage scene = test::textured_image(160, 120, 2, 9);
  MatchTemplate pattern(test::cut_out(scene, 30, 20, 24, 31, 9).view(), Similarity::ncc);
  const ImageView all = scene.view();
  for (const auto& [left, top, width, height] :
       {std::tuple{0, 0, 160, 120}, {13, 7, 101, 88}, {29, 19, 30, 40}, {0, 0, 160, 120}}) {
    const ImageView part = {all.row(top) + left, width, height, all.stride};
    EXPECT_EQ(search(part, pattern, MatchMethod::spectral), reference::best_match(part, pattern));
  }
}

TEST_P(BestMatchOnDevice, Extremes) {
  const MatchScene scene = test::largest_sums();
  for (const Similarity similarity : kSimilarities) {
    MatchTemplate pattern(scene.pattern.view(), similarity);
    const MatchPlace expected = reference::best_match(scene.plane.view(), pattern);
    for (const MatchMethod method : test::kMatchMethods) {
      EXPECT_EQ(search(scene.plane.view(), pattern, method), expected);
    }
  }
}

TEST_P(BestMatchOnDevice, LargerThanThePlaneIsAnError) {
  const PaddedImage plane = test::noise_image(20, 10, 1);
  MatchTemplate pattern(test::noise_image(21, 3, 1).view(), Similarity::ncc);
  EXPECT_THROW(search(plane.view(), pattern), Error);
}

CLTRACK_ON_EVERY_DEVICE(BestMatchOnDevice);

}  // namespace
}  // namespace cltrack
