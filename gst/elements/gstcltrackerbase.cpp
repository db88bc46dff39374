// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/gstcltrackerbase.h"

#include <map>
#include <optional>

#include "devices/device_context.h"
#include "devices/dma_buf.h"
#include "devices/pinned_allocator.h"
#include "elements/guard.h"
#include "elements/pad_templates.h"
#include "elements/target_signals.h"
#include "elements/tracker_events.h"
#include "pictures/frame_layout.h"
#include "properties/base_properties.h"
#include "properties/device_settings.h"
#include "scoped.h"
#include "stream/target_update.h"
#include "stream/track_stream.h"

GST_DEBUG_CATEGORY(gst_cl_tracker_base_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_base_debug

namespace cltrack::gst {
namespace {

// The StreamTracker of an element's class.
class ElementTracker final : public StreamTracker {
 public:
  explicit ElementTracker(GstClTrackerBase* self)
      : self_(self), class_(*GST_CL_TRACKER_BASE_GET_CLASS(self)) {}

  std::unique_ptr<Tracker> make_tracker() override {
    return class_.make_tracker(self_, gst_cl_tracker_base_devices(self_));
  }
  void prepare(Tracker& tracker, FrameContext& context) override {
    class_.prepare(self_, tracker, context);
  }
  std::shared_ptr<TrackerDevices> devices() const override {
    return gst_cl_tracker_base_devices(self_);
  }
  const char* algorithm() const override { return class_.algorithm; }
  bool uses_color() const override { return class_.uses_color; }

 private:
  GstClTrackerBase* self_;
  const GstClTrackerBaseClass& class_;
};

}  // namespace
}  // namespace cltrack::gst

namespace {

struct Members {
  cltrack::gst::TargetControl control;
  cltrack::gst::TrackStream stream{control};
  cltrack::gst::TrackerEvents events{control, stream};

  // Under the object lock.
  cltrack::gst::BaseSettings settings;
  bool started = false;
  std::shared_ptr<cltrack::TrackerDevices> devices;
  // Why the latest value of a property, set while stopped, was refused.
  std::map<std::string, std::string> refusals;
};

}  // namespace

struct GstClTrackerBasePrivate {
  Members* members;
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(GstClTrackerBase, gst_cl_tracker_base, GST_TYPE_BASE_TRANSFORM)

namespace {

using cltrack::gst::guard;
using cltrack::gst::ObjectLock;
using cltrack::gst::Scoped;

Members*& members_pointer(void* object) {
  return static_cast<GstClTrackerBasePrivate*>(
             gst_cl_tracker_base_get_instance_private(GST_CL_TRACKER_BASE(object)))
      ->members;
}

Members& private_of(void* object) { return cltrack::gst::members_of(members_pointer(object)); }

cltrack::gst::BaseSettings settings_of(void* object) {
  const ObjectLock lock(object);
  return private_of(object).settings;
}

// The opposite of what the start does.
void close_tracker(GstClTrackerBase* self) {
  if (members_pointer(self) == nullptr) return;
  std::shared_ptr<cltrack::TrackerDevices> devices;  // closed after the lock is released
  {
    const ObjectLock lock(self);
    private_of(self).started = false;
    devices.swap(private_of(self).devices);
  }
  guard(GST_ELEMENT(self), [&] {
    const auto close = GST_CL_TRACKER_BASE_GET_CLASS(self)->close;
    if (close != nullptr) close(self);
  });
}

}  // namespace

cltrack::gst::TargetControl& gst_cl_tracker_base_control(GstClTrackerBase* self) {
  return private_of(self).control;
}

cltrack::SavedModel gst_cl_tracker_base_save(GstClTrackerBase* self, guint64 id) {
  return private_of(self).stream.save(id);
}

std::shared_ptr<cltrack::TrackerDevices> gst_cl_tracker_base_devices(GstClTrackerBase* self) {
  const ObjectLock lock(self);
  return private_of(self).devices;
}

void gst_cl_tracker_base_get_placement(GstClTrackerBase* self, GValue* value) {
  if (const auto devices = gst_cl_tracker_base_devices(self)) {
    g_value_take_boxed(value, cltrack::gst::make_placement_structure(devices->stages()));
  }
}

void gst_cl_tracker_base_accept(GstClTrackerBase* self, const char* property) {
  private_of(self).refusals.erase(property);
}

void gst_cl_tracker_base_refuse(GstClTrackerBase* self, const char* property,
                                const std::string& refusal) {
  const Scoped<char, g_free> text(g_utf8_make_valid(refusal.c_str(), -1));
  Members& priv = private_of(self);
  bool started = false;
  {
    const ObjectLock lock(self);
    started = priv.started;
    if (!started) priv.refusals[property] = text.get();
  }
  // While stopped there may be no bus yet: then the start says so once more, as an error.
  GST_ELEMENT_WARNING(self, RESOURCE, SETTINGS, ("%s", text.get()),
                      ("%s: %s", property, started ? "keeps its value" : "the start will fail"));
}

static GstFlowReturn gst_cl_tracker_base_transform_ip(GstBaseTransform* trans, GstBuffer* buffer) {
  return guard(GST_ELEMENT(trans), GST_FLOW_ERROR, [&] {
    Members& priv = private_of(trans);
    try {
      cltrack::gst::ElementTracker tracker(GST_CL_TRACKER_BASE(trans));
      priv.stream.process(trans, tracker, buffer, settings_of(trans));
    } catch (const cltrack::Error& error) {
      if (error.code() != cltrack::ErrorCode::interrupted) throw;
      return GST_FLOW_FLUSHING;
    }
    return GST_FLOW_OK;
  });
}

// The base class asks until there is no more: for the second time when the buffer has been pushed.
static GstFlowReturn gst_cl_tracker_base_generate_output(GstBaseTransform* trans,
                                                         GstBuffer** buffer) {
  const auto observe_push = [&](auto see) {
    guard(GST_ELEMENT(trans), [&] { (private_of(trans).stream.time().*see)(GST_ELEMENT(trans)); });
  };
  if (trans->queued_buf == nullptr) observe_push(&cltrack::gst::TimeBudget::push_ends);
  const GstFlowReturn result =
      GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_base_parent_class)->generate_output(trans, buffer);
  if (*buffer != nullptr) observe_push(&cltrack::gst::TimeBudget::push_begins);
  return result;
}

static gboolean gst_cl_tracker_base_set_caps(GstBaseTransform* trans, GstCaps* in_caps,
                                             GstCaps* /*out_caps*/) {
  return guard(GST_ELEMENT(trans), FALSE, [&]() -> gboolean {
    GstVideoInfo info;
    if (!cltrack::gst::read_video_info(info, in_caps) || !cltrack::gst::is_supported(info.finfo)) {
      GST_ELEMENT_ERROR(trans, STREAM, FORMAT,
                        ("Caps that are not raw video of 8 bits per component"),
                        ("caps %" GST_PTR_FORMAT, static_cast<void*>(in_caps)));
      return FALSE;
    }
    private_of(trans).stream.set_info(info);
    return TRUE;
  });
}

static std::optional<bool> gst_cl_tracker_base_take(void* object, GstPad* onward, GstEvent* event) {
  return guard(GST_ELEMENT(object), std::optional<bool>(), [&] {
    return private_of(object).events.take(GST_ELEMENT(object), onward, event,
                                          settings_of(object).navigation);
  });
}

static gboolean gst_cl_tracker_base_src_event(GstBaseTransform* trans, GstEvent* event) {
  if (const auto done = gst_cl_tracker_base_take(trans, trans->sinkpad, event)) return *done;
  const bool taken = guard(GST_ELEMENT(trans), false,
                           [&] { return private_of(trans).events.take_upstream(trans, event); });
  if (taken) return TRUE;
  return GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_base_parent_class)->src_event(trans, event);
}

