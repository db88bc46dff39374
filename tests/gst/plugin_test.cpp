// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/gst.h>

#include <string>
#include <vector>

#include "core/log.h"
#include "support/gst_ptr.h"
#include "support/matchers.h"

namespace cltrack::test {
namespace {

std::vector<std::string> heard;
std::vector<std::string> heard_by_gstreamer;

void hear(LogLevel, std::string_view message) { heard.emplace_back(message); }

void hear_gstreamer(GstDebugCategory* category, GstDebugLevel, const gchar*, const gchar*, gint,
                    GObject*, GstDebugMessage* message, gpointer) {
  if (gst_debug_category_get_name(category) == std::string_view("cltrack")) {
    heard_by_gstreamer.emplace_back(gst_debug_message_get(message));
  }
}

// Before gst_init(), which may load the plugin already.
const bool handler_was_set_first = [] {
  set_log_handler(hear);
  return true;
}();

TEST(Plugin, LeavesTheApplicationItsLogHandler) {
  ASSERT_TRUE(handler_was_set_first);
  const GstPtr<GstPlugin> plugin(gst_plugin_load_by_name("cltrack"));
  ASSERT_NE(plugin, nullptr);
  gst_debug_set_threshold_for_name("cltrack", GST_LEVEL_WARNING);
  // In parentheses: the functions, not the macros of the same names, which clang warns of.
  (gst_debug_add_log_function)(hear_gstreamer, nullptr, nullptr);

  log(LogLevel::warning, "set before");
  EXPECT_THAT(heard, ElementsAre("set before"));

  set_log_handler({});
  log(LogLevel::warning, "none");
  set_log_handler(hear);
  log(LogLevel::warning, "set after");
  EXPECT_THAT(heard, ElementsAre("set before", "set after"));

  (gst_debug_remove_log_function)(hear_gstreamer);
  set_log_handler({});
  EXPECT_THAT(heard_by_gstreamer, ElementsAre("set before", "none", "set after"));
}

}  // namespace
}  // namespace cltrack::test
