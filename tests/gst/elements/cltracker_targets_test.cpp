// SPDX-License-Identifier: LGPL-2.1-or-later
// How targets are given: good and bad boxes, before the start and while PLAYING. Each bad one ends
// the process of those who use cvtracker. Which are bad is tested in properties/ and stream/.
#include <string>
#include <string_view>
#include <vector>

#include "../support/matchers.h"
#include "../support/tracker_harness.h"
#include "properties/target_settings.h"

namespace cltrack::test {
namespace {

Image picture() { return draw_scene(320, 240, kTarget); }
std::vector<gst::TrackRegion> track(TrackerHarness& harness) {
  return regions(harness.pass(picture()));
}

// A stream of which one frame has passed, with a target that has the id 1.
struct Running : GreyTracker {
  Running() : GreyTracker{{"targets", kTargets}} {
    EXPECT_THAT(track(*this), SizeIs(1));
    states();  // drops the messages
  }
};

// Those of level INFO of tracking elements, while this lives.
class InfoLog {
 public:
  InfoLog() {
    gst_debug_set_threshold_for_name("cltrackerbase", GST_LEVEL_INFO);
    (gst_debug_add_log_function)(keep, &texts, nullptr);  // the macro is not pedantic
  }
  ~InfoLog() {
    (gst_debug_remove_log_function)(keep);
    gst_debug_unset_threshold_for_name("cltrackerbase");
  }
  InfoLog(const InfoLog&) = delete;
  InfoLog& operator=(const InfoLog&) = delete;

  std::vector<std::string> texts;

 private:
  static void keep(GstDebugCategory* category, GstDebugLevel level, const gchar*, const gchar*,
                   gint, GObject*, GstDebugMessage* message, gpointer kept) {
    if (level != GST_LEVEL_INFO) return;
    if (std::string_view(gst_debug_category_get_name(category)) != "cltrackerbase") return;
    static_cast<std::vector<std::string>*>(kept)->emplace_back(gst_debug_message_get(message));
  }
};

TEST(ClTrackerTargets, ThatThereAreNoneIsSaidOnce) {
  GreyTracker harness, with_target{{"targets", kTargets}};
  const InfoLog log;
  track(with_target);
  EXPECT_THAT(log.texts, Not(Contains(HasSubstr("nothing to track"))));
  for (int i = 0; i < 3; ++i) EXPECT_NE(harness.pass(picture()), nullptr);
  EXPECT_THAT(log.texts, ElementsAre(HasSubstr("nothing to track")));
}

// --- boxes that do not fit the picture

struct BadBox {
  const char* name;
  const char* targets;
  const char* reason = "";  // is in the message
};

class BadBoxTest : public ::testing::TestWithParam<BadBox> {};

TEST_P(BadBoxTest, IsAnErrorOnTheFirstBufferAndAWarningLater) {
  GreyTracker first{{"targets", GetParam().targets}};
  EXPECT_EQ(first.push(picture()), GST_FLOW_ERROR);
  EXPECT_THAT(first.texts(GST_MESSAGE_ERROR), ElementsAre(HasSubstr(GetParam().reason)));

  Running harness;
  std::string targets = GetParam().targets;
  targets.insert(targets.size() - 1, ",<90,70,60,60,good>");
  harness.set("targets", targets);
  const auto found = track(harness);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "good");
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("is ignored")));
}

INSTANTIATE_TEST_SUITE_P(
    ClTracker, BadBoxTest,
    ::testing::Values(BadBox{"far", "<<1e9,80,48,40>>", "outside of the frame, which has 320x240"},
                      BadBox{"too_small", "<<100,80,7.9,40>>",
                             "too small, a target must have at least 8x8"},
                      BadBox{"too_little_inside", "<<313,80,48,40>>",
                             "only 7x40 pixels of it lie inside the frame of 320x240"}),
    [](const auto& tested) { return tested.param.name; });

TEST(ClTrackerTargets, PartlyOutsideIsClippedWithAWarning) {
  for (const auto& [target, clipped] :
       {std::pair{BoundingBox{290, 200, 60, 60}, BoundingBox{290, 200, 30, 40}},
        {{-100, -100, 1000, 1000}, {0, 0, 320, 240}}}) {
    GreyTracker harness{{"targets", targets_text(target)}};
    EXPECT_GT(overlap(track(harness).at(0).box, clipped), 0.9f);
    EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("extends beyond the frame")));
    for (int i = 0; i < 5; ++i) EXPECT_NE(harness.pass(picture()), nullptr);
  }
}

// --- values that are no targets

// What the property refuses, it refuses for good: a start without the targets would be a surprise.
class BadValueTest : public ::testing::TestWithParam<BadBox> {};

