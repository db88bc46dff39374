// SPDX-License-Identifier: LGPL-2.1-or-later
// trackoverlay while memory runs out: no exception may reach GStreamer, which is C.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "../support/overlay_harness.h"

namespace {

// So many of this thread's allocations by `new` are left before one fails; negative: none fails.
thread_local int allocations_left = -1;

}  // namespace

// The plugin's `new` is the program's.
void* operator new(std::size_t bytes) {
  if (allocations_left >= 0 && allocations_left-- == 0) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace cltrack::test {
namespace {

// Calls `work` until it is done without a failure, each time with the next allocation failing.
// Returns how many failed. GStreamer cannot be unwound: nothing could go on behind an exception.
template <typename Work>
int fail_each_allocation(const Work& work) {
  for (int failed = 0;; ++failed) {
    allocations_left = failed;
    try {
      work();
    } catch (...) {
      allocations_left = -1;
      ADD_FAILURE() << "an exception came through GStreamer, allocation " << failed;
      std::exit(1);
    }
    const bool done = allocations_left >= 0;
    allocations_left = -1;
    if (done) return failed;
  }
}

void expect_told(OverlayHarness& overlay, int failed) {
  EXPECT_GT(failed, 0) << "nothing was tried";
  const std::vector<std::string> errors = overlay.texts(GST_MESSAGE_ERROR);
  EXPECT_EQ(errors.size(), static_cast<std::size_t>(failed));
  for (const std::string& error : errors) EXPECT_NE(error.find("bad_alloc"), std::string::npos);
}

// A name that does not fit into a string itself.
constexpr const char* kFont = "font=\"A family of fonts that nobody has, 12\"";

TEST(TrackOverlayFaults, OfCapsEndInOneError) {
  OverlayHarness overlay(kFont);
  const CapsPtr caps(gst_caps_from_string("video/x-raw,format=GRAY8,width=320,height=240"));
  GstBaseTransform* const element = GST_BASE_TRANSFORM(overlay.element());
  const GstBaseTransformClass* const klass = GST_BASE_TRANSFORM_GET_CLASS(element);
  int failed = fail_each_allocation([&] {
    const CapsPtr other(klass->transform_caps(element, GST_PAD_SINK, caps.get(), nullptr));
    EXPECT_TRUE(other);
  });
  failed += fail_each_allocation([&] {
    const CapsPtr both(gst_caps_from_string(
        "video/x-raw(memory:SystemMemory,meta:GstVideoOverlayComposition),format=GRAY8,width=320,"
        "height=240;video/x-raw,format=GRAY8,width=320,height=240"));
    const CapsPtr fixed(
        klass->fixate_caps(element, GST_PAD_SINK, caps.get(), gst_caps_ref(both.get())));
    EXPECT_TRUE(fixed);
  });
  expect_told(overlay, failed);
}

TEST(TrackOverlayFaults, OfAnEventEndInOneError) {
  OverlayHarness overlay(kFont + std::string(" composition=attach"));
  GstBaseTransform* const element = GST_BASE_TRANSFORM(overlay.element());
  const GstBaseTransformClass* const klass = GST_BASE_TRANSFORM_GET_CLASS(element);
  const CapsPtr caps(gst_caps_from_string("video/x-raw,format=GRAY8,width=320,height=240"));
  const int failed =
      fail_each_allocation([&] { klass->sink_event(element, gst_event_new_caps(caps.get())); });
  EXPECT_GT(failed, 0);
}

TEST(TrackOverlayFaults, OfABufferEndInOneError) {
  OverlayHarness overlay(kFont);
  overlay.set_caps(video_info(GST_VIDEO_FORMAT_GRAY8, 320, 240));
  GstBaseTransform* const element = GST_BASE_TRANSFORM(overlay.element());
  const GstBaseTransformClass* const klass = GST_BASE_TRANSFORM_GET_CLASS(element);
  const BufferPtr buffer = make_picture(overlay.info());
  add_tracks(buffer, overlay.info(), {make_track(1, kBox)});
  const int failed = fail_each_allocation([&] { klass->transform_ip(element, buffer.get()); });
  expect_told(overlay, failed);
}

TEST(TrackOverlayFaults, OfAPropertyEndInOneError) {
  OverlayHarness overlay(kFont);
  const int failed = fail_each_allocation([&] {
    g_object_set(overlay.element(), "font", "Another family of fonts that nobody has", nullptr);
  });
  expect_told(overlay, failed);
}

}  // namespace
}  // namespace cltrack::test
