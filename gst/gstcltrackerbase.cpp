// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gstcltrackerbase.h"

#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "device_context.h"
#include "guard.h"
#include "mapped_frame.h"
#include "outline.h"
#include "state_messages.h"
#include "stats_structure.h"
#include "stream_watch.h"
#include "track_meta.h"
#include "video_formats.h"

GST_DEBUG_CATEGORY_STATIC(gst_cl_tracker_base_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_base_debug

namespace {

enum Property { kDrawRect = 1, kStats };

}  // namespace

// What one instance keeps. Members without a remark belong to the streaming thread.
struct GstClTrackerBasePrivate {
  GstVideoInfo info;
  cltrack::Image luma;  // where a format has no luma plane
  cltrack::gst::StreamWatch stream;
  cltrack::gst::StateMessages messages;
  std::vector<cltrack::Track> tracks;  // of the current frame
  bool first = true;                   // see FrameContext

  // The tracker works on the streaming thread, and its statistics are read from any other.
  std::mutex tracker_mutex;
  std::unique_ptr<cltrack::Tracker> tracker;
  cltrack::TrackerStats latest_stats;  // of the tracker that was here last

  bool draw_rect = false;  // under the object lock
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(GstClTrackerBase, gst_cl_tracker_base, GST_TYPE_BASE_TRANSFORM)

namespace {

using Private = GstClTrackerBasePrivate;

Private& private_of(GstClTrackerBase* self) {
  return *static_cast<Private*>(gst_cl_tracker_base_get_instance_private(self));
}

Private& private_of(void* object) { return private_of(GST_CL_TRACKER_BASE(object)); }

// The tracker mutex must be held.
void drop_tracker(Private& priv) {
  if (!priv.tracker) return;
  priv.latest_stats = priv.tracker->stats();
  priv.tracker.reset();
}

void forget_stream(Private& priv) {
  const std::lock_guard lock(priv.tracker_mutex);
  drop_tracker(priv);
  priv.tracks.clear();
  priv.messages.reset();
  priv.stream.reset();
  priv.first = true;
}

// Leaves the tracks of the buffer's picture in priv.tracks. Returns false if there is nothing to
// track. The map is released when this returns.
bool track_frame(GstClTrackerBase* self, Private& priv, GstBuffer* buffer, bool discontinuity,
                 cltrack::gst::FrameContext& context) {
  const GstClTrackerBaseClass* klass = GST_CL_TRACKER_BASE_GET_CLASS(self);
  const std::lock_guard lock(priv.tracker_mutex);
  if (!priv.tracker) priv.tracker = klass->make_tracker(self);
  priv.tracks.clear();
  if (!klass->prepare(self, *priv.tracker, context)) return false;

  const cltrack::gst::MappedFrame mapped(buffer, priv.info, cltrack::gst::MapMode::read);
  cltrack::Frame frame;
  if (klass->looks_at_color) {
    frame.color = mapped.color();
  } else {
    frame.luma = mapped.luma(priv.luma);
  }
  if (GST_BUFFER_PTS_IS_VALID(buffer)) frame.pts = static_cast<gint64>(GST_BUFFER_PTS(buffer));
  frame.discontinuity = discontinuity;
  const std::span<const cltrack::Track> tracks = priv.tracker->process(frame);
  priv.tracks.assign(tracks.begin(), tracks.end());
  for (std::string& warning : priv.tracker->take_warnings()) {
    context.tracker_warnings.push_back(std::move(warning));
  }
  return true;
}

void draw(GstClTrackerBase* self, Private& priv, GstBuffer* buffer) {
  GST_OBJECT_LOCK(self);
  const bool draw_rect = priv.draw_rect;
  GST_OBJECT_UNLOCK(self);
  if (!draw_rect || priv.tracks.empty()) return;
  cltrack::gst::MappedFrame mapped(buffer, priv.info, cltrack::gst::MapMode::read_write);
  cltrack::gst::draw_outlines(mapped.video_frame(), priv.tracks);
}

GstFlowReturn process(GstClTrackerBase* self, GstBuffer* buffer) {
  Private& priv = private_of(self);
  const auto [new_stream, discontinuity] = priv.stream.see_buffer(buffer);
  if (new_stream) {
    GST_INFO_OBJECT(self, "another stream: all that was learnt is forgotten");
    const std::lock_guard lock(priv.tracker_mutex);
    drop_tracker(priv);
    priv.messages.reset();
  }
  // Neutral pixels that fill a hole say nothing about the targets.
  if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP)) {
    priv.stream.skipped_buffer();
    return GST_FLOW_OK;
  }

  cltrack::gst::FrameContext context{
      .width = GST_VIDEO_INFO_WIDTH(&priv.info),
      .height = GST_VIDEO_INFO_HEIGHT(&priv.info),
      .first = priv.first,
      .may_learn = !GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_CORRUPTED),
      .algorithm = GST_CL_TRACKER_BASE_GET_CLASS(self)->algorithm,
      .warnings = {},
      .tracker_warnings = {}};
  const bool tracked = track_frame(self, priv, buffer, discontinuity, context);
  priv.first = false;
  for (const std::string& warning : context.warnings) {
    GST_ELEMENT_WARNING(self, RESOURCE, SETTINGS, ("%s", warning.c_str()), (nullptr));
  }
  for (const std::string& warning : context.tracker_warnings) {
    GST_ELEMENT_WARNING(self, RESOURCE, FAILED, ("%s", warning.c_str()), (nullptr));
  }
  if (!tracked) return GST_FLOW_OK;

  draw(self, priv, buffer);
  cltrack::gst::write_tracks(buffer, priv.tracks, context.algorithm, context.width, context.height);
  priv.messages.post_changes(GST_ELEMENT(self), priv.tracks,
                             cltrack::gst::times_of(buffer, GST_BASE_TRANSFORM(self)->segment));
  return GST_FLOW_OK;
}

}  // namespace

