// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/target_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "cltrack/tracker.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Table = TargetTable<int>;  // 0: nothing is known

constexpr BoundingBox kBox = {10, 20, 30, 40};
constexpr BoundingBox kOther = {50, 60, 30, 40};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr BoundingBox kNoBoxes[] = {
    {10, 10, 0, 0}, {10, 10, 30, 7.9f}, {kNan, 10, 30, 30}, {10, 10, -30, 30}};

std::vector<std::uint64_t> ids_of(const Table& table) {
  std::vector<std::uint64_t> ids;
  for (const auto& entry : table.entries()) ids.push_back(entry.track.id);
  return ids;
}

class TargetTableTest : public testing::Test {
 protected:
  std::span<const Track> report(std::int64_t pts = 0) {
    return table_.report(pts, [](const Table::Entry&) { return std::optional<Sighting>(); });
  }

  // Under the next id.
  std::uint64_t add(int known, const std::optional<BoundingBox>& place, std::string_view label) {
    return table_.add({}, known, place, label);
  }

  Table table_{TargetLimit::of_config(3)};
};

TEST_F(TargetTableTest, IdsAreKnownAtOnceAndTargetsFromTheUpdateOn) {
  EXPECT_EQ(add(7, kBox, "a"), 1u);
  EXPECT_EQ(add(0, {}, "b"), 2u);
  EXPECT_TRUE(table_.has(2));
  EXPECT_THAT(table_.entries(), IsEmpty());
  EXPECT_TRUE(table_.update().any);
  ASSERT_THAT(ids_of(table_), ElementsAre(1u, 2u));
  EXPECT_EQ(table_.entries()[0].track.label, "a");
  EXPECT_EQ(table_.entries()[0].target, 7);
  EXPECT_EQ(table_.entries()[0].place, kBox);
  EXPECT_FALSE(table_.entries()[1].place);
  EXPECT_FALSE(table_.update().any);
}

TEST_F(TargetTableTest, IdsMayBeTheCallersAndNumbersCount) {
  EXPECT_EQ(table_.add(7, 0, kBox, "first"), 7u);
  EXPECT_EQ(table_.add(3, 0, kBox, "second"), 3u);
  EXPECT_EQ(add(0, kBox, "third"), 8u) << "one that nobody has had";
  EXPECT_TRUE(table_.has(3));
  table_.update();
  EXPECT_THAT(ids_of(table_), ElementsAre(7u, 3u, 8u));
  EXPECT_EQ(table_.entries()[1].number, 2u);
  std::vector<std::string> labels;
  for (const Track& track : report()) labels.push_back(track.label);
  EXPECT_THAT(labels, ElementsAre("second", "first", "third")) << "by rising ids";
  EXPECT_TRUE(table_.move(3, kOther));
  EXPECT_TRUE(table_.remove(7));
  table_.add(7, 5, kBox, "another one");
  EXPECT_THAT(table_.update().removed, ElementsAre(1u));
  EXPECT_THAT(ids_of(table_), ElementsAre(3u, 8u, 7u));
  EXPECT_EQ(table_.entries()[0].place, kOther);
  EXPECT_EQ(table_.entries()[2].target, 5);
}

TEST_F(TargetTableTest, RefusesAnIdThatATargetHas) {
  add(0, kBox, "");
  expect_rejected([&] { table_.add(1, 0, kBox, ""); }, {"a target with the id 1 already"});
  table_.update();
  expect_rejected([&] { table_.add(1, 0, kBox, ""); }, {"a target with the id 1 already"});
  expect_rejected([&] { table_.add(0, 0, kBox, ""); }, {"0 cannot be the id"});
  table_.update();
  EXPECT_THAT(ids_of(table_), ElementsAre(1u));
}

TEST_F(TargetTableTest, IdsMayComeFromASource) {
  std::uint64_t next = 20;
  table_.set_id_source([&] { return next++; });
  EXPECT_EQ(add(0, kBox, ""), 20u);
  EXPECT_EQ(table_.next_id(), 21u);
  expect_rejected([&] { add(0, BoundingBox{}, ""); });
  EXPECT_EQ(add(0, kBox, ""), 22u) << "an id is not lost with what is refused";
  table_.reset();
  EXPECT_EQ(table_.next_id(), 23u);
}

TEST_F(TargetTableTest, MovesSayWhereATargetIs) {
  const std::uint64_t id = add(7, kBox, "");
  EXPECT_TRUE(table_.move(id, kOther)) << "while it waits";
  table_.update();
  EXPECT_EQ(table_.entries()[0].place, kOther);
  report();
  EXPECT_FALSE(table_.entries()[0].place) << "it was for one frame";
  EXPECT_TRUE(table_.move(id, kOther));
  EXPECT_TRUE(table_.move(id, kBox));
  EXPECT_FALSE(table_.entries()[0].place) << "it waits for the update";
  EXPECT_TRUE(table_.update().any);
  EXPECT_EQ(table_.entries()[0].place, kBox) << "the latest";
  EXPECT_EQ(table_.entries()[0].target, 7);
  EXPECT_FALSE(table_.move(id + 1, kBox));
}

