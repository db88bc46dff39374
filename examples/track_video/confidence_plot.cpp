// SPDX-License-Identifier: LGPL-2.1-or-later
#include "confidence_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace track_video {
namespace {

constexpr int kWidth = 1200;
constexpr int kLeft = 190;
constexpr int kRight = kWidth - 24;
constexpr int kTop = 78;  // title and legend are above
constexpr int kGap = 10;  // between strips
constexpr int kAxisHeight = 44;

const Color kTracking{0.80, 0.93, 0.80};
const Color kUncertain{1.00, 0.88, 0.62};
const Color kLost{0.93, 0.78, 0.78};
const Color kGrid{0.6, 0.6, 0.6};
const Color kLine{0.1, 0.2, 0.5};

// Where parts lie from left to right: by time, or by frame where not every part has a later time
// than the one before.
class Axis {
 public:
  explicit Axis(const Timeline& timeline) {
    const auto& parts = timeline.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double before = i > 0 ? parts[i - 1].seconds : -1;
      has_times_ = has_times_ && parts[i].seconds >= 0 && parts[i].seconds > before;
    }
    for (const Part& part : parts) {
      starts_.push_back(has_times_ ? part.seconds : static_cast<double>(part.frame));
    }
    // The last part is taken to be as long as the others; a single one has no length to show.
    const double length = parts.size() > 1 ? (starts_.back() - starts_.front()) /
                                                 static_cast<double>(parts.size() - 1)
                                           : 1;
    starts_.push_back(starts_[parts.size() - 1] + length);
  }

  double first() const { return starts_.front(); }
  double last() const { return starts_.back(); }
  double x(double value) const {
    return kLeft + (value - first()) / (last() - first()) * (kRight - kLeft);
  }
  double left(std::size_t part) const { return x(starts_[part]); }
  double right(std::size_t part) const { return x(starts_[part + 1]); }
  std::string label(double value) const {
    char text[32];
    std::snprintf(text, sizeof text, has_times_ ? "%.10g s" : "frame %.10g", value);
    return text;
  }
  // 1, 2 or 5 times a power of ten, for ten ticks at most.
  double step() const {
    const double least = (last() - first()) / 10;
    double step = std::pow(10, std::floor(std::log10(least)));
    if (!has_times_) step = std::max(1.0, step);
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (step * factor >= least) return step * factor;
    }
    return step * 10;
  }

 private:
  std::vector<double> starts_;  // of the parts, and the end
  bool has_times_ = true;
};

class Strip {
 public:
  Strip(const Page& page, const Axis& axis, double top, double height)
      : page_(page), axis_(axis), top_(top), height_(height) {}

  // From the ground up the share of the part's frames that is tracking, uncertain, lost.
  void draw_states(std::size_t part, const PartTrack& track) const {
    const double all = track.tracking + track.uncertain + track.lost;
    double y = top_ + height_;
    const auto fill = [&](std::uint32_t frames, const Color& color) {
      const double share = height_ * frames / all;
      y -= share;
      // Whole pixels: no seam shows where two parts meet.
      const double left = std::round(axis_.left(part));
      page_.fill(left, y, std::round(axis_.right(part)) - left, share, color);
    };
    fill(track.tracking, kTracking);
    fill(track.uncertain, kUncertain);
    fill(track.lost, kLost);
  }

