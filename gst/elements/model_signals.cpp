// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/model_signals.h"

#include <memory>

#include "cltrack/error.h"
#include "elements/gstcltrackerbase.h"
#include "elements/guard.h"
#include "elements/signal_install.h"
#include "elements/target_requests.h"
#include "files/model_file.h"

namespace cltrack::gst {
namespace {

std::string path_of(const gchar* location) {
  if (location == nullptr || *location == '\0') {
    throw Error(ErrorCode::invalid_argument, "a model has no location: give the name of a file");
  }
  return location;
}

gboolean save(GstClTrackerBase* self, guint64 id, const gchar* location) {
  return guard(GST_ELEMENT(self), FALSE, [&]() -> gboolean {
    try {
      const std::string path = path_of(location);
      save_model(gst_cl_tracker_base_save(self, id), path);
      return TRUE;
    } catch (const Error& error) {
      requests_of(self).refuse(id, error.what());
      return FALSE;
    }
  });
}

guint64 load(GstClTrackerBase* self, const gchar* location, const gchar* label) {
  return guard(GST_ELEMENT(self), guint64{0}, [&]() -> guint64 {
    const TargetRequests requests = requests_of(self);
    try {
      TargetLooks looks;
      looks.model = std::make_shared<SavedModel>(load_model(path_of(location)));
      return requests.add(looks, label != nullptr ? label : "");
    } catch (const Error& error) {
      requests.refuse(0, error.what());
      return 0;
    }
  });
}

}  // namespace

void install_model_signals(GType type) {
  /**
   * GstClTracker::save-model:
   * @self: the element
   * @id: the target
   * @location: name of the file; what was in it is replaced once all is written
   *
   * Writes what TLD has learnt about a target up to the latest buffer. Waits for a buffer that is
   * being processed.
   *
   * Returns: %FALSE if there is no such target, nothing was learnt about it yet, or the file cannot
   * be written: then a warning says why.
   */
  install_action(type, "save-model", G_CALLBACK(save), G_TYPE_BOOLEAN, G_TYPE_UINT64,
                 G_TYPE_STRING);
  /**
   * GstClTracker::load-model:
   * @self: the element
   * @location: name of a file that save-model has written
   * @label: (nullable): its label; none: the one of the property "label"
   *
   * Adds a target that was learnt before, in this video or in another one, of whatever size. It is
   * lost until the detector finds it.
   *
   * Returns: its id; 0 if it is refused: then a warning says why.
   */
  install_action(type, "load-model", G_CALLBACK(load), G_TYPE_UINT64, G_TYPE_STRING, G_TYPE_STRING);
}

}  // namespace cltrack::gst
