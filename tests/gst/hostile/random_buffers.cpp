// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_buffers.h"

#include <algorithm>
#include <cstdlib>

#include "guarded_memory.h"

namespace cltrack::test {
namespace {

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

}  // namespace cltrack::test
