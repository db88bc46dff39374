// SPDX-License-Identifier: LGPL-2.1-or-later
#include "examples/track_video/timeline.h"

#include <gtest/gtest.h>

namespace track_video {
namespace {

using cltrack::TrackState;

Row row(std::uint64_t frame, TrackState state, float confidence) {
  return {.frame = frame,
          .seconds = static_cast<double>(frame) / 10,
          .label = {},
          .state = state,
          .confidence = confidence,
          .box = {}};
}

TEST(TimelineTest, APartForEachFrameOfAShortVideo) {
  Timeline timeline;
  for (std::uint64_t frame = 25; frame < 30; ++frame) {
    timeline.add(std::vector{row(frame, TrackState::tracking, 0.5f),
                             row(frame, frame < 28 ? TrackState::uncertain : TrackState::lost, 0)});
  }
  ASSERT_EQ(timeline.parts().size(), 5u);
  EXPECT_EQ(timeline.parts()[3].frame, 28u);
  EXPECT_DOUBLE_EQ(timeline.parts()[3].seconds, 2.8);
  EXPECT_EQ(timeline.parts()[3].tracks[0].tracking, 1u);
  EXPECT_EQ(timeline.parts()[3].tracks[0].lowest, 0.5f);
  EXPECT_EQ(timeline.parts()[2].tracks[1].uncertain, 1u);
  EXPECT_EQ(timeline.parts()[3].tracks[1].lost, 1u);
  EXPECT_GT(timeline.parts()[3].tracks[1].lowest, timeline.parts()[3].tracks[1].highest);
}

TEST(TimelineTest, ALongVideoHasAsManyPartsAndNoFrameIsForgotten) {
  Timeline timeline;
  constexpr std::uint64_t kFrames = 100003;
  for (std::uint64_t frame = 0; frame < kFrames; ++frame) {
    const bool lost = frame == 54321;
    timeline.add(std::vector{
        row(frame, lost ? TrackState::lost : TrackState::tracking, frame == 777 ? 0.25f : 0.75f)});
    ASSERT_LE(timeline.parts().size(), Timeline::kMostParts);
  }
  EXPECT_GT(timeline.parts().size(), Timeline::kMostParts / 2);
  std::uint64_t next = 0;
  std::uint64_t tracking = 0;
  double sum = 0;
  for (const Part& part : timeline.parts()) {
    EXPECT_EQ(part.frame, next);
    const PartTrack& track = part.tracks[0];
    next += track.tracking + track.lost;
    tracking += track.tracking;
    sum += track.sum;
    EXPECT_EQ(track.lost > 0, part.frame <= 54321 && 54321 < next);
    EXPECT_EQ(track.lowest, part.frame <= 777 && 777 < next ? 0.25f : 0.75f);
  }
  EXPECT_EQ(next, kFrames);
  EXPECT_DOUBLE_EQ(sum, 0.75 * static_cast<double>(tracking) - 0.5);
}

}  // namespace
}  // namespace track_video
