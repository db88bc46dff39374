// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_stages.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "cltrack/color_model.h"
#include "cltrack/color_tracker.h"
#include "cltrack/error.h"
#include "color/color_finder.h"
#include "color/color_learner.h"
#include "color/color_model.h"
#include "color/color_object.h"
#include "core/config_check.h"
#include "core/interruption.h"
#include "core/target_table.h"
#include "ops/color/color_sums.h"
#include "placement/placed_devices.h"
#include "placement/stage_meters.h"
#include "placement/tracker_base.h"

namespace cltrack {
namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;

std::vector<ProgramName> programs_of(const ColorConfig& config) {
  if (config.blobs > 0) return {{"color_labels", ""}};
  if (config.trail > 0) return {{"color_sums", ""}, {"color_history", ""}};
  return {{"color_sums", ""}};
}

void warm_up(const ColorConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop) {
  throw_if_stopped(stop);
  const std::vector<std::uint8_t> black(3 * kWidth * kHeight);
  ColorPicture picture;
  picture.space = ColorSpace::rgb;
  picture.width = kWidth;
  picture.height = kHeight;
  for (std::size_t c = 0; c < 3; ++c) {
    picture.components[c] = {
        .data = black.data() + c, .stride = 3 * kWidth, .step = 3, .shift_x = 0, .shift_y = 0};
  }
  const std::shared_ptr<Queue> host = Device::host()->make_queue();
  const PlacedDevices devices(placement, host);
  ColorFinder finder(devices.shared_queue(0), host);
  const std::array any = {ColorModel(HsvRange{})};
  finder.set_table(make_color_table(any, picture.space, picture.encoding), 1);
  finder.keep_history(1, config.trail);
  std::vector<ColorBlob> blobs;
  if (config.blobs == 0) {
    finder.find_objects(Frame{.luma = {}, .color = picture}, 1, blobs);
  } else {
    finder.find_blobs(Frame{.luma = {}, .color = picture}, 1, blobs);
  }
}

}  // namespace

TrackerKind color_kind(const ColorConfig& config) {
  return {.name = kColorName,
          .stages = kColorStages,
          .settings = field_settings(config, color_fields()),
          .programs = [config](std::size_t, const Device&) { return programs_of(config); },
          .warm_up = [config](const std::vector<PlacedStage>& placement,
                              const std::stop_token& stop) { warm_up(config, placement, stop); }};
}

namespace {

constexpr std::size_t kColor = 0;  // the stage
enum Step : std::size_t { kTableStep, kColorStep, kDecideStep };

class ColorTracker final : public TrackerBase<ColorObject> {
 public:
  ColorTracker(const ColorConfig& config, std::shared_ptr<TrackerDevices> devices)
      : TrackerBase({kMaxColorObjects, "no more colours are allowed: remove one first"},
                    std::move(devices), "object"),
        config_(config),
        host_(Device::host()->make_queue(config.threads)),
        placed_(auto_.placement(), host_),
        meters_(placed_, {{"table", {}}, {"color", {kColor}}, {"decide", {}}}),
        finder_(placed_.shared_queue(kColor), host_) {}

  bool move(std::uint64_t id, const BoundingBox& box) override;
  void set_learning(bool) override {}

 private:
  ColorObject make(const Seed& seed) const override;
  std::span<const Track> track(const TrackedFrame& frame) override;
  void forget() override;
  const StageMeters& meters() const override { return meters_; }
  Queue& host() override { return *host_; }

  void learn_colors(const TrackedFrame& frame);
  void renew_table(const TrackedFrame& frame);
  int places() const { return std::max(1, config_.blobs); }  // tracks that a colour may have
  std::optional<TrackPoint> take_place(Entry& entry);
  void begin_trails();
  void move_stage();
  void decide(const Frame& frame);
  void report_tracks();