// An event for the element itself, whichever direction it has.
static gboolean gst_cl_tracker_base_send_event(GstElement* element, GstEvent* event) {
  if (const auto done = gst_cl_tracker_base_take(element, nullptr, event)) return *done;
  return GST_ELEMENT_CLASS(gst_cl_tracker_base_parent_class)->send_event(element, event);
}

static gboolean gst_cl_tracker_base_sink_event(GstBaseTransform* trans, GstEvent* event) {
  // One that is refused has been answered, and is no failure of the stream.
  if (gst_cl_tracker_base_take(trans, trans->srcpad, event)) return TRUE;
  guard(GST_ELEMENT(trans), [&] { private_of(trans).events.observe(GST_ELEMENT(trans), event); });
  return GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_base_parent_class)->sink_event(trans, event);
}

// The streaming thread may be at work on a frame of many targets, and the parent class waits for
// it.
static GstStateChangeReturn gst_cl_tracker_base_change_state(GstElement* element,
                                                             GstStateChange transition) {
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    guard(GST_ELEMENT(element), [&] { private_of(element).stream.request_stop(); });
  }
  return GST_ELEMENT_CLASS(gst_cl_tracker_base_parent_class)->change_state(element, transition);
}

// Fails if a property was refused before: what it asked for would be missed otherwise. And if a
// device is not there: better now than on the first buffer.
static gboolean gst_cl_tracker_base_start(GstBaseTransform* trans) {
  GstClTrackerBase* self = GST_CL_TRACKER_BASE(trans);
  const GstClTrackerBaseClass* klass = GST_CL_TRACKER_BASE_GET_CLASS(self);
  const bool opened = guard(GST_ELEMENT(self), false, [&] {
    Members& priv = private_of(self);
    {
      const ObjectLock lock(self);
      if (!priv.refusals.empty()) {
        throw cltrack::Error(cltrack::ErrorCode::invalid_argument, priv.refusals.begin()->second);
      }
      priv.started = true;
    }
    const auto devices = klass->open(self);
    {
      const ObjectLock lock(self);
      priv.devices = devices;
    }
    if (devices) cltrack::gst::share_devices(GST_ELEMENT(self), devices->stages());
    priv.stream.allow();
    return true;
  });
  if (!opened) close_tracker(self);
  return opened ? TRUE : FALSE;
}

