// SPDX-License-Identifier: LGPL-2.1-or-later
#include "examples/track_video/album.h"

#include <gmock/gmock.h>
#include <gst/gst.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace track_video {
namespace {

using cltrack::TrackState;
using cltrack::test::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto kTracking = TrackState::tracking;
constexpr auto kUncertain = TrackState::uncertain;
constexpr auto kLost = TrackState::lost;

class AlbumTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { gst_init(nullptr, nullptr); }

  // The next frame, a state for each target.
  void see(Album& album, const std::vector<TrackState>& states, int width = 64, int height = 48) {
    std::vector<Row> rows;
    for (const TrackState state : states) {
      rows.push_back({.frame = frame_,
                      .seconds = -1,
                      .id = rows.size() + 1,
                      .label = targets_[rows.size()].label,
                      .state = state,
                      .confidence = 0.876f,
                      .box = {}});
    }
    ++frame_;
    album.observe(rows);
    GstVideoInfo video;
    gst_video_info_set_format(&video, GST_VIDEO_FORMAT_GRAY8, static_cast<guint>(width),
                              static_cast<guint>(height));
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, video.size, nullptr);
    gst_buffer_memset(buffer, 0, 99, video.size);
    album.observe_picture(buffer, video);
    gst_buffer_unref(buffer);
  }

  static std::vector<std::string> texts(Album& album) {
    std::vector<std::string> found;
    for (const Moment& moment : album.moments()) found.push_back(moment.text);
    return found;
  }

  std::vector<Target> targets_{{{0, 0, 9, 9}, "man"}};
  std::uint64_t frame_ = 0;
};

// Width and height, as a PNG file begins with them.
std::pair<int, int> png_size(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  unsigned char head[24] = {};
  file.read(reinterpret_cast<char*>(head), sizeof head);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(head) + 1, 3), "PNG") << path;
  const auto number = [&](int at) {
    return head[at] << 24 | head[at + 1] << 16 | head[at + 2] << 8 | head[at + 3];
  };
  return {number(16), number(20)};
}

TEST_F(AlbumTest, SaysWhatHappenedToTheTarget) {
  Album album(targets_, "video");
  for (const auto state : {kTracking, kLost, kLost, kUncertain}) see(album, {state});
  EXPECT_THAT(texts(album),
              ElementsAre("tracking, 88 %", "man lost", "lost", "a match for man was found"));
  EXPECT_EQ(album.moments()[1].change, Change::lost);
  EXPECT_EQ(album.moments()[3].change, Change::found);
  EXPECT_EQ(album.moments()[3].turn, 2u);
}

TEST_F(AlbumTest, TellsSeveralTargetsApart) {
  targets_ = {{{0, 0, 9, 9}, "man"}, {{0, 0, 9, 9}, ""}, {{0, 0, 9, 9}, "man"}};
  Album album(targets_, "video");
  see(album, {kTracking, kUncertain, kTracking});
  see(album, {kLost, kUncertain, kLost});
  see(album, {kTracking, kLost, kLost});
  EXPECT_THAT(texts(album), ElementsAre("2 tracking, 1 uncertain", "#1 man, #3 man lost",
                                        "#2 lost; a match for #1 man was found"));
  // It is the first change of #2.
  EXPECT_EQ(album.moments()[2].turn, 1u);
}

TEST_F(AlbumTest, LostFromTheStartIsALoss) {
  targets_[0].label = "";
  Album album(targets_, "video");
  see(album, {kLost});
  EXPECT_THAT(texts(album), ElementsAre("target lost"));
}

TEST_F(AlbumTest, PicturesFitAndKeepTheirShape) {
  Album album(targets_, "video");
  see(album, {kTracking}, 1920, 1080);
  see(album, {kTracking}, 64, 600);
  see(album, {kTracking}, 1, 1);
  const auto size = [](const Picture& picture) {
    return std::pair(cairo_image_surface_get_width(picture.get()),
                     cairo_image_surface_get_height(picture.get()));
  };
  const auto moments = album.moments();
  EXPECT_EQ(size(moments[0].picture), std::pair(400, 225));
  EXPECT_EQ(size(moments[1].picture), std::pair(32, 300));
  EXPECT_EQ(size(moments[2].picture), std::pair(1, 1));
  const unsigned char* pixel = cairo_image_surface_get_data(moments[0].picture.get());
  EXPECT_NEAR(pixel[1], 97, 3);  // grey of 99, as full range or not
}

