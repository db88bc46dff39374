// SPDX-License-Identifier: LGPL-2.1-or-later
// The appearance of an object, in numbers that distinguish it from similar ones: who is who.
//
// The descriptor: histograms of Y (8 bins), Cb and Cr (16 bins each, 78 to 178) in four horizontal
// bands of the box, of which the middle 60 % of the width count. A value is shared by the two bins
// nearest to it. Two descriptors are compared by the Bhattacharyya coefficient of their histograms.
// A gallery of samples that a tracker has not taught itself cannot drift (Wojke, Bewley, Paulus,
// "Simple Online and Realtime Tracking with a Deep Association Metric", ICIP 2017).
//
// Threading: different objects at the same time.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/color_picture.h"
#include "cltrack/export.h"

namespace cltrack {

class CLTRACK_API Appearance {
 public:
  // The appearance of the part of `box` that is in the picture; empty if that is less than a pixel.
  // The picture has colours, or luma alone as its first component (luma_picture()).
  static std::optional<Appearance> of(const ColorPicture& picture, const BoundingBox& box);

  // 0 to 1. Two samples of which one has no colours are compared by brightness alone.
  float similarity(const Appearance& other) const;

 private:
  static constexpr std::size_t kBands = 4, kLumaBins = 8, kChromaBins = 16;
  using Luma = std::array<float, kBands * kLumaBins>;
  using Chroma = std::array<float, kBands * 2 * kChromaBins>;

  // Square roots of shares. The sum of squares is 1 in each.
  Luma luma_ = {};
  Chroma chroma_ = {};
  bool has_color_ = false;
};

// Samples of one object: the first ones, which stay, and the latest ones.
class CLTRACK_API AppearanceGallery {
 public:
  void add(const Appearance& sample);
  bool empty() const { return first_.empty(); }
  // That of the sample that is most similar; 0 of an empty gallery.
  float similarity(const Appearance& other) const;

 private:
  static constexpr std::size_t kFirst = 5, kLatest = 5;

  std::vector<Appearance> first_;
  std::vector<Appearance> latest_;
  std::size_t next_ = 0;  // of latest_, to be replaced
};

}  // namespace cltrack
