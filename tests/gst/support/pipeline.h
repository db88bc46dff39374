// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole pipelines, written as for gst-launch-1.0.
#pragma once

#include <gst/gst.h>
#include <gtest/gtest.h>

#include <functional>
#include <list>
#include <string>
#include <vector>

#include "gst_ptr.h"

namespace cltrack::test {

inline bool has_elements(const std::vector<const char*>& names) {
  for (const char* name : names) {
    GstElementFactory* factory = gst_element_factory_find(name);
    if (factory == nullptr) return false;
    gst_object_unref(factory);
  }
  return true;
}

#define SKIP_WITHOUT(...)                                                    \
  if (!cltrack::test::has_elements({__VA_ARGS__})) {                         \
    GTEST_SKIP() << "one of these elements is not installed: " #__VA_ARGS__; \
  }

class Pipeline {
 public:
  using See = std::function<void(GstBuffer*)>;
  using Hear = std::function<void(GstMessage*)>;

  explicit Pipeline(const std::string& line) {
    GError* error = nullptr;
    pipeline_.reset(gst_parse_launch(line.c_str(), &error));
    if (error == nullptr) return;
    problem_ = error->message;
    g_error_free(error);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline() { stop(); }

  GstElement* get() { return pipeline_.get(); }
  ElementPtr element(const char* name) {
    return ElementPtr(gst_bin_get_by_name(GST_BIN(get()), name));
  }
  void stop() {
    if (pipeline_) gst_element_set_state(get(), GST_STATE_NULL);
  }

  // What is called with each buffer that passes a pad.
  void probe(const char* name, const char* pad, See see) {
    if (!problem_.empty()) return;
    const PadPtr place(gst_element_get_static_pad(element(name).get(), pad));
    gst_pad_add_probe(
        place.get(), GST_PAD_PROBE_TYPE_BUFFER,
        [](GstPad*, GstPadProbeInfo* info, gpointer data) {
          (*static_cast<See*>(data))(GST_PAD_PROBE_INFO_BUFFER(info));
          return GST_PAD_PROBE_OK;
        },
        &probes_.emplace_back(std::move(see)), nullptr);
  }

  // Plays to the end of the stream, and stops; what went wrong otherwise. `hear` is called with
  // messages of the other `kinds`.
  std::string run(const Hear& hear = {}, int kinds = GST_MESSAGE_ELEMENT) {
    if (!problem_.empty()) return problem_;
    gst_element_set_state(get(), GST_STATE_PLAYING);
    const BusPtr bus(gst_element_get_bus(get()));
    std::string problem = "no end within ten minutes";
    while (const MessagePtr message = next_message(bus.get(), kEndOrError | (hear ? kinds : 0))) {
      const bool is_error = GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR;
      if (is_error || GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_EOS) {
        problem = is_error ? text_of(message) : "";
        break;
      }
      hear(message.get());
    }
    stop();
    return problem;
  }

 private:
  ElementPtr pipeline_;
  std::string problem_;
  std::list<See> probes_;  // which pads point to
};

}  // namespace cltrack::test
