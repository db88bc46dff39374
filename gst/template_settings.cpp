// SPDX-License-Identifier: LGPL-2.1-or-later
#include "template_settings.h"

#include <array>
#include <span>

#include "settings_table.h"

namespace cltrack::gst {
namespace {

using Entry = Setting<TemplateConfig>;

#define ACTS_AT_START "; of algorithm=template; acts when the element starts, or on a new stream"

constexpr std::array kSettings{
    Entry{"search-window", "Search window",
          "How far a target may be from where it is expected, in sides of its box, 0.1 to "
          "10" ACTS_AT_START,
          Entry::Float{&TemplateConfig::window, 0.1f, 10.0f}},
    Entry{"scale-step", "Scale step",
          "Factor between the sizes that are tried on a frame, 1 to 1.5; 1: the size of a target "
          "stays as it is" ACTS_AT_START,
          Entry::Float{&TemplateConfig::scale_step, 1.0f, 1.5f}},
    Entry{"update-rate", "Update rate",
          "Share of a trusted frame in the running template, 0 to 1; 0: there is none, only the "
          "first one counts" ACTS_AT_START,
          Entry::Float{&TemplateConfig::update_rate, 0.0f, 1.0f}},
    Entry{"match-threshold", "Match threshold",
          "Correlation with a template from which a box is trusted, -1 to 1" ACTS_AT_START,
          Entry::Float{&TemplateConfig::threshold, -1.0f, 1.0f}},
    Entry{"uncertain-threshold", "Uncertain threshold",
          "Correlation with a template under which a target is lost, -1 to "
          "match-threshold" ACTS_AT_START,
          Entry::Float{&TemplateConfig::uncertain, -1.0f, 1.0f}},
    Entry{"found-again-threshold", "Found again threshold",
          "Correlation with a template that a lost target needs to be found, -1 to "
          "1" ACTS_AT_START,
          Entry::Float{&TemplateConfig::found_again, -1.0f, 1.0f}},
    Entry{"second-peak", "Second peak",
          "A box is not trusted if another place scores at least this share of it, 0 to "
          "1" ACTS_AT_START,
          Entry::Float{&TemplateConfig::second_peak, 0.0f, 1.0f}},
};
constexpr std::span<const Entry> kTable(kSettings);

// Those that are no numbers come first.
enum Choice : guint { kSimilarity, kSearch, kChoices };

GType similarity_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(Similarity::ncc), "Zero-mean normalised cross-correlation", "ncc"},
      {static_cast<int>(Similarity::cosine), "Cosine of the grey values as they are", "cosine"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstClTrackerSimilarity", values);
  return type;
}

GType search_type() {
  static const GEnumValue values[] = {{static_cast<int>(TemplateSearch::window),
                                       "A window, the whole frame after a loss", "window"},
                                      {static_cast<int>(TemplateSearch::frame),
                                       "Each whole frame, the first template alone", "frame"},
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
      g_param_spec_enum("similarity", "Similarity",
                        "By what the place of a template is found; what decides on loss is always "
                        "ncc" ACTS_AT_START,
                        similarity_type(), static_cast<int>(defaults.similarity), flags));
  g_object_class_install_property(
      klass, first_id + kSearch,
      g_param_spec_enum("search", "Search",
                        "Where a template is looked for; frame: exact, always a box, without "
                        "scale, motion and running template" ACTS_AT_START,
                        search_type(), static_cast<int>(defaults.search), flags));
  install_settings(klass, first_id + kChoices, kTable);
  gst_type_mark_as_plugin_api(similarity_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(search_type(), static_cast<GstPluginAPIFlags>(0));
}

#undef ACTS_AT_START

bool set_template_setting(TemplateConfig& config, guint id, guint first_id, const GValue* value) {
  if (id == first_id + kSimilarity) {
    config.similarity = static_cast<Similarity>(g_value_get_enum(value));
  } else if (id == first_id + kSearch) {
    config.search = static_cast<TemplateSearch>(g_value_get_enum(value));
  } else {
    return set_setting(config, id, first_id + kChoices, value, kTable);
  }
  return true;
}

bool get_template_setting(const TemplateConfig& config, guint id, guint first_id, GValue* value) {
  if (id == first_id + kSimilarity) {
    g_value_set_enum(value, static_cast<int>(config.similarity));
  } else if (id == first_id + kSearch) {
    g_value_set_enum(value, static_cast<int>(config.search));
  } else {
    return get_setting(config, id, first_id + kChoices, value, kTable);
  }
  return true;
}

}  // namespace cltrack::gst
