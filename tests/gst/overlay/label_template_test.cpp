// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_painter.h"
#include "overlay/overlay_style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "../support/refusal.h"

namespace cltrack::gst {
namespace {

using test::refusal;
using ::testing::AllOf;
using ::testing::HasSubstr;

TrackRegion full_region() {
  TrackRegion region;
  region.id = 3;
  region.label = "car";
  region.box = {10, 20.6f, 30, 40};
  region.confidence = 0.874f;
  region.state = TrackState::uncertain;
  region.age = 125;
  region.algorithm = "tld";
  region.tracker = "left";
  return region;
}

TEST(LabelTemplate, FillsInEveryField) {
  EXPECT_EQ(LabelTemplate("{label} #{id} {confidence}%").fill(full_region()), "car #3 87%");
  EXPECT_EQ(LabelTemplate("{state},{age},{x},{y},{width},{height},{tracker},{algorithm}")
                .fill(full_region()),
            "uncertain,125,10,21,30,40,left,tld");
  EXPECT_EQ(LabelTemplate("{id}{id}").fill(full_region()), "33");
}

TEST(LabelTemplate, WhatIsNotKnownIsADash) {
  TrackRegion bare;
  bare.box = {0, 0, std::numeric_limits<float>::quiet_NaN(), 1};
  EXPECT_EQ(LabelTemplate("{label}{id}{state}{confidence}{age}{width}{algorithm}").fill(bare),
            "-0-----");
  bare.confidence = std::numeric_limits<float>::infinity();
  EXPECT_EQ(LabelTemplate("{confidence}").fill(bare), "100");
  bare.confidence = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(LabelTemplate("{confidence}").fill(bare), "-");
  TrackRegion lost = full_region();
  lost.state = TrackState::lost;
  EXPECT_EQ(LabelTemplate("{state} {confidence}").fill(lost), "lost -") << "it was of another time";
}

TEST(LabelTemplate, TakesBracesAndMarkupAsTheyAre) {
  EXPECT_EQ(LabelTemplate("{{{id}}} {{x}} <b>&amp;%s").fill(full_region()), "{3} {x} <b>&amp;%s");
}

TEST(LabelTemplate, EmptyIsNone) {
  EXPECT_TRUE(LabelTemplate().is_empty());
  EXPECT_TRUE(LabelTemplate("").is_empty());
  EXPECT_FALSE(LabelTemplate(" ").is_empty());
  EXPECT_EQ(LabelTemplate("#{id}").text(), "#{id}");
}

TEST(LabelTemplate, RefusesTheRestAndSaysWhatIsAllowed) {
  const std::pair<std::string, const char*> cases[] = {
      {"{name}", "\"{name}\" is no field"},
      {"{}", "\"{}\" is no field"},
      {"{Label}", "is no field"},
      {"{ id }", "is no field"},
      {"{id", "\"{id\" has no closing brace"},
      {"id}", "\"}\" has no opening brace"},
      {"{i{d}}", "\"{i{d}\" is no field"},
      {"caf\xc3", "is not valid UTF-8"},
      {"{" + std::string(1000, 'x') + "}", "is no field"},
      {std::string(1025, 'x'), "has more than 1024 bytes"},
      {std::string(1 << 20, '{'), "has more than 1024 bytes"},
  };
  for (const auto& [text, why] : cases) {
    const std::string reason = refusal([&text = text] { LabelTemplate{text}; });
    EXPECT_THAT(reason, AllOf(HasSubstr("label-template"), HasSubstr(why), HasSubstr("{label}"),
                              HasSubstr("{algorithm}"), HasSubstr("{{ and }}")));
    EXPECT_LT(reason.size(), 300u);
  }
  EXPECT_EQ(LabelTemplate(std::string(1024, 'x')).fill(full_region()).size(), 1024u);
}

TEST(LabelTemplate, TagIsOneBoundedLineWithIt) {
  OverlayStyle style;
  style.label_template = LabelTemplate("{label}\n\x01{id}");
  style.show_label = style.show_id = false;
  EXPECT_EQ(tag_text(full_region(), style), "car  3");
  TrackRegion hostile = full_region();
  hostile.label = std::string(1 << 20, '\xff');
  const std::string text = tag_text(hostile, style);
  EXPECT_LT(text.size(), 1000u);
  EXPECT_TRUE(g_utf8_validate(text.c_str(), -1, nullptr));
}

}  // namespace
}  // namespace cltrack::gst