TEST_F(TargetTableTest, RemovesThoseThatWaitAndThoseThatAreThere) {
  const std::uint64_t there = add(0, kBox, ""), stays = add(0, kBox, "");
  table_.update();
  const std::uint64_t waits = add(0, kBox, "");
  EXPECT_TRUE(table_.move(there, kOther));
  for (const std::uint64_t id : {there, waits}) {
    EXPECT_TRUE(table_.remove(id));
    EXPECT_FALSE(table_.remove(id));
    EXPECT_FALSE(table_.move(id, kBox));
    EXPECT_FALSE(table_.has(id));
  }
  EXPECT_THAT(table_.update().removed, ElementsAre(there));
  EXPECT_THAT(ids_of(table_), ElementsAre(stays));
}

TEST_F(TargetTableTest, ClearForgetsAllButTheIdsThatWereUsed) {
  add(0, kBox, "");
  table_.update();
  add(0, kBox, "");
  table_.clear();
  EXPECT_FALSE(table_.has(1));
  EXPECT_FALSE(table_.has(2));
  EXPECT_EQ(add(0, kBox, ""), 3u);
  EXPECT_THAT(table_.update().removed, ElementsAre(1u));
  EXPECT_THAT(ids_of(table_), ElementsAre(3u));
  EXPECT_EQ(table_.next_id(), 4u);
  EXPECT_EQ(add(0, kBox, ""), 5u);
  table_.reset();
  EXPECT_THAT(table_.entries(), IsEmpty());
  EXPECT_EQ(add(0, kBox, ""), 1u);
}

TEST_F(TargetTableTest, TakesSoManyAndNoMoreThoseThatWaitIncluded) {
  for (int i = 0; i < 3; ++i) {
    add(0, kBox, "");
    table_.update();
  }
  expect_rejected([&] { add(0, kBox, ""); }, {"3 targets", "max_targets is 3"});
  EXPECT_TRUE(table_.remove(2));
  EXPECT_EQ(add(0, kBox, ""), 4u) << "there is room at once";
}

TEST_F(TargetTableTest, RefusesBoxesThatNoFrameCouldHold) {
  const std::uint64_t id = add(0, kBox, "");
  for (const BoundingBox& box : kNoBoxes) {
    expect_rejected([&] { add(0, box, ""); }, {"cannot be tracked: "});
    expect_rejected([&] { table_.move(id, box); }, {"cannot be tracked: "});
  }
  EXPECT_NO_THROW(add(0, BoundingBox{-1000, 5000, 30, 30}, "")) << "a frame may be large";
}

TEST_F(TargetTableTest, ReportsWhatWasSeen) {
  add(1, {}, "seen");
  add(0, {}, "lost");
  table_.update();
  const auto sighting = [](const Table::Entry& entry) -> std::optional<Sighting> {
    if (entry.target == 0) return std::nullopt;
    return Sighting{kBox, 0.5f, TrackState::uncertain};
  };
  table_.report(5, sighting);
  auto tracks = table_.report(6, sighting);
  ASSERT_THAT(tracks, SizeIs(2));
  EXPECT_EQ(tracks[0].label, "seen");
  EXPECT_EQ(tracks[0].box, kBox);
  EXPECT_EQ(tracks[0].confidence, 0.5f);
  EXPECT_EQ(tracks[0].state, TrackState::uncertain);
  EXPECT_EQ(tracks[0].last_seen, 6);
  EXPECT_EQ(tracks[0].age, 2u);
  EXPECT_EQ(tracks[1].state, TrackState::lost);
  EXPECT_EQ(tracks[1].last_seen, kNoTimestamp);
  tracks = report(7);
  EXPECT_EQ(tracks[0].state, TrackState::lost);
  EXPECT_EQ(tracks[0].box, BoundingBox());
  EXPECT_EQ(tracks[0].confidence, 0);
  EXPECT_EQ(tracks[0].last_seen, 6);
  EXPECT_EQ(tracks[0].age, 3u);
}

TEST_F(TargetTableTest, AFrameThatIsGivenUpMayBegin) {
  add(0, kBox, "made of the frame");
  add(3, kBox, "known before");
  table_.update();
  Table::Entry& made = table_.entries()[0];
  made.target = 9;
  made.starts = true;
  table_.give_up();
  EXPECT_EQ(made.target, 0);
  EXPECT_EQ(made.place, kBox) << "for the next frame";
  EXPECT_EQ(table_.entries()[1].target, 3);
  made.target = 9;
  made.starts = true;
  report();
  table_.give_up();
  EXPECT_EQ(made.target, 9) << "what was reported stays";
}

