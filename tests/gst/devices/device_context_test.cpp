// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices as a context: one for all elements of a pipeline, kept while it is stopped, and handed on
// by an application. Runs on the OpenCL that counts calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "../../support/faults.h"
#include "../support/bus.h"
#include "../support/gst_ptr.h"
#include "cltrack/device_info.h"

namespace cltrack::test {
namespace {

struct UnrefContext {
  void operator()(GstContext* context) const { gst_context_unref(context); }
};
using ContextPtr = std::unique_ptr<GstContext, UnrefContext>;

constexpr const char* kType = "gst.cltrack.devices";
const std::string kSource =
    "videotestsrc num-buffers=4 pattern=ball ! video/x-raw,format=GRAY8,width=160,height=120 ";
const std::string kTracker = "! cltracker name=tracker device=0.0 targets=\"<<40,30,40,40>>\" ";
const std::string kSecond = "! cltracker device=0.0 targets=\"<<40,30,40,40>>\" ";
const std::string kSink = "! fakesink";

class DeviceContext : public testing::Test {
 protected:
  void SetUp() override {
    if (list_devices().size() < 2) GTEST_SKIP() << "NO OPENCL DEVICE: there is none to share";
  }

  static ElementPtr make(const std::string& line) {
    return ElementPtr(gst_parse_launch(line.c_str(), nullptr));
  }

  // From start to stop. Returns the context that an element has made, if one has.
  static ContextPtr run(const ElementPtr& pipeline) {
    const BusPtr bus(gst_element_get_bus(pipeline.get()));
    gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
    ContextPtr made;
    for (bool going = true; going;) {
      const MessagePtr message =
          next_message(bus.get(), kEndOrError | int{GST_MESSAGE_HAVE_CONTEXT});
      if (message == nullptr) {
        ADD_FAILURE() << "it hangs";
        break;
      }
      if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_HAVE_CONTEXT) {
        EXPECT_EQ(made, nullptr) << "one is enough";
        GstContext* context = nullptr;
        gst_message_parse_have_context(message.get(), &context);
        made.reset(context);
        continue;
      }
      EXPECT_EQ(GST_MESSAGE_TYPE(message.get()), GST_MESSAGE_EOS) << text_of(message);
      going = false;
    }
    gst_element_set_state(pipeline.get(), GST_STATE_NULL);
    return made;
  }

  long contexts() const { return faults_.calls("clCreateContext"); }
  long builds() const { return faults_.calls("clBuildProgram"); }
  long open_contexts() const {
    return faults_.alive("clCreateContext", "clRetainContext", "clReleaseContext");
  }

  Faults faults_;
};

TEST_F(DeviceContext, IsSharedByTheElementsOfAPipeline) {
  run(make(kSource + kTracker + kSink));
  const long programs = builds();
  EXPECT_GT(programs, 0);
  EXPECT_EQ(open_contexts(), 0);
  faults_.set({});
  const ContextPtr context = run(make(kSource + kTracker + kSecond + kSink));
  ASSERT_NE(context, nullptr);
  EXPECT_STREQ(gst_context_get_context_type(context.get()), "gst.cltrack.devices");
  EXPECT_EQ(contexts(), 1);
  EXPECT_EQ(builds(), programs) << "each once, for both";
}

TEST_F(DeviceContext, KeepsAStoppedPipelineWarm) {
  ElementPtr pipeline = make(kSource + kTracker + kSink);
  run(pipeline);
  faults_.set({});
  EXPECT_EQ(run(pipeline), nullptr);
  EXPECT_EQ(contexts(), 0);
  EXPECT_EQ(builds(), 0);
}

TEST_F(DeviceContext, IsHandedOnByTheApplication) {
  ContextPtr context = run(make(kSource + kTracker + kSink));
  ASSERT_NE(context, nullptr);
  EXPECT_GT(open_contexts(), 0);
  const long before = contexts() + builds();
  {
    const ElementPtr pipeline = make(kSource + kTracker + kSink);
    gst_element_set_context(pipeline.get(), context.get());
    EXPECT_EQ(run(pipeline), nullptr) << "it has one already";
    EXPECT_EQ(contexts() + builds(), before);
  }
  context.reset();
  EXPECT_EQ(open_contexts(), 0) << "nobody holds the device any more";
}

TEST_F(DeviceContext, IsNotKeptOfADeviceThatHasFailed) {
  const ElementPtr pipeline = make(kSource + kTracker + kSink);
  const ContextPtr context = run(pipeline);
  faults_.set("clFlush=-5");
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const BusPtr bus(gst_element_get_bus(pipeline.get()));
  const MessagePtr failure = next_message(bus.get(), GST_MESSAGE_ERROR);
  EXPECT_NE(failure, nullptr) << "it hangs";
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  // The warm-up and the first frame both fail; whichever comes second may have made a context anew.
  EXPECT_LE(contexts(), 1);
  faults_.set({});
  run(pipeline);
  EXPECT_EQ(contexts(), 1) << "the old one may be beyond use";
}

TEST_F(DeviceContext, IsToldToNeighbours) {
  const ElementPtr pipeline = make(kSource + kTracker + kSink);
  const QueryPtr query(gst_query_new_context(kType));
  const QueryPtr other(gst_query_new_context("gst.some.context"));
  const ElementPtr tracker(gst_bin_get_by_name(GST_BIN(pipeline.get()), "tracker"));
  GstPad* pad = gst_element_get_static_pad(tracker.get(), "sink");
  EXPECT_FALSE(gst_pad_query(pad, query.get())) << "there is none yet";
  run(pipeline);
  EXPECT_TRUE(gst_pad_query(pad, query.get()));
  EXPECT_FALSE(gst_pad_query(pad, other.get()));
  gst_object_unref(pad);
  GstContext* context = nullptr;  // the query's
  gst_query_parse_context(query.get(), &context);
  ASSERT_NE(context, nullptr);
  // Without a bin around that passes messages on, neighbours are asked.
  const ElementPtr next = make("cltracker device=0.0");
  GstPad* src = gst_element_get_static_pad(tracker.get(), "src");
  GstPad* old = gst_pad_get_peer(src);
  GstPad* sink = gst_element_get_static_pad(next.get(), "sink");
  gst_pad_unlink(src, old);
  EXPECT_EQ(gst_pad_link_full(src, sink, GST_PAD_LINK_CHECK_NOTHING), GST_PAD_LINK_OK);
  gst_element_set_state(next.get(), GST_STATE_PAUSED);
  const ContextPtr found(gst_element_get_context(next.get(), kType));
  EXPECT_EQ(found.get(), context);
  gst_element_set_state(next.get(), GST_STATE_NULL);
  gst_pad_unlink(src, sink);
  for (GstPad* each : {src, old, sink}) gst_object_unref(each);
}

TEST_F(DeviceContext, IsNotNeededOnTheHost) {
  EXPECT_EQ(run(make(kSource + "! cltracker device=host targets=\"<<40,30,40,40>>\" " + kSink)),
            nullptr);
  EXPECT_EQ(contexts(), 0);
}

TEST_F(DeviceContext, OfStrangeContentsIsReplaced) {
  const ElementPtr pipeline = make(kSource + kTracker + kSink);
  const ContextPtr strange(gst_context_new(kType, TRUE));
  gst_element_set_context(pipeline.get(), strange.get());
  EXPECT_NE(run(pipeline), nullptr);
}

}  // namespace
}  // namespace cltrack::test
