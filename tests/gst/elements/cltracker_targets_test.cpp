// SPDX-License-Identifier: LGPL-2.1-or-later
// How targets are given: good and bad boxes, before the start and while PLAYING. Each bad one ends
// the process of those who use cvtracker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "../support/tracker_harness.h"
#include "properties/target_settings.h"

namespace cltrack {
namespace {

using test::BufferPtr;
using test::TrackerHarness;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const BoundingBox kTarget{100, 80, 48, 40};

Image picture() { return test::draw_scene(320, 240, kTarget); }

// A stream of which one frame has passed, with a target that has the id 1.
struct Running : TrackerHarness {
  Running() : TrackerHarness{{"targets", "<<100,80,48,40>>"}} {
    set_caps(320, 240);
    EXPECT_THAT(test::regions(pass(picture())), SizeIs(1));
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
  TrackerHarness harness;
  harness.set_caps(320, 240);
  const InfoLog log;
  for (int i = 0; i < 3; ++i) EXPECT_NE(harness.pass(picture()), nullptr);
  EXPECT_THAT(log.texts, ElementsAre(HasSubstr("nothing to track")));
}

TEST(ClTrackerTargets, NothingIsSaidWhereThereIsOne) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}};
  harness.set_caps(320, 240);
  const InfoLog log;
  EXPECT_NE(harness.pass(picture()), nullptr);
  EXPECT_THAT(log.texts, testing::Not(testing::Contains(HasSubstr("nothing to track"))));
}

// --- before the stream

struct BadBox {
  const char* name;
  const char* targets;
  const char* reason = "";  // is in the message
};

class BadBoxTest : public ::testing::TestWithParam<BadBox> {};

TEST_P(BadBoxTest, BeforeTheStreamIsOneErrorOnTheFirstBuffer) {
  TrackerHarness harness{{"targets", GetParam().targets}};
  harness.set_caps(320, 240);
  EXPECT_EQ(harness.push(picture()), GST_FLOW_ERROR);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0], HasSubstr(GetParam().reason));
}

TEST_P(BadBoxTest, WhilePlayingIsAWarningAndTheOthersGoOn) {
  Running harness;
  std::string targets = GetParam().targets;
  targets.insert(targets.size() - 1, ",<90,70,60,60,good>");
  harness.set("targets", targets);
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].label, "good");
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], HasSubstr("is ignored"));
}

INSTANTIATE_TEST_SUITE_P(
    ClTracker, BadBoxTest,
    ::testing::Values(
        BadBox{"right", "<<320,80,48,40>>", "outside of the frame, which has 320x240"},
        BadBox{"far", "<<1e9,80,48,40>>", "outside of the frame, which has 320x240"},
        BadBox{"above", "<<100,-41,48,40>>", "outside of the frame, which has 320x240"},
        BadBox{"one_pixel", "<<100,80,1,1>>", "too small, a target must have at least 8x8"},
        BadBox{"too_small", "<<100,80,7.9,40>>", "too small, a target must have at least 8x8"},
        BadBox{"too_little_inside", "<<313,80,48,40>>",
               "only 7x40 pixels of it lie inside the frame of 320x240"}),
    [](const auto& tested) { return tested.param.name; });

TEST(ClTrackerTargets, PartlyOutsideIsClippedWithAWarning) {
  TrackerHarness harness{{"targets", "<<290,200,60,60>>"}};
  harness.set_caps(320, 240);
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_GT(overlap(regions[0].box, {290, 200, 30, 40}), 0.9f);
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], HasSubstr("x=290 y=200 width=60 height=60"));
  for (int i = 0; i < 5; ++i) EXPECT_NE(harness.pass(picture()), nullptr);
}

TEST(ClTrackerTargets, LargerThanTheFrameIsClipped) {
  TrackerHarness harness{{"targets", "<<-100,-100,1000,1000>>"}};
  harness.set_caps(320, 240);
  for (int i = 0; i < 3; ++i) EXPECT_NE(harness.pass(picture()), nullptr);
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), SizeIs(1));
}

// What the property refuses, it refuses for good: a start without the targets would be a surprise.
class BadValueTest : public ::testing::TestWithParam<BadBox> {};

TEST_P(BadValueTest, BeforeTheStartMakesTheStartFail) {
  TrackerHarness harness;
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  harness.set("targets", "<<1,2,30,40>>");
  harness.set("targets", GetParam().targets);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0], HasSubstr("targets: "));
  EXPECT_THAT(errors[0], HasSubstr("Write <<x, y, width, height>"));

  gst_element_set_state(harness.element(), GST_STATE_NULL);
  harness.set("targets", "<<1,2,30,40>>");
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
}

TEST_P(BadValueTest, AfterAStartThatFailedMakesTheNextOneFail) {
  TrackerHarness harness;
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  harness.set("device", "none such");
  ASSERT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  harness.texts(GST_MESSAGE_ERROR);
  harness.set("device", "host");
  harness.set("targets", GetParam().targets);
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), ElementsAre(HasSubstr("targets: ")));
}

