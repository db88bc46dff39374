// SPDX-License-Identifier: LGPL-2.1-or-later
// best_match() on the host against cv::matchTemplate, on made-up pictures and on recorded ones.
#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>

#include "accuracy/frame_source.h"
#include "accuracy/test_data.h"
#include "ops/match/best_match.h"
#include "support/match_scenes.h"
#include "support/match_search.h"

namespace cltrack {
namespace {

using accuracy::real_data;
using test::PaddedImage;

cv::Mat as_mat(const ImageView& view) {
  return cv::Mat(view.height, view.width, CV_8U, const_cast<std::uint8_t*>(view.data),
                 static_cast<std::size_t>(view.stride));
}

void expect_as_opencv(const ImageView& plane, const ImageView& image) {
  for (const Similarity similarity : {Similarity::ncc, Similarity::cosine}) {
    SCOPED_TRACE(similarity == Similarity::ncc ? "ncc" : "cosine");
    cv::Mat map;
    cv::matchTemplate(as_mat(plane), as_mat(image), map,
                      similarity == Similarity::ncc ? cv::TM_CCOEFF_NORMED : cv::TM_CCORR_NORMED);
    double greatest = 0;
    cv::Point place;
    cv::minMaxLoc(map, nullptr, &greatest, nullptr, &place);
    MatchTemplate pattern(image, similarity);
    MatchScratch scratch;
    const std::shared_ptr<Queue> queue = Device::host()->make_queue(2);
    for (const MatchMethod method : test::kMatchMethods) {
      const MatchPlace own = test::find_match(*queue, plane, pattern, scratch, method);
      EXPECT_NEAR(own.score, greatest, 1e-4);
      if (own.x == place.x && own.y == place.y) continue;
      // Only where OpenCV cannot tell the scores apart.
      const ImageView there = {plane.row(place.y) + place.x, image.width, image.height,
                               plane.stride};
      float score = 0;
      reference::match_map(there, pattern, &score, 1);
      EXPECT_NEAR(score, own.score, 2e-6)
          << place.x << ", " << place.y << " instead of " << own.x << ", " << own.y;
      EXPECT_LE(score, own.score);
    }
  }
}

TEST(BestMatchOpenCv, MadeUpPictures) {
  Random random(7);
  for (int i = 0; i < 24; ++i) {
    const auto between = [&](std::uint32_t low, std::uint32_t high) {
      return static_cast<int>(low + random.below(high - low));
    };
    const int width = between(40, 200), height = between(40, 150);
    const int w = between(3, 40), h = between(3, 40);
    const PaddedImage plane = i % 2 == 0 ? test::noise_image(width, height, random.bits(), 5)
                                         : test::textured_image(width, height, random.bits(), 5);
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + ", " + std::to_string(w) +
                 "x" + std::to_string(h));
    const PaddedImage own =
        test::cut_out(plane, between(0, static_cast<std::uint32_t>(width - w + 1)),
                      between(0, static_cast<std::uint32_t>(height - h + 1)), w, h, 20);
    expect_as_opencv(plane.view(), own.view());
    expect_as_opencv(plane.view(), test::textured_image(w, h, random.bits()).view());
  }
}

TEST(BestMatchOpenCv, RecordedPictures) {
  const std::filesystem::path data = real_data("tld");
  SKIP_WITHOUT_DATA(data);
  gst_init(nullptr, nullptr);
  for (const char* name : {"david", "car", "pedestrian3"}) {
    SCOPED_TRACE(name);
    const std::string names[] = {name};
    const accuracy::Footage footage(accuracy::find_sequences({&data, 1}, names).front(), 30);
    ASSERT_EQ(footage.size(), 30u);
    const ImageView first = footage.frames().front()->frame().luma;
    for (const auto& [left, top, width, height] :
         {std::tuple{30, 20, 40, 60}, {first.width / 2, first.height / 2, 87, 61}}) {
      const ImageView part = {first.row(top) + left, width, height, first.stride};
      for (const std::size_t i : {0, 9, 29}) {
        expect_as_opencv(footage.frames()[i]->frame().luma, part);
      }
    }
  }
}

}  // namespace
}  // namespace cltrack
