// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-cltracker
 * @title: cltracker
 * @see_also: trackoverlay
 *
 * Tracks objects that are given as boxes on the first picture, through changes of scale and light,
 * and finds them again after they were hidden or had left (TLD: tracking, learning, detection). The
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

#include <string>
#include <utility>

#include "core/error.h"
#include "guard.h"
#include "target_list.h"
#include "target_settings.h"
#include "target_update.h"
#include "tld/tld_tracker.h"
#include "tld_settings.h"

GST_DEBUG_CATEGORY_STATIC(gst_cl_tracker_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_debug

namespace {

enum Property {
  kAlgorithm = 1,
  kInitialX,
  kInitialY,
  kInitialWidth,
  kInitialHeight,
  kTargets,
  kLabel,
  kSeed,
  kLearning,
  kFirstTldSetting,
};

enum Algorithm { kTld };

constexpr const char* kDefaultLabel = "object";

// What one instance keeps.
struct Private {
  // Under the object lock.
  int algorithm = kTld;
  cltrack::TldConfig config;
  cltrack::gst::TargetSettings settings;
  std::string label = kDefaultLabel;
  std::string bad_targets;  // why the latest value of `targets`, set while stopped, was refused
  bool started = false;

  // Of the streaming thread.
  std::vector<std::uint64_t> ids;  // of the targets in the tracker
  std::uint64_t generation = 0;    // of the settings that they were made of
  bool renew = true;               // the tracker is a new one
};

class ObjectLock {
 public:
  explicit ObjectLock(void* object) : object_(GST_OBJECT(object)) { GST_OBJECT_LOCK(object_); }
  ~ObjectLock() { GST_OBJECT_UNLOCK(object_); }
  ObjectLock(const ObjectLock&) = delete;
  ObjectLock& operator=(const ObjectLock&) = delete;

 private:
  GstObject* object_;
};

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
  static const GEnumValue values[] = {{kTld, "TLD", "tld"}, {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstClTrackerAlgorithm", values);
  return type;
}

static std::unique_ptr<cltrack::Tracker> gst_cl_tracker_make_tracker(GstClTrackerBase* base) {
  Private& priv = *GST_CL_TRACKER(base)->priv;
  cltrack::TldConfig config;
  {
    const ObjectLock lock(base);
    config = priv.config;
  }
  priv.ids.clear();
  priv.renew = true;
  return cltrack::make_tld_tracker(config);
}

static bool gst_cl_tracker_prepare(GstClTrackerBase* base, cltrack::Tracker& tracker,
                                   cltrack::gst::FrameContext& context) {
  Private& priv = *GST_CL_TRACKER(base)->priv;
  std::vector<cltrack::gst::Target> targets;
  std::string label;
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
    }
  }
  if (replace) {
    using cltrack::gst::OnBadTarget;
    cltrack::gst::replace_targets(tracker, priv.ids, targets, label, context.width, context.height,
                                  context.first ? OnBadTarget::refuse : OnBadTarget::leave_out,
                                  context.warnings);
    priv.renew = false;
    if (priv.ids.empty()) GST_INFO_OBJECT(base, "no target is set: buffers pass as they are");
  }
  tracker.set_learning(learning && context.may_learn);
  return !priv.ids.empty();
}

// The start fails if the user's targets were refused before: they would be missed otherwise.
static gboolean gst_cl_tracker_start(GstBaseTransform* trans) {
  Private& priv = *GST_CL_TRACKER(trans)->priv;
  std::string bad_targets;
  {
    const ObjectLock lock(trans);
    bad_targets = priv.bad_targets;
    priv.started = bad_targets.empty();
  }
  if (!bad_targets.empty()) {
    GST_ELEMENT_ERROR(trans, RESOURCE, SETTINGS, ("%s", bad_targets.c_str()), (nullptr));
    return FALSE;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_parent_class)->start(trans);
}

static gboolean gst_cl_tracker_stop(GstBaseTransform* trans) {
  {
    const ObjectLock lock(trans);
    GST_CL_TRACKER(trans)->priv->started = false;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_parent_class)->stop(trans);
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
    default:
      if (!cltrack::gst::set_tld_setting(priv.config, id, kFirstTldSetting, value)) {
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
    default:
      if (!cltrack::gst::get_tld_setting(priv.config, id, kFirstTldSetting, value)) {
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

static void gst_cl_tracker_install_properties(GObjectClass* klass) {
  constexpr int kReadWrite = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  constexpr auto kReady = static_cast<GParamFlags>(kReadWrite | GST_PARAM_MUTABLE_READY);
  constexpr auto kPlaying = static_cast<GParamFlags>(kReadWrite | GST_PARAM_MUTABLE_PLAYING);
  const cltrack::TldConfig defaults;

  /**
   * GstClTracker:algorithm:
   *
   * How targets are tracked: `tld`, the only one for now.
   */
  g_object_class_install_property(
      klass, kAlgorithm,
      g_param_spec_enum("algorithm", "Algorithm",
                        "How targets are tracked; acts when the element starts",
                        GST_TYPE_CL_TRACKER_ALGORITHM, kTld, kReady));

  /**
   * GstClTracker:object-initial-x:
   *
   * Left edge of a target's box, pixels. The four properties object-initial-x, -y, -width and
   * -height together are one target, from the moment when any of them is set; all four set to 0
   * are none. Their default is that of cvtracker, so that a line that sets only some of them
   * means the same box. Changed while PLAYING, they replace all targets on the next buffer; those
   * of one g_object_set() act together.
   */
  const auto install_initial = [&](guint id, const char* name, const char* nick,
                                   const char* blurb) {
    g_object_class_install_property(
        klass, id,
        g_param_spec_uint(name, nick, blurb, 0, G_MAXUINT,
                          cltrack::gst::TargetSettings::kInitialDefault, kPlaying));
  };
  install_initial(kInitialX, "object-initial-x", "Initial x",
                  "Left edge of the target's box, pixels. No target until one of "
                  "object-initial-x, -y, -width, -height is set, or if all are 0; may be changed "
                  "at any time, replaces all targets on the next buffer");
  /**
   * GstClTracker:object-initial-y:
   *
   * Top edge of a target's box, pixels; see #GstClTracker:object-initial-x.
   */
  install_initial(kInitialY, "object-initial-y", "Initial y",
                  "Top edge of the target's box, pixels; see object-initial-x");
  /**
   * GstClTracker:object-initial-width:
   *
   * Width of a target's box, pixels, 8 at least; see #GstClTracker:object-initial-x.
   */
  install_initial(kInitialWidth, "object-initial-width", "Initial width",
                  "Width of the target's box, pixels, 8 at least; see object-initial-x");
  /**
   * GstClTracker:object-initial-height:
   *
   * Height of a target's box, pixels, 8 at least; see #GstClTracker:object-initial-x.
   */
  install_initial(kInitialHeight, "object-initial-height", "Initial height",
                  "Height of the target's box, pixels, 8 at least; see object-initial-x");

  /**
   * GstClTracker:targets:
   *
   * Boxes to track, besides that of object-initial-*: an array of arrays of x, y, width, height
   * (numbers of any type, pixels; parts of pixels count) and, if wanted, a label:
   * `targets="<<10,20,50,50>,<60.5,20,30,40,\"car\">>"`. Code can append values of one type only to
   * a #GstValueArray; what mixes them is best set as text, with gst_util_set_object_arg(). At least
   * 8x8 pixels of a box must lie inside the frame. Set while PLAYING, to the same value even, it
   * replaces all targets on the next buffer, and they get new ids; `<>` removes them. A value that
   * is not allowed changes nothing and is answered by a warning while the element runs, or by an
   * error when it starts.
   */
  g_object_class_install_property(
      klass, kTargets,
      gst_param_spec_array("targets", "Targets",
                           "Boxes to track, <<x,y,width,height>,<x,y,width,height,\"label\">,...>, "
                           "in pixels, at least 8x8 of them inside the frame; may be changed at "
                           "any time, replaces all targets on the next buffer",
                           nullptr, kPlaying));
  /**
   * GstClTracker:label:
   *
   * Label of targets that have none of their own, and type of their #GstVideoRegionOfInterestMeta.
   */
  g_object_class_install_property(
      klass, kLabel,
      g_param_spec_string("label", "Label",
                          "Label of targets that have none of their own; may be changed at any "
                          "time, acts on targets that are set from then on",
                          kDefaultLabel, kPlaying));
  /**
   * GstClTracker:seed:
   *
   * Seed of all random choices: the same seed and video give the same boxes.
   */
  g_object_class_install_property(
      klass, kSeed,
      g_param_spec_uint64("seed", "Seed",
                          "Seed of all random choices, any number; acts when the element starts, "
                          "or on a new stream",
                          0, G_MAXUINT64, defaults.seed, kReady));
  /**
   * GstClTracker:learning:
   *
   * Learn from the targets as they change. With %FALSE the models stay as they are; tracking and
   * re-detection go on.
   */
  g_object_class_install_property(
      klass, kLearning,
      g_param_spec_boolean("learning", "Learning",
                           "Learn how the targets look as they change; may be changed at any time, "
                           "acts on the next buffer",
                           defaults.learning, kPlaying));
  cltrack::gst::install_tld_settings(klass, kFirstTldSetting);
}

static void gst_cl_tracker_class_init(GstClTrackerClass* klass) {
  GST_DEBUG_CATEGORY_INIT(gst_cl_tracker_debug, "cltracker", 0, "object tracker");
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_cl_tracker_set_property;
  object_class->get_property = gst_cl_tracker_get_property;
  object_class->dispatch_properties_changed = gst_cl_tracker_dispatch_properties_changed;
  object_class->finalize = gst_cl_tracker_finalize;
  gst_cl_tracker_install_properties(object_class);

  GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);
  transform_class->start = gst_cl_tracker_start;
  transform_class->stop = gst_cl_tracker_stop;

  GstClTrackerBaseClass* base_class = GST_CL_TRACKER_BASE_CLASS(klass);
  base_class->make_tracker = gst_cl_tracker_make_tracker;
  base_class->prepare = gst_cl_tracker_prepare;
  base_class->algorithm = "tld";

  gst_element_class_set_static_metadata(
      GST_ELEMENT_CLASS(klass), "Object tracker", "Filter/Analyzer/Video",
      "Tracks objects given as boxes, learns how they look and finds them again (TLD)",
      "The gst-cltrack authors");
  gst_type_mark_as_plugin_api(GST_TYPE_CL_TRACKER_ALGORITHM, static_cast<GstPluginAPIFlags>(0));
}

static void gst_cl_tracker_init(GstClTracker* self) { self->priv = new Private(); }
