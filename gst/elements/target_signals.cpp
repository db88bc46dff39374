// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/target_signals.h"

#include <memory>

#include "cltrack/error.h"
#include "elements/gstcltrackerbase.h"
#include "elements/guard.h"
#include "elements/target_requests.h"
#include "files/model_file.h"
#include "properties/color_settings.h"

namespace cltrack::gst {
namespace {

TargetRequests requests_of(GstClTrackerBase* self) {
  return {GST_ELEMENT(self), gst_cl_tracker_base_control(self), {.source = CommandSource::signal}};
}

// `handler` takes the element and `arguments`, and returns `result`.
template <typename... Types>
void install_action(GType type, const char* name, GCallback handler, GType result,
                    Types... arguments) {
  g_signal_new_class_handler(
      name, type, static_cast<GSignalFlags>(G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION), handler, nullptr,
      nullptr, nullptr, result, static_cast<guint>(sizeof...(arguments)), arguments...);
}

TargetPlace place_of(gdouble x, gdouble y, gdouble width, gdouble height) {
  return {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(width),
           static_cast<float>(height)}};
}

guint64 add_target(GstClTrackerBase* self, gdouble x, gdouble y, gdouble width, gdouble height,
                   const gchar* label) {
  return guard(GST_ELEMENT(self), guint64{0}, [&]() -> guint64 {
    return requests_of(self).add({place_of(x, y, width, height)}, label != nullptr ? label : "");
  });
}

gboolean move_target(GstClTrackerBase* self, guint64 id, gdouble x, gdouble y, gdouble width,
                     gdouble height) {
  return guard(GST_ELEMENT(self), FALSE, [&]() -> gboolean {
    return requests_of(self).move(id, place_of(x, y, width, height));
  });
}

gboolean remove_target(GstClTrackerBase* self, guint64 id) {
  return guard(GST_ELEMENT(self), FALSE,
               [&]() -> gboolean { return requests_of(self).remove(id); });
}

void clear_targets(GstClTrackerBase* self) {
  guard(GST_ELEMENT(self), [&] { requests_of(self).clear(); });
}

guint64 add_color(GstClTrackerBase* self, const GstStructure* color) {
  return guard(GST_ELEMENT(self), guint64{0}, [&]() -> guint64 {
    const TargetRequests requests = requests_of(self);
    try {
      if (color == nullptr) throw Error(ErrorCode::invalid_argument, "add-color: no structure");
      const ColorEntry entry = parse_color(color);
      TargetSeed seed{{entry.box}};
      if (entry.model) seed.color = std::make_shared<ColorModel>(*entry.model);
      return requests.add(seed, entry.label);
    } catch (const Error& error) {
      requests.refuse(0, error.what());
      return 0;
    }
  });
}

}  // namespace

void install_target_signals(GType base) {
  install_action(base, "add-target", G_CALLBACK(add_target), G_TYPE_UINT64, G_TYPE_DOUBLE,
                 G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_STRING);
  install_action(base, "move-target", G_CALLBACK(move_target), G_TYPE_BOOLEAN, G_TYPE_UINT64,
                 G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  install_action(base, "remove-target", G_CALLBACK(remove_target), G_TYPE_BOOLEAN, G_TYPE_UINT64);
  install_action(base, "clear-targets", G_CALLBACK(clear_targets), G_TYPE_NONE);
}

void install_color_signals(GType type) {
  install_action(type, "add-color", G_CALLBACK(add_color), G_TYPE_UINT64,
                 GST_TYPE_STRUCTURE | G_SIGNAL_TYPE_STATIC_SCOPE);
}

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
      TargetSeed seed;
      seed.model = std::make_shared<SavedModel>(load_model(path_of(location)));
      return requests.add(seed, label != nullptr ? label : "");
    } catch (const Error& error) {
      requests.refuse(0, error.what());
      return 0;
    }
  });
}

}  // namespace

void install_model_signals(GType type) {
  install_action(type, "save-model", G_CALLBACK(save), G_TYPE_BOOLEAN, G_TYPE_UINT64,
                 G_TYPE_STRING);
  install_action(type, "load-model", G_CALLBACK(load), G_TYPE_UINT64, G_TYPE_STRING, G_TYPE_STRING);
}

}  // namespace cltrack::gst
