// SPDX-License-Identifier: LGPL-2.1-or-later
// The outlet that the properties of trackpublish name.
#pragma once

#include <memory>
#include <string>

#include "publish/outlet.h"
#include "publish/publish_settings.h"

namespace cltrack::gst {

// The property source, or else the name of the element.
std::string source_of(const PublishSettings& settings, const char* element_name);

// Not opened; `settings` have a source. Throws Error if they name none, more than one, or one that
// cannot be.
std::unique_ptr<Outlet> make_outlet(const PublishSettings& settings);

}  // namespace cltrack::gst