  ColorConfig config_;
  std::shared_ptr<Queue> host_;
  PlacedDevices placed_;
  StageMeters meters_;
  ColorFinder finder_;
  std::vector<Track> tracks_;
  std::vector<ColorBlob> blobs_;
  std::vector<ColorSum> sums_;      // of tracks
  std::vector<TrackPoint> points_;  // of their trails
  bool colors_are_old_ = true;      // the finder needs a new table
  ColorSpace space_ = ColorSpace::none;
  YuvEncoding encoding_;
};

ColorObject ColorTracker::make(const Seed& seed) const {
  const auto* model = std::get_if<ColorModel>(&seed);
  if (model == nullptr) refuse_seed(seed, "colour", "a colour or a box that shows it");
  return ColorObject(*model);
}

bool ColorTracker::move(std::uint64_t id, const BoundingBox& box) {
  if (config_.blobs == 0) {
    throw Error(ErrorCode::invalid_argument,
                "objects cannot be moved with blobs=0, where all of a colour is one object: set "
                "blobs to 1 or more, or remove the object and add it again");
  }
  return TrackerBase::move(id, box);
}

void ColorTracker::forget() {
  tracks_.clear();
  colors_are_old_ = true;
  meters_.reset();
}

void ColorTracker::learn_colors(const TrackedFrame& frame) {
  std::optional<ColorLearner> learner;  // made for the first object that needs it
  for (Entry& entry : table_.entries()) {
    if (entry.target.model() || !entry.place) continue;
    try {
      if (!learner) {
        load(frame.lent.get(), frame.color);
        learner.emplace(frame.color);
      }
      entry.target.set_model(learner->learn(*entry.place));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      warn(error.what());
    }
    entry.place.reset();
  }
}

void ColorTracker::renew_table(const TrackedFrame& frame) {
  const ColorPicture& picture = frame.color;
  if (!colors_are_old_ && picture.space == space_ && picture.encoding == encoding_) return;
  const auto measure = meters_.measure(kTableStep);
  learn_colors(frame);
  // Objects without a model get an empty one, so that labels are positions in the table.
  std::vector<ColorModel> models;
  static const ColorModel nothing = ColorModel::nothing();
  for (const Entry& entry : table_.entries()) {
    models.push_back(entry.target.model().value_or(nothing));
  }
  finder_.set_table(make_color_table(models, picture.space, picture.encoding),
                    static_cast<int>(models.size()));
  colors_are_old_ = false;
  space_ = picture.space;
  encoding_ = picture.encoding;
}

std::span<const Track> ColorTracker::track(const TrackedFrame& frame) {
  const ColorPicture& picture = frame.color;
  if (picture.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "a frame without colour cannot be searched for colours: Frame::color is empty");
  }
  throw_if_stopped(frame.stop);
  if (table_.update().any) colors_are_old_ = true;
  const bool resized =
      table_.resize(picture.width, picture.height,
                    [](Entry& entry, float x, float y) { entry.target.rescale(x, y); });
  tracks_.clear();
  if (table_.entries().empty()) return tracks_;
  if (colors_are_old_ || resized || frame.discontinuity) begin_trails();
  renew_table(frame);
  const auto minimum_area = static_cast<std::uint64_t>(config_.minimum_area);
  auto_.process(
      table_.width(), table_.height(), [this] { move_stage(); },
      [&] {
        const auto measure = meters_.measure(kColorStep);
        if (config_.blobs == 0) {
          finder_.find_objects(frame, minimum_area, blobs_);
        } else {
          finder_.find_blobs(frame, minimum_area, blobs_);
        }
        return static_cast<int>(table_.entries().size());
      });
  decide(frame);
  meters_.end_frame();
  return tracks_;
}

void ColorTracker::move_stage() {
  placed_ = PlacedDevices(auto_.placement(), host_);
  finder_.place(placed_.shared_queue(kColor));
  meters_.forget_latest();
}

void ColorTracker::decide(const Frame& frame) {
  const auto measure = meters_.measure(kDecideStep);
  const bool motion = !frame.discontinuity;
  std::stable_sort(blobs_.begin(), blobs_.end(),
                   [](const ColorBlob& a, const ColorBlob& b) { return a.label < b.label; });
  auto begin = blobs_.begin();
  int label = 0;
  for (Entry& entry : table_.entries()) {
    ++label;
    const auto end = std::find_if(begin, blobs_.end(),
                                  [&](const ColorBlob& blob) { return blob.label != label; });
    entry.target.follow({begin, end}, entry.track, take_place(entry), config_, frame.pts, motion,
                        [this] { return table_.next_id(); });
    begin = end;
  }
  report_tracks();
}

// The place that the object was moved to, if it was.
std::optional<TrackPoint> ColorTracker::take_place(Entry& entry) {
  std::optional<TrackPoint> place;
  if (!entry.place) return place;
  put_in_place(entry, [&](const BoundingBox& box) {
    place = {box.center_x() - 0.5f, box.center_y() - 0.5f};
  });
  entry.place.reset();
  return place;
}

void ColorTracker::begin_trails() {
  finder_.keep_history(static_cast<int>(table_.entries().size()) * places(), config_.trail,
                       auto_.is_movable());
}

void ColorTracker::report_tracks() {
  std::vector<int> rows;  // of the history
  int row = 0;
  for (const Entry& entry : table_.entries()) {
    const std::size_t first = tracks_.size();
    entry.target.append_tracks(tracks_);
    for (std::size_t t = first; t < tracks_.size(); ++t) {
      rows.push_back(row + static_cast<int>(t - first));
    }
    row += places();
  }
  if (config_.trail > 0) {
    if (config_.blobs > 0) {
      sums_.clear();
      for (const Entry& entry : table_.entries()) {
        entry.target.append_sums(places(), sums_);
      }
      finder_.add_to_history(sums_);
    }
    points_.clear();
    std::vector<std::size_t> ends;
    for (const int r : rows) {
      finder_.append_trail(r, static_cast<std::uint64_t>(config_.minimum_area), points_);
      ends.push_back(points_.size());
    }
    for (std::size_t t = 0; t < tracks_.size(); ++t) {
      const std::size_t begin = t > 0 ? ends[t - 1] : 0;
      if (!tracks_[t].extent) continue;
      tracks_[t].extent->trail = std::span(points_).subspan(begin, ends[t] - begin);
    }
  }
  std::sort(tracks_.begin(), tracks_.end(),
            [](const Track& a, const Track& b) { return a.id < b.id; });
}

}  // namespace

std::shared_ptr<TrackerDevices> open_devices(const ColorConfig& config) {
  validate(config);
  return std::make_shared<TrackerDevices>(color_kind(config), config.placement);
}

std::unique_ptr<Tracker> make_color_tracker(const ColorConfig& config) {
  return make_color_tracker(config, open_devices(config));
}

std::unique_ptr<Tracker> make_color_tracker(const ColorConfig& config,
                                            std::shared_ptr<TrackerDevices> devices) {
  validate(config);
  return std::make_unique<ColorTracker>(config, check_kind(std::move(devices), kColorName));
}

}  // namespace cltrack
