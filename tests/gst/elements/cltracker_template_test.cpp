// SPDX-License-Identifier: LGPL-2.1-or-later
// cltracker algorithm=template: what is different from TLD. template-location: good files, files
// that are none, and pictures that do not fit. With the system's plugins, which decode them.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "../support/matchers.h"
#include "../support/pipeline.h"
#include "../support/tracker_harness.h"
#include "pictures/template_file.h"

namespace cltrack::test {
namespace {

constexpr const char* kTargets = "<<60,50,60,50,\"it\">>";
constexpr BoundingBox kBox = {60, 50, 60, 50};

TEST(ClTrackerTemplate, FollowsATargetInSeveralFormats) {
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB}) {
    TrackerHarness harness{{"algorithm", "template"}, {"targets", kTargets}};
    harness.set_caps(320, 240, format);
    for (int i = 0; i < 20; ++i) {
      BoundingBox target = kBox;
      target.x += 4 * static_cast<float>(i);
      const auto found = boxes(harness.pass(draw_scene(320, 240, target), format));
      ASSERT_THAT(found, SizeIs(1)) << i;
      EXPECT_GT(overlap(found[0], target), 0.8f) << i;
    }
  }
}

TEST(ClTrackerTemplate, ALostTargetLeavesNoRegionAndPostsItsState) {
  GreyTracker harness{{"algorithm", "template"}, {"targets", kTargets}};
  for (int i = 0; i < 3; ++i) harness.pass(draw_scene(320, 240, kBox));
  BufferPtr buffer;
  for (int i = 0; i < 5; ++i) buffer = harness.pass(draw_scene(320, 240));
  EXPECT_THAT(regions(buffer), SizeIs(0));
  const auto states = harness.states();
  ASSERT_FALSE(states.empty());
  EXPECT_EQ(state_of(states.back()), "lost");
}

TEST(ClTrackerTemplate, MetadataAndStatisticsNameTheAlgorithm) {
  GreyTracker harness{{"algorithm", "template"}, {"targets", kTargets}, {"match-device", "host"}};
  const BufferPtr buffer = harness.pass(draw_scene(320, 240, kBox));
  auto* meta = reinterpret_cast<GstVideoRegionOfInterestMeta*>(
      gst_buffer_get_meta(buffer.get(), GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
  ASSERT_NE(meta, nullptr);
  const GstStructure* own = gst_video_region_of_interest_meta_get_param(meta, "cltrack");
  EXPECT_STREQ(gst_structure_get_string(own, "algorithm"), "template");
  const StructurePtr stats = harness.stats();
  const GValue* stages = gst_structure_get_value(stats.get(), "stages");
  ASSERT_EQ(gst_value_array_get_size(stages), 1u);
  const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, 0));
  EXPECT_STREQ(gst_structure_get_string(stage, "name"), "match");
  EXPECT_STREQ(gst_structure_get_string(stage, "device"), "host");
  GstStructure* placement = nullptr;
  g_object_get(harness.object(), "placement", &placement, nullptr);
  const StructurePtr owned(placement);
  ASSERT_NE(placement, nullptr);
  EXPECT_EQ(gst_structure_n_fields(placement), 1);
  EXPECT_THAT(gst_structure_get_string(placement, "match"), HasSubstr("host"));
}

TEST(ClTrackerTemplate, WholeFramesByCosineAlwaysHaveABox) {
  GreyTracker harness{{"algorithm", "template"},
                      {"targets", kTargets},
                      {"search", "frame"},
                      {"similarity", "cosine"}};
  harness.pass(draw_scene(320, 240, kBox));
  const BoundingBox elsewhere = {200, 150, 60, 50};
  const auto found = boxes(harness.pass(draw_scene(320, 240, elsewhere)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_GT(overlap(found[0], elsewhere), 0.8f);
  EXPECT_THAT(boxes(harness.pass(draw_scene(320, 240))), SizeIs(1));
}

TEST(ClTrackerTemplate, AFlatTemplateIsAWarning) {
  GreyTracker harness{{"algorithm", "template"}, {"targets", kTargets}};
  Image grey(320, 240);
  for (int y = 0; y < 240; ++y) std::fill_n(grey.row(y), 320, std::uint8_t{77});
  EXPECT_THAT(regions(harness.pass(grey)), SizeIs(0));
  const auto warnings = harness.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], AllOf(HasSubstr("flat"), HasSubstr("contrast")));
}

// Starts it anew with one property changed, and returns the only error.
std::string error_of_start(TrackerHarness& harness) {
  EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  EXPECT_THAT(errors, SizeIs(1));
  harness.set_state(GST_STATE_NULL);
  return errors.empty() ? "" : errors[0];
}

