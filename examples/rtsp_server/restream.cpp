// SPDX-License-Identifier: LGPL-2.1-or-later
#include "restream.h"

#include <gst/video/video-event.h>

#include <iostream>
#include <stdexcept>

#include "examples/track_video/gst_ptr.h"

namespace rtsp_server {
namespace {

using track_video::Ptr;

bool has_element(const char* name) {
  GstElementFactory* factory = gst_element_factory_find(name);
  if (factory == nullptr) return false;
  gst_object_unref(factory);
  return true;
}

// A client that joins asks for a key frame; the longest interval is for those that have lost one.
std::string encoding() {
  if (has_element("x264enc")) {
    return "x264enc name=encoder tune=zerolatency speed-preset=veryfast key-int-max=120 "
           "! video/x-h264,profile=constrained-baseline ! rtph264pay name=pay0 pt=96 "
           "config-interval=-1";
  }
  if (has_element("openh264enc")) {
    return "openh264enc name=encoder gop-size=120 ! h264parse ! rtph264pay name=pay0 pt=96 "
           "config-interval=-1";
  }
  if (has_element("vp8enc")) {
    return "vp8enc name=encoder deadline=1 cpu-used=8 keyframe-max-dist=120 target-bitrate=2000000 "
           "! rtpvp8pay name=pay0 pt=96";
  }
  throw std::runtime_error(
      "GStreamer has no encoder: x264enc is in the package gstreamer1.0-plugins-ugly, openh264enc "
      "in gstreamer1.0-plugins-bad, vp8enc in gstreamer1.0-plugins-good");
}

GstRTSPFilterResult remove_client(GstRTSPServer*, GstRTSPClient*, gpointer) {
  return GST_RTSP_FILTER_REMOVE;
}

}  // namespace

// A client gets what is there when it is ready for it: what came before is dropped.
Restream::Restream(const Options& options)
    : options_(options), server_(gst_rtsp_server_new()), factory_(gst_rtsp_media_factory_new()) {
  const std::string launch =
      "( appsrc name=feed is-live=true format=time do-timestamp=true max-buffers=2 "
      "leaky-type=downstream ! queue max-size-buffers=2 ! " +
      encoding() + " )";
  gst_rtsp_media_factory_set_launch(factory_, launch.c_str());
  gst_rtsp_media_factory_set_shared(factory_, TRUE);
  g_signal_connect(factory_, "media-configure", G_CALLBACK(on_media), this);
  g_signal_connect(server_, "client-connected", G_CALLBACK(on_connected), this);
  gst_rtsp_server_set_address(server_, options.address.c_str());
  gst_rtsp_server_set_service(server_, std::to_string(options.port).c_str());
  GError* raw_error = nullptr;
  listening_ = gst_rtsp_server_create_source(server_, nullptr, &raw_error);
  const Ptr<GError> error(raw_error);
  if (listening_ == nullptr) {
    g_object_unref(factory_);
    g_object_unref(server_);
    throw std::runtime_error("cannot listen on " + options.address + ", port " +
                             std::to_string(options.port) + ": " + error->message +
                             ". Choose others with --address and --port (0: a port that is free)");
  }
  g_source_attach(listening_, nullptr);
  cleanup_ = g_timeout_add_seconds(2, on_cleanup, this);
}

Restream::~Restream() {
  g_source_remove(cleanup_);
  g_source_destroy(listening_);
  g_source_unref(listening_);
  withdraw();
  gst_rtsp_server_client_filter(server_, remove_client, nullptr);
  g_signal_handlers_disconnect_by_data(factory_, this);
  g_signal_handlers_disconnect_by_data(server_, this);
  set_feed(nullptr);
  g_object_unref(factory_);
  g_object_unref(server_);
  gst_rtsp_thread_pool_cleanup();
}

std::string Restream::url() const {
  const bool is_v6 = options_.address.find(':') != std::string::npos;
  std::string host = options_.address;
  if (is_v6) host = "[" + host + "]";
  return "rtsp://" + host + ":" + std::to_string(gst_rtsp_server_get_bound_port(server_)) +
         options_.path;
}

void Restream::offer() {
  GstRTSPMountPoints* mounts = gst_rtsp_server_get_mount_points(server_);
  gst_rtsp_mount_points_add_factory(mounts, options_.path.c_str(),
                                    GST_RTSP_MEDIA_FACTORY(g_object_ref(factory_)));
  g_object_unref(mounts);
}

void Restream::withdraw() {
  GstRTSPMountPoints* mounts = gst_rtsp_server_get_mount_points(server_);
  gst_rtsp_mount_points_remove_factory(mounts, options_.path.c_str());
  g_object_unref(mounts);
}

void Restream::push(GstSample* sample) {
  const std::lock_guard lock(mutex_);
  if (feed_ == nullptr) return;
  // Its time is that at which it comes: the clients' pipeline goes on when the source begins anew.
  GstBuffer* buffer = gst_buffer_copy(gst_sample_get_buffer(sample));
  GST_BUFFER_PTS(buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DTS(buffer) = GST_CLOCK_TIME_NONE;
  GstSample* copy = gst_sample_new(buffer, gst_sample_get_caps(sample), nullptr, nullptr);
  gst_app_src_push_sample(feed_, copy);
  gst_sample_unref(copy);
  gst_buffer_unref(buffer);
}

void Restream::end() {
  const std::lock_guard lock(mutex_);
  if (feed_ != nullptr) gst_app_src_end_of_stream(feed_);
}

// Takes the reference.
void Restream::set_feed(GstAppSrc* feed) {
  const std::lock_guard lock(mutex_);
  if (feed_ != nullptr) gst_object_unref(feed_);
  feed_ = feed;
}

void Restream::say(const char* what, int clients) {
  std::cerr << "rtsp-server: a client has " + std::string(what) +
                   "; clients: " + std::to_string(clients) + "\n"
            << std::flush;
}

void Restream::on_connected(GstRTSPServer*, GstRTSPClient* client, gpointer self) {
  auto& restream = *static_cast<Restream*>(self);
  g_signal_connect(client, "closed", G_CALLBACK(on_closed), self);
  g_signal_connect(client, "play-request", G_CALLBACK(on_play), self);
  say("come", ++restream.clients_);
}

void Restream::on_closed(GstRTSPClient*, gpointer self) {
  say("gone", --static_cast<Restream*>(self)->clients_);
}

void Restream::on_play(GstRTSPClient*, GstRTSPContext* context, gpointer) {
  if (context->media == nullptr) return;
  const Ptr<GstElement> bin(gst_rtsp_media_get_element(context->media));
  const Ptr<GstElement> encoder(gst_bin_get_by_name(GST_BIN(bin.get()), "encoder"));
  gst_element_send_event(encoder.get(),
                         gst_video_event_new_upstream_force_key_unit(GST_CLOCK_TIME_NONE, TRUE, 0));
}

void Restream::on_media(GstRTSPMediaFactory*, GstRTSPMedia* media, gpointer self) {
  const Ptr<GstElement> bin(gst_rtsp_media_get_element(media));
  g_signal_connect(media, "unprepared", G_CALLBACK(on_unprepared), self);
  static_cast<Restream*>(self)->set_feed(
      GST_APP_SRC(gst_bin_get_by_name(GST_BIN(bin.get()), "feed")));
}

// A client that comes while the last one's media is put away has a media of its own already.
void Restream::on_unprepared(GstRTSPMedia* media, gpointer self) {
  auto& restream = *static_cast<Restream*>(self);
  const Ptr<GstElement> bin(gst_rtsp_media_get_element(media));
  const Ptr<GstElement> feed(gst_bin_get_by_name(GST_BIN(bin.get()), "feed"));
  const std::lock_guard lock(restream.mutex_);
  if (restream.feed_ != GST_APP_SRC(feed.get())) return;
  gst_object_unref(restream.feed_);
  restream.feed_ = nullptr;
}

// Clients that vanish without a word leave sessions, which end after a minute.
gboolean Restream::on_cleanup(gpointer self) {
  GstRTSPSessionPool* pool =
      gst_rtsp_server_get_session_pool(static_cast<Restream*>(self)->server_);
  gst_rtsp_session_pool_cleanup(pool);
  g_object_unref(pool);
  return G_SOURCE_CONTINUE;
}

}  // namespace rtsp_server
