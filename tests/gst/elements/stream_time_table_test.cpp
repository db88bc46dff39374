// SPDX-License-Identifier: LGPL-2.1-or-later
// What flags, GAP events, timestamps and segments do to tracks, in all trackers: the rows of the
// table in docs/notes/design.md.
#include <functional>
#include <sstream>
#include <utility>

#include "../support/matchers.h"
#include "../support/tracking_elements.h"

namespace cltrack::test {
namespace {

constexpr int kPictures = 24;
constexpr GstClockTime kFrame = ElementHarness::kFrameTime;

struct TrackerKind {
  const char* name;
  TrackingElement element;
  std::vector<Property> properties;
};

void PrintTo(const TrackerKind& kind, std::ostream* out) { *out << kind.name; }

std::vector<TrackerKind> tracker_kinds() {
  const std::vector<TrackingElement> elements = tracking_elements();
  return {{"tld", elements[0], {}},
          {"template", elements[0], {{"algorithm", "template"}}},
          {"color", elements[1], {}}};
}

// Pictures of an object that goes to the right, with timestamps and flags of the test.
class TimeTable : public testing::TestWithParam<TrackerKind> {
 protected:
  // What comes out of one picture.
  struct Shown {
    std::string tracks;  // ids, states and boxes
    int pictures = 0;    // that were looked at, up to this one
  };

  static BufferPtr picture(int i) {
    BoundingBox box = GetParam().element.object;
    box.x += static_cast<float>(2 * i);
    BufferPtr buffer = GetParam().element.picture(box, GetParam().element.format);
    GST_BUFFER_PTS(buffer.get()) = static_cast<GstClockTime>(i) * kFrame;
    GST_BUFFER_DURATION(buffer.get()) = kFrame;
    return buffer;
  }
  static std::string text_of(const BufferPtr& buffer) {
    std::ostringstream text;
    for (const gst::TrackRegion& region : regions(buffer)) {
      text << region.id << ' ' << (region.state ? to_string(*region.state) : "none") << ' '
           << region.box.x << ',' << region.box.y << ' ' << region.box.width << 'x'
           << region.box.height << "; ";
    }
    return text.str();
  }