TEST(ClTrackerTemplate, WhatIsMissingIsOneErrorAtTheStart) {
  TrackerHarness harness{{"algorithm", "template"}};
  harness.set_state(GST_STATE_NULL);
  harness.set("match-device", "a quantum computer");
  EXPECT_THAT(error_of_start(harness),
              AllOf(HasSubstr("match-device"), HasSubstr("devices present: host")));
  harness.set("match-device", "host");
  harness.set("uncertain-threshold", "0.9");
  EXPECT_THAT(error_of_start(harness), AllOf(HasSubstr("uncertain"), HasSubstr("0.9")));
  harness.set("uncertain-threshold", "0.3");
  harness.set("algorithm", "tld");
  harness.set("template-location", "/nonexistent.png");
  EXPECT_THAT(error_of_start(harness), HasSubstr("needs algorithm=template"));
  harness.set("template-location", "");
  EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
}

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
    harness.set_state(GST_STATE_NULL);
    g_object_set(harness.object(), "template-location", path.c_str(), nullptr);
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto errors = harness.texts(GST_MESSAGE_ERROR);
    EXPECT_THAT(errors, SizeIs(1));
    return errors.empty() ? "" : errors[0];
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("cltrack-template-" + std::to_string(getpid()));
  const Image scene_ = draw_scene(320, 240, {60, 50, 60, 50});
};

TEST_F(TemplateLocation, APictureIsFound) {
  SKIP_WITHOUT("pnmdec")
  const ImageView view = scene_.view();
  const std::string path = write_picture({view.row(50) + 60, 60, 50, view.stride});
  const Image read = gst::load_template(path);
  ASSERT_EQ(read.width(), 60);
  ASSERT_EQ(read.height(), 50);
  EXPECT_EQ(read.view().at(7, 9), view.at(67, 59));

  GreyTracker harness{{"algorithm", "template"}, {"template-location", path}, {"label", "picture"}};
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

TEST_F(TemplateLocation, APipeIsRefusedAndNotWaitedFor) {
  const fs::path pipe = folder_ / "pipe.png";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_with(pipe), AllOf(HasSubstr("pipe.png"), HasSubstr("not a regular file")));
  EXPECT_THAT(error_with("/dev/zero"), HasSubstr("not a regular file"));
}

// To its end, however it ends.
void run_line(const std::string& line) { Pipeline(line).run(); }

struct Encoding {
  const char* name;
  const char* encoder;
  const char* decoder;
};