static GstFlowReturn gst_cl_tracker_base_transform_ip(GstBaseTransform* trans, GstBuffer* buffer) {
  return cltrack::gst::guard(GST_ELEMENT(trans), GST_FLOW_ERROR,
                             [&] { return process(GST_CL_TRACKER_BASE(trans), buffer); });
}

static gboolean gst_cl_tracker_base_set_caps(GstBaseTransform* trans, GstCaps* in_caps,
                                             GstCaps* /*out_caps*/) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, in_caps) || !cltrack::gst::is_supported(info.finfo)) {
    GST_ELEMENT_ERROR(trans, STREAM, FORMAT, ("Caps that are no raw video of 8 bits per component"),
                      ("caps %" GST_PTR_FORMAT, static_cast<void*>(in_caps)));
    return FALSE;
  }
  private_of(trans).info = info;  // the tracker takes a new size as the same scene, resized
  return TRUE;
}

static gboolean gst_cl_tracker_base_sink_event(GstBaseTransform* trans, GstEvent* event) {
  // Events out of order, such as FLUSH_START, may come while the streaming thread is at work:
  // the watch does not look at those.
  cltrack::gst::guard(GST_ELEMENT(trans), 0, [&] {
    private_of(trans).stream.see_event(event);
    return 0;
  });
  return GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_base_parent_class)->sink_event(trans, event);
}

static gboolean gst_cl_tracker_base_start(GstBaseTransform* trans) {
  forget_stream(private_of(trans));
  return TRUE;
}

static gboolean gst_cl_tracker_base_stop(GstBaseTransform* trans) {
  return cltrack::gst::guard(GST_ELEMENT(trans), FALSE, [&] {
    forget_stream(private_of(trans));
    return TRUE;
  });
}

// Buffers pass as they are, so it is downstream that says what may be allocated, as if this element
// were not here: a promise to take any strides (GstVideoMeta) is only as good as theirs.
static gboolean gst_cl_tracker_base_propose_allocation(GstBaseTransform* trans,
                                                       GstQuery* /*decide_query*/,
                                                       GstQuery* query) {
  return gst_pad_peer_query(GST_BASE_TRANSFORM_SRC_PAD(trans), query);
}

// Nothing is ever allocated here, so no pool of downstream is taken either.
static gboolean gst_cl_tracker_base_decide_allocation(GstBaseTransform* /*trans*/,
                                                      GstQuery* query) {
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  return TRUE;
}

static gboolean gst_cl_tracker_base_query(GstBaseTransform* trans, GstPadDirection direction,
                                          GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
      cltrack::gst::answer_context_query(GST_ELEMENT(trans), query)) {
    return TRUE;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_cl_tracker_base_parent_class)->query(trans, direction, query);
}

