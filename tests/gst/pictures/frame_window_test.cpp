// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/frame_window.h"

#include <gtest/gtest.h>

#include "../support/video_picture.h"

namespace cltrack::gst {
namespace {

using test::BufferPtr;

TEST(FrameWindow, CommonFormatsHaveWindows) {
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_RGB,
        GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_P010_10LE}) {
    const GstVideoInfo info = test::video_info(format, 320, 240);
    const BufferPtr buffer = test::make_picture(info);
    test::FrameMap map(buffer.get(), info, GST_MAP_READ);
    GstVideoFrame window;
    EXPECT_TRUE(make_window(*map.get(), 32, 48, window)) << gst_video_format_to_string(format);
    EXPECT_EQ(GST_VIDEO_FRAME_WIDTH(&window), 48);
  }
}

TEST(FrameWindow, GroupsOfPixelsHaveNone) {
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_UYVP, GST_VIDEO_FORMAT_NV12_4L4}) {
    const GstVideoInfo info = test::video_info(format, 320, 240);
    const BufferPtr buffer = test::make_picture(info);
    test::FrameMap map(buffer.get(), info, GST_MAP_READ);
    GstVideoFrame window;
    EXPECT_FALSE(make_window(*map.get(), 32, 48, window)) << gst_video_format_to_string(format);
  }
}

}  // namespace
}  // namespace cltrack::gst
