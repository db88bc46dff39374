// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements while memory runs out: no exception may reach GStreamer, which is C.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>
#include <utility>
#include <vector>

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
// Whoever asks so goes on without memory.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes > 0 ? bytes : 1);
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

// Loads a plugin in a process of its own, in which allocation number `failing` fails, and makes
// what elements there are then. Returns how that has ended: 0 without a failure, 1 with one.
int load_plugin(int failing, const std::string& file, const std::vector<const char*>& elements) {
  const pid_t child = fork();
  if (child == 0) {
    allocations_left = failing;
    const GstPtr<GstPlugin> plugin(gst_plugin_load_file(file.c_str(), nullptr));
    const bool failed = allocations_left < 0;
    allocations_left = -1;
    for (const char* element : elements) {
      const ElementPtr made(plugin ? gst_element_factory_make(element, nullptr) : nullptr);
    }
    _exit(failed ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// First in this program: afterwards the classes are there.
TEST(ElementFaults, OfAClassLeaveItsElementOut) {
  const std::filesystem::path folder = std::getenv("GST_PLUGIN_PATH_1_0");
  const std::pair<const char*, std::vector<const char*>> plugins[] = {
      {"cltrack", {"cltracker", "clcolortracker", "trackoverlay", "trackzones"}},
      {"cltrackpublish", {"trackpublish"}}};
  for (const auto& [name, elements] : plugins) {
    const GstPtr<GstPlugin> known(gst_registry_find_plugin(gst_registry_get(), name));
    if (known && gst_plugin_is_loaded(known.get())) GTEST_SKIP() << "the registry has loaded it";
    const std::string file = folder / ("libgst" + std::string(name) + ".so");
    // What is made while libraries are loaded is not the plugin's to catch.
    ASSERT_NE(dlopen(file.c_str(), RTLD_NOW), nullptr) << dlerror();
    int failing = 0;
    while (load_plugin(failing, file, elements) == 1) ++failing;
    EXPECT_EQ(load_plugin(failing, file, elements), 0) << name << ", allocation " << failing;
    EXPECT_GT(failing, 0) << "nothing was tried";
  }
}

void get_all_properties(GstElement* element) {
  guint count = 0;
  GParamSpec** const specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element), &count);
  for (guint i = 0; i < count; ++i) {
    if ((specs[i]->flags & G_PARAM_READABLE) == 0) continue;
    GValue value = G_VALUE_INIT;
    g_value_init(&value, specs[i]->value_type);
    g_object_get_property(G_OBJECT(element), specs[i]->name, &value);
    g_value_unset(&value);
  }
  g_free(specs);
}

TEST(ElementFaults, OfAnInstanceAreToldOnceItIsUsed) {
  for (const char* factory :
       {"cltracker", "clcolortracker", "trackoverlay", "trackpublish", "trackzones"}) {
    { const ElementPtr first(gst_element_factory_make(factory, nullptr)); }
    const int failed = fail_each_allocation([&] {
      const ElementPtr element(gst_element_factory_make(factory, nullptr));
      const int left = std::exchange(allocations_left, -1);
      const BusPtr bus(gst_bus_new());
      gst_element_set_bus(element.get(), bus.get());
      get_all_properties(element.get());
      gst_element_send_event(element.get(), gst_event_new_latency(0));
      gst_element_set_state(element.get(), GST_STATE_PAUSED);
      gst_element_set_state(element.get(), GST_STATE_NULL);
      const MessagePtr error(gst_bus_pop_filtered(bus.get(), GST_MESSAGE_ERROR));
      if (left < 0) {
        ASSERT_TRUE(error) << factory;
        EXPECT_EQ(text_of(error), "memory ran out while this element was made");
      }
      gst_element_set_bus(element.get(), nullptr);
      allocations_left = left;
    });
    EXPECT_GT(failed, 0) << factory;
  }
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
