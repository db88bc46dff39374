// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "cltrack/error.h"
#include "ops/match/match_device.h"
#include "ops/match/match_host.h"
#include "ops/match/match_template.h"
#include "support/devices.h"
#include "support/match_scenes.h"

namespace cltrack {
namespace {

using test::MatchScene;
using test::PaddedImage;

constexpr Similarity kSimilarities[] = {Similarity::ncc, Similarity::cosine};

class MatchTemplateOnDevice : public test::DeviceTest {
 protected:
  MatchPlace search(const ImageView& view, MatchTemplate& pattern) {
    Plane plane;
    plane.borrow(view);
    Array<MatchFound> found;
    const test::Canary canary(found, 1, *queue_);
    best_match(*queue_, plane, pattern, scratch_, pool_, found);
    found.fetch();
    queue_->finish();
    const MatchPlace place = match_place(found.host_read()[0], pattern);
    EXPECT_TRUE(canary.is_intact());
    return place;
  }

  // `local_memory`: as if the device had no more.
  void expect_equals_plain(MatchWay way, std::uint64_t local_memory = UINT64_MAX) {
    scratch_.on_device().way = scratch_.host().way = way;
    scratch_.on_device().most_local_memory = local_memory;
    for (const MatchScene& scene : test::match_scenes()) {
      for (const Similarity similarity : kSimilarities) {
        SCOPED_TRACE(scene.name + (similarity == Similarity::ncc ? ", ncc" : ", cosine"));
        MatchTemplate pattern(scene.pattern.view(), similarity);
        const MatchPlace expected = best_match_plain(scene.plane.view(), pattern);
        const MatchPlace place = search(scene.plane.view(), pattern);
        EXPECT_EQ(place, expected)
            << place.x << ", " << place.y << ": " << place.score << " instead of " << expected.x
            << ", " << expected.y << ": " << expected.score;
      }
    }
  }

  ThreadPool pool_ = ThreadPool(2);
  MatchScratch scratch_;
};

// Another device may lay its spectrum out in another way, and this one may have failed.
TEST_P(MatchTemplateOnDevice, AnotherDeviceNeedsNothingOfThisOne) {
  if (queue_->is_host()) GTEST_SKIP() << "the host is no device";
  scratch_.on_device().way = MatchWay::spectral;
  const MatchScene scene = test::match_scenes().front();
  MatchTemplate pattern(scene.pattern.view(), Similarity::ncc);
  const MatchPlace expected = search(scene.plane.view(), pattern);
  DeviceInfo info = queue_->device().info();
  info.unified_memory = !info.unified_memory;
  const std::shared_ptr<Queue> first = std::exchange(queue_, Device::open(info)->make_queue());
  ASSERT_NE(&first->device(), &queue_->device());
  scratch_ = {};
  scratch_.on_device().way = MatchWay::spectral;
  const TransferCount before = first->count();
  const std::uint64_t position = first->position();
  EXPECT_EQ(search(scene.plane.view(), pattern), expected);
  EXPECT_EQ(first->count(), before);
  EXPECT_EQ(first->position(), position);
}

TEST_P(MatchTemplateOnDevice, BySizeEqualsPlain) { expect_equals_plain(MatchWay::by_size); }
TEST_P(MatchTemplateOnDevice, DirectEqualsPlain) { expect_equals_plain(MatchWay::direct); }
TEST_P(MatchTemplateOnDevice, SpectralEqualsPlain) { expect_equals_plain(MatchWay::spectral); }
// Transforms of more than 40 values do not fit.
TEST_P(MatchTemplateOnDevice, LongTransformsEqualPlain) {
  expect_equals_plain(MatchWay::spectral, 4 * 256 + 16 * 40);
}

// One scratch and one template serve planes of changing size, parts of a picture among them.
TEST_P(MatchTemplateOnDevice, SubRectanglesOfChangingSizes) {
  const PaddedImage scene = test::textured_image(160, 120, 2, 9);
  MatchTemplate pattern(test::cut_out(scene, 30, 20, 24, 31, 9).view(), Similarity::ncc);
  scratch_.on_device().way = MatchWay::spectral;
  const ImageView all = scene.view();
  for (const auto& [left, top, width, height] :
       {std::tuple{0, 0, 160, 120}, {13, 7, 101, 88}, {29, 19, 30, 40}, {0, 0, 160, 120}}) {
    const ImageView part = {all.row(top) + left, width, height, all.stride};
    EXPECT_EQ(search(part, pattern), best_match_plain(part, pattern));
  }
}

TEST_P(MatchTemplateOnDevice, Extremes) {
  const PaddedImage plane = test::flat_image(620, 520, 255);
  for (const Similarity similarity : kSimilarities) {
    PaddedImage image = test::flat_image(615, 516, 255);
    image.at(9, 11) = 254;
    MatchTemplate pattern(image.view(), similarity);
    for (const MatchWay way : {MatchWay::direct, MatchWay::spectral}) {
      scratch_.on_device().way = scratch_.host().way = way;
      EXPECT_EQ(search(plane.view(), pattern), best_match_plain(plane.view(), pattern));
    }
  }
}

TEST_P(MatchTemplateOnDevice, LargerThanThePlaneIsAnError) {
  const PaddedImage plane = test::noise_image(20, 10, 1);
  MatchTemplate pattern(test::noise_image(21, 3, 1).view(), Similarity::ncc);
  EXPECT_THROW(search(plane.view(), pattern), Error);
}

CLTRACK_ON_EVERY_DEVICE(MatchTemplateOnDevice);

}  // namespace
}  // namespace cltrack
