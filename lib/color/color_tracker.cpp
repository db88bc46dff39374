// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/color_tracker.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "color/color_cells.h"
#include "color/color_finder.h"
#include "color/color_learner.h"
#include "color/color_object.h"
#include "color/color_stages.h"
#include "core/interruption.h"
#include "ops/color/color_labels.h"
#include "placement/auto_placement.h"
#include "placement/stage_meters.h"

namespace cltrack {
namespace {

constexpr std::size_t kColor = 0;  // the stage
enum Step : std::size_t { kTableStep, kColorStep, kDecideStep };

class MoctTracker final : public ColorTracker {
 public:
  MoctTracker(const ColorConfig& config, std::shared_ptr<TrackerDevices> devices)
      : config_(config),
        auto_(std::move(devices)),
        placed_(auto_.placement(), Device::host()->make_queue()),
        meters_(placed_, {{"table", {}}, {"color", {kColor}}, {"decide", {}}}),
        finder_(placed_.shared_queue(kColor), config.threads) {}

  std::uint64_t add(const BoundingBox& box, std::string_view label) override {
    constexpr int any = 1 << 24;  // no frame is known yet: any that holds the box would do
    if (!box.is_valid()) clip_target(box, any, any);
    clip_target({0, 0, box.width, box.height}, any, any);
    return add_object(std::nullopt, box, label);
  }
  std::uint64_t add_color(const ColorModel& model, std::string_view label) override {
    return add_object(model, {}, label);
  }
  bool remove(std::uint64_t id) override {
    const bool removed =
        std::erase_if(objects_, [id](const ColorObject& object) { return object.id() == id; }) > 0;
    table_is_old_ = table_is_old_ || removed;
    return removed;
  }
  void reset() override;
  void set_learning(bool) override {}
  std::span<const Track> process(const Frame& frame) override;
  TrackerStats stats() const override;
  std::vector<std::string> take_warnings() override;

 private:
  std::uint64_t add_object(std::optional<ColorModel> model, const BoundingBox& given,
                           std::string_view label);
  void rescale(int width, int height);
  void learn_colors(const ColorPicture& picture);
  void renew_table(const ColorPicture& picture);
  int places() const { return std::max(1, config_.blobs); }  // tracks that a colour may have
  void begin_trails();
  void place();
  void decide(const Frame& frame);
  void report_tracks();

