// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_buffers.h"

#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "config.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>  // nothing where the sanitizer is not in use
#else
#define ASAN_POISON_MEMORY_REGION(address, size)
#define ASAN_UNPOISON_MEMORY_REGION(address, size)
#endif

namespace cltrack::test {
namespace {

constexpr gsize kGuard = 4096;  // more than a row of most pictures
constexpr std::align_val_t kAlignment{64};
constexpr guint8 kMark = 0xA7;

// [guard, misalignment included][size bytes][guard]
struct Block {
  guint8* bytes;
  gsize size, first;

  guint8* data() const { return bytes + first; }
  guint8* behind() const { return data() + size; }
};

bool is_untouched(const guint8* begin, const guint8* end) {
  return std::all_of(begin, end, [](guint8 byte) { return byte == kMark; });
}

void release(gpointer data) {
  const std::unique_ptr<Block> block(static_cast<Block*>(data));
  ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->first);
  ASAN_UNPOISON_MEMORY_REGION(block->behind(), kGuard);
  EXPECT_TRUE(is_untouched(block->bytes, block->data()))
      << "something was written before the memory of a buffer";
  EXPECT_TRUE(is_untouched(block->behind(), block->behind() + kGuard))
      << "something was written behind the memory of a buffer";
  ::operator delete(block->bytes, kAlignment);
}

// `size` bytes, which begin `misalignment` bytes (0 to 63) behind a multiple of 64. Writes beyond
// their ends are detected; under AddressSanitizer reads there stop the program, too.
GstMemory* make_guarded_memory(gsize size, gsize misalignment, GstMemoryFlags flags) {
  auto block = std::make_unique<Block>();
  block->size = size;
  block->first = kGuard + misalignment;
  const gsize whole = block->first + size + kGuard;
  block->bytes = static_cast<guint8*>(::operator new(whole, kAlignment));
  std::fill_n(block->bytes, whole, kMark);
  ASAN_POISON_MEMORY_REGION(block->bytes, block->first);
  ASAN_POISON_MEMORY_REGION(block->behind(), kGuard);
  guint8* data = block->data();
  return gst_memory_new_wrapped(flags, data, size, 0, size, block.release(), release);
}

constexpr gsize kLargest = 1 << 20;  // bytes; caps may ask for any size
constexpr gsize kTooSmall = 4096;

gsize random_size(RandomValues& random, gsize right) {
  switch (random.between(0, 19)) {
    case 0:
      return 0;
    case 1:
      return right / 2;
    case 2:
      return right - 1;
    case 3:
      return right * 2;
    default:
      return right;
  }
}

void append_memory(RandomValues& random, GstBuffer* buffer, gsize size, std::string& description) {
  const gsize misalignment =
      random.chance(0.2f) ? static_cast<gsize>(random.between(1, 63)) : gsize{0};
  const bool read_only = random.chance(0.1f);
  if (misalignment != 0) description.append(" misaligned by ").append(std::to_string(misalignment));
  if (read_only) description += " read-only";
  GstMemory* memory = make_guarded_memory(
      size, misalignment, read_only ? GST_MEMORY_FLAG_READONLY : static_cast<GstMemoryFlags>(0));
  gst_buffer_append_memory(buffer, memory);
}

void append_memories(RandomValues& random, GstBuffer* buffer, gsize size,
                     std::string& description) {
  const int count = random.chance(0.15f) ? random.between(2, 5) : 1;
  if (count > 1) description.append(", memories: ").append(std::to_string(count));
  gsize left = size;
  for (int i = 0; i < count; ++i) {
    const gsize piece = i + 1 == count ? left : size / static_cast<gsize>(count);
    append_memory(random, buffer, piece, description);
    left -= piece;
  }
}

// Noise, one grey, or a ramp.
void fill(RandomValues& random, GstBuffer* buffer) {
  const int kind = random.between(0, 2);
  Random noise(random.bits());
  gsize at = 0;
  for (guint m = 0; m < gst_buffer_n_memory(buffer); ++m) {
    GstMemory* memory = gst_buffer_peek_memory(buffer, m);
    GstMapInfo map;
    // Read-only memory stays as it is.
    if (!gst_memory_map(memory, &map, GST_MAP_WRITE)) continue;
    for (gsize i = 0; i < map.size; ++i, ++at) {
      const gsize value = kind == 0 ? noise.bits() : kind == 1 ? gsize{128} : at * 7 + (at >> 8);
      map.data[i] = static_cast<guint8>(value);
    }
    gst_memory_unmap(memory, &map);
  }
}

void spoil_plane(RandomValues& random, const GstVideoInfo& info, gsize size, gsize& offset,
                 gint& stride) {
  switch (random.between(0, 11)) {
    case 0:  // from the bottom up, right or not
      if (random.chance(0.5f)) {
        offset += static_cast<gsize>(std::abs(stride)) *
                  static_cast<gsize>(std::max(GST_VIDEO_INFO_HEIGHT(&info) - 1, 0));
      }
      stride = -stride;
      break;
    case 1:
      stride = 0;
      break;
    case 2:
      stride = random.chance(0.5f) ? G_MAXINT : G_MININT;
      break;
    case 3:
      offset = G_MAXSIZE - static_cast<gsize>(random.between(0, 100));
      break;
    case 4:
      offset = size;
      break;
    case 5:
      stride = 1;
      break;
    case 6:
      stride += random.between(-3, 5);
      break;
    case 7:
      offset += static_cast<gsize>(random.between(1, 7));
      break;
    default:
      break;
  }
}

guint random_side(RandomValues& random, int right) {
  if (random.chance(0.02f)) return 0x80000000u;
  if (random.chance(0.9f)) return static_cast<guint>(right);
  return static_cast<guint>(std::max(right + random.between(-3, 50), 0));
}

void add_video_meta(RandomValues& random, const GstVideoInfo& info, GstBuffer* buffer,
                    std::string& description) {
  GstVideoFormat format = GST_VIDEO_INFO_FORMAT(&info);
  // There is no meta of an unknown one.
  if (random.chance(0.05f) || format == GST_VIDEO_FORMAT_UNKNOWN) format = GST_VIDEO_FORMAT_NV12;
  const guint width = random_side(random, GST_VIDEO_INFO_WIDTH(&info));
  const guint height = random_side(random, GST_VIDEO_INFO_HEIGHT(&info));
  gsize offset[GST_VIDEO_MAX_PLANES] = {0};
  gint stride[GST_VIDEO_MAX_PLANES] = {0};
  description += std::string(", GstVideoMeta ") + gst_video_format_to_string(format) + " " +
                 std::to_string(width) + "x" + std::to_string(height);
  const guint planes = GST_VIDEO_INFO_N_PLANES(&info);
  for (guint p = 0; p < planes; ++p) {
    offset[p] = GST_VIDEO_INFO_PLANE_OFFSET(&info, p);
    stride[p] = GST_VIDEO_INFO_PLANE_STRIDE(&info, p);
    if (random.chance(0.5f)) {
      spoil_plane(random, info, gst_buffer_get_size(buffer), offset[p], stride[p]);
    }
    description += ' ' + std::to_string(offset[p]) + '/' + std::to_string(stride[p]);
  }
  gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, format, width, height, planes,
                                 offset, stride);
}