TEST_P(BadValueTest, WhilePlayingChangesNothing) {
  Running harness;
  harness.set("targets", GetParam().targets);
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("targets: ")));
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].id, 1);
}

INSTANTIATE_TEST_SUITE_P(ClTracker, BadValueTest,
                         ::testing::Values(BadBox{"arity", "<<1,2,30>>"},
                                           BadBox{"text", "<<1,2,wide,40>>"},
                                           BadBox{"nan", "<<(double)nan,2,30,40>>"},
                                           BadBox{"infinite", "<<1,2,(double)inf,40>>"},
                                           BadBox{"negative", "<<1,2,-30,40>>"},
                                           BadBox{"empty", "<<1,2,0,40>>"},
                                           BadBox{"flat", "<1,2,30,40>"}),
                         [](const auto& tested) { return tested.param.name; });

// --- object-initial-*

TEST(ClTrackerTargets, InitialBoxMeansTheSameAsInCvtracker) {
  TrackerHarness harness{{"object-initial-x", "100"},
                         {"object-initial-y", "80"},
                         {"object-initial-width", "48"},
                         {"object-initial-height", "40"}};
  harness.set_caps(320, 240);
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].label, "object");
  EXPECT_GT(overlap(regions[0].box, kTarget), 0.9f);
}

TEST(ClTrackerTargets, InitialBoxHasTheDefaultsOfCvtracker) {
  TrackerHarness harness{{"object-initial-x", "150"}};
  harness.set_caps(320, 240);
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_GT(overlap(regions[0].box, {150, 50, 50, 50}), 0.9f);
}

TEST(ClTrackerTargets, EmptyOrFarInitialBoxIsAnError) {
  for (const auto& [name, value] : {std::pair{"object-initial-width", "0"},
                                    {"object-initial-height", "1"},
                                    {"object-initial-x", "4294967295"}}) {
    TrackerHarness harness{{name, value}};
    harness.set_caps(320, 240);
    EXPECT_EQ(harness.push(picture()), GST_FLOW_ERROR);
    EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), SizeIs(1)) << name;
  }
}

TEST(ClTrackerTargets, InitialBoxComesBeforeTheOthers) {
  TrackerHarness harness{{"targets", "<<10,10,50,50,second>>"},
                         {"object-initial-x", "100"},
                         {"object-initial-y", "80"},
                         {"label", "first"}};
  harness.set_caps(320, 240);
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].label, "first");
  EXPECT_EQ(regions[0].id, 1);
  EXPECT_EQ(regions[1].label, "second");
}

TEST(ClTrackerTargets, FourNumbersOfOneCallActTogether) {
  Running harness;
  g_object_set(harness.object(), "object-initial-x", 400u, "object-initial-y", 80u,
               "object-initial-width", 48u, "object-initial-height", 40u, "object-initial-x", 100u,
               nullptr);
  EXPECT_NE(harness.pass(picture()), nullptr);
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), IsEmpty()) << "x = 400 was seen on its own";
}

// --- changes while PLAYING

TEST(ClTrackerTargets, NewTargetsActOnTheNextBufferWithNewIds) {
  Running harness;
  harness.set("targets", "<<100,80,48,40,a>,<90,150,50,50,b>>");
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].id, 2);
  EXPECT_EQ(regions[0].label, "a");
  EXPECT_EQ(regions[1].id, 3);
  EXPECT_THAT(harness.states(), SizeIs(2));
}

TEST(ClTrackerTargets, SameTargetsAgainAreAFreshStart) {
  Running harness;
  harness.set("targets", "<<100,80,48,40>>");
  EXPECT_EQ(test::regions(harness.pass(picture())).at(0).id, 2);
}

TEST(ClTrackerTargets, EmptyListRemovesThem) {
  Running harness;
  harness.set("targets", "<>");
  EXPECT_THAT(test::regions(harness.pass(picture())), IsEmpty());
  harness.set("targets", "<<100,80,48,40>>");
  EXPECT_EQ(test::regions(harness.pass(picture())).at(0).id, 2);
}

TEST(ClTrackerTargets, FirstTargetMayComeLate) {
  TrackerHarness harness;
  harness.set_caps(320, 240);
  harness.pass(picture());
  g_object_set(harness.object(), "object-initial-x", 100u, "object-initial-y", 80u, nullptr);
  EXPECT_EQ(test::regions(harness.pass(picture())).at(0).id, 1);
}

TEST(ClTrackerTargets, OtherPropertiesLeaveTheTargetsAlone) {
  Running harness;
  harness.set("learning", "false");
  harness.set("label", "car");
  harness.set("draw-rect", "true");
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].id, 1);
  EXPECT_EQ(regions[0].label, "object");
}