TEST_P(BadValueTest, MakesTheNextStartFail) {
  TrackerHarness harness;
  harness.set_state(GST_STATE_NULL);
  const auto expect_failure = [&] {
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto texts = harness.texts(GST_MESSAGE_ERROR);
    harness.set_state(GST_STATE_NULL);
    return texts;
  };
  harness.set("targets", "<<1,2,30,40>>");
  harness.set("targets", GetParam().targets);
  EXPECT_THAT(expect_failure(), ElementsAre(AllOf(HasSubstr("targets: "),
                                                  HasSubstr("Write <<x, y, width, height>"))));
  harness.set("targets-json", R"([{"x":1,"y":2,"width":30,"height":40}])");  // the same property
  EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  harness.set_state(GST_STATE_NULL);

  // And after a start that has failed.
  harness.set("device", "none such");
  expect_failure();
  harness.set("device", "host");
  harness.set("targets", GetParam().targets);
  EXPECT_THAT(expect_failure(), ElementsAre(HasSubstr("targets: ")));
}

TEST_P(BadValueTest, WhilePlayingChangesNothing) {
  Running harness;
  harness.set("targets", GetParam().targets);
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("targets: ")));
  const auto found = track(harness);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, 1);
}

INSTANTIATE_TEST_SUITE_P(ClTracker, BadValueTest,
                         ::testing::Values(BadBox{"arity", "<<1,2,30>>"},
                                           BadBox{"nan", "<<(double)nan,2,30,40>>"},
                                           BadBox{"empty", "<<1,2,0,40>>"}),
                         [](const auto& tested) { return tested.param.name; });

// --- object-initial-*

TEST(ClTrackerTargets, InitialBoxMeansTheSameAsInCvtracker) {
  GreyTracker harness{{"object-initial-x", "100"},
                      {"object-initial-y", "80"},
                      {"object-initial-width", "48"},
                      {"object-initial-height", "40"}};
  const auto found = track(harness);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "object");
  EXPECT_GT(overlap(found[0].box, kTarget), 0.9f);
  GreyTracker with_defaults{{"object-initial-x", "150"}};
  EXPECT_GT(overlap(track(with_defaults).at(0).box, {150, 50, 50, 50}), 0.9f);
}

TEST(ClTrackerTargets, EmptyOrFarInitialBoxIsAnError) {
  for (const auto& [name, value] : {std::pair{"object-initial-width", "0"},
                                    {"object-initial-height", "1"},
                                    {"object-initial-x", "4294967295"}}) {
    GreyTracker harness{{name, value}};
    EXPECT_EQ(harness.push(picture()), GST_FLOW_ERROR);
    EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), SizeIs(1)) << name;
  }
}

TEST(ClTrackerTargets, InitialBoxComesBeforeTheOthersAndLabelIsThatOfTargetsWithoutOne) {
  GreyTracker harness{{"targets", "<<10,10,50,50,second>,<150,150,50,50>>"},
                      {"object-initial-x", "100"},
                      {"object-initial-y", "80"},
                      {"label", "car"}};
  const auto found = track(harness);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].label, "car");
  EXPECT_EQ(found[0].id, 1);
  EXPECT_EQ(found[1].label, "second");
  EXPECT_EQ(found[2].label, "car");
}

TEST(ClTrackerTargets, FourNumbersOfOneCallActTogether) {
  Running harness;
  g_object_set(harness.object(), "object-initial-x", 400u, "object-initial-y", 80u,
               "object-initial-width", 48u, "object-initial-height", 40u, "object-initial-x", 100u,
               nullptr);
  EXPECT_NE(harness.pass(picture()), nullptr);
  EXPECT_THAT(harness.texts(), IsEmpty()) << "x = 400 was seen on its own";
}

// --- changes while PLAYING

TEST(ClTrackerTargets, NewTargetsActOnTheNextBufferWithNewIds) {
  Running harness;
  harness.set("targets", "<<100,80,48,40,a>,<90,150,50,50,b>>");
  const auto found = track(harness);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].id, 2);
  EXPECT_EQ(found[0].label, "a");
  EXPECT_EQ(found[1].id, 3);
  EXPECT_THAT(harness.states(), SizeIs(2));
  harness.set("targets", "<>");
  EXPECT_THAT(track(harness), IsEmpty());
  for (const int id : {4, 5}) {
    harness.set("targets", kTargets);
    EXPECT_EQ(track(harness).at(0).id, id) << "the same again is a fresh start";
  }
}

TEST(ClTrackerTargets, FirstTargetMayComeLate) {
  GreyTracker harness;
  harness.pass(picture());
  g_object_set(harness.object(), "object-initial-x", 100u, "object-initial-y", 80u, nullptr);
  EXPECT_EQ(track(harness).at(0).id, 1);
}

