// SPDX-License-Identifier: LGPL-2.1-or-later
// What the tests of this folder share: the real data, files of a test's own, and pictures in them.
#pragma once

#include <gst/gst.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "../support/temporary_folder.h"

namespace cltrack::accuracy {

// $CLTRACK_DATA/name, or empty if that is not there.
inline std::filesystem::path real_data(const std::string& name) {
  const char* root = std::getenv("CLTRACK_DATA");
  if (!root || !std::filesystem::exists(std::filesystem::path(root) / name)) return {};
  return std::filesystem::path(root) / name;
}

#define SKIP_WITHOUT_DATA(path) \
  if ((path).empty()) GTEST_SKIP() << "needs real sequences: set CLTRACK_DATA to their folder"

using test::TemporaryFolder;

// Until it ends: what it writes is there then.
inline void run_pipeline(const std::string& description) {
  GstElement* pipeline = gst_parse_launch(description.c_str(), nullptr);
  ASSERT_NE(pipeline, nullptr) << description;
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline);
  GstMessage* message = gst_bus_timed_pop_filtered(
      bus, 20 * GST_SECOND, static_cast<GstMessageType>(int{GST_MESSAGE_EOS} | GST_MESSAGE_ERROR));
  EXPECT_TRUE(message && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS) << description;
  if (message) gst_message_unref(message);
  gst_object_unref(bus);
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
}

}  // namespace cltrack::accuracy
