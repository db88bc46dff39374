// SPDX-License-Identifier: LGPL-2.1-or-later
#include "frame_source.h"

#include <gst/app/app.h>

#include <fstream>
#include <iterator>
#include <string>

#include "cltrack/error.h"
#include "pictures/luma.h"

namespace cltrack::accuracy {
namespace {

namespace fs = std::filesystem;

// All have 8-bit luma in their first plane; the rest (RGB of PNG files, more bits) is converted.
constexpr const char* kFormats =
    "video/x-raw, format=(string){ I420, YV12, NV12, NV21, Y42B, Y444, Y41B, GRAY8 }";
constexpr GstClockTime kFrameDuration = 40 * GST_MSECOND;  // of pictures in a folder: 25 per second
constexpr GstClockTime kPatience = 30 * GST_SECOND;        // for one frame

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::failed, message); }

struct Unref {
  void operator()(GstElement* object) const { gst_object_unref(object); }
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
  void operator()(GstSample* sample) const { gst_sample_unref(sample); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
};
template <typename T>
using Ref = std::unique_ptr<T, Unref>;

bool is_png(const fs::path& picture) {
  const std::string extension = picture.extension().string();
  return extension == ".png" || extension == ".PNG";
}

// jpegdec (1.22) fails on grey pictures whose one component has sampling factors of 2, which two
// OTB sequences are made of: "Buffer passed to JPEG library is too small".
std::string decoder_of(const fs::path& picture) {
  if (is_png(picture)) return "pngdec";
  return element_exists("avdec_mjpeg") ? "avdec_mjpeg" : "jpegdec";
}

GstBuffer* read_picture(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  if (bytes.empty()) fail("cannot read " + file.string());
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, bytes.size(), nullptr);
  gst_buffer_fill(buffer, 0, bytes.data(), bytes.size());
  return buffer;
}

// The first pixel of a mapped frame is now the one at (x, y).
void move_to(GstVideoFrame& frame, int x, int y) {
  const GstVideoFormatInfo* format = frame.info.finfo;
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES(&frame); ++i) {
    // Of the first component of the plane; all that a plane has have the same samples.
    const int row = y >> GST_VIDEO_FORMAT_INFO_H_SUB(format, i);
    const int column = x >> GST_VIDEO_FORMAT_INFO_W_SUB(format, i);
    frame.data[i] = static_cast<std::uint8_t*>(frame.data[i]) +
                    row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, i) +
                    column * GST_VIDEO_FORMAT_INFO_PSTRIDE(format, i);
  }
}

}  // namespace

bool element_exists(const std::string& name) {
  GstElementFactory* factory = gst_element_factory_find(name.c_str());
  if (!factory) return false;
  gst_object_unref(factory);
  return true;
}

VideoFrame::VideoFrame(GstSample* sample, const Variant& variant, std::uint64_t index) {
  GstVideoInfo info;
  GstCaps* caps = gst_sample_get_caps(sample);
  GstBuffer* decoded = gst_sample_get_buffer(sample);
  GstVideoFrame source;
  if (!caps || !decoded || !gst_video_info_from_caps(&info, caps) ||
      !gst_video_frame_map(&source, &info, decoded, GST_MAP_READ)) {
    fail("a decoded frame cannot be mapped");
  }
  if (variant.pan.speed != 0) {
    const BoundingBox part = shown_part(variant.pan, info.width, info.height, index);
    move_to(source, static_cast<int>(part.x), static_cast<int>(part.y));
    const GstVideoInfo whole = info;
    gst_video_info_set_format(&info, GST_VIDEO_INFO_FORMAT(&whole), static_cast<guint>(part.width),
                              static_cast<guint>(part.height));
    info.colorimetry = whole.colorimetry;
    info.chroma_site = whole.chroma_site;
  }
  GstBuffer* copy = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  gst_buffer_copy_into(copy, decoded, GST_BUFFER_COPY_TIMESTAMPS, 0, static_cast<gsize>(-1));
  // A copy is a whole picture: nobody looks at its fields, and converters would want to.
  info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  GstVideoFrame target;
  bool done = gst_video_frame_map(&target, &info, copy, GST_MAP_WRITE);
  if (done) {
    done = gst_video_frame_copy(&target, &source);
    if (done) change_picture(target, variant, index);
    gst_video_frame_unmap(&target);
  }
  gst_video_frame_unmap(&source);
  done = done && gst_video_frame_map(&mapped_, &info, copy, GST_MAP_READ);
  gst_buffer_unref(copy);  // the map holds a reference of its own
  if (!done) fail("a decoded frame cannot be copied");
}