TEST(ClTrackerTargets, ReadBackAsSet) {
  TrackerHarness harness{{"targets", "<<10,20,50.5,50>,<60,20,30,40,\"red car\">>"}};
  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_ARRAY);
  g_object_get_property(harness.object(), "targets", &value);
  const auto targets = gst::parse_targets(&value);
  ASSERT_THAT(targets, SizeIs(2));
  EXPECT_EQ(targets[0].box, (BoundingBox{10, 20, 50.5f, 50}));
  EXPECT_EQ(targets[0].label, "");
  EXPECT_EQ(targets[1].box, (BoundingBox{60, 20, 30, 40}));
  EXPECT_EQ(targets[1].label, "red car");
  g_value_unset(&value);
}

TEST(ClTrackerTargets, ReadAndSetAgainANumberIsStillALabel) {
  TrackerHarness harness{{"targets", "<<10,20,50.5,50,50>>"}};
  for (int i = 0; i < 2; ++i) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, GST_TYPE_ARRAY);
    g_object_get_property(harness.object(), "targets", &value);
    const auto targets = gst::parse_targets(&value);
    ASSERT_THAT(targets, SizeIs(1));
    EXPECT_EQ(targets[0].label, "50");
    char* text = gst_value_serialize(&value);
    harness.set("targets", text);
    g_free(text);
    g_object_set_property(harness.object(), "targets", &value);
    g_value_unset(&value);
  }
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), IsEmpty());
}

TEST(ClTrackerTargets, LabelIsThatOfTargetsWithoutOne) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>,<10,10,50,50,b>>"}, {"label", "car"}};
  harness.set_caps(320, 240);
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(2));
  EXPECT_EQ(regions[0].label, "car");
  EXPECT_EQ(regions[1].label, "b");
}

// "café" in Latin-1.
constexpr const char* kBadLabel = "caf\xe9";

TEST(ClTrackerTargets, ALabelThatIsNotUtf8ChangesNothingWhilePlaying) {
  TrackerHarness harness{{"targets", "<<100,80,48,40>>"}, {"label", "good"}};
  harness.set_caps(320, 240);
  g_object_set(harness.object(), "label", kBadLabel, nullptr);
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("label: \"caf\\351\" is not valid UTF-8")));
  const auto regions = test::regions(harness.pass(picture()));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].label, "good");
}

TEST(ClTrackerTargets, ALabelThatIsNotUtf8MakesTheStartFail) {
  TrackerHarness harness;
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  g_object_set(harness.object(), "label", kBadLabel, nullptr);
  harness.set("targets", "<<1,2,30,40>>");  // says nothing of the label
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), ElementsAre(HasSubstr("is not valid UTF-8")));
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  g_object_set(harness.object(), "label", "caf\xc3\xa9", nullptr);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
}

// Names of files may be any bytes, messages may not.
TEST(ClTrackerTargets, ErrorsAreUtf8WhateverTheyName) {
  TrackerHarness harness;
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  g_object_set(harness.object(), "template-location", kBadLabel, nullptr);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_TRUE(g_utf8_validate(errors[0].c_str(), -1, nullptr)) << errors[0];
}

// --- how many

constexpr const char* kThree = "<<100,80,48,40>,<10,10,30,30>,<200,100,40,40>>";
constexpr const char* kTwo = "<<100,80,48,40>,<10,10,30,30>>";

TEST(ClTrackerMaxTargets, TooManyMakeTheStartFail) {
  TrackerHarness harness;
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  harness.set("max-targets", "2");
  harness.set("targets", kThree);
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  EXPECT_THAT(
      harness.texts(GST_MESSAGE_ERROR),
      ElementsAre(AllOf(HasSubstr("targets: 3 are set"), HasSubstr("max-targets allows 2"))));
  // object-initial-* is a target, too.
  harness.set("targets", kTwo);
  harness.set("object-initial-x", "20");
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), ElementsAre(HasSubstr("targets: 3 are set")));
  // The order in which they are set does not matter.
  harness.set("max-targets", "3");
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
}

TEST(ClTrackerMaxTargets, TooManyWhilePlayingChangeNothing) {
  TrackerHarness harness{{"max-targets", "2"}, {"targets", kTwo}};
  harness.set_caps(320, 240);
  EXPECT_THAT(test::regions(harness.pass(picture())), SizeIs(2));
  harness.set("max-targets", "3");  // from the next start on
  const auto expect_refused = [&] {
    EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), ElementsAre(HasSubstr("targets: 3 are set")));
    const auto regions = test::regions(harness.pass(picture()));
    ASSERT_THAT(regions, SizeIs(2));
    EXPECT_EQ(regions[0].id, 1u);
    EXPECT_EQ(regions[1].id, 2u);
  };
  harness.set("targets", kThree);
  expect_refused();
  harness.set("object-initial-x", "20");
  expect_refused();
  harness.set("targets", "<<10,10,30,30>>");
  EXPECT_THAT(test::regions(harness.pass(picture())), SizeIs(2));
  EXPECT_THAT(harness.texts(GST_MESSAGE_WARNING), IsEmpty());
  EXPECT_THAT(harness.texts(GST_MESSAGE_ERROR), IsEmpty());
}

}  // namespace
}  // namespace cltrack