void set_flags(RandomValues& random, GstBuffer* buffer, std::string& description) {
  constexpr GstBufferFlags kFlags[] = {GST_BUFFER_FLAG_DISCONT,    GST_BUFFER_FLAG_RESYNC,
                                       GST_BUFFER_FLAG_CORRUPTED,  GST_BUFFER_FLAG_GAP,
                                       GST_BUFFER_FLAG_DROPPABLE,  GST_BUFFER_FLAG_DELTA_UNIT,
                                       GST_BUFFER_FLAG_DECODE_ONLY};
  if (!random.chance(0.15f)) return;
  const GstBufferFlags flag = random.pick(kFlags);
  GST_BUFFER_FLAG_SET(buffer, flag);
  description.append(", flag ").append(std::to_string(flag));
}

}  // namespace

BufferPtr random_buffer(RandomValues& random, const GstVideoInfo& info, std::string& description) {
  const gsize right = GST_VIDEO_INFO_SIZE(&info);
  const gsize size = right > kLargest || right == 0 ? kTooSmall : random_size(random, right);
  description += std::to_string(size) + " bytes of " + std::to_string(right);
  BufferPtr buffer(gst_buffer_new());
  append_memories(random, buffer.get(), size, description);
  fill(random, buffer.get());
  if (random.chance(0.25f)) add_video_meta(random, info, buffer.get(), description);
  if (random.chance(0.1f)) {
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer.get());
    crop->x = random.bits();
    crop->width = random.bits();
    crop->height = 1;
    description += ", GstVideoCropMeta";
  }
  set_flags(random, buffer.get(), description);
  return buffer;
}

