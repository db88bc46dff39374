// SPDX-License-Identifier: LGPL-2.1-or-later
// The pad templates of elements with one sink pad and one source pad.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

// Adds the templates "sink" and "src" with the same caps.
inline void add_pad_templates(GstElementClass* klass, GstCaps* caps) {
  gst_element_class_add_pad_template(
      klass, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template(
      klass, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
}

}  // namespace cltrack::gst
