// SPDX-License-Identifier: LGPL-2.1-or-later
#include "runner.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include "interrupt.h"
#include "quote.h"

namespace track_video {
namespace {

using std::chrono::steady_clock;

constexpr GstClockTime kMoment = 200 * GST_MSECOND;
constexpr std::chrono::seconds kPatience(10);
const bool kTerminal = isatty(STDERR_FILENO) != 0;

std::string describe(GstMessage* message, const std::filesystem::path& file) {
  GError* raw_error = nullptr;
  gchar* raw_debug = nullptr;
  gst_message_parse_error(message, &raw_error, &raw_debug);
  const Ptr<GError> error(raw_error);
  const Ptr<gchar> debug(raw_debug);
  std::string text = file.string() + ": " + error->message + " (" +
                     GST_OBJECT_NAME(GST_MESSAGE_SRC(message)) + ")";
  // The debug text starts with the place in the source; the reason is on the lines after it.
  if (debug != nullptr) {
    const std::string details = debug.get();
    const auto line = details.find('\n');
    if (line != std::string::npos) text += ": " + details.substr(line + 1);
  }
  if (g_error_matches(error.get(), GST_STREAM_ERROR, GST_STREAM_ERROR_CODEC_NOT_FOUND) ||
      g_error_matches(error.get(), GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN)) {
    text +=
        ". Decoders are in the packages gstreamer1.0-libav and "
        "gstreamer1.0-plugins-{good,bad,ugly}";
  }
  return text;
}

}  // namespace

Runner::Runner(const Options& options)
    : options_(options),
      pipeline_(make_pipeline(options)),
      recorder_(options, pipeline_, [this](const std::string& error) { fail(error); }),
      bus_(gst_element_get_bus(pipeline_.bin.get())),
      stall_(kPatience, steady_clock::now()) {
  std::error_code error;
  std::filesystem::create_directories(options.output, error);
  if (error) {
    throw std::runtime_error("cannot make the directory " + quote(options.output.string()) + ": " +
                             error.message() + ". Choose another one with --output");
  }
  g_signal_connect(pipeline_.source, "pad-added", G_CALLBACK(on_pad_added), this);
  g_signal_connect(pipeline_.source, "no-more-pads", G_CALLBACK(on_no_more_pads), this);
}

Runner::~Runner() { gst_element_set_state(pipeline_.bin.get(), GST_STATE_NULL); }

void Runner::on_pad_added(GstElement*, GstPad* pad, gpointer self) {
  const auto& runner = *static_cast<Runner*>(self);
  const Ptr<GstPad> entry(gst_element_get_static_pad(runner.pipeline_.entry, "sink"));
  const Ptr<GstCaps> caps(gst_pad_query_caps(pad, nullptr));
  const std::string_view type = gst_structure_get_name(gst_caps_get_structure(caps.get(), 0));
  if (type != "video/x-raw") return;
  // The first video counts; a file may hold more.
  if (!gst_pad_is_linked(entry.get())) gst_pad_link(pad, entry.get());
}

void Runner::on_no_more_pads(GstElement*, gpointer self) {
  auto& runner = *static_cast<Runner*>(self);
  const Ptr<GstPad> entry(gst_element_get_static_pad(runner.pipeline_.entry, "sink"));
  if (!gst_pad_is_linked(entry.get())) {
    runner.fail(quote(runner.options_.video.string()) + " holds no video; give a video file");
  }
}

// From any thread: keeps the error and wakes wait().
void Runner::fail(const std::string& error) {
  keep_error(error);
  GstElement* bin = pipeline_.bin.get();
  gst_element_post_message(
      bin, gst_message_new_application(GST_OBJECT(bin), gst_structure_new_empty("failed")));
}

void Runner::keep_error(const std::string& error) {
  const std::lock_guard lock(mutex_);
  if (error_.empty()) error_ = error;
}

std::string Runner::first_error() {
  const std::lock_guard lock(mutex_);
  return error_;
}

// For a truncated or broken video, the annotated video has the frames up to the error. After an
// error downstream of the tracker, such as a full disk, there is none.
void Runner::observe_error(GstMessage* message) {
  const auto is_source = [message](GstElement* element) {
    return GST_MESSAGE_SRC(message) == GST_OBJECT(element);
  };
  const bool in_output = std::ranges::any_of(pipeline_.output, is_source);
  if (in_output) output_failed_ = true;
  keep_error(describe(message, in_output ? pipeline_.video_part : options_.video));
}

// Waits a moment for messages of the pipeline. Returns true at its end.
bool Runner::wait(GstClockTime timeout) {
  const auto types =
      static_cast<GstMessageType>(int{GST_MESSAGE_ERROR} | int{GST_MESSAGE_EOS} |
                                  int{GST_MESSAGE_WARNING} | int{GST_MESSAGE_APPLICATION});
  const Ptr<GstMessage> message(gst_bus_timed_pop_filtered(bus_.get(), timeout, types));
  if (message == nullptr) return false;
  switch (GST_MESSAGE_TYPE(message.get())) {
    case GST_MESSAGE_WARNING:
      ++warnings_;
      return false;
    case GST_MESSAGE_EOS:
      ended_ = true;
      return true;
    case GST_MESSAGE_ERROR:
      observe_error(message.get());
      return true;
    default:
      return true;
  }
}

// Ends the stream before the tracker, so that encoder, muxer and file are completed even if the
// source hangs or is broken.
void Runner::finish() {
  if (!ended_ && !output_failed_ && recorder_.frames() > 0) {
    const Ptr<GstPad> entry(gst_element_get_static_pad(pipeline_.entry, "sink"));
    gst_pad_send_event(entry.get(), gst_event_new_eos());
    const auto deadline = steady_clock::now() + std::chrono::seconds(30);
    while (!ended_ && !output_failed_ && steady_clock::now() < deadline) wait(kMoment);
  }
  // Closes the file, which may fail too. State NULL drops the messages on the bus.
  gst_element_set_state(pipeline_.bin.get(), GST_STATE_READY);
  while (gst_bus_have_pending(bus_.get())) wait(0);
  gst_element_set_state(pipeline_.bin.get(), GST_STATE_NULL);
  if (!pipeline_.video_part.empty()) complete_video();
}

// A video gets its final name when it is complete.
void Runner::complete_video() {
  std::error_code error;
  if (recorder_.frames() == 0) {
    std::filesystem::remove(pipeline_.video_part, error);
    return;
  }
  if (!ended_ && !output_failed_) {
    keep_error(pipeline_.video_part.string() + ": was not completed within 30 seconds");
  }
  if (!ended_ || output_failed_) return;
  std::filesystem::rename(pipeline_.video_part, pipeline_.video_file, error);
  video_complete_ = !error;
  if (error) {
    keep_error("cannot give " + quote(pipeline_.video_part.string()) + " the name " +
               quote(pipeline_.video_file.string()) + ": " + error.message());
  }
}

void Runner::write_pictures() {
  try {
    pictures_ = recorder_.album().write(options_.output);
  } catch (const std::exception& error) {
    keep_error(error.what());
  }
}

void Runner::tell_stall() {
  if (!stall_.observe(recorder_.decoded(), steady_clock::now())) return;
  const auto frames = recorder_.decoded();
  std::cerr << (kTerminal ? "\r" : "") << g_get_prgname() << ": " << quote(options_.video.string())
            << ": no frame came for " << kPatience.count() << " seconds"
            << (frames == 0 ? "" : ", the last one was frame ")
            << (frames == 0 ? "" : std::to_string(frames - 1))
            << ". Some decoders of pictures, of GIF for one, do not tell of their end. Ctrl-C ends "
               "the run and completes the files\n";
}

// On a terminal one line that is updated, otherwise (a log) a new line every few seconds. Nothing
// before the first frame, so that an error about the video or a box is the only output.
void Runner::show_progress() {
  const auto now = steady_clock::now();
  if (now < next_progress_ || recorder_.frames() == 0) return;
  next_progress_ = now + (kTerminal ? std::chrono::milliseconds(200) : std::chrono::seconds(5));
  gint64 duration = 0;
  const bool known =
      gst_element_query_duration(pipeline_.bin.get(), GST_FORMAT_TIME, &duration) && duration > 0;
  const GstClockTime position = recorder_.position();
  char percent[32] = "";
  if (known && GST_CLOCK_TIME_IS_VALID(position)) {
    std::snprintf(
        percent, sizeof percent, " (%3.0f %%)",
        std::min(100.0, 100.0 * static_cast<double>(position) / static_cast<double>(duration)));
  }
  std::cerr << (kTerminal ? "\r" : "") << "frame " << recorder_.frames() << percent
            << (kTerminal ? "" : "\n") << std::flush;
}

void Runner::report() {
  const auto frames = recorder_.frames();
  char line[160];
  std::snprintf(line, sizeof line,
                "%llu frames in %.1f s: %.1f frames per second in all (decoding, tracking%s), %.1f "
                "in the tracker alone",
                static_cast<unsigned long long>(frames), seconds_,
                static_cast<double>(frames) / seconds_,
                options_.write_video ? ", drawing, encoding" : "",
                static_cast<double>(frames) / recorder_.tracking_seconds());
  std::cout << line << '\n';
  recorder_.summary().print(std::cout);
  if (warnings_ > 0) std::cout << warnings_ << " warnings of the decoder or another element\n";
  std::cout << "boxes: " << (options_.output / "boxes.csv").string() << ", "
            << (options_.output / "boxes.jsonl").string() << '\n';
  if (pipeline_.video_file.empty()) return;
  if (video_complete_) {
    std::cout << "video: " << pipeline_.video_file.string() << '\n';
  } else {
    std::cout << "video: incomplete, " << pipeline_.video_part.string() << '\n';
  }
  if (pictures_.empty()) return;
  std::cout << "losses and matches: " << pictures_[0].string() << '\n'
            << "confidence over time: " << pictures_[1].string() << '\n';
}

int Runner::run() {
  catch_interrupts(options_.stop_time);
  const auto started = steady_clock::now();
  next_progress_ = started + std::chrono::seconds(1);
  gst_element_set_state(pipeline_.bin.get(), GST_STATE_PLAYING);
  while (!wait(kMoment) && !is_interrupted()) {
    tell_stall();
    if (!options_.quiet) show_progress();
  }
  finish();
  seconds_ = std::chrono::duration<double>(steady_clock::now() - started).count();
  if (!options_.quiet && kTerminal) std::cerr << "\r\033[K";
  write_pictures();
  if (recorder_.frames() > 0) report();
  std::string error = first_error();
  if (error.empty() && !is_interrupted() && recorder_.frames() == 0) {
    error = quote(options_.video.string()) + ": not one frame could be decoded" +
            (options_.start > 0 ? " from --start on" : "");
  }
  if (!error.empty()) throw std::runtime_error(error);
  if (is_interrupted()) {
    std::cout << "stopped early; what was written until then is complete\n";
    return kInterruptedStatus;
  }
  return 0;
}

}  // namespace track_video
