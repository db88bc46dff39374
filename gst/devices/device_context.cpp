// SPDX-License-Identifier: LGPL-2.1-or-later
#include "devices/device_context.h"

#include <algorithm>
#include <string>

#include "compute/pinned_memory.h"
#include "devices/pinned_allocator.h"

namespace {

using Cache = std::shared_ptr<cltrack::DeviceCache>;

constexpr const char* kField = "devices";

gpointer copy_cache(gpointer cache) { return new Cache(*static_cast<Cache*>(cache)); }
void free_cache(gpointer cache) { delete static_cast<Cache*>(cache); }

GType cache_type() {
  static const GType type =
      g_boxed_type_register_static("GstClTrackDevices", copy_cache, free_cache);
  return type;
}

// Persistent: devices stay open while a pipeline goes to NULL and starts again.
GstContext* make_context() {
  GstContext* context = gst_context_new(cltrack::gst::kDeviceContext, TRUE);
  Cache cache = std::make_shared<cltrack::DeviceCache>();
  gst_structure_set(gst_context_writable_structure(context), kField, cache_type(), &cache, nullptr);
  return context;
}

// Null for a context of another type.
Cache cache_of(GstContext* context) {
  const GValue* value = gst_structure_get_value(gst_context_get_structure(context), kField);
  if (value == nullptr || !G_VALUE_HOLDS(value, cache_type())) return nullptr;
  const auto* cache = static_cast<const Cache*>(g_value_get_boxed(value));
  return cache != nullptr ? *cache : nullptr;
}

gboolean query_peer(GstElement*, GstPad* pad, gpointer query) {
  return !gst_pad_peer_query(pad, static_cast<GstQuery*>(query));
}

// Asks elements downstream, then those upstream.
void ask_neighbours(GstElement* element) {
  GstQuery* query = gst_query_new_context(cltrack::gst::kDeviceContext);
  const bool found = !gst_element_foreach_src_pad(element, query_peer, query) ||
                     !gst_element_foreach_sink_pad(element, query_peer, query);
  GstContext* context = nullptr;
  if (found) gst_query_parse_context(query, &context);
  if (context != nullptr) gst_element_set_context(element, context);
  gst_query_unref(query);
}

GstContext* find_context(GstElement* element) {
  return gst_element_get_context(element, cltrack::gst::kDeviceContext);
}

}  // namespace

namespace cltrack::gst {

namespace {

// The devices of the element's context, which is made if there is none. Posts messages and queries
// neighbours: no lock may be held.
std::shared_ptr<DeviceCache> ensure_device_context(GstElement* element) {
  GstContext* context = find_context(element);
  if (context == nullptr) {
    ask_neighbours(element);
    context = find_context(element);
  }
  if (context == nullptr) {
    // The application or the parent bin may set the context during this call.
    gst_element_post_message(element,
                             gst_message_new_need_context(GST_OBJECT(element), kDeviceContext));
    context = find_context(element);
  }
  Cache cache = context != nullptr ? cache_of(context) : nullptr;
  if (cache == nullptr) {
    if (context != nullptr) gst_context_unref(context);
    context = make_context();
    cache = cache_of(context);
    gst_element_set_context(element, context);
    gst_element_post_message(
        element, gst_message_new_have_context(GST_OBJECT(element), gst_context_ref(context)));
  }
  gst_context_unref(context);
  return cache;
}

}  // namespace

bool answer_context_query(GstElement* element, GstQuery* query) {
  const gchar* type = nullptr;
  if (!gst_query_parse_context_type(query, &type) || g_strcmp0(type, kDeviceContext) != 0) {
    return false;
  }
  GstContext* context = find_context(element);
  if (context == nullptr) return false;
  gst_query_set_context(query, context);
  gst_context_unref(context);
  return true;
}

void share_devices(GstElement* element, const std::vector<PlacedStage>& stages) {
  for (const std::string& warning : placement_warnings(stages)) {
    GST_ELEMENT_WARNING(element, RESOURCE, SETTINGS, ("%s", warning.c_str()), (nullptr));
  }
  const bool host_only = std::all_of(stages.begin(), stages.end(), [](const auto& placed) {
    return placed.device.type == DeviceType::host;
  });
  if (host_only) return;
  const auto cache = ensure_device_context(element);
  for (const PlacedStage& placed : stages) cache->keep(placed.device);
}

bool offer_pinned_memory(GstQuery* query, const std::vector<PlacedStage>& stages) {
  for (const PlacedStage& placed : stages) {
    if (!PinnedMemory::is_useful_for(placed.device)) continue;
    return offer_pinned_memory(query, placed.device);
  }
  return false;
}

}  // namespace cltrack::gst
