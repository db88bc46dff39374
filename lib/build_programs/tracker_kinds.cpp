// SPDX-License-Identifier: LGPL-2.1-or-later
#include "build_programs/tracker_kinds.h"

#include "cltrack/error.h"
#include "color/color_stages.h"
#include "core/config_check.h"
#include "match/template_stages.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

template <typename Config>
TrackerKind make(TrackerKind (*kind)(const Config&), std::span<const ConfigField<Config>> fields,
                 std::span<const std::string> settings) {
  const Config config = config_of(fields, settings);
  validate(config);
  return kind(config);
}

}  // namespace

TrackerKind make_tracker_kind(std::string_view name, std::span<const std::string> settings) {
  if (name == kTldName) return tld_kind(settings);
  if (name == kTemplateName) return make(template_kind, template_fields(), settings);
  if (name == kColorName) return make(color_kind, color_fields(), settings);
  throw Error(ErrorCode::invalid_argument, "\"" + std::string(name) + "\" is no tracker");
}

}  // namespace cltrack