namespace {

void append(GValue* array, RandomValues& random, bool is_number) {
  GValue value = G_VALUE_INIT;
  if (is_number) {
    g_value_init(&value, G_TYPE_DOUBLE);
    g_value_set_double(&value, random.chance(0.9f) ? random.between(-100, 300) : random.number());
  } else {
    g_value_init(&value, G_TYPE_STRING);
    g_value_set_static_string(&value, "no number");
  }
  gst_value_array_append_and_take_value(array, &value);
}

void set_array(RandomValues& random, GstStructure* structure, const char* name) {
  GValue array = G_VALUE_INIT;
  g_value_init(&array, GST_TYPE_ARRAY);
  const bool are_numbers = random.chance(0.9f);
  for (int i = random.between(0, 50); i > 0; --i) append(&array, random, are_numbers);
  gst_structure_take_value(structure, name, &array);
}

void set_any_value(RandomValues& random, GstStructure* structure, const char* name) {
  switch (random.between(0, 6)) {
    case 0:
    case 1:
      gst_structure_set(structure, name, G_TYPE_DOUBLE, random.number(), nullptr);
      break;
    case 2:
      gst_structure_set(structure, name, G_TYPE_INT, random.between(-5, 5), nullptr);
      break;
    case 3:
      gst_structure_set(structure, name, G_TYPE_UINT64, random.wide_bits(), nullptr);
      break;
    case 4:
      gst_structure_set(structure, name, G_TYPE_STRING,
                        random.chance(0.2f) ? nullptr : random.utf8_label().c_str(), nullptr);
      break;
    case 5:
      gst_structure_set(structure, name, G_TYPE_POINTER, nullptr, nullptr);
      break;
    default:
      set_array(random, structure, name);
  }
}

GstStructure* random_structure(RandomValues& random) {
  constexpr const char* kNames[] = {"cltrack", "cltrack", "cltrack", "detection", "object_id"};
  constexpr const char* kFields[] = {"id",    "confidence", "age",  "x",         "y",
                                     "width", "height",     "area", "algorithm", "x_min"};
  constexpr const char* kStates[] = {"tracking", "uncertain", "lost", "none", ""};
  GstStructure* structure = gst_structure_new_empty(random.pick(kNames));
  for (const char* field : kFields) {
    if (random.chance(0.7f)) set_any_value(random, structure, field);
  }
  if (random.chance(0.7f)) {
    gst_structure_set(structure, "state", G_TYPE_STRING, random.pick(kStates), nullptr);
  } else {
    set_any_value(random, structure, "state");
  }
  if (random.chance(0.5f)) set_array(random, structure, "trail");
  return structure;
}

guint region_coordinate(RandomValues& random) {
  return random.chance(0.2f) ? random.bits() : static_cast<guint>(random.between(0, 100));
}

void add_region(RandomValues& random, GstBuffer* buffer, const std::string& label) {
  // In a fixed order, which the arguments of a call do not have.
  const guint x = region_coordinate(random);
  const guint y = region_coordinate(random);
  const guint width = region_coordinate(random);
  const guint height = region_coordinate(random);
  GstVideoRegionOfInterestMeta* region =
      gst_buffer_add_video_region_of_interest_meta(buffer, label.c_str(), x, y, width, height);
  region->id = random.chance(0.5f) ? random.between(0, 20) : static_cast<gint>(random.bits());
  if (random.chance(0.05f)) region->roi_type = 0;
  for (const float share : {0.5f, 0.2f}) {
    if (random.chance(share)) {
      gst_video_region_of_interest_meta_add_param(region, random_structure(random));
    }
  }
}

}  // namespace

