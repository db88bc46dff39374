// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/template_file.h"

#include <gst/video/video.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>

#include "cltrack/error.h"
#include "files/model_file.h"
#include "pictures/frame_layout.h"
#include "pictures/mapped_frame.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

using std::uint32_t;
using std::uint8_t;

// The size that a PNG or JPEG file says it has, before anything takes memory to decode it.

// A picture that ends further behind counts as one without an end: a file can be made that would
// be read for hours.
constexpr std::uint64_t kMaxPictureBytes = std::uint64_t{1} << 30;

struct PictureHeader {
  std::uint32_t width = 0;   // pixels; 0 if the file ends before it says so
  std::uint32_t height = 0;  // pixels
  bool complete = false;     // the mark that ends the picture (IEND, EOI) is there
};

template <std::size_t kSize>
using Bytes = std::array<uint8_t, kSize>;

// The file, up to the limit.
class Reader {
 public:
  explicit Reader(std::FILE* file) : file_(file) {}

  template <std::size_t kSize>
  bool read(Bytes<kSize>& bytes) {
    return take(kSize) && std::fread(bytes.data(), 1, kSize, file_) == kSize;
  }
  // One thread has the file: no lock for each byte.
  int get() { return take(1) ? getc_unlocked(file_) : EOF; }
  // True even if there are not as many bytes.
  bool skip(uint32_t bytes) {
    return take(bytes) && std::fseek(file_, static_cast<long>(bytes), SEEK_CUR) == 0;
  }

 private:
  bool take(std::uint64_t bytes) {
    position_ += bytes;
    return position_ <= kMaxPictureBytes;
  }

  std::FILE* file_;
  std::uint64_t position_ = 0;
};

// Both formats write the high byte first.
uint32_t number(const uint8_t* bytes, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

// Chunks: length, type, data, CRC.
PictureHeader read_png(Reader& file) {
  PictureHeader header;
  Bytes<8> start;
  Bytes<4> crc;
  while (file.read(start)) {
    uint32_t length = number(start.data(), 4);
    const std::string_view type(reinterpret_cast<const char*>(start.data()) + 4, 4);
    Bytes<8> size;
    if (type == "IHDR" && length >= size.size()) {
      if (!file.read(size)) break;
      header.width = number(size.data(), 4);
      header.height = number(size.data() + 4, 4);
      length -= static_cast<uint32_t>(size.size());
    }
    if (!file.skip(length) || !file.read(crc)) break;
    if (type == "IEND") {
      header.complete = true;
      break;
    }
  }
  return header;
}

// The marker that comes next, EOF if there is none. What lies before it is skipped: coded data,
// in which a byte 0xff is followed by 0 unless it is a restart marker (0xd0 to 0xd7).
int next_marker(Reader& file) {
  while (true) {
    int byte = file.get();
    while (byte != EOF && byte != 0xff) byte = file.get();
    while (byte == 0xff) byte = file.get();
    if (byte == EOF || (byte != 0 && (byte < 0xd0 || byte > 0xd7))) return byte;
  }
}

bool starts_frame(int marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// Segments: marker, length that counts itself, data. The coded data follow such a segment.
PictureHeader read_jpeg(Reader& file) {
  PictureHeader header;
  while (true) {
    const int marker = next_marker(file);
    if (marker == 0xd9) header.complete = true;
    if (marker == EOF || marker == 0xd9) return header;
    if (marker == 0x01 || marker == 0xd8) continue;  // these have no length
    Bytes<2> start;
    if (!file.read(start)) return header;
    uint32_t length = std::max(number(start.data(), 2), 2u) - 2;
    Bytes<5> frame;  // precision, height, width
    if (starts_frame(marker) && length >= frame.size()) {
      if (!file.read(frame)) return header;
      header.height = number(frame.data() + 1, 2);
      header.width = number(frame.data() + 3, 2);
      length -= static_cast<uint32_t>(frame.size());
    }
    if (!file.skip(length)) return header;
  }
}

// Reads `file` from where it is, in the formats' own steps: a thumbnail inside of it, or what
// follows the picture, does not count. Nothing if it is neither PNG nor JPEG. Whether what lies
// between is intact is for the decoder to say.
std::optional<PictureHeader> read_picture_header(std::FILE* file) {
  constexpr Bytes<8> kPng = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Reader reader(file);
  Bytes<2> start;
  if (!reader.read(start)) return std::nullopt;
  if (start[0] == 0xff && start[1] == 0xd8) return read_jpeg(reader);
  Bytes<6> rest;
  if (start[0] != kPng[0] || start[1] != kPng[1] || !reader.read(rest)) return std::nullopt;
  if (!std::equal(rest.begin(), rest.end(), kPng.begin() + 2)) return std::nullopt;
  return read_png(reader);
}

constexpr guint64 kTimeout = 10 * GST_SECOND;
constexpr guint64 kMaxPixels = 8192 * 8192;

void stop(GstElement* pipeline) {
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
}
using Pipeline = Scoped<GstElement, stop>;
using Element = Scoped<GstElement, gst_object_unref>;
using Pad = Scoped<GstPad, gst_object_unref>;
using Bus = Scoped<GstBus, gst_object_unref>;
using Sample = Scoped<GstSample, gst_sample_unref>;
using Message = Scoped<GstMessage, gst_message_unref>;
using Caps = Scoped<GstCaps, gst_caps_unref>;
using GlibError = Scoped<GError, g_error_free>;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument,
              "template-location \"" + path + "\": " + reason +
                  "; name a file with a picture that GStreamer can decode, such as PNG or JPEG");
}