static gboolean gst_cl_tracker_base_stop(GstBaseTransform* trans) {
  GstClTrackerBase* self = GST_CL_TRACKER_BASE(trans);
  const gboolean stopped = guard(GST_ELEMENT(self), TRUE, [&] {
    private_of(self).stream.forget();
    private_of(self).control.reset();
    private_of(self).events.reset();
    return TRUE;
  });
  close_tracker(self);
  return stopped;
}

static gboolean gst_cl_tracker_base_propose_allocation(GstBaseTransform* trans, GstQuery*,
                                                       GstQuery* query) {
  return guard(GST_ELEMENT(trans), FALSE, [&]() -> gboolean {
    const auto devices = gst_cl_tracker_base_devices(GST_CL_TRACKER_BASE(trans));
    return cltrack::gst::propose_allocation(trans, devices.get(),
                                            private_of(trans).stream.later_device(), query);
  });
}

static gboolean gst_cl_tracker_base_query(GstBaseTransform* trans, GstPadDirection direction,
                                          GstQuery* query) {
  return guard(GST_ELEMENT(trans), FALSE, [&] {
    const gboolean answered = cltrack::gst::answer_query(
        trans, direction, query, private_of(trans).control, settings_of(trans).max_latency,
        GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_base_parent_class)->query);
    // Decoders take DMA-BUFs wherever they may.
    if (answered && GST_QUERY_TYPE(query) == GST_QUERY_CAPS) {
      const auto devices = gst_cl_tracker_base_devices(GST_CL_TRACKER_BASE(trans));
      if (devices && !cltrack::gst::wants_dma_bufs(*devices)) {
        cltrack::gst::leave_out_dma_bufs(query);
      }
    }
    return answered;
  });
}