class EncodedTemplate : public TemplateLocation, public testing::WithParamInterface<Encoding> {
 protected:
  // A picture of 96x64 pixels; empty if it cannot be made.
  std::string encode() {
    const fs::path path = folder_ / "good";
    run_line(
        "videotestsrc num-buffers=1 ! video/x-raw,format=RGB,width=96,height=64 ! videoconvert ! " +
        std::string(GetParam().encoder) + " ! filesink location=" + path.string());
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_P(EncodedTemplate, WhatIsCutShortIsAnError) {
  if (!has_elements({GetParam().decoder})) GTEST_SKIP() << "no " << GetParam().decoder;
  const std::string good = encode();
  if (good.empty()) GTEST_SKIP() << "no " << GetParam().encoder;
  const fs::path path = folder_ / "picture";
  const auto write = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  };
  EXPECT_EQ(gst::load_template(write(good)).width(), 96);
  EXPECT_EQ(gst::load_template(write(good + "what cameras append")).height(), 64);
  for (const std::size_t size : {good.size() - 1, good.size() / 2, good.size() / 10}) {
    EXPECT_THAT(error_with(write(good.substr(0, size))),
                AllOf(HasSubstr("picture\""), HasSubstr("truncated")))
        << size << " of " << good.size() << " bytes";
  }
}

INSTANTIATE_TEST_SUITE_P(ClTracker, EncodedTemplate,
                         ::testing::Values(Encoding{"png", "pngenc", "pngdec"},
                                           Encoding{"jpeg", "jpegenc", "jpegdec"}),
                         [](const auto& tested) { return tested.param.name; });

// The memory would be taken, so the files have no more than their headers.
TEST_F(TemplateLocation, MorePixelsThanAllowedAreRefusedByTheHeader) {
  using namespace std::string_literals;
  const auto refusal = [this](const std::string& bytes) {
    const fs::path path = folder_ / "large";
    std::ofstream(path, std::ios::binary) << bytes;
    return error_with(path);
  };
  const std::string png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60"s;
  EXPECT_THAT(refusal(png), AllOf(HasSubstr("large\""), HasSubstr("60000x60000 pixels"),
                                  HasSubstr("allowed are 67108864")));
  // With a thumbnail that is complete in front.
  const std::string jpeg =
      "\xff\xd8\xff\xe1\0\x06\xff\xd8\xff\xd9\xff\xc2\0\x0b\x08\x27\x10\x75\x30\x01\x01\x11\0"s;
  EXPECT_THAT(refusal(jpeg), HasSubstr("30000x10000 pixels"));
}

TEST_F(TemplateLocation, AnEndThatIsFarAwayIsNotLookedFor) {
  const fs::path path = folder_ / "long.jpg";
  std::ofstream(path, std::ios::binary) << "\xff\xd8\xff\xda";
  fs::resize_file(path, std::uintmax_t{1} << 31);  // takes no room
  EXPECT_THAT(error_with(path), AllOf(HasSubstr("long.jpg"), HasSubstr("1073741824 bytes")));
}

// A format of which the header is not read: the decoder says the size.
TEST_F(TemplateLocation, MorePixelsThanAllowedAreRefusedByTheCaps) {
  SKIP_WITHOUT("pnmdec")
  const fs::path path = folder_ / "large.pgm";
  std::ofstream(path, std::ios::binary) << "P5\n8193 8192\n255\n";
  fs::resize_file(path, fs::file_size(path) + std::size_t{8193} * 8192);  // takes no room
  EXPECT_THAT(error_with(path),
              AllOf(HasSubstr("large.pgm"), HasSubstr("8193x8192 pixels, allowed are 67108864")));
}

// The end of it has to be read first: what decodes it has to go back.
TEST_F(TemplateLocation, TheFirstFrameOfAVideoIsATemplate) {
  SKIP_WITHOUT("jpegenc", "qtmux", "qtdemux", "jpegdec")
  const fs::path path = folder_ / "video.mov";
  run_line(
      "videotestsrc num-buffers=5 ! video/x-raw,width=96,height=64 ! jpegenc ! qtmux ! filesink "
      "location=" +
      path.string());
  EXPECT_EQ(gst::load_template(path).width(), 96);
}

// A mask is not taken: it would hide nothing from the correlation.
TEST_F(TemplateLocation, ATransparentPictureIsRefused) {
  const std::pair<const char*, const char*> kinds[] = {{"pngenc", "pngdec"},
                                                       {"webpenc", "webpdec"}};
  int tried = 0;
  for (const auto& [encoder, decoder] : kinds) {
    if (!has_elements({encoder, decoder})) continue;
    ++tried;
    const auto write = [&, encoder_name = std::string(encoder)](const char* background) {
      const fs::path path = folder_ / "icon";
      run_line(
          "videotestsrc num-buffers=1 pattern=ball foreground-color=0xffffffff "
          "background-color=" +
          std::string(background) + " ! video/x-raw,format=ARGB,width=96,height=64 ! " +
          "videoconvert ! video/x-raw,format=RGBA ! " + encoder_name +
          " ! filesink location=" + path.string());
      return path.string();
    };
    EXPECT_EQ(gst::load_template(write("0xff000000")).width(), 96) << encoder;
    for (const char* background : {"0x00ffffff", "0xfe000000"}) {
      EXPECT_THAT(error_with(write(background)),
                  AllOf(HasSubstr(" of its 6144 pixels are transparent"), HasSubstr("crop it")))
          << encoder << " " << background;
    }
  }
  if (tried == 0) GTEST_SKIP() << "no encoders of pictures with transparency";
}

TEST_F(TemplateLocation, WhatDoesNotFitIsAnErrorOnTheFirstFrame) {
  SKIP_WITHOUT("pnmdec")
  TrackerHarness harness{{"algorithm", "template"},
                         {"template-location", write_picture(scene_.view())}};
  harness.set_caps(160, 120);
  EXPECT_EQ(harness.push(draw_scene(160, 120)), GST_FLOW_ERROR);
  const auto errors = harness.texts(GST_MESSAGE_ERROR);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0], AllOf(HasSubstr("320x240"), HasSubstr("160x120")));
}

TEST_F(TemplateLocation, AFlatOrTinyPictureIsAnError) {
  SKIP_WITHOUT("pnmdec")
  for (const int side : {30, 5}) {
    Image flat(side, side);
    for (int y = 0; y < side; ++y) std::fill_n(flat.row(y), side, std::uint8_t{9});
    GreyTracker harness{{"algorithm", "template"},
                        {"template-location", write_picture(flat.view())}};
    EXPECT_EQ(harness.push(scene_), GST_FLOW_ERROR);
    const auto errors = harness.texts(GST_MESSAGE_ERROR);
    ASSERT_THAT(errors, SizeIs(1));
    EXPECT_THAT(errors[0], HasSubstr(side == 30 ? "flat" : "too small"));
  }
}

}  // namespace
}  // namespace cltrack::test