VideoFrame::~VideoFrame() { gst_video_frame_unmap(&mapped_); }

Frame VideoFrame::frame() const {
  Frame frame;
  frame.luma.data = static_cast<const std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&mapped_, 0));
  frame.luma.width = width();
  frame.luma.height = height();
  frame.luma.stride = GST_VIDEO_FRAME_PLANE_STRIDE(&mapped_, 0);
  frame.color = gst::color_of(mapped_, width(), height());
  if (GST_BUFFER_PTS_IS_VALID(mapped_.buffer)) {
    frame.pts = static_cast<std::int64_t>(GST_BUFFER_PTS(mapped_.buffer));
  }
  return frame;
}

struct FrameReader::Pipeline {
  Pipeline(const Sequence& sequence, FrameSize size)
      : images(sequence.images), variant(sequence.variant) {
    name = images.empty() ? sequence.video.string() : (sequence.folder / "img").string();
    if (!sequence.error.empty()) fail(sequence.error);
    const std::string head = images.empty()
                                 ? "uridecodebin name=source"
                                 : "appsrc name=source format=time ! " + decoder_of(images.front());
    GError* error = nullptr;
    pipeline.reset(gst_parse_launch(
        (head + (variant.codec.empty() ? "" : " ! videoconvert ! " + variant.codec) +
         " ! videoconvert" + (size.width > 0 ? " ! videoscale add-borders=false" : "") +
         " ! appsink name=sink sync=false max-buffers=4")
            .c_str(),
        &error));
    if (!pipeline || error) {
      const std::string message = error ? error->message : "unknown error";
      g_clear_error(&error);
      fail("no pipeline to decode " + name + ": " + message);
    }
    source.reset(gst_bin_get_by_name(GST_BIN(pipeline.get()), "source"));
    sink.reset(gst_bin_get_by_name(GST_BIN(pipeline.get()), "sink"));
    const Ref<GstCaps> formats(gst_caps_from_string(kFormats));
    if (size.width > 0) {
      gst_caps_set_simple(formats.get(), "width", G_TYPE_INT, size.width, "height", G_TYPE_INT,
                          size.height, nullptr);
    }
    gst_app_sink_set_caps(GST_APP_SINK(sink.get()), formats.get());
    if (images.empty()) {
      set_uri(sequence.video);
    } else {
      // Tells the decoder that each buffer is one picture: it waits for no more.
      const Ref<GstCaps> caps(gst_caps_new_simple(
          is_png(images.front()) ? "image/png" : "image/jpeg", "parsed", G_TYPE_BOOLEAN, TRUE,
          "framerate", GST_TYPE_FRACTION, 25, 1, nullptr));
      gst_app_src_set_caps(GST_APP_SRC(source.get()), caps.get());
    }
    if (gst_element_set_state(pipeline.get(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
      check_bus();
      fail("cannot decode " + name);
    }
  }

  ~Pipeline() {
    if (pipeline) gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  }

  void set_uri(const fs::path& video) {
    GError* error = nullptr;
    gchar* uri = gst_filename_to_uri(fs::absolute(video).c_str(), &error);
    if (!uri) {
      const std::string message = error->message;
      g_clear_error(&error);
      fail(name + ": " + message);
    }
    g_object_set(source.get(), "uri", uri, nullptr);
    g_free(uri);
  }

  void check_bus() {
    GstBus* bus = gst_element_get_bus(pipeline.get());
    const Ref<GstMessage> message(gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR));
    gst_object_unref(bus);
    if (!message) return;
    GError* error = nullptr;
    gst_message_parse_error(message.get(), &error, nullptr);
    const std::string text = error->message;
    g_clear_error(&error);
    fail("cannot decode " + name + ": " + text);
  }

  // One picture in for each picture out.
  void push_picture() {
    if (images.empty() || pushed > images.size()) return;
    GstAppSrc* app_source = GST_APP_SRC(source.get());
    if (pushed == images.size()) {
      gst_app_src_end_of_stream(app_source);
    } else {
      name = images[pushed].string();
      GstBuffer* buffer = read_picture(images[pushed]);
      GST_BUFFER_PTS(buffer) = pushed * kFrameDuration;
      GST_BUFFER_DURATION(buffer) = kFrameDuration;
      gst_app_src_push_buffer(app_source, buffer);  // takes the buffer
    }
    ++pushed;
  }

  Ref<GstSample> pull() {
    GstAppSink* app_sink = GST_APP_SINK(sink.get());
    push_picture();
    for (GstClockTime waited = 0; waited < kPatience; waited += 100 * GST_MSECOND) {
      Ref<GstSample> sample(gst_app_sink_try_pull_sample(app_sink, 100 * GST_MSECOND));
      if (sample) return sample;
      check_bus();
      if (gst_app_sink_is_eos(app_sink)) return {};
    }
    fail("no frame out of " + name + " within " + std::to_string(kPatience / GST_SECOND) + " s");
  }

  std::vector<fs::path> images;
  std::string name;  // what is being read, for messages
  Variant variant;
  std::size_t pushed = 0;
  std::size_t pulled = 0;
  int width = 0;
  int height = 0;
  Ref<GstElement> pipeline;
  Ref<GstElement> source;
  Ref<GstElement> sink;
};

FrameReader::FrameReader(const Sequence& sequence, FrameSize size)
    : pipeline_(std::make_unique<Pipeline>(sequence, size)) {}

FrameReader::~FrameReader() = default;

std::shared_ptr<const VideoFrame> FrameReader::next() {
  const Variant& variant = pipeline_->variant;
  Ref<GstSample> sample = pipeline_->pull();
  while (sample && pipeline_->pulled++ % variant.step != 0) sample = pipeline_->pull();
  if (!sample) return nullptr;
  auto frame = std::make_shared<const VideoFrame>(sample.get(), variant, pipeline_->pulled - 1);
  if (pipeline_->width == 0) {
    pipeline_->width = frame->width();
    pipeline_->height = frame->height();
  } else if (frame->width() != pipeline_->width || frame->height() != pipeline_->height) {
    fail(pipeline_->name + ": a frame of " + std::to_string(frame->width()) + "x" +
         std::to_string(frame->height()) + " pixels among those of " +
         std::to_string(pipeline_->width) + "x" + std::to_string(pipeline_->height));
  }
  return frame;
}

Footage::Footage(const Sequence& sequence, std::size_t max_frames, std::size_t memory_limit,
                 FrameSize size)
    : sequence_(sequence), scaled_to_(size) {
  FrameReader reader(sequence, size);
  std::size_t bytes = 0;
  while (max_frames == 0 || size_ < max_frames) {
    auto frame = reader.next();
    if (!frame) break;
    ++size_;
    bytes += frame->bytes();
    if (bytes <= memory_limit) {
      frames_.push_back(std::move(frame));
    } else {
      frames_.clear();
      frames_.shrink_to_fit();
    }
  }
}

std::shared_ptr<const VideoFrame> FrameCursor::next() {
  if (index_ >= footage_.size_) return nullptr;
  if (footage_.in_memory()) return footage_.frames_[index_++];
  if (!reader_) reader_.emplace(footage_.sequence_, footage_.scaled_to_);
  ++index_;
  return reader_->next();
}

void BgrConverter::convert(const VideoFrame& frame, BgrImage& out) {
  // GStreamer's own BGR layout pads rows to four bytes; ours has none.
  GstVideoInfo info;
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_BGR, static_cast<guint>(frame.width()),
                            static_cast<guint>(frame.height()));
  info.fps_n = frame.info().fps_n;
  info.fps_d = frame.info().fps_d;
  info.stride[0] = frame.width() * 3;
  info.size = static_cast<gsize>(info.stride[0]) * static_cast<gsize>(frame.height());
  if (!converter_) {
    converter_.reset(
        gst_video_converter_new(const_cast<GstVideoInfo*>(&frame.info()), &info, nullptr));
    if (!converter_) fail("frames cannot be converted to BGR");
  }
  out.width = frame.width();
  out.height = frame.height();
  out.pixels.resize(info.size);
  GstBuffer* buffer =
      gst_buffer_new_wrapped_full(static_cast<GstMemoryFlags>(0), out.pixels.data(),
                                  out.pixels.size(), 0, out.pixels.size(), nullptr, nullptr);
  GstVideoFrame target;
  const bool mapped = gst_video_frame_map(&target, &info, buffer, GST_MAP_WRITE);
  if (mapped) {
    gst_video_converter_frame(converter_.get(), &frame.mapped(), &target);
    gst_video_frame_unmap(&target);
  }
  gst_buffer_unref(buffer);
  if (!mapped) fail("frames cannot be converted to BGR");
}

}  // namespace cltrack::accuracy
