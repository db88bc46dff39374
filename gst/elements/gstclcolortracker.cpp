// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/gstclcolortracker.h"

#include <memory>
#include <string>
#include <utility>

#include "cltrack/color_tracker.h"
#include "cltrack/tracker_devices.h"
#include "devices/dma_buf.h"
#include "elements/guard.h"
#include "elements/pad_templates.h"
#include "elements/target_signals.h"
#include "ops/color/color_sums.h"
#include "pictures/frame_layout.h"
#include "pictures/luma.h"
#include "properties/color_settings.h"
#include "stream/target_update.h"

GST_DEBUG_CATEGORY_STATIC(gst_cl_color_tracker_debug);
#define GST_CAT_DEFAULT gst_cl_color_tracker_debug

namespace {

using namespace cltrack::gst;

// Members of an instance.
struct Private {
  ColorSettings settings;  // under the object lock

  // These belong to the streaming thread.
  std::vector<std::uint64_t> ids;  // of the colours in the tracker
  std::uint64_t seen = 0;          // generation of the colours that are in the tracker
};

}  // namespace

struct _GstClColorTracker {
  GstClTrackerBase parent;
  Private* priv;
};

G_DEFINE_TYPE(GstClColorTracker, gst_cl_color_tracker, GST_TYPE_CL_TRACKER_BASE)
CLTRACK_REGISTER_DEFINE(clcolortracker, GST_TYPE_CL_COLOR_TRACKER)

static cltrack::ColorConfig gst_cl_color_tracker_config(GstClTrackerBase* base) {
  const ObjectLock lock(base);
  return members_of(GST_CL_COLOR_TRACKER(base)->priv).settings.config;
}

static std::unique_ptr<cltrack::Tracker> gst_cl_color_tracker_make_tracker(
    GstClTrackerBase* base, std::shared_ptr<cltrack::TrackerDevices> devices) {
  Private& priv = members_of(GST_CL_COLOR_TRACKER(base)->priv);
  if (devices) devices->wait();
  priv.ids.clear();
  priv.seen = 0;
  return cltrack::make_color_tracker(gst_cl_color_tracker_config(base), std::move(devices));
}

static void gst_cl_color_tracker_prepare(GstClTrackerBase* base, cltrack::Tracker& /*tracker*/,
                                         FrameContext& context) {
  Private& priv = members_of(GST_CL_COLOR_TRACKER(base)->priv);
  std::vector<ColorEntry> colors;
  std::string label;
  std::uint64_t generation = 0;
  {
    const ObjectLock lock(base);
    generation = priv.settings.generation;
    if (generation == priv.seen) return;
    colors = priv.settings.colors;
    label = priv.settings.label;
  }
  TargetUpdate update(context.width, context.height,
                      context.first ? OnBadTarget::refuse : OnBadTarget::leave_out,
                      context.warnings);
  for (const ColorEntry& entry : colors) {
    const std::string& name = entry.label.empty() ? label : entry.label;
    entry.model ? update.add_color(*entry.model, name) : update.add_color_box(entry.box, name);
  }
  update.apply(context.targets, priv.ids);
  priv.seen = generation;
}

static std::shared_ptr<cltrack::TrackerDevices> gst_cl_color_tracker_open(GstClTrackerBase* base) {
  gst_cl_tracker_base_control(base).limit(cltrack::kMaxColorObjects);
  return cltrack::open_devices(gst_cl_color_tracker_config(base));
}

static void gst_cl_color_tracker_set_property(GObject* object, guint id, const GValue* value,
                                              GParamSpec* spec) {
  guard(GST_ELEMENT(object), [&] {
    set_tracker_property(GST_CL_TRACKER_BASE(object), color_properties(),
                         members_of(GST_CL_COLOR_TRACKER(object)->priv).settings, id, value,
                         spec->name);
  });
}

static void gst_cl_color_tracker_get_property(GObject* object, guint id, GValue* value,
                                              GParamSpec* /*spec*/) {
  guard(GST_ELEMENT(object), [&] {
    get_tracker_property(GST_CL_TRACKER_BASE(object), color_properties(),
                         members_of(GST_CL_COLOR_TRACKER(object)->priv).settings, id, value);
  });
}

static void gst_cl_color_tracker_finalize(GObject* object) {
  delete GST_CL_COLOR_TRACKER(object)->priv;
  G_OBJECT_CLASS(gst_cl_color_tracker_parent_class)->finalize(object);
}

static void gst_cl_color_tracker_class_init(GstClColorTrackerClass* klass) {
  guard_class(klass, [&] {
    GST_DEBUG_CATEGORY_INIT(gst_cl_color_tracker_debug, "clcolortracker", 0, "tracker by colour");
    GObjectClass* object_class = G_OBJECT_CLASS(klass);
    object_class->set_property = gst_cl_color_tracker_set_property;
    object_class->get_property = gst_cl_color_tracker_get_property;
    object_class->finalize = gst_cl_color_tracker_finalize;
    install_properties(object_class, color_properties());
    install_color_signals(G_TYPE_FROM_CLASS(klass));

    GstClTrackerBaseClass* base_class = GST_CL_TRACKER_BASE_CLASS(klass);
    base_class->open = gst_cl_color_tracker_open;
    base_class->make_tracker = gst_cl_color_tracker_make_tracker;
    base_class->prepare = gst_cl_color_tracker_prepare;
    base_class->algorithm = "moct";
    base_class->uses_color = true;

    GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
    GstCaps* caps = with_dma_bufs(with_cuda_memory(make_color_caps()));
    cltrack::gst::add_pad_templates(element_class, caps);
    gst_caps_unref(caps);
    gst_element_class_set_static_metadata(
        element_class, "Tracker by colour", "Filter/Analyzer/Video",
        "Tracks objects by their colour, all in one pass (MOCT)", "The gst-cltrack authors");
  });
}

static void gst_cl_color_tracker_init(GstClColorTracker* self) {
  self->priv = make_members<Private>();
}
