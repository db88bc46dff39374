// SPDX-License-Identifier: LGPL-2.1-or-later
// The RTSP server: one encoder for all clients, which is there while there are clients.
#pragma once

#include <gst/app/gstappsrc.h>
#include <gst/rtsp-server/rtsp-server.h>

#include <atomic>
#include <mutex>
#include <string>

#include "options.h"

namespace rtsp_server {

class Restream {
 public:
  // Listens at once. Throws std::runtime_error if the port is not to be had, or if there is no
  // encoder.
  explicit Restream(const Options& options);
  ~Restream();
  Restream(const Restream&) = delete;
  Restream& operator=(const Restream&) = delete;

  std::string url() const;
  int clients() const { return clients_; }

  // Clients that come are served, or are told that there is no such stream. Those that are there
  // stay.
  void offer();
  void withdraw();

  // From any thread.
  void push(GstSample* sample);

  // Tells all clients that the stream has ended.
  void end();

 private:
  static void on_connected(GstRTSPServer* server, GstRTSPClient* client, gpointer self);
  static void on_closed(GstRTSPClient* client, gpointer self);
  static void on_play(GstRTSPClient* client, GstRTSPContext* context, gpointer self);
  static void on_media(GstRTSPMediaFactory* factory, GstRTSPMedia* media, gpointer self);
  static void on_unprepared(GstRTSPMedia* media, gpointer self);
  static gboolean on_cleanup(gpointer self);
  static void say(const char* what, int clients);
  void set_feed(GstAppSrc* feed);

  const Options& options_;
  GstRTSPServer* server_;
  GstRTSPMediaFactory* factory_;
  GSource* listening_ = nullptr;
  guint cleanup_ = 0;
  std::atomic<int> clients_ = 0;
  std::mutex mutex_;
  GstAppSrc* feed_ = nullptr;  // of the clients' pipeline; null without one
};

}  // namespace rtsp_server
