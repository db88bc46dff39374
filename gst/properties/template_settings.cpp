// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/template_settings.h"

#include "properties/config_properties.h"

namespace cltrack::gst {
namespace {

constexpr const char* kWhen =
    "of algorithm=template; takes effect when the element starts, or on a new stream";

// Enums come first, then numbers.
enum Choice : guint { kSimilarity, kSearch, kChoices };

GType similarity_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(Similarity::ncc), "Zero-mean normalised cross-correlation", "ncc"},
      {static_cast<int>(Similarity::cosine), "Cosine similarity, without subtracting the mean",
       "cosine"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstClTrackerSimilarity", values);
  return type;
}

GType search_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(TemplateSearch::window),
       "A window around the target; the whole frame after a loss", "window"},
      {static_cast<int>(TemplateSearch::frame), "Every whole frame, with the first template only",
       "frame"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstClTrackerSearch", values);
  return type;
}

}  // namespace

void install_template_settings(GObjectClass* klass, guint first_id) {
  constexpr auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                  GST_PARAM_MUTABLE_READY);
  const TemplateConfig defaults;
  g_object_class_install_property(
      klass, first_id + kSimilarity,
      g_param_spec_enum(
          "similarity", "Similarity",
          "Similarity measure that locates the template; loss always depends on "
          "ncc; of algorithm=template; takes effect when the element starts, or on a new "
          "stream",
          similarity_type(), static_cast<int>(defaults.similarity), flags));
  g_object_class_install_property(
      klass, first_id + kSearch,
      g_param_spec_enum(
          "search", "Search",
          "Where the template is searched for; frame: exact, always a box, without "
          "scale, motion and running template; of algorithm=template; takes effect when the "
          "element starts, or on a new stream",
          search_type(), static_cast<int>(defaults.search), flags));
  install_config_properties(klass, first_id + kChoices, template_fields(), kWhen);
  gst_type_mark_as_plugin_api(similarity_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(search_type(), static_cast<GstPluginAPIFlags>(0));
}

bool set_template_setting(TemplateConfig& config, guint id, guint first_id, const GValue* value) {
  if (id == first_id + kSimilarity) {
    config.similarity = static_cast<Similarity>(g_value_get_enum(value));
  } else if (id == first_id + kSearch) {
    config.search = static_cast<TemplateSearch>(g_value_get_enum(value));
  } else {
    return set_config_property(config, id, first_id + kChoices, value, template_fields());
  }
  return true;
}

bool get_template_setting(const TemplateConfig& config, guint id, guint first_id, GValue* value) {
  if (id == first_id + kSimilarity) {
    g_value_set_enum(value, static_cast<int>(config.similarity));
  } else if (id == first_id + kSearch) {
    g_value_set_enum(value, static_cast<int>(config.search));
  } else {
    return get_config_property(config, id, first_id + kChoices, value, template_fields());
  }
  return true;
}

}  // namespace cltrack::gst
