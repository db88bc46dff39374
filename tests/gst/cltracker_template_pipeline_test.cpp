// SPDX-License-Identifier: LGPL-2.1-or-later
// template-location: good files, files that are none, and pictures that do not fit. With the
// system's plugins, which decode them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "template_file.h"
#include "tracker_harness.h"

namespace cltrack {
namespace {

using test::TrackerHarness;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
namespace fs = std::filesystem;

class TemplateLocation : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // A picture as PGM, which needs no encoder.
  std::string write_picture(const ImageView& picture) {
    const fs::path path = folder_ / "template.pgm";
    std::ofstream out(path, std::ios::binary);
    out << "P5\n" << picture.width << " " << picture.height << "\n255\n";
    for (int y = 0; y < picture.height; ++y) {
      out.write(reinterpret_cast<const char*>(picture.row(y)), picture.width);
    }
    return path;
  }

  // The only error of a start with that file.
  static std::string error_with(const std::string& path) {
    TrackerHarness harness{{"algorithm", "template"}};
    gst_element_set_state(harness.element(), GST_STATE_NULL);
    g_object_set(harness.object(), "template-location", path.c_str(), nullptr);
    EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto errors = harness.texts(GST_MESSAGE_ERROR);
    EXPECT_THAT(errors, SizeIs(1));
    return errors.empty() ? "" : errors[0];
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("cltrack-template-" + std::to_string(getpid()));
  const Image scene_ = test::draw_scene(320, 240, {60, 50, 60, 50});
};

bool has_decoder() {
  GstElementFactory* factory = gst_element_factory_find("pnmdec");
  if (factory == nullptr) return false;
  gst_object_unref(factory);
  return true;
}

TEST_F(TemplateLocation, APictureIsFound) {
  if (!has_decoder()) GTEST_SKIP() << "no pnmdec";
  const ImageView view = scene_.view();
  const std::string path = write_picture({view.row(50) + 60, 60, 50, view.stride});
  const Image read = gst::load_template(path);
  ASSERT_EQ(read.width(), 60);
  ASSERT_EQ(read.height(), 50);
  EXPECT_EQ(read.view().at(7, 9), view.at(67, 59));

  TrackerHarness harness{
      {"algorithm", "template"}, {"template-location", path}, {"label", "picture"}};
  harness.set_caps(320, 240);
  const BoundingBox target = {200, 150, 60, 50};
  const auto regions = test::regions(harness.pass(test::draw_scene(320, 240, target)));
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].label, "picture");
  EXPECT_GT(overlap(regions[0].box, target), 0.8f);
}

TEST_F(TemplateLocation, WhatIsNoPictureIsOneErrorThatNamesIt) {
  EXPECT_THAT(error_with(folder_ / "nothing.png"),
              AllOf(HasSubstr("template-location"), HasSubstr("nothing.png")));
  const fs::path text = folder_ / "text.png";
  std::ofstream(text) << "This is no picture at all, but some text.\n";
  EXPECT_THAT(error_with(text), AllOf(HasSubstr("text.png"), HasSubstr("PNG or JPEG")));
  const fs::path empty = folder_ / "empty.png";
  std::ofstream{empty};
  EXPECT_THAT(error_with(empty), HasSubstr("empty.png"));
  EXPECT_THAT(error_with(folder_), HasSubstr("template-location"));
}

TEST_F(TemplateLocation, WhatDoesNotFitIsAnErrorOnTheFirstFrame) {
  if (!has_decoder()) GTEST_SKIP() << "no pnmdec";
  TrackerHarness harness{{"algorithm", "template"},
                         {"template-location", write_picture(scene_.view())}};
  harness.set_caps(160, 120);
  EXPECT_EQ(harness.push(test::draw_scene(160, 120)), GST_FLOW_ERROR);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0], AllOf(HasSubstr("320x240"), HasSubstr("160x120")));
}

TEST_F(TemplateLocation, AFlatOrTinyPictureIsAnError) {
  if (!has_decoder()) GTEST_SKIP() << "no pnmdec";
  for (const int side : {30, 5}) {
    Image flat(side, side);
    for (int y = 0; y < side; ++y) std::fill_n(flat.row(y), side, std::uint8_t{9});
    TrackerHarness harness{{"algorithm", "template"},
                           {"template-location", write_picture(flat.view())}};
    harness.set_caps(320, 240);
    EXPECT_EQ(harness.push(scene_), GST_FLOW_ERROR);
    const auto errors = harness.texts(GST_MESSAGE_ERROR);
    ASSERT_THAT(errors, SizeIs(1));
    EXPECT_THAT(errors[0], HasSubstr(side == 30 ? "flat" : "too small"));
  }
}

}  // namespace
}  // namespace cltrack