  // The mean confidence as a line with gaps where there is no box, and the range around it.
  void draw_confidence(const std::vector<Part>& parts, std::size_t target) const {
    cairo_t* cairo = page_.cairo();
    cairo_save(cairo);
    cairo_set_source_rgba(cairo, kLine.red, kLine.green, kLine.blue, 0.35);
    cairo_set_line_width(cairo, 1.5);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PartTrack& track = parts[i].tracks[target];
      if (track.highest <= track.lowest) continue;
      cairo_move_to(cairo, middle(i), y(double{track.lowest}));
      cairo_line_to(cairo, middle(i), y(double{track.highest}));
    }
    cairo_stroke(cairo);
    cairo_set_source_rgb(cairo, kLine.red, kLine.green, kLine.blue);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PartTrack& track = parts[i].tracks[target];
      const auto boxes = track.tracking + track.uncertain;
      if (boxes == 0) {
        cairo_new_sub_path(cairo);
        continue;
      }
      const double height = y(track.sum / boxes);
      // With a length of its own: a single box between two losses shows.
      if (i == 0 || !cairo_has_current_point(cairo)) cairo_move_to(cairo, axis_.left(i), height);
      cairo_line_to(cairo, middle(i), height);
      const bool ends = i + 1 == parts.size() ||
                        parts[i + 1].tracks[target].highest < parts[i + 1].tracks[target].lowest;
      if (ends) cairo_line_to(cairo, axis_.right(i), height);
    }
    cairo_stroke(cairo);
    cairo_restore(cairo);
  }

  void draw_scale() const {
    const double size = std::clamp(height_ / 4, 8.0, 12.0);
    page_.text(kLeft - 6, top_ - size / 2, 30, "1", kGrey, size, Page::Align::right);
    page_.text(kLeft - 6, top_ + height_ - size, 30, "0", kGrey, size, Page::Align::right);
    for (const double share : {0.0, 0.5, 1.0}) {
      page_.fill(kLeft, std::floor(y(share)), kRight - kLeft, 1, kGrid);
    }
  }

  void draw_name(std::size_t id, const std::string& label) const {
    const double size = std::clamp(height_ / 2, 8.0, 14.0);
    const double middle = top_ + height_ / 2;
    // As its box in the video.
    page_.fill(16, middle - size / 2, size, size, cltrack::gst::color_of_id(static_cast<int>(id)));
    const std::string name = '#' + std::to_string(id) + (label.empty() ? "" : "  ") + label;
    page_.text(24 + size, middle - 0.7 * size, kLeft - 50 - size, name, kBlack, size);
  }

 private:
  double y(double confidence) const { return top_ + (1 - confidence) * (height_ - 1); }
  double middle(std::size_t part) const { return (axis_.left(part) + axis_.right(part)) / 2; }

  const Page& page_;
  const Axis& axis_;
  double top_;
  double height_;
};

void draw_head(const Page& page, const std::string& title, std::size_t strips,
               std::size_t targets) {
  page.text(16, 10, kWidth - 32, title, kBlack, 16, Page::Align::left, true);
  double x = 16;
  for (const auto& [color, words] :
       {std::pair{kTracking, "tracking"}, std::pair{kUncertain, "uncertain"},
        std::pair{kLost, "lost"}}) {
    page.fill(x, 46, 14, 14, color);
    x += 20 + page.text(x + 20, 44, 100, words, kBlack) + 20;
  }
  page.text(x, 44, 300, "line: confidence, 0 to 1", kLine);
  if (strips == targets) return;
  page.text(kRight, 44, 500,
            "the first " + std::to_string(strips) + " of " + std::to_string(targets) +
                " targets; boxes.csv has all",
            kGrey, 13, Page::Align::right);
}

void draw_axis(const Page& page, const Axis& axis, double bottom) {
  for (double tick = std::ceil(axis.first() / axis.step()) * axis.step(); tick < axis.last();
       tick += axis.step()) {
    page.fill(std::floor(axis.x(tick)), bottom, 1, 5, kGrey);
    page.text(axis.x(tick), bottom + 7, 120, axis.label(tick), kGrey, 12, Page::Align::middle);
  }
}

}  // namespace

Page draw_confidence(const Timeline& timeline, std::span<const Target> targets,
                     const std::string& title) {
  const std::size_t count = std::min(targets.size(), kMostStrips);
  const int height = std::clamp(1400 / static_cast<int>(count), 24, 160);
  const int bottom = kTop + static_cast<int>(count) * (height + kGap);
  Page page(kWidth, bottom + kAxisHeight);
  draw_head(page, title, count, targets.size());
  const Axis axis(timeline);
  for (std::size_t target = 0; target < count; ++target) {
    const Strip strip(page, axis, kTop + static_cast<int>(target) * (height + kGap), height);
    for (std::size_t i = 0; i < timeline.parts().size(); ++i) {
      strip.draw_states(i, timeline.parts()[i].tracks[target]);
    }
    strip.draw_scale();
    strip.draw_confidence(timeline.parts(), target);
    strip.draw_name(target + 1, targets[target].label);
  }
  draw_axis(page, axis, bottom - kGap + 2);
  return page;
}

}  // namespace track_video