void add_random_regions(RandomValues& random, GstBuffer* buffer, std::string& description) {
  if (!random.chance(0.4f)) return;
  const bool many = random.chance(0.02f);
  const int count = many ? 500 : random.between(1, 6);
  description.append(", regions: ").append(std::to_string(count));
  for (int i = 0; i < count; ++i) {
    const std::string label = many ? "one of many" : random.label();
    if (!many) description += ' ' + describe_text(label);
    add_region(random, buffer, label);
  }
}

#if HAVE_ANALYTICS
namespace {

GQuark random_type(RandomValues& random) {
  return random.chance(0.2f) ? 0 : g_quark_from_string(random.label().c_str());
}

gint object_coordinate(RandomValues& random) {
  return random.chance(0.2f) ? static_cast<gint>(random.bits()) : random.between(-10, 100);
}

void add_random_object(RandomValues& random, GstAnalyticsRelationMeta* relations) {
  // In a fixed order, which the arguments of a call do not have.
  const GQuark type = random_type(random);
  const gint x = object_coordinate(random);
  const gint y = object_coordinate(random);
  const gint width = object_coordinate(random);
  const gint height = object_coordinate(random);
  const auto confidence = static_cast<float>(random.number());
  gst_analytics_relation_meta_add_od_mtd(relations, type, x, y, width, height, confidence, nullptr);
}

void add_classes(RandomValues& random, GstAnalyticsRelationMeta* relations) {
  float levels[3];
  GQuark types[3];
  for (float& level : levels) level = static_cast<float>(random.number());
  for (GQuark& type : types) type = random_type(random);
  GstAnalyticsClsMtd classes;
  gst_analytics_relation_meta_add_cls_mtd(relations, 3, levels, types, &classes);
}

void add_any(RandomValues& random, GstAnalyticsRelationMeta* relations) {
  if (random.chance(0.6f)) {
    add_random_object(random, relations);
  } else if (random.chance(0.5f)) {
    GstAnalyticsTrackingMtd tracking;
    gst_analytics_relation_meta_add_tracking_mtd(relations, random.wide_bits(), random.wide_bits(),
                                                 &tracking);
  } else {
    add_classes(random, relations);
  }
}

}  // namespace

void add_random_objects(RandomValues& random, GstBuffer* buffer, std::string& description) {
  if (!random.chance(0.4f)) return;
  const int count = random.chance(0.02f) ? 200 : random.between(0, 8);
  description.append(", analytics metas: ").append(std::to_string(count));
  GstAnalyticsRelationMeta* relations = gst_buffer_add_analytics_relation_meta(buffer);
  for (int i = 0; i < count; ++i) add_any(random, relations);
  for (int i = random.between(0, count); i > 0; --i) {
    const auto from = static_cast<guint>(random.between(0, count - 1));
    const auto to = static_cast<guint>(random.between(0, count - 1));
    gst_analytics_relation_meta_set_relation(
        relations,
        random.chance(0.7f) ? GST_ANALYTICS_REL_TYPE_RELATE_TO : GST_ANALYTICS_REL_TYPE_CONTAIN,
        from, to);
  }
}

#else

void add_random_objects(RandomValues&, GstBuffer*, std::string&) {}

#endif

}  // namespace cltrack::test
