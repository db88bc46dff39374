// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-cltracker
 * @title: cltracker
 * @see_also: trackoverlay
 *
 * Tracks objects that are given as boxes on the first picture, through changes of scale and light,
 * and finds them again after they were hidden or had left (TLD: tracking, learning, detection; or
 * template matching, with algorithm=template). The
 * pictures pass unchanged; where the objects are is written on each buffer as
 * #GstVideoRegionOfInterestMeta, with the track's id, its label as type, and as parameters
 * `detection` (fractions of the frame, confidence), `object_id` and `cltrack` (state, confidence,
 * age, box in parts of pixels). A lost target leaves no region.
 *
 * Takes all raw video of 8 bits per component in system memory, of any stride and size; no
 * converter is needed. The luma plane is used as it stands. #GstVideoCropMeta is not looked at:
 * boxes count in the whole picture.
 *
 * When a target changes its state, an element message `cltracker-state` is posted with the fields
 * `id` (#guint64), `label`, `state` and `previous-state` (`tracking`, `uncertain`, `lost`; `none`
 * before the first), `x`, `y`, `width`, `height` (#gdouble, pixels, 0 while lost), `confidence`
 * (#gdouble), `timestamp`, `stream-time`, `running-time` and `duration` (#guint64).
 *
 * In a pipeline made for cvtracker, this element can stand in its place: it has the properties
 * object-initial-x, -y, -width, -height and draw-rect. Other than there, nothing is drawn by
 * default, and without any of the four set there is no target.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=100 ! cltracker
 * targets="<<140,100,40,40,ball>>" ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "gstcltracker.h"

#include <memory>
#include <string>
#include <utility>

#include "core/error.h"
#include "guard.h"
#include "match/template_devices.h"
#include "match/template_tracker.h"
#include "object_lock.h"
#include "stage_devices.h"
#include "target_list.h"
#include "target_settings.h"
#include "target_update.h"
#include "template_file.h"
#include "template_settings.h"
#include "tld/tld_devices.h"
#include "tld/tld_tracker.h"
#include "tld_settings.h"
#include "tracker_properties.h"

GST_DEBUG_CATEGORY_STATIC(gst_cl_tracker_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_debug

namespace {

using namespace cltrack::gst;

enum Algorithm { kTld, kTemplate };

constexpr const char* kDefaultLabel = "object";

// What one instance keeps.
struct Private {
  // Under the object lock.
  int algorithm = kTld;
  cltrack::TldConfig config;
  cltrack::TemplateConfig match_config;  // what it has in common with `config` is taken from there
  std::string template_location;
  cltrack::gst::TargetSettings settings;
  std::string label = kDefaultLabel;
  std::string bad_targets;  // why the latest value of `targets`, set while stopped, was refused
  bool started = false;
  // From start to stop, those of the algorithm; and what the file shows, if one was named.
  std::shared_ptr<cltrack::TldDevices> devices;
  std::shared_ptr<cltrack::TemplateDevices> match_devices;
  std::shared_ptr<const cltrack::Image> picture;

  // Of the streaming thread.
  std::vector<std::uint64_t> ids;  // of the targets in the tracker
  std::uint64_t generation = 0;    // of the settings that they were made of
  bool renew = true;               // the tracker is a new one
  int running = kTld;              // algorithm of the tracker
};

// The object lock must be held.
cltrack::TemplateConfig template_config_of(const Private& priv) {
  cltrack::TemplateConfig config = priv.match_config;
  config.threads = priv.config.threads;
  config.learning = priv.config.learning;
  config.placement = priv.config.placement;
  return config;
}

// Empty while stopped. The object lock must be held.
std::vector<cltrack::PlacedStage> stages_of(const Private& priv) {
  if (priv.devices) return priv.devices->stages();
  if (priv.match_devices) return priv.match_devices->stages();
  return {};
}

}  // namespace

struct _GstClTracker {
  GstClTrackerBase parent;
  Private* priv;
};

G_DEFINE_TYPE(GstClTracker, gst_cl_tracker, GST_TYPE_CL_TRACKER_BASE)
GST_ELEMENT_REGISTER_DEFINE(cltracker, "cltracker", GST_RANK_NONE, GST_TYPE_CL_TRACKER)

#define GST_TYPE_CL_TRACKER_ALGORITHM (gst_cl_tracker_algorithm_get_type())
static GType gst_cl_tracker_algorithm_get_type() {
  // The name is what gst-launch-1.0 compares besides the nick: cvtracker's line says TLD.
  static const GEnumValue values[] = {
      {kTld, "TLD", "tld"}, {kTemplate, "Template matching", "template"}, {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstClTrackerAlgorithm", values);
  return type;
}

static std::unique_ptr<cltrack::Tracker> gst_cl_tracker_make_tracker(GstClTrackerBase* base) {
  Private& priv = *GST_CL_TRACKER(base)->priv;
  cltrack::TldConfig config;
  cltrack::TemplateConfig match_config;
  std::shared_ptr<cltrack::TldDevices> devices;
  std::shared_ptr<cltrack::TemplateDevices> match_devices;
  {
    const ObjectLock lock(base);
    config = priv.config;
    match_config = template_config_of(priv);
    devices = priv.devices;
    match_devices = priv.match_devices;
  }
  priv.ids.clear();
  priv.renew = true;
  priv.running = match_devices ? kTemplate : kTld;
  if (match_devices) {
    match_devices->wait();
    return cltrack::make_template_tracker(match_config);
  }
  return cltrack::make_tld_tracker(config, std::move(devices));
}

// The picture of template-location as a target.
static void gst_cl_tracker_add_picture(cltrack::Tracker& tracker, const cltrack::Image& picture,
                                       const std::string& label, std::vector<std::uint64_t>& ids,
                                       cltrack::gst::FrameContext& context) {
  try {
    cltrack::check_template_size(picture.width(), picture.height(), context.width, context.height);
    auto& templates = dynamic_cast<cltrack::TemplateTracker&>(tracker);
    ids.push_back(templates.add_template(picture.view(), label));
  } catch (const cltrack::Error& error) {
    const std::string text = std::string("template-location: ") + error.what();
    if (context.first) throw cltrack::Error(error.code(), text);
    context.warnings.push_back(text + "; this target is left out");
  }
}

static bool gst_cl_tracker_prepare(GstClTrackerBase* base, cltrack::Tracker& tracker,
                                   cltrack::gst::FrameContext& context) {
  Private& priv = *GST_CL_TRACKER(base)->priv;
  std::vector<cltrack::gst::Target> targets;
  std::string label;
  std::shared_ptr<const cltrack::Image> picture;
  bool learning = true;
  bool replace = priv.renew;
  {
    const ObjectLock lock(base);
    learning = priv.config.learning;
    replace = replace || priv.settings.generation() != priv.generation;
    if (replace) {
      priv.generation = priv.settings.generation();
      targets = priv.settings.committed();
      label = priv.label;
      picture = priv.picture;
    }
  }
  if (priv.running == kTemplate) context.algorithm = "template";
  if (replace) {
    using cltrack::gst::OnBadTarget;
    cltrack::gst::replace_targets(tracker, priv.ids, targets, label, context.width, context.height,
                                  context.first ? OnBadTarget::refuse : OnBadTarget::leave_out,
                                  context.warnings);
    if (picture) gst_cl_tracker_add_picture(tracker, *picture, label, priv.ids, context);
    priv.renew = false;
    if (priv.ids.empty()) GST_INFO_OBJECT(base, "no target is set: buffers pass as they are");
  }
  tracker.set_learning(learning && context.may_learn);
  return !priv.ids.empty();
}

// The start fails if the user's targets were refused before: they would be missed otherwise. And if
// a device is not there: better now than on the first buffer.
static gboolean gst_cl_tracker_start(GstBaseTransform* trans) {
  Private& priv = *GST_CL_TRACKER(trans)->priv;
  std::string bad_targets;
  cltrack::TldConfig config;
  cltrack::TemplateConfig match_config;
  std::string template_location;
  int algorithm = kTld;
  {
    const ObjectLock lock(trans);
    bad_targets = priv.bad_targets;
    config = priv.config;
    match_config = template_config_of(priv);
    template_location = priv.template_location;
    algorithm = priv.algorithm;
    priv.started = bad_targets.empty();
  }
  if (!bad_targets.empty()) {
    GST_ELEMENT_ERROR(trans, RESOURCE, SETTINGS, ("%s", bad_targets.c_str()), (nullptr));
    return FALSE;
  }
  const bool opened = cltrack::gst::guard(GST_ELEMENT(trans), false, [&] {
    if (algorithm == kTld) {
      if (!template_location.empty()) {
        throw cltrack::Error(cltrack::ErrorCode::invalid_argument,
                             "template-location \"" + template_location +
                                 "\" needs algorithm=template, but algorithm is tld");
      }
      auto devices = std::make_shared<cltrack::TldDevices>(config);
      cltrack::gst::share_devices(GST_ELEMENT(trans), devices->stages());
      const ObjectLock lock(trans);
      priv.devices = std::move(devices);
      return true;
    }
    std::shared_ptr<const cltrack::Image> picture;
    if (!template_location.empty()) {
      picture = std::make_shared<cltrack::Image>(cltrack::gst::load_template(template_location));
    }
    auto devices = std::make_shared<cltrack::TemplateDevices>(match_config);
    cltrack::gst::share_devices(GST_ELEMENT(trans), devices->stages());
    const ObjectLock lock(trans);
    priv.match_devices = std::move(devices);
    priv.picture = std::move(picture);
    return true;
  });
  if (!opened) return FALSE;
  return GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_parent_class)->start(trans);
}

static gboolean gst_cl_tracker_propose_allocation(GstBaseTransform* trans, GstQuery* decide_query,
                                                  GstQuery* query) {
  const gboolean answered = GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_parent_class)
                                ->propose_allocation(trans, decide_query, query);
  return cltrack::gst::guard(GST_ELEMENT(trans), FALSE, [&]() -> gboolean {
    std::vector<cltrack::PlacedStage> stages;
    {
      const ObjectLock lock(trans);
      stages = stages_of(*GST_CL_TRACKER(trans)->priv);
    }
    return cltrack::gst::offer_pinned_memory(query, stages) || answered;
  });
}

static gboolean gst_cl_tracker_stop(GstBaseTransform* trans) {
  const gboolean stopped = GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_parent_class)->stop(trans);
  Private& priv = *GST_CL_TRACKER(trans)->priv;
  // Closed after the lock is released.
  std::shared_ptr<cltrack::TldDevices> devices;
  std::shared_ptr<cltrack::TemplateDevices> match_devices;
  const ObjectLock lock(trans);
  priv.started = false;
  devices.swap(priv.devices);
  match_devices.swap(priv.match_devices);
  priv.picture.reset();
  return stopped;
}

static void gst_cl_tracker_set_targets(GstClTracker* self, const GValue* value) {
  Private& priv = *self->priv;
  std::string refusal;
  try {
    auto targets = cltrack::gst::parse_targets(value);
    const ObjectLock lock(self);
    priv.settings.set_targets(std::move(targets));
    priv.bad_targets.clear();
    return;
  } catch (const cltrack::Error& error) {
    refusal = error.what();
  }
  bool started = false;
  {
    const ObjectLock lock(self);
    started = priv.started;
    if (!started) priv.bad_targets = refusal;
  }
  // While stopped there may be no bus yet: then the start says so once more, as an error.
  GST_ELEMENT_WARNING(self, RESOURCE, SETTINGS, ("%s", refusal.c_str()),
                      ("%s", started ? "the targets stay as they are" : "the start will fail"));
}

static void gst_cl_tracker_set_value(GstClTracker* self, guint id, const GValue* value,
                                     GParamSpec* spec) {
  using cltrack::gst::InitialBox;
  if (id == kTargets) return gst_cl_tracker_set_targets(self, value);
  Private& priv = *self->priv;
  const ObjectLock lock(self);
  switch (id) {
    case kAlgorithm:
      priv.algorithm = g_value_get_enum(value);
      break;
    case kInitialX:
    case kInitialY:
    case kInitialWidth:
    case kInitialHeight:
      priv.settings.set_initial(static_cast<InitialBox>(id - kInitialX), g_value_get_uint(value));
      break;
    case kLabel: {
      const char* label = g_value_get_string(value);
      priv.label = label != nullptr && *label != '\0' ? label : kDefaultLabel;
      break;
    }
    case kSeed:
      priv.config.seed = g_value_get_uint64(value);
      break;
    case kLearning:
      priv.config.learning = g_value_get_boolean(value);
      break;
    case kTemplateLocation: {
      const char* path = g_value_get_string(value);
      priv.template_location = path != nullptr ? path : "";
      break;
    }
    default:
      if (!cltrack::gst::set_device_setting(priv.config.placement, id, kFirstDeviceSetting,
                                            value) &&
          !cltrack::gst::set_template_setting(priv.match_config, id, kFirstTemplateSetting,
                                              value) &&
          !cltrack::gst::set_tld_setting(priv.config, id, kFirstTldSetting, value)) {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(self, id, spec);
      }
  }
}

static void gst_cl_tracker_get_value(GstClTracker* self, guint id, GValue* value,
                                     GParamSpec* spec) {
  using cltrack::gst::InitialBox;
  Private& priv = *self->priv;
  const ObjectLock lock(self);
  switch (id) {
    case kAlgorithm:
      g_value_set_enum(value, priv.algorithm);
      break;
    case kInitialX:
    case kInitialY:
    case kInitialWidth:
    case kInitialHeight:
      g_value_set_uint(value, priv.settings.initial(static_cast<InitialBox>(id - kInitialX)));
      break;
    case kTargets:
      cltrack::gst::write_targets(priv.settings.targets(), value);
      break;
    case kLabel:
      g_value_set_string(value, priv.label.c_str());
      break;
    case kSeed:
      g_value_set_uint64(value, priv.config.seed);
      break;
    case kLearning:
      g_value_set_boolean(value, priv.config.learning);
      break;
    case kTemplateLocation:
      g_value_set_string(value,
                         priv.template_location.empty() ? nullptr : priv.template_location.c_str());
      break;
    case kPlacement:
      if (const auto stages = stages_of(priv); !stages.empty()) {
        g_value_take_boxed(value, cltrack::gst::make_placement_structure(stages));
      }
      break;
    default:
      if (!cltrack::gst::get_device_setting(priv.config.placement, id, kFirstDeviceSetting,
                                            value) &&
          !cltrack::gst::get_template_setting(priv.match_config, id, kFirstTemplateSetting,
                                              value) &&
          !cltrack::gst::get_tld_setting(priv.config, id, kFirstTldSetting, value)) {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(self, id, spec);
      }
  }
}

static void gst_cl_tracker_set_property(GObject* object, guint id, const GValue* value,
                                        GParamSpec* spec) {
  cltrack::gst::guard(GST_ELEMENT(object), 0, [&] {
    gst_cl_tracker_set_value(GST_CL_TRACKER(object), id, value, spec);
    return 0;
  });
}

static void gst_cl_tracker_get_property(GObject* object, guint id, GValue* value,
                                        GParamSpec* spec) {
  cltrack::gst::guard(GST_ELEMENT(object), 0, [&] {
    gst_cl_tracker_get_value(GST_CL_TRACKER(object), id, value, spec);
    return 0;
  });
}

// GObject calls this once after all properties of one g_object_set() are set: so the four numbers
// of a box reach the streaming thread together.
static void gst_cl_tracker_dispatch_properties_changed(GObject* object, guint count,
                                                       GParamSpec** specs) {
  cltrack::gst::guard(GST_ELEMENT(object), 0, [&] {
    const ObjectLock lock(object);
    GST_CL_TRACKER(object)->priv->settings.commit();
    return 0;
  });
  G_OBJECT_CLASS(gst_cl_tracker_parent_class)->dispatch_properties_changed(object, count, specs);
}

static void gst_cl_tracker_finalize(GObject* object) {
  delete GST_CL_TRACKER(object)->priv;
  G_OBJECT_CLASS(gst_cl_tracker_parent_class)->finalize(object);
}

static void gst_cl_tracker_class_init(GstClTrackerClass* klass) {
  GST_DEBUG_CATEGORY_INIT(gst_cl_tracker_debug, "cltracker", 0, "object tracker");
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_cl_tracker_set_property;
  object_class->get_property = gst_cl_tracker_get_property;
  object_class->dispatch_properties_changed = gst_cl_tracker_dispatch_properties_changed;
  object_class->finalize = gst_cl_tracker_finalize;
  cltrack::gst::install_tracker_properties(object_class, GST_TYPE_CL_TRACKER_ALGORITHM, kTld,
                                           kDefaultLabel);

  GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);
  transform_class->start = gst_cl_tracker_start;
  transform_class->stop = gst_cl_tracker_stop;
  transform_class->propose_allocation = gst_cl_tracker_propose_allocation;

  GstClTrackerBaseClass* base_class = GST_CL_TRACKER_BASE_CLASS(klass);
  base_class->make_tracker = gst_cl_tracker_make_tracker;
  base_class->prepare = gst_cl_tracker_prepare;
  base_class->algorithm = "tld";

  gst_element_class_set_static_metadata(
      GST_ELEMENT_CLASS(klass), "Object tracker", "Filter/Analyzer/Video",
      "Tracks objects given as boxes and finds them again (TLD, template matching)",
      "The gst-cltrack authors");
  gst_type_mark_as_plugin_api(GST_TYPE_CL_TRACKER_ALGORITHM, static_cast<GstPluginAPIFlags>(0));
}

static void gst_cl_tracker_init(GstClTracker* self) { self->priv = new Private(); }