static void gst_cl_tracker_base_set_property(GObject* object, guint id, const GValue* value,
                                             GParamSpec* spec) {
  switch (id) {
    case kDrawRect:
      GST_OBJECT_LOCK(object);
      private_of(object).draw_rect = g_value_get_boolean(value);
      GST_OBJECT_UNLOCK(object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static GstStructure* gst_cl_tracker_base_get_stats(GstClTrackerBase* self) {
  Private& priv = private_of(self);
  cltrack::TrackerStats stats;
  {
    const std::lock_guard lock(priv.tracker_mutex);
    stats = priv.tracker ? priv.tracker->stats() : priv.latest_stats;
  }
  return cltrack::gst::make_stats_structure(stats);
}

static void gst_cl_tracker_base_get_property(GObject* object, guint id, GValue* value,
                                             GParamSpec* spec) {
  switch (id) {
    case kDrawRect:
      GST_OBJECT_LOCK(object);
      g_value_set_boolean(value, private_of(object).draw_rect);
      GST_OBJECT_UNLOCK(object);
      break;
    case kStats:
      g_value_take_boxed(
          value, cltrack::gst::guard(GST_ELEMENT(object), static_cast<GstStructure*>(nullptr), [&] {
            return gst_cl_tracker_base_get_stats(GST_CL_TRACKER_BASE(object));
          }));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void gst_cl_tracker_base_finalize(GObject* object) {
  private_of(object).~GstClTrackerBasePrivate();
  G_OBJECT_CLASS(gst_cl_tracker_base_parent_class)->finalize(object);
}

static void gst_cl_tracker_base_class_init(GstClTrackerBaseClass* klass) {
  GST_DEBUG_CATEGORY_INIT(gst_cl_tracker_base_debug, "cltrackerbase", 0,
                          "what tracking elements have in common");
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_cl_tracker_base_set_property;
  object_class->get_property = gst_cl_tracker_base_get_property;
  object_class->finalize = gst_cl_tracker_base_finalize;

  GstBaseTransformClass* transform_class = GST_BASE_TRANSFORM_CLASS(klass);
  transform_class->start = gst_cl_tracker_base_start;
  transform_class->stop = gst_cl_tracker_base_stop;
  transform_class->set_caps = gst_cl_tracker_base_set_caps;
  transform_class->sink_event = gst_cl_tracker_base_sink_event;
  transform_class->propose_allocation = gst_cl_tracker_base_propose_allocation;
  transform_class->decide_allocation = gst_cl_tracker_base_decide_allocation;
  transform_class->query = gst_cl_tracker_base_query;
  transform_class->transform_ip = gst_cl_tracker_base_transform_ip;

  /**
   * GstClTrackerBase:draw-rect:
   *
   * Draw a red rectangle around each target, into the picture itself. Drawing is better left to
   * trackoverlay, which knows labels and colours; this is for lines written for cvtracker.
   */
  g_object_class_install_property(
      object_class, kDrawRect,
      g_param_spec_boolean("draw-rect", "Draw rectangle",
                           "Draw a rectangle around each target into the picture; may be changed "
                           "at any time, acts on the next buffer",
                           FALSE,
                           static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                    GST_PARAM_MUTABLE_PLAYING)));
  /**
   * GstClTrackerBase:stats:
   *
   * A structure "cltracker-stats": `frames` (#guint64) that were looked at; `stages`, an array of
   * structures with `name`, `device` (strings), `calls` (#guint64), `total-ms`, `median-ms`,
   * `p99-ms` (#gdouble), `bytes-up`, `bytes-down` and `waits` (#guint64); `targets`, an array of
   * structures with `id`, `windows` (evaluated per frame), `positive-patches` and
   * `negative-patches` (#guint64). Of the stream that is running, or else of the latest one.
   */
  g_object_class_install_property(
      object_class, kStats,
      g_param_spec_boxed(
          "stats", "Statistics",
          "Frames, time and transfers of each stage, size of what was learnt of each target",
          GST_TYPE_STRUCTURE, static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));

  GstCaps* caps = cltrack::gst::make_supported_caps();
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref(caps);
  gst_type_mark_as_plugin_api(GST_TYPE_CL_TRACKER_BASE, static_cast<GstPluginAPIFlags>(0));
}

static void gst_cl_tracker_base_init(GstClTrackerBase* self) {
  // GObject gives zeroed memory and frees it; the members of C++ are made and destroyed in it.
  Private* priv = new (gst_cl_tracker_base_get_instance_private(self)) Private();
  gst_video_info_init(&priv->info);

  // In place, but not passthrough: metadata needs a writable buffer, not writable memory. And no
  // frame is left out because it is late, or the tracker would not see how the target moved.
  GstBaseTransform* transform = GST_BASE_TRANSFORM(self);
  gst_base_transform_set_in_place(transform, TRUE);
  gst_base_transform_set_passthrough(transform, FALSE);
  gst_base_transform_set_qos_enabled(transform, FALSE);
}
