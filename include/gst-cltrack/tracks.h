// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads what tracking elements (cltracker, clcolortracker) have left on a buffer, in C or C++. It
// needs no library but GStreamer, 1.20 or newer: pkg-config --cflags --libs gst-cltrack
#ifndef GST_CLTRACK_TRACKS_H
#define GST_CLTRACK_TRACKS_H

#include <gst/gst.h>

// A track on a picture. Each element numbers its own from 1: element and id together are a track.
typedef struct {
  const gchar* tracker;  // the element's name
  guint64 id;
  const gchar* label;
  const gchar* state;           // "tracking" or "uncertain"; a lost one is not on the buffer
  gdouble confidence;           // 0 to 1
  guint64 age;                  // frames since the target was added, 1 on the first one
  gdouble x, y, width, height;  // pixels of this buffer's picture; may reach out of it
} CltrackTrack;

// Reads the tracks of `buffer`, which has come from a tracking element, directly or through
// converters and scalers. Fills in the first `size` of them (`tracks` may be NULL if that is 0) and
// returns how many there are, which may be more.
//
// The strings belong to the buffer: they are valid until it is freed or its metadata are changed.
// Any thread that holds a reference to the buffer may call this while nobody changes it.
static inline guint cltrack_buffer_get_tracks(GstBuffer* buffer, CltrackTrack* tracks, guint size) {
  GstCustomMeta* meta = gst_buffer_get_custom_meta(buffer, "cltrack-tracks");
  guint count = 0;
  gint i;
  GstStructure* carried;
  if (meta == NULL) return 0;
  carried = gst_custom_meta_get_structure(meta);
  for (i = 0; i < gst_structure_n_fields(carried); ++i) {
    const gchar* name = gst_structure_nth_field_name(carried, (guint)i);
    const GValue* value = gst_structure_get_value(carried, name);
    const GstStructure* fields;
    CltrackTrack* track;
    if (!GST_VALUE_HOLDS_STRUCTURE(value)) continue;
    if (count++ >= size) continue;
    fields = gst_value_get_structure(value);
    track = &tracks[count - 1];
    track->tracker = gst_structure_get_string(fields, "tracker");
    track->label = gst_structure_get_string(fields, "label");
    track->state = gst_structure_get_string(fields, "state");
    track->id = track->age = 0;
    track->confidence = track->x = track->y = track->width = track->height = 0;
    gst_structure_get(fields, "id", G_TYPE_UINT64, &track->id, "confidence", G_TYPE_DOUBLE,
                      &track->confidence, "age", G_TYPE_UINT64, &track->age, "x", G_TYPE_DOUBLE,
                      &track->x, "y", G_TYPE_DOUBLE, &track->y, "width", G_TYPE_DOUBLE,
                      &track->width, "height", G_TYPE_DOUBLE, &track->height, NULL);
  }
  return count;
}

#endif
