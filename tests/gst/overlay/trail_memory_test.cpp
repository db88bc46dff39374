// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_trail.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace cltrack::gst {
namespace {

TrackRegion region(int id, float x, std::optional<TrackState> state = {}) {
  TrackRegion result;
  result.id = id;
  result.label = "thing";
  result.box = {x, 10, 20, 10};
  result.state = state;
  return result;
}

class TrailMemoryTest : public ::testing::Test {
 protected:
  // The x of the points of the first region's trail.
  std::vector<float> update(std::vector<TrackRegion> regions, std::size_t length = 5) {
    memory_.update(regions, length);
    std::vector<float> places;
    if (regions.empty()) return places;
    for (const TrackPoint& point : regions[0].trail) places.push_back(point.x);
    return places;
  }
  void update_without_any(int times) {
    for (int i = 0; i < times; ++i) update({});
  }

  TrailMemory memory_;
};

using Places = std::vector<float>;

TEST_F(TrailMemoryTest, RemembersCentresUpToALength) {
  EXPECT_EQ(update({region(1, 0)}, 3), (Places{10}));
  EXPECT_EQ(update({region(1, 1)}, 3), (Places{10, 11}));
  EXPECT_EQ(update({region(1, 2)}, 3), (Places{10, 11, 12}));
  EXPECT_EQ(update({region(1, 3)}, 3), (Places{11, 12, 13}));
  EXPECT_EQ(update({region(1, 4)}, 2), (Places{13, 14})) << "a shorter one holds at once";
  EXPECT_EQ(update({region(1, 5)}, 0), Places{});
  EXPECT_EQ(update({region(1, 6)}, 3), (Places{16})) << "0 forgets";
}

TEST_F(TrailMemoryTest, IdAndLabelSayWhatIsTheSame) {
  update({region(1, 0), region(2, 100)});
  EXPECT_EQ(update({region(2, 101), region(1, 1)}), (Places{110, 111}));
  TrackRegion other = region(2, 102);
  other.label = "other";
  EXPECT_EQ(update({other}), (Places{112}));
}

TEST_F(TrailMemoryTest, EachTrackerHasItsOwnIds) {
  std::vector<TrackRegion> both = {region(1, 0), region(1, 50)};
  both[0].tracker = "a";
  both[1].tracker = "b";
  memory_.update(both, 5);
  EXPECT_EQ(both[0].trail.size(), 1u);
  EXPECT_EQ(both[1].trail.size(), 1u);
}

TEST_F(TrailMemoryTest, OfOneIdTheFirstRegionCounts) {
  std::vector<TrackRegion> both = {region(1, 0), region(1, 50)};
  memory_.update(both, 5);
  EXPECT_EQ(both[0].trail.size(), 1u);
  EXPECT_TRUE(both[1].trail.empty());
  EXPECT_EQ(update({region(1, 1)}), (Places{10, 11}));
}

TEST_F(TrailMemoryTest, FindsOfDetectorsHaveNone) {
  update({region(0, 0)});
  EXPECT_EQ(update({region(0, 1)}), Places{});
  update({region(-7, 0)});
  EXPECT_EQ(update({region(-7, 1)}), Places{});
  update({region(0, 0, TrackState::tracking)});
  EXPECT_EQ(update({region(0, 1, TrackState::tracking)}), (Places{10, 11})) << "a track";
}

TEST_F(TrailMemoryTest, ATrailOfTheMetadataStays) {
  update({region(1, 0)});
  TrackRegion with_trail = region(1, 1);
  with_trail.trail = {{7, 7}, {8, 8}};
  EXPECT_EQ(update({with_trail}), (Places{7, 8}));
}

TEST_F(TrailMemoryTest, ShortAbsencesAreBridged) {
  update({region(1, 0)});
  update_without_any(static_cast<int>(TrailMemory::kForgetAfter) - 1);
  EXPECT_EQ(update({region(1, 1)}), (Places{10, 11}));
  update_without_any(static_cast<int>(TrailMemory::kForgetAfter) + 1);
  EXPECT_EQ(update({region(1, 2)}), (Places{12}));
}

TEST_F(TrailMemoryTest, ForgetsWhatItIsTold) {
  update({region(1, 0), region(2, 50)});
  memory_.forget({"", 1, "another label"});
  memory_.forget({"", 2, "thing"});
  EXPECT_EQ(update({region(1, 1)}), (Places{10, 11}));
  EXPECT_EQ(update({region(2, 51)}), (Places{61}));
  memory_.reset();
  EXPECT_EQ(update({region(1, 2)}), (Places{12}));
}

TEST_F(TrailMemoryTest, FollowsThePicturesSize) {
  update({region(1, 0)});
  memory_.rescale(2, 3);
  EXPECT_EQ(update({region(1, 20)}), (Places{20, 30}));
}

TEST_F(TrailMemoryTest, BoxesThatAreNoneHaveNoPlace) {
  TrackRegion bad = region(1, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(update({bad}), Places{});
  bad.box = {0, 0, 0, 10};
  EXPECT_EQ(update({bad}), Places{});
}

TEST_F(TrailMemoryTest, IsBoundedWhateverIdsCome) {
  constexpr int kMost = static_cast<int>(TrailMemory::kMostTrails);
  std::vector<TrackRegion> many;
  for (int id = 1; id <= 2 * kMost; ++id) many.push_back(region(id, 0));
  memory_.update(many, 5);
  int with_trail = 0;
  for (const TrackRegion& one : many) with_trail += !one.trail.empty();
  EXPECT_EQ(with_trail, kMost);
  EXPECT_EQ(update({region(3 * kMost, 0)}), (Places{10})) << "the latest has a place";
  EXPECT_EQ(update({region(3 * kMost, 1)}), (Places{10, 11}));
}

}  // namespace
}  // namespace cltrack::gst
