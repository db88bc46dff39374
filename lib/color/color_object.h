// SPDX-License-Identifier: LGPL-2.1-or-later
// One colour and the tracks of its objects.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cltrack/color_config.h"
#include "cltrack/color_model.h"
#include "cltrack/track.h"
#include "color/color_finder.h"
#include "ops/color/color_blobs.h"

namespace cltrack {

class ColorObject {
 public:
  // Without a model: its colour has not been learnt.
  ColorObject() = default;
  explicit ColorObject(ColorModel model) : model_(std::move(model)) {}

  const std::optional<ColorModel>& model() const { return model_; }
  explicit operator bool() const { return model_.has_value(); }
  void set_model(const ColorModel& model) { model_ = model; }

  // `blobs` are those of its colour on the next frame. `first` has the id of the first track and
  // the label of all; `next_id` makes ids for further tracks. With `place`, the first track gets
  // the blob that is nearest to it.
  void follow(std::span<const ColorBlob> blobs, const Track& first,
              const std::optional<TrackPoint>& place, const ColorConfig& config, std::int64_t pts,
              bool motion, const std::function<std::uint64_t()>& next_id);
  void rescale(float scale_x, float scale_y);
  void append_tracks(std::vector<Track>& tracks) const;
  // The sum of each track, kNoColorSum for lost ones, and kNoColorSum up to `places` entries.
  void append_sums(int places, std::vector<ColorSum>& sums) const;

 private:
  struct Followed {
    Track track;
    ColorSum sum = kNoColorSum;
    TrackPoint place;           // its latest centroid
    TrackPoint velocity;        // pixels per frame
    double baseline_area = 0;   // pixels; 0: never found
    float last_diagonal = 0;    // of its box
    std::uint64_t missing = 0;  // frames since it was found
  };

  static ExpectedBlob expect(const Followed& followed, const ColorConfig& config, bool motion);
  static void observe(Followed& followed, const ColorSum& sum, const ColorConfig& config,
                      std::int64_t pts, bool motion);
  static void lose(Followed& followed, const char* reason);

  std::optional<ColorModel> model_;
  std::vector<Followed> tracks_;  // from the first frame on, the first one is always there
};

}  // namespace cltrack