std::string describe_size(guint64 width, guint64 height) {
  return "it has " + std::to_string(width) + "x" + std::to_string(height) +
         " pixels, allowed are " + std::to_string(kMaxPixels) + " (8192x8192) in all";
}

// Decoders take the memory for the whole picture, and are content with half of one.
void check_header(std::FILE* file, const std::string& path) {
  const std::optional<PictureHeader> header = read_picture_header(file);
  if (!header) return;
  if (guint64{header->width} * header->height > kMaxPixels) {
    refuse(path, describe_size(header->width, header->height));
  }
  if (!header->complete) {
    refuse(path, "the end of its picture is missing, in the first " +
                     std::to_string(kMaxPictureBytes) +
                     " bytes at least: the file is truncated, write or copy it again");
  }
}

// Keeps decoders of formats without a header that was checked from taking the memory: their caps,
// which come before their pictures, are refused.
class SizeGuard {
 public:
  void watch(GstElement* pipeline) {
    g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(on_element), this);
  }
  // Why caps were refused, if they were.
  std::string refusal() {
    const std::lock_guard lock(mutex_);
    return width_ > 0 ? describe_size(width_, height_) : "";
  }

 private:
  static void on_element(GstBin*, GstBin*, GstElement* element, gpointer self) {
    const Pad pad(gst_element_get_static_pad(element, "src"));
    if (!pad) return;
    gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, self, nullptr);
  }

  static GstPadProbeReturn on_event(GstPad* pad, GstPadProbeInfo* info, gpointer self) {
    GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
    GstCaps* caps = nullptr;
    gst_event_parse_caps(event, &caps);
    const GstStructure* structure = gst_caps_get_structure(caps, 0);
    int width = 0, height = 0;
    if (!gst_structure_get_int(structure, "width", &width) ||
        !gst_structure_get_int(structure, "height", &height) || width <= 0 || height <= 0) {
      return GST_PAD_PROBE_OK;
    }
    const auto wide = static_cast<guint64>(width), high = static_cast<guint64>(height);
    if (wide * high <= kMaxPixels) return GST_PAD_PROBE_OK;
    auto& guard = *static_cast<SizeGuard*>(self);
    {
      const std::lock_guard lock(guard.mutex_);
      guard.width_ = wide;
      guard.height_ = high;
    }
    // Ends the wait at once; some decoders go on until they have read the file.
    const Element element(gst_pad_get_parent_element(pad));
    if (element) GST_ELEMENT_ERROR(element.get(), STREAM, DECODE, ("Too large"), (nullptr));
    GST_PAD_PROBE_INFO_FLOW_RETURN(info) = GST_FLOW_NOT_NEGOTIATED;
    return GST_PAD_PROBE_DROP;
  }

  std::mutex mutex_;
  guint64 width_ = 0;
  guint64 height_ = 0;
};

