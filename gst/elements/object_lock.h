// SPDX-License-Identifier: LGPL-2.1-or-later
// RAII for GStreamer's object lock.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

class ObjectLock {
 public:
  explicit ObjectLock(void* object) : object_(GST_OBJECT(object)) { GST_OBJECT_LOCK(object_); }
  ~ObjectLock() { GST_OBJECT_UNLOCK(object_); }
  ObjectLock(const ObjectLock&) = delete;
  ObjectLock& operator=(const ObjectLock&) = delete;

 private:
  GstObject* object_;
};

}  // namespace cltrack::gst
