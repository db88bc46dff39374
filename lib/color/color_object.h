// SPDX-License-Identifier: LGPL-2.1-or-later
// One colour of a ColorTracker and the tracks of what has it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/color_config.h"
#include "cltrack/color_model.h"
#include "cltrack/track.h"
#include "color/blob_matcher.h"
#include "ops/color/color_blobs.h"

namespace cltrack {

class ColorObject {
 public:
  // `id` is that of its first track.
  ColorObject(std::uint64_t id, std::string label, std::optional<ColorModel> model,
              const BoundingBox& given);

  std::uint64_t id() const { return tracks_.front().track.id; }
  const std::optional<ColorModel>& model() const { return model_; }

  // The colour is to be learnt from `given()` of the next picture.
  bool is_new() const { return !model_ && tracks_.front().track.age == 0; }
  const BoundingBox& given() const { return given_; }
  void set_model(const ColorModel& model) { model_ = model; }

  // Takes the blobs of its colour on the next frame. `next_id` makes ids for further tracks.
  void follow(std::span<const ColorBlob> blobs, const ColorConfig& config, std::int64_t pts,
              bool motion, const std::function<std::uint64_t()>& next_id);
  void rescale(float scale_x, float scale_y);
  void append_tracks(std::vector<Track>& tracks) const;
  // What each track is made of, none for those that are lost, and as many none as make `places`.
  void append_sums(int places, std::vector<ColorSum>& sums) const;

 private:
  struct Followed {
    Track track;
    ColorSum sum = kNoColorSum;
    TrackPoint velocity;        // pixels per frame
    double usual_area = 0;      // pixels; 0: never seen
    float last_diagonal = 0;    // of its box
    std::uint64_t missing = 0;  // frames since it was seen
  };

  static ExpectedBlob expect(const Followed& followed, const ColorConfig& config, bool motion);
  static void see(Followed& followed, const ColorSum& sum, const ColorConfig& config,
                  std::int64_t pts, bool motion);
  static void lose(Followed& followed);

  std::optional<ColorModel> model_;
  BoundingBox given_;
  std::vector<Followed> tracks_;  // the first one is always there
};

}  // namespace cltrack