TEST(ClTrackerTargets, OtherPropertiesLeaveTheTargetsAlone) {
  Running harness;
  harness.set("learning", "false");
  harness.set("label", "car");
  harness.set("draw-rect", "true");
  const auto found = track(harness);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, 1);
  EXPECT_EQ(found[0].label, "object");
}

TEST(ClTrackerTargets, ReadAndSetAgainTheyAreTheSame) {
  TrackerHarness harness{{"targets", "<<10,20,50.5,50>,<60,20,30,40,\"red car\">,<1,2,30,40,50>>"}};
  for (int i = 0; i < 2; ++i) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, GST_TYPE_ARRAY);
    g_object_get_property(harness.object(), "targets", &value);
    const auto targets = gst::parse_targets(&value);
    ASSERT_THAT(targets, SizeIs(3));
    EXPECT_EQ(targets[0].box, (BoundingBox{10, 20, 50.5f, 50}));
    EXPECT_EQ(targets[0].label, "");
    EXPECT_EQ(targets[1].box, (BoundingBox{60, 20, 30, 40}));
    EXPECT_EQ(targets[1].label, "red car");
    EXPECT_EQ(targets[2].label, "50") << "a number is still a label";
    char* text = gst_value_serialize(&value);
    harness.set("targets", text);
    g_free(text);
    g_object_set_property(harness.object(), "targets", &value);
    g_value_unset(&value);
  }
  EXPECT_THAT(harness.texts(), IsEmpty());
}

// --- bytes that are no text

constexpr const char* kBadLabel = "caf\xe9";  // "café" in Latin-1

TEST(ClTrackerTargets, ALabelThatIsNotUtf8IsRefused) {
  for (const char* factory : {"cltracker", "clcolortracker"}) {
    TrackerHarness harness({{"label", "good"}}, factory);
    g_object_set(harness.object(), "label", kBadLabel, nullptr);
    EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("label: \"caf\\351\" is not valid UTF-8")));
    EXPECT_EQ(text_property(harness.object(), "label"), "good");
    harness.set_state(GST_STATE_NULL);
    g_object_set(harness.object(), "label", kBadLabel, nullptr);
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), ElementsAre(HasSubstr("is not valid UTF-8")));
    harness.set_state(GST_STATE_NULL);
    g_object_set(harness.object(), "label", "caf\xc3\xa9", nullptr);
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  }
}

// Names of files may be any bytes, messages may not.
TEST(ClTrackerTargets, ErrorsAreUtf8WhateverTheyName) {
  TrackerHarness harness;
  harness.set_state(GST_STATE_NULL);
  g_object_set(harness.object(), "template-location", kBadLabel, nullptr);
  EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_TRUE(g_utf8_validate(errors[0].c_str(), -1, nullptr)) << errors[0];
}

// --- how many

constexpr const char* kThree = "<<100,80,48,40>,<10,10,30,30>,<200,100,40,40>>";
constexpr const char* kTwo = "<<100,80,48,40>,<10,10,30,30>>";

TEST(ClTrackerMaxTargets, TooManyMakeTheStartFail) {
  TrackerHarness harness;
  harness.set_state(GST_STATE_NULL);
  harness.set("max-targets", "2");
  harness.set("targets", kThree);
  EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  EXPECT_THAT(
      harness.texts(GST_MESSAGE_ERROR),
      ElementsAre(AllOf(HasSubstr("targets: 3 are set"), HasSubstr("max-targets allows 2"))));
  // object-initial-* is a target, too.
  harness.set("targets", kTwo);
  harness.set("object-initial-x", "20");
  EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), ElementsAre(HasSubstr("targets: 3 are set")));
  // The order in which they are set does not matter.
  harness.set("max-targets", "3");
  EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
}

TEST(ClTrackerMaxTargets, TooManyWhilePlayingChangeNothing) {
  GreyTracker harness{{"max-targets", "2"}, {"targets", kTwo}};
  EXPECT_THAT(track(harness), SizeIs(2));
  harness.set("max-targets", "3");  // from the next start on
  for (const auto& [name, value] : {std::pair{"targets", kThree}, {"object-initial-x", "20"}}) {
    harness.set(name, value);
    EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("targets: 3 are set")));
    const auto found = track(harness);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].id, 1);
    EXPECT_EQ(found[1].id, 2);
  }
  harness.set("targets", "<<10,10,30,30>>");
  EXPECT_THAT(track(harness), SizeIs(2));
  EXPECT_THAT(harness.texts(), IsEmpty());
}

}  // namespace
}  // namespace cltrack::test