TEST_F(TargetTableTest, RescalesWhatWasThereBefore) {
  add(1, kBox, "");
  table_.update();
  int calls = 0;
  const auto rescale = [&](Table::Entry& entry, float x, float y) {
    ++calls;
    EXPECT_EQ(entry.target, 1);
    EXPECT_EQ(x, 2);
    EXPECT_EQ(y, 0.5f);
  };
  EXPECT_TRUE(table_.resize(100, 200, rescale)) << "the first frame";
  EXPECT_FALSE(table_.resize(100, 200, rescale));
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(table_.resize(200, 100, rescale));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(table_.entries()[0].place, kBox) << "it is given in the frame that comes";
  EXPECT_EQ(table_.width(), 200);
  EXPECT_EQ(table_.height(), 100);
}

TEST_F(TargetTableTest, ManyThreadsMaySayWhatTheyWant) {
  constexpr int kThreads = 4, kRounds = 300;
  Table table(TargetLimit::of_config(kThreads * 2));
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> kept(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        const std::uint64_t id = table.add({}, t, kBox, "");
        EXPECT_TRUE(table.move(id, kOther));
        EXPECT_TRUE(table.remove(id));
        EXPECT_FALSE(table.move(id, kOther));
      }
      kept[static_cast<std::size_t>(t)] = table.add({}, t, kBox, "");
    });
  }
  for (int i = 0; i < kRounds; ++i) {
    table.update();
    EXPECT_TRUE(std::ranges::is_sorted(ids_of(table)));
  }
  for (std::thread& thread : threads) thread.join();
  table.update();
  std::ranges::sort(kept);
  EXPECT_EQ(ids_of(table), kept);
}

TEST(TargetLimit, OfAConfigNamesItsFieldAndWhatToDo) {
  const TargetLimit limit = TargetLimit::of_config(3);
  EXPECT_NO_THROW(limit.check(2));
  expect_rejected([&] { limit.check(3); }, {"3 targets", "max_targets is 3", "remove one first"});
}

TEST(CheckBox, RefusesBoxesThatNoFrameCouldHold) {
  for (const BoundingBox& box : kNoBoxes) expect_rejected([&] { check_box(box); });
  EXPECT_NO_THROW(check_box({-1000, 5000, 30, 30})) << "a frame may be large";
  const std::string message = test::error_of([] { check_box({10, 10, 5, 60}); }).what();
  EXPECT_THAT(message,
              testing::AllOf(testing::HasSubstr("width=5"), testing::HasSubstr("too small")));
  EXPECT_THAT(message, testing::Not(testing::HasSubstr("frame"))) << "none is known yet";
}

TEST(RefuseSeed, NamesWhatWasGivenAndWhatIsAllowed) {
  const std::uint8_t pixel = 0;
  const auto expect_refused = [](const Seed& seed, const std::vector<std::string>& parts) {
    expect_rejected([&] { refuse_seed(seed, "TLD", "a box"); }, parts);
  };
  expect_refused(ImageView{&pixel, 1, 1, 1}, {"TLD", "as a picture", "give a box"});
  expect_refused(ColorModel::nothing(), {"as a colour"});
  expect_refused(BoundingBox{10, 20, 30, 40}, {"as a box"});
}

TEST(ClipTarget, KeepsWhatIsInside) {
  EXPECT_EQ(clip_target({10, 20, 30, 40}, 320, 240), (BoundingBox{10, 20, 30, 40}));
  EXPECT_EQ(clip_target({-10, 20, 30, 40}, 320, 240), (BoundingBox{0, 20, 20, 40}));
  EXPECT_EQ(clip_target({-10, -10, 4000, 4000}, 320, 240), (BoundingBox{0, 0, 320, 240}));
  EXPECT_EQ(clip_target({312, 232, 8, 8}, 320, 240), (BoundingBox{312, 232, 8, 8}));
}

TEST(ClipTarget, SaysWhyABoxCannotBeTracked) {
  const struct {
    BoundingBox box;
    const char* reason;
  } kCases[] = {
      {{10, 20, 0, 0}, "width and height more than 0"},
      {{10, 20, -30, 40}, "width and height more than 0"},
      {{kNan, 20, 30, 40}, "finite"},
      {{10, 20, 30, kNan}, "finite"},
      {{10, 20, 1, 1}, "too small, a target must have at least 8x8"},
      {{10, 20, 5, 60}, "too small, a target must have at least 8x8"},
      {{400, 20, 30, 40}, "outside of the frame, which has 320x240 pixels"},
      {{-30, 20, 30, 40}, "outside of the frame, which has 320x240 pixels"},
      {{313, 20, 30, 40}, "only 7x40 pixels of it lie inside the frame of 320x240, at least 8x8"},
  };
  for (const auto& wanted : kCases) {
    expect_rejected([&] { clip_target(wanted.box, 320, 240); }, {wanted.reason});
  }
}

TEST(ClipTarget, NamesTheBox) {
  expect_rejected(
      [] {
        clip_target({400, 21, 32, 43}, 320, 240);
      },
      {"x=400 y=21 width=32 height=43"});
}

}  // namespace
}  // namespace cltrack
