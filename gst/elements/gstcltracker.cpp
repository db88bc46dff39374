// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/gstcltracker.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"
#include "elements/guard.h"
#include "elements/target_signals.h"
#include "files/model_file.h"
#include "pictures/template_file.h"
#include "properties/tracker_settings.h"
#include "stream/target_update.h"

GST_DEBUG_CATEGORY_STATIC(gst_cl_tracker_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_debug

namespace {

using namespace cltrack::gst;

// Members of an instance.
struct Private {
  // Under the object lock.
  TrackerSettings settings;
  // From start to stop; and what is in the files, where some are named.
  Algorithm algorithm = kTld;
  std::shared_ptr<const cltrack::Image> picture;
  std::optional<cltrack::Network> network;
  int max_targets = 0;

  // These belong to the streaming thread.
  std::vector<std::uint64_t> ids;  // of the targets in the tracker
  std::uint64_t generation = 0;    // of the settings that they were made of
  bool renew = true;               // the tracker is a new one
  Algorithm running = kTld;        // algorithm of the tracker
};

}  // namespace

struct _GstClTracker {
  GstClTrackerBase parent;
  Private* priv;
};

G_DEFINE_TYPE(GstClTracker, gst_cl_tracker, GST_TYPE_CL_TRACKER_BASE)
CLTRACK_REGISTER_DEFINE(cltracker, GST_TYPE_CL_TRACKER)

static std::unique_ptr<cltrack::Tracker> gst_cl_tracker_make_tracker(
    GstClTrackerBase* base, std::shared_ptr<cltrack::TrackerDevices> devices) {
  Private& priv = members_of(GST_CL_TRACKER(base)->priv);
  TrackerSettings settings;
  int max_targets = 0;
  {
    const ObjectLock lock(base);
    settings = priv.settings;
    settings.tld.network = priv.network;
    max_targets = priv.max_targets;
    priv.running = priv.algorithm;
  }
  priv.ids.clear();
  priv.renew = true;
  return kind_of(priv.running).make(settings, max_targets, std::move(devices));
}

static void gst_cl_tracker_prepare(GstClTrackerBase* base, cltrack::Tracker& tracker,
                                   FrameContext& context) {
  Private& priv = members_of(GST_CL_TRACKER(base)->priv);
  std::vector<Target> targets;
  std::string label;
  std::shared_ptr<const cltrack::Image> picture;
  bool learning = true;
  bool replace = priv.renew;
  {
    const ObjectLock lock(base);
    const TrackerSettings& settings = priv.settings;
    learning = settings.tld.learning;
    context.detections = settings.detections;
    context.detections.region = settings.search;
    replace = replace || settings.targets.generation() != priv.generation;
    if (replace) {
      priv.generation = settings.targets.generation();
      targets = settings.targets.committed();
      label = settings.label;
      picture = priv.picture;
    }
  }
  context.algorithm = kind_of(priv.running).name;
  if (replace) {
    TargetUpdate update(context.width, context.height,
                        context.first ? OnBadTarget::refuse : OnBadTarget::leave_out,
                        context.warnings);
    for (const Target& target : targets) {
      update.add_box(target.box, target.label.empty() ? label : target.label);
    }
    if (picture) update.add_picture(picture->view(), label, "template-location");
    update.apply(context.targets, priv.ids);
    priv.renew = false;
  }
  tracker.set_learning(learning && context.may_learn);
  tracker.set_search_region(context.detections.region);
}

static std::shared_ptr<cltrack::TrackerDevices> gst_cl_tracker_open(GstClTrackerBase* base) {
  Private& priv = members_of(GST_CL_TRACKER(base)->priv);
  TrackerSettings settings;
  {
    const ObjectLock lock(base);
    settings = priv.settings;
    priv.max_targets = settings.tld.max_targets;
    priv.settings.targets.limit(priv.max_targets, settings.template_location.empty() ? 0 : 1);
  }
  const std::string& location = settings.template_location;
  gst_cl_tracker_base_control(base).limit(settings.tld.max_targets);
  if (settings.algorithm == kTld && !location.empty()) {
    throw cltrack::Error(
        cltrack::ErrorCode::invalid_argument,
        "template-location \"" + location + "\" needs algorithm=template, but algorithm is tld");
  }
  if (!settings.network.empty()) {
    if (settings.algorithm != kTld) {
      throw cltrack::Error(
          cltrack::ErrorCode::invalid_argument,
          "network \"" + settings.network + "\" needs algorithm=tld, but algorithm is template");
    }
    settings.tld.network = load_network(settings.network);
  }
  std::shared_ptr<const cltrack::Image> picture;
  if (!location.empty()) picture = std::make_shared<cltrack::Image>(load_template(location));
  {
    const ObjectLock lock(base);
    priv.algorithm = settings.algorithm;
    priv.picture = std::move(picture);
    priv.network = settings.tld.network;
  }
  return kind_of(settings.algorithm).open(settings);
}

static void gst_cl_tracker_close(GstClTrackerBase* base) {
  gst_cl_tracker_base_control(base).limit({});
  const ObjectLock lock(base);
  Private* const priv = GST_CL_TRACKER(base)->priv;
  if (priv == nullptr) return;
  priv->settings.targets.unlimit();
  priv->picture.reset();
  priv->network.reset();
}

static void gst_cl_tracker_set_property(GObject* object, guint id, const GValue* value,
                                        GParamSpec* spec) {
  guard(GST_ELEMENT(object), [&] {
    // targets-json is another way to write targets.
    const char* subject = g_str_equal(spec->name, "targets-json") ? "targets" : spec->name;
    set_tracker_property(GST_CL_TRACKER_BASE(object), tracker_properties(),
                         members_of(GST_CL_TRACKER(object)->priv).settings, id, value, subject);
  });
}

static void gst_cl_tracker_get_property(GObject* object, guint id, GValue* value,
                                        GParamSpec* /*spec*/) {
  guard(GST_ELEMENT(object), [&] {
    get_tracker_property(GST_CL_TRACKER_BASE(object), tracker_properties(),
                         members_of(GST_CL_TRACKER(object)->priv).settings, id, value);
  });
}

// GObject calls this once after all properties of one g_object_set() are set: so the four numbers
// of a box reach the streaming thread together.
static void gst_cl_tracker_dispatch_properties_changed(GObject* object, guint count,
                                                       GParamSpec** specs) {
  guard(GST_ELEMENT(object), [&] {
    try {
      const ObjectLock lock(object);
      members_of(GST_CL_TRACKER(object)->priv).settings.targets.commit();
    } catch (const cltrack::Error& error) {
      gst_cl_tracker_base_refuse(GST_CL_TRACKER_BASE(object), "targets", error.what());
    }
  });
  G_OBJECT_CLASS(gst_cl_tracker_parent_class)->dispatch_properties_changed(object, count, specs);
}

static void gst_cl_tracker_finalize(GObject* object) {
  delete GST_CL_TRACKER(object)->priv;
  G_OBJECT_CLASS(gst_cl_tracker_parent_class)->finalize(object);
}

static void gst_cl_tracker_class_init(GstClTrackerClass* klass) {
  guard_class(klass, [&] {
    GST_DEBUG_CATEGORY_INIT(gst_cl_tracker_debug, "cltracker", 0, "object tracker");
    GObjectClass* object_class = G_OBJECT_CLASS(klass);
    object_class->set_property = gst_cl_tracker_set_property;
    object_class->get_property = gst_cl_tracker_get_property;
    object_class->dispatch_properties_changed = gst_cl_tracker_dispatch_properties_changed;
    object_class->finalize = gst_cl_tracker_finalize;
    install_properties(object_class, tracker_properties());
    install_model_signals(G_TYPE_FROM_CLASS(klass));

    GstClTrackerBaseClass* base_class = GST_CL_TRACKER_BASE_CLASS(klass);
    base_class->open = gst_cl_tracker_open;
    base_class->close = gst_cl_tracker_close;
    base_class->make_tracker = gst_cl_tracker_make_tracker;
    base_class->prepare = gst_cl_tracker_prepare;
    base_class->algorithm = "tld";

    gst_element_class_set_static_metadata(
        GST_ELEMENT_CLASS(klass), "Object tracker", "Filter/Analyzer/Video",
        "Tracks objects given as boxes, with re-detection (TLD, template matching)",
        "The gst-cltrack authors");
  });
}

static void gst_cl_tracker_init(GstClTracker* self) { self->priv = make_members<Private>(); }