// Waits for the picture. What the pipeline has complained of, empty if it has a picture.
std::string wait_for_picture(GstElement* pipeline) {
  const Bus bus(gst_element_get_bus(pipeline));
  gst_element_set_state(pipeline, GST_STATE_PAUSED);
  constexpr auto kTypes =
      static_cast<GstMessageType>(int{GST_MESSAGE_ERROR} | int{GST_MESSAGE_ASYNC_DONE});
  const Message message(gst_bus_timed_pop_filtered(bus.get(), kTimeout, kTypes));
  if (!message) return "it was not decoded within 10 seconds";
  if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ASYNC_DONE) return {};
  GError* error = nullptr;
  gst_message_parse_error(message.get(), &error, nullptr);
  const GlibError owned(error);
  return error->message;
}

// Pixels that are not wholly opaque.
guint64 count_transparent(const GstVideoFrame& frame) {
  if (!GST_VIDEO_INFO_HAS_ALPHA(&frame.info)) return 0;
  constexpr guint kAlpha = GST_VIDEO_COMP_A;
  const auto* row = static_cast<const guint8*>(GST_VIDEO_FRAME_COMP_DATA(&frame, kAlpha));
  guint64 count = 0;
  for (int y = 0; y < GST_VIDEO_FRAME_HEIGHT(&frame); ++y) {
    for (int x = 0; x < GST_VIDEO_FRAME_WIDTH(&frame); ++x) {
      count += row[x * GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, kAlpha)] != 255;
    }
    row += GST_VIDEO_FRAME_COMP_STRIDE(&frame, kAlpha);
  }
  return count;
}

Image copy_luma(const Sample& sample, const std::string& path) {
  GstVideoInfo info;
  GstCaps* caps = sample ? gst_sample_get_caps(sample.get()) : nullptr;
  GstBuffer* buffer = sample ? gst_sample_get_buffer(sample.get()) : nullptr;
  if (caps == nullptr || buffer == nullptr || !gst_video_info_from_caps(&info, caps)) {
    refuse(path, "it contains no picture");
  }
  MappedFrame mapped(buffer, info, MapMode::read);
  if (const guint64 count = count_transparent(*mapped.video_frame()); count > 0) {
    throw Error(
        ErrorCode::invalid_argument,
        "template-location \"" + path + "\": " + std::to_string(count) + " of its " +
            std::to_string(static_cast<guint64>(info.width) * static_cast<guint64>(info.height)) +
            " pixels are transparent, and the colours that are hidden there would count; "
            "crop it to its opaque part, or put it on a background as in the video");
  }
  Image scratch;
  const ImageView luma = mapped.luma(scratch);
  Image picture(luma.width, luma.height);
  for (int y = 0; y < luma.height; ++y) std::copy_n(luma.row(y), luma.width, picture.row(y));
  return picture;
}

}  // namespace

Image load_template(const std::string& path) {
  File opened;
  try {
    opened = open_regular_file(path);
  } catch (const Error& error) {
    refuse(path, error.what());
  }
  check_header(opened.get(), path);
  const int descriptor = fileno(opened.get());
  lseek(descriptor, 0, SEEK_SET);

  SizeGuard guard;  // lives longer than the pipeline
  GError* error = nullptr;
  // No link with gst-app: what is needed of appsink are signals.
  GstElement* parsed = gst_parse_launch(
      "fdsrc name=file ! decodebin ! videoconvert ! appsink name=out sync=false", &error);
  const Pipeline pipeline(parsed);
  const GlibError owned(error);
  if (!pipeline || error != nullptr) {
    refuse(path, std::string("the elements to decode it are not installed (") +
                     (error != nullptr ? error->message : "unknown reason") + ")");
  }
  const Element file(gst_bin_get_by_name(GST_BIN(pipeline.get()), "file"));
  const Element out(gst_bin_get_by_name(GST_BIN(pipeline.get()), "out"));
  const Caps caps(make_supported_caps());
  g_object_set(file.get(), "fd", descriptor, nullptr);
  g_object_set(out.get(), "caps", caps.get(), nullptr);
  guard.watch(pipeline.get());
  const std::string complaint = wait_for_picture(pipeline.get());
  const std::string refusal = guard.refusal();
  if (!refusal.empty()) refuse(path, refusal);
  if (!complaint.empty()) refuse(path, complaint);
  GstSample* pulled = nullptr;
  g_signal_emit_by_name(out.get(), "try-pull-preroll", kTimeout, &pulled);
  return copy_luma(Sample(pulled), path);
}

}  // namespace cltrack::gst