  // `before` may change picture i, and do something before it; false: it does not come.
  using Before = std::function<bool(TrackerHarness&, BufferPtr&, int)>;
  // `after`: something that comes behind it.
  using After = std::function<void(TrackerHarness&, const BufferPtr&, int)>;
  static std::vector<std::string> run(
      const Before& before, const After& after = [](auto&, auto&, int) {}) {
    const TrackingElement& element = GetParam().element;
    TrackerHarness harness(element.name, GetParam().properties);
    harness.set(element.target.name, element.target.value);
    harness.set_caps(element.width, element.height, element.format);
    std::vector<std::string> all;
    for (int i = 0; i < kPictures; ++i) {
      BufferPtr buffer = picture(i);
      if (!before(harness, buffer, i)) continue;
      const BufferPtr out = harness.pass(std::move(buffer));
      all.push_back(text_of(out));
      after(harness, out, i);
    }
    return all;
  }
  static std::vector<std::string> run_plain() {
    return run([](auto&, auto&, int) { return true; });
  }
  static void shift(const BufferPtr& buffer, GstClockTimeDiff by) {
    GST_BUFFER_PTS(buffer.get()) += static_cast<GstClockTime>(by);
  }
  static std::vector<std::string> run_flag(GstBufferFlags flag) {
    return run([flag](auto&, const BufferPtr& buffer, int) {
      GST_BUFFER_FLAG_SET(buffer.get(), flag);
      return true;
    });
  }
};

INSTANTIATE_TEST_SUITE_P(Trackers, TimeTable, testing::ValuesIn(tracker_kinds()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(TimeTable, TheObjectIsTrackedAllTheTime) {
  for (const std::string& shown : run_plain()) EXPECT_THAT(shown, testing::HasSubstr("1 tracking"));
}

TEST_P(TimeTable, FlagsAndGapEventsChangeNothing) {
  const std::vector<std::string> plain = run_plain();
  for (const GstBufferFlags flag :
       {GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_RESYNC, GST_BUFFER_FLAG_DROPPABLE}) {
    EXPECT_EQ(run_flag(flag), plain) << flag;
  }
  EXPECT_EQ(run([](TrackerHarness& harness, auto&, int i) {
              harness.push_event(gst_event_new_gap(static_cast<GstClockTime>(i) * kFrame, 1));
              return true;
            }),
            plain);
}

TEST_P(TimeTable, SegmentsThatGoOnChangeNothing) {
  EXPECT_EQ(run([](TrackerHarness& harness, auto&, int) {
              harness.push_segment();
              return true;
            }),
            run_plain());
}

TEST_P(TimeTable, WithoutTimestampsTracksGoOn) {
  EXPECT_EQ(run([](TrackerHarness& harness, const BufferPtr& buffer, int) {
              harness.set_next_time(GST_CLOCK_TIME_NONE);
              GST_BUFFER_PTS(buffer.get()) = GST_CLOCK_TIME_NONE;
              return true;
            }),
            run_plain());
}

TEST_P(TimeTable, TimestampsThatStandStillOrAreConfusedChangeNothing) {
  const std::vector<std::string> plain = run_plain();
  EXPECT_EQ(run([](auto&, const BufferPtr& buffer, int i) {
              if (i % 2 == 1) shift(buffer, -static_cast<GstClockTimeDiff>(kFrame));
              return true;
            }),
            plain);
}

TEST_P(TimeTable, AFlagOnThePictureBehindMissingOnesChangesNothing) {
  const auto drop = [](bool has_flag) {
    return run([has_flag](auto&, const BufferPtr& buffer, int i) {
      if (i == 10 || i == 11) return false;
      if (i == 12 && has_flag) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
      return true;
    });
  };
  const std::vector<std::string> without = drop(false);
  EXPECT_THAT(without, SizeIs(kPictures - 2));
  EXPECT_EQ(drop(true), without);
}

// As by videorate.
TEST_P(TimeTable, RepeatedPicturesHaveTheTracksOfThePicture) {
  const std::vector<std::string> plain = run_plain();
  guint64 frames = 0;
  const auto all = run([](auto&, auto&, int) { return true; },
                       [&](TrackerHarness& harness, const BufferPtr& out, int i) {
                         BufferPtr again = picture(i);
                         shift(again, kFrame / 2);
                         GST_BUFFER_FLAG_SET(again.get(), GST_BUFFER_FLAG_GAP);
                         EXPECT_EQ(text_of(harness.pass(std::move(again))), text_of(out)) << i;
                         frames = uint64_of(harness.stats().get(), "frames");
                       });
  EXPECT_EQ(all, plain);
  EXPECT_EQ(frames, guint64{kPictures}) << "nothing is learnt twice";
}

// Commands do not wait for a new picture, which may never come.
TEST_P(TimeTable, CommandsActOnRepeatedPictures) {
  const auto all = run([](auto&, auto&, int i) { return i < 3; },
                       [&](TrackerHarness& harness, const BufferPtr&, int i) {
                         if (i != 2) return;
                         clear_targets(harness);
                         BufferPtr again = picture(i);
                         shift(again, kFrame / 2);
                         GST_BUFFER_FLAG_SET(again.get(), GST_BUFFER_FLAG_GAP);
                         EXPECT_EQ(text_of(harness.pass(std::move(again))), "");
                       });
  EXPECT_THAT(all, SizeIs(3));
}

// As by elements that have lost their source.
TEST_P(TimeTable, NeutralPicturesThatFillHolesSayNothing) {
  const auto all =
      run([](auto&, auto&, int) { return true; },
          [](TrackerHarness& harness, const BufferPtr&, int i) {
            for (int n = 1; n < 3; ++n) {
              const TrackingElement& element = GetParam().element;
              BufferPtr neutral = element.picture({}, element.format);
              GST_BUFFER_PTS(neutral.get()) =
                  static_cast<GstClockTime>(i) * kFrame + static_cast<GstClockTime>(n) * kFrame / 3;
              GST_BUFFER_FLAG_SET(neutral.get(), GST_BUFFER_FLAG_GAP);
              EXPECT_EQ(text_of(harness.pass(std::move(neutral))), "") << i;
            }
          });
  EXPECT_EQ(all, run_plain());
}

// A camera that restarts its clock, and seeks: all the same, and none is lost for good.
TEST_P(TimeTable, JumpsAndSeeksAreOneThing) {
  constexpr int kJump = 12;
  const auto after_flush = run([](TrackerHarness& harness, auto&, int i) {
    if (i == kJump) {
      harness.flush();
      harness.push_segment();
    }
    return true;
  });
  EXPECT_THAT(after_flush.back(), testing::HasSubstr("1 "));
  EXPECT_EQ(run([](auto&, const BufferPtr& buffer, int i) {
              if (i >= kJump) shift(buffer, -static_cast<GstClockTimeDiff>(kJump * kFrame));
              return true;
            }),
            after_flush)
      << "timestamps step back";
  EXPECT_EQ(run([](auto&, const BufferPtr& buffer, int i) {
              if (i >= kJump) shift(buffer, 3600 * GST_SECOND);
              return true;
            }),
            after_flush)
      << "timestamps step far ahead";
  EXPECT_EQ(run([](TrackerHarness& harness, auto&, int i) {
              if (i == kJump) harness.push_segment(GST_SECOND, kJump * kFrame);
              return true;
            }),
            after_flush)
      << "a segment from elsewhere";
}

TEST_P(TimeTable, AnotherStreamHasNoTracksOfTheOneBefore) {
  std::vector<std::string> actions_seen;
  run([&](TrackerHarness& harness, auto&, int i) {
    if (i == 12) harness.push_event(gst_event_new_stream_start("another"));
    if (i == 13) actions_seen = actions(harness);
    return true;
  });
  EXPECT_THAT(actions_seen, testing::Contains(testing::HasSubstr("removed")));
}

}  // namespace
}  // namespace cltrack::test