// Converters that halve fields apart never end where video and frame do not agree on fields.
TEST_F(AlbumTest, InterlacedPicturesAreShownWhole) {
  constexpr auto kMixed = GST_VIDEO_INTERLACE_MODE_MIXED;
  Album album(targets_, "video");
  for (const auto mode : {GST_VIDEO_INTERLACE_MODE_INTERLEAVED, kMixed,
                          GST_VIDEO_INTERLACE_MODE_FIELDS, GST_VIDEO_INTERLACE_MODE_PROGRESSIVE}) {
    for (const bool is_interlaced : {false, true}) {
      Row row;
      row.frame = frame_++;
      album.observe({&row, 1});
      GstVideoInfo video;
      gst_video_info_set_interlaced_format(&video, GST_VIDEO_FORMAT_I420, mode, 720, 576);
      GstBuffer* buffer = gst_buffer_new_allocate(nullptr, video.size, nullptr);
      gst_buffer_memset(buffer, 0, 128, video.size);
      const auto flags =
          is_interlaced ? GST_VIDEO_FRAME_FLAG_INTERLACED : GST_VIDEO_FRAME_FLAG_NONE;
      gst_buffer_add_video_meta(buffer, flags, GST_VIDEO_FORMAT_I420, 720, 576);
      if (is_interlaced) GST_BUFFER_FLAG_SET(buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
      album.observe_picture(buffer, video);
      gst_buffer_unref(buffer);
    }
  }
  const auto moments = album.moments();
  ASSERT_EQ(moments.size(), 8u);
  for (const Moment& moment : moments) {
    const unsigned char* pixels = cairo_image_surface_get_data(moment.picture.get());
    const int stride = cairo_image_surface_get_stride(moment.picture.get());
    for (const int y : {0, 100, cairo_image_surface_get_height(moment.picture.get()) - 1}) {
      EXPECT_NEAR(pixels[y * stride + 1], 130, 3) << "frame " << moment.frame << ", row " << y;
    }
  }
}

TEST_F(AlbumTest, WritesBothPicturesWhateverTheLabelsAre) {
  targets_[0].label = std::string(1000, 'w') + "<b>\n\x01";
  Album album(targets_, "a & b <i>");
  for (int i = 0; i < 20; ++i) see(album, {i % 5 == 3 ? kLost : kTracking});
  const TemporaryFolder folder;
  const auto paths = album.write(folder.path());
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].filename(), "contact-sheet.png");
  // 8 changes and 6 others: four columns of 200, four rows of a picture of 48 and its caption.
  EXPECT_EQ(png_size(paths[0]), std::pair(16 + 4 * 216, 40 + 4 * (48 + 48 + 16)));
  EXPECT_EQ(paths[1].filename(), "confidence.png");
  EXPECT_EQ(png_size(paths[1]).first, 1200);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST_F(AlbumTest, ThousandTargetsMakeAPictureThatCanBeOpened) {
  targets_.resize(1000);
  Album album(targets_, "video");
  see(album, std::vector<TrackState>(1000, kTracking));
  const TemporaryFolder folder;
  EXPECT_LT(png_size(album.write(folder.path())[1]).second, 5000);
}

TEST_F(AlbumTest, NoFrameNoPicture) {
  Album album(targets_, "video");
  EXPECT_THAT(album.write("/nowhere/at/all"), IsEmpty());
}

TEST_F(AlbumTest, APictureThatCannotBeWrittenIsAnError) {
  Album album(targets_, "video");
  see(album, {kTracking});
  try {
    album.write("/nowhere/at/all");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'/nowhere/at/all/contact-sheet.png'"));
  }
}

}  // namespace
}  // namespace track_video