  ColorConfig config_;
  AutoPlacement auto_;
  PlacedDevices placed_;
  StageMeters meters_;
  ColorFinder finder_;
  std::vector<ColorObject> objects_;
  std::vector<Track> tracks_;
  std::vector<ColorBlob> blobs_;
  std::vector<ColorSum> sums_;      // of tracks
  std::vector<TrackPoint> points_;  // of their trails
  std::vector<std::string> warnings_;
  bool table_is_old_ = true;
  ColorSpace space_ = ColorSpace::none;
  YuvEncoding encoding_;
  int width_ = 0;
  int height_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t frames_ = 0;
};

std::uint64_t MoctTracker::add_object(std::optional<ColorModel> model, const BoundingBox& given,
                                      std::string_view label) {
  if (std::ssize(objects_) >= kMaxColorObjects) {
    throw Error(ErrorCode::invalid_argument,
                "there are 255 colours already, and no more are allowed: remove one first");
  }
  objects_.emplace_back(++last_id_, std::string(label), std::move(model), given);
  table_is_old_ = true;
  return last_id_;
}

void MoctTracker::reset() {
  objects_.clear();
  tracks_.clear();
  warnings_.clear();
  table_is_old_ = true;
  width_ = height_ = 0;
  last_id_ = frames_ = 0;
  meters_.reset();
}

void MoctTracker::rescale(int width, int height) {
  if (width_ > 0) {
    for (ColorObject& object : objects_) {
      object.rescale(static_cast<float>(width) / static_cast<float>(width_),
                     static_cast<float>(height) / static_cast<float>(height_));
    }
  }
  width_ = width;
  height_ = height;
}

void MoctTracker::learn_colors(const ColorPicture& picture) {
  std::optional<ColorLearner> learner;  // made for the first object that needs it
  for (ColorObject& object : objects_) {
    if (!object.is_new()) continue;
    try {
      if (!learner) learner.emplace(picture);
      object.set_model(learner->learn(object.given()));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      warnings_.push_back(error.what());
    }
  }
}

void MoctTracker::renew_table(const ColorPicture& picture) {
  if (!table_is_old_ && picture.space == space_ && picture.encoding == encoding_) return;
  const auto measure = meters_.measure(kTableStep);
  learn_colors(picture);
  // Without a model a place stays empty, so that labels are places of objects.
  std::vector<ColorModel> models;
  static const ColorModel nothing = ColorModel::nothing();
  for (const ColorObject& object : objects_) models.push_back(object.model().value_or(nothing));
  finder_.set_table(make_color_table(models, picture.space, picture.encoding),
                    static_cast<int>(objects_.size()));
  table_is_old_ = false;
  space_ = picture.space;
  encoding_ = picture.encoding;
}

std::span<const Track> MoctTracker::process(const Frame& frame) {
  const ColorPicture& picture = frame.color;
  if (picture.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "a frame without colour cannot be searched for colours: Frame::color is empty");
  }
  throw_if_stopped(frame.stop);
  const bool resized = picture.width != width_ || picture.height != height_;
  if (resized) rescale(picture.width, picture.height);
  ++frames_;
  tracks_.clear();
  if (objects_.empty()) return tracks_;
  if (table_is_old_ || resized || frame.discontinuity) begin_trails();
  renew_table(picture);
  const auto minimum_area = static_cast<std::uint64_t>(config_.minimum_area);
  auto_.process(
      width_, height_, [this] { place(); },
      [&] {
        const auto measure = meters_.measure(kColorStep);
        if (config_.blobs == 0) {
          finder_.find_objects(picture, minimum_area, blobs_);
        } else {
          finder_.find_blobs(picture, minimum_area, blobs_);
        }
        return static_cast<int>(objects_.size());
      });
  decide(frame);
  meters_.end_frame();
  return tracks_;
}

void MoctTracker::place() {
  placed_ = PlacedDevices(auto_.placement(), Device::host()->make_queue());
  finder_.place(placed_.shared_queue(kColor));
  meters_.forget_latest();
}

std::vector<std::string> MoctTracker::take_warnings() {
  std::vector<std::string> all = auto_.take_warnings();
  std::ranges::move(std::exchange(warnings_, {}), std::back_inserter(all));
  return all;
}

void MoctTracker::decide(const Frame& frame) {
  const auto measure = meters_.measure(kDecideStep);
  const bool motion = !frame.discontinuity;
  std::stable_sort(blobs_.begin(), blobs_.end(),
                   [](const ColorBlob& a, const ColorBlob& b) { return a.label < b.label; });
  auto begin = blobs_.begin();
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const auto end = std::find_if(
        begin, blobs_.end(),
        [label = static_cast<int>(i + 1)](const ColorBlob& blob) { return blob.label != label; });
    objects_[i].follow({begin, end}, config_, frame.pts, motion, [this] { return ++last_id_; });
    begin = end;
  }
  report_tracks();
}

void MoctTracker::begin_trails() {
  finder_.keep_history(static_cast<int>(objects_.size()) * places(), config_.trail,
                       auto_.is_movable());
}

void MoctTracker::report_tracks() {
  std::vector<int> rows;  // of the history
  for (const ColorObject& object : objects_) {
    const std::size_t first = tracks_.size();
    object.append_tracks(tracks_);
    const int row = static_cast<int>(&object - objects_.data()) * places();
    for (std::size_t t = first; t < tracks_.size(); ++t) {
      rows.push_back(row + static_cast<int>(t - first));
    }
  }
  if (config_.trail > 0) {
    if (config_.blobs > 0) {
      sums_.clear();
      for (const ColorObject& object : objects_) object.append_sums(places(), sums_);
      finder_.add_to_history(sums_);
    }
    points_.clear();
    std::vector<std::size_t> ends;
    for (const int row : rows) {
      finder_.append_trail(row, static_cast<std::uint64_t>(config_.minimum_area), points_);
      ends.push_back(points_.size());
    }
    for (std::size_t t = 0; t < tracks_.size(); ++t) {
      const std::size_t begin = t > 0 ? ends[t - 1] : 0;
      tracks_[t].trail = std::span(points_).subspan(begin, ends[t] - begin);
    }
  }
  std::sort(tracks_.begin(), tracks_.end(),
            [](const Track& a, const Track& b) { return a.id < b.id; });
}

TrackerStats MoctTracker::stats() const {
  TrackerStats stats;
  stats.frames = frames_;
  stats.stages = meters_.stats();
  return stats;
}

}  // namespace

std::shared_ptr<TrackerDevices> open_devices(const ColorConfig& config) {
  validate(config);
  return std::make_shared<TrackerDevices>(color_kind(config), config.placement);
}

std::unique_ptr<ColorTracker> make_color_tracker(const ColorConfig& config) {
  return make_color_tracker(config, open_devices(config));
}

std::unique_ptr<ColorTracker> make_color_tracker(const ColorConfig& config,
                                                 std::shared_ptr<TrackerDevices> devices) {
  validate(config);
  return std::make_unique<MoctTracker>(config, check_kind(std::move(devices), kColorName));
}

}  // namespace cltrack