static void gst_cl_tracker_base_set_property(GObject* object, guint id, const GValue* value,
                                             GParamSpec* spec) {
  guard(GST_ELEMENT(object), [&] {
    const ObjectLock lock(object);
    set_property(cltrack::gst::base_properties(), private_of(object).settings, id, value);
  });
  if (g_str_equal(spec->name, "max-latency")) {
    cltrack::gst::post_new_latency(GST_ELEMENT(object));
  }
}

static void gst_cl_tracker_base_get_property(GObject* object, guint id, GValue* value,
                                             GParamSpec* /*spec*/) {
  guard(GST_ELEMENT(object), [&] {
    Members& priv = private_of(object);
    {
      const ObjectLock lock(object);
      if (get_property(cltrack::gst::base_properties(), priv.settings, id, value)) return;
    }
    g_value_take_boxed(
        value, cltrack::gst::make_stats_structure(priv.stream.stats(), priv.stream.efforts(),
                                                  priv.stream.routes()));
  });
}

static void gst_cl_tracker_base_finalize(GObject* object) {
  delete members_pointer(object);
  G_OBJECT_CLASS(gst_cl_tracker_base_parent_class)->finalize(object);
}

static void gst_cl_tracker_base_class_init(GstClTrackerBaseClass* klass) {
  cltrack::gst::guard_class(klass, [&] {
    GST_DEBUG_CATEGORY_INIT(gst_cl_tracker_base_debug, "cltrackerbase", 0,
                            "base class of the tracking elements");
    GObjectClass* object_class = G_OBJECT_CLASS(klass);
    object_class->set_property = gst_cl_tracker_base_set_property;
    object_class->get_property = gst_cl_tracker_base_get_property;
    object_class->finalize = gst_cl_tracker_base_finalize;

    GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);
    transform_class->start = gst_cl_tracker_base_start;
    transform_class->stop = gst_cl_tracker_base_stop;
    transform_class->set_caps = gst_cl_tracker_base_set_caps;
    transform_class->sink_event = gst_cl_tracker_base_sink_event;
    transform_class->src_event = gst_cl_tracker_base_src_event;
    transform_class->propose_allocation = gst_cl_tracker_base_propose_allocation;
    transform_class->decide_allocation = cltrack::gst::decide_allocation;
    transform_class->query = gst_cl_tracker_base_query;
    transform_class->transform_ip = gst_cl_tracker_base_transform_ip;
    transform_class->generate_output = gst_cl_tracker_base_generate_output;

    install_properties(object_class, cltrack::gst::base_properties());
    cltrack::gst::install_target_signals(G_TYPE_FROM_CLASS(klass));

    GstCaps* caps = cltrack::gst::with_dma_bufs(
        cltrack::gst::with_cuda_memory(cltrack::gst::make_supported_caps()));
    GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
    element_class->change_state = gst_cl_tracker_base_change_state;
    element_class->send_event = gst_cl_tracker_base_send_event;
    cltrack::gst::add_pad_templates(element_class, caps);
    gst_caps_unref(caps);
    gst_type_mark_as_plugin_api(GST_TYPE_CL_TRACKER_BASE, static_cast<GstPluginAPIFlags>(0));
  });
}

static void gst_cl_tracker_base_init(GstClTrackerBase* self) {
  members_pointer(self) = cltrack::gst::make_members<Members>();

  // Metadata needs a writable buffer, not writable memory. No frame is left out because it is late:
  // the tracker would not see how the target moved.
  GstBaseTransform* transform = GST_BASE_TRANSFORM(self);
  gst_base_transform_set_in_place(transform, TRUE);
  gst_base_transform_set_passthrough(transform, FALSE);
  gst_base_transform_set_qos_enabled(transform, FALSE);
}
