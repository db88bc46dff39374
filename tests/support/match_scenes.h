// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes and templates for searches of ops/match/best_match.h.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "support/test_image.h"

namespace cltrack::test {

struct MatchScene {
  std::string name;
  PaddedImage plane, pattern;
};

inline void PrintTo(const MatchScene& scene, std::ostream* out) { *out << scene.name; }

inline PaddedImage textured_image(int width, int height, std::uint64_t seed, int padding = 0) {
  const Texture texture(seed);
  return PaddedImage(width, height, padding).fill([&](int x, int y) {
    return texture.at(static_cast<float>(x), static_cast<float>(y));
  });
}

inline PaddedImage flat_image(int width, int height, int value) {
  return PaddedImage(width, height, 5).fill([=](int, int) { return value; });
}

// All white but for one pixel of the template: the largest sums that there are.
inline MatchScene largest_sums() {
  MatchScene scene{"largest_sums", flat_image(620, 520, 255), flat_image(615, 516, 255)};
  scene.pattern.at(9, 11) = 254;
  return scene;
}

// A part of `image`, with up to `noise` grey levels more or less.
inline PaddedImage cut_out(PaddedImage image, int left, int top, int width, int height,
                           int noise = 0, int padding = 0) {
  Random random(5);
  return PaddedImage(width, height, padding).fill([&](int x, int y) {
    const auto change = static_cast<int>(random.below(static_cast<std::uint32_t>(2 * noise + 1)));
    const int value = image.at(left + x, top + y) + change - noise;
    return value < 0 ? 0 : value > 255 ? 255 : value;
  });
}

inline std::vector<MatchScene> match_scenes() {
  std::vector<MatchScene> scenes;
  const auto add = [&](const std::string& name, PaddedImage plane, PaddedImage pattern) {
    scenes.push_back({name, std::move(plane), std::move(pattern)});
  };
  const PaddedImage scene = textured_image(97, 71, 1, 7);
  const PaddedImage noise = noise_image(61, 47, 2, 3);
  add("in_sight", scene, cut_out(scene, 41, 23, 25, 19, 0, 4));
  add("in_sight_noisy", scene, cut_out(scene, 70, 51, 26, 20, 30));
  add("in_the_corner", scene, cut_out(scene, 72, 52, 25, 19, 3));
  add("absent", scene, textured_image(23, 17, 9, 1));
  add("noise", noise, cut_out(noise, 7, 30, 13, 11));
  add("noise_absent", noise, noise_image(16, 16, 8));
  add("prime_sizes", noise_image(61, 53, 3), noise_image(31, 29, 4));
  add("as_large", noise, noise);
  add("as_large_inverted", scene, PaddedImage(scene).fill([&, own = scene](int x, int y) mutable {
    return 255 - own.at(x, y);
  }));
  add("as_wide", noise, cut_out(noise, 0, 20, 61, 9));
  add("as_high", noise, cut_out(noise, 20, 0, 9, 47));
  add("one_pixel", noise, flat_image(1, 1, 77));
  add("one_pixel_plane", flat_image(1, 1, 9), flat_image(1, 1, 77));
  add("one_row", noise, cut_out(noise, 3, 9, 37, 1));
  add("one_column", noise, cut_out(noise, 50, 2, 1, 33));
  add("row_plane", noise_image(119, 1, 6), noise_image(7, 1, 7));
  add("column_plane", noise_image(1, 119, 6), noise_image(1, 7, 7));
  add("flat_template", scene, flat_image(20, 10, 128));
  add("black_template", scene, flat_image(20, 10, 0));
  add("flat_plane", flat_image(50, 40, 200), cut_out(noise, 0, 0, 11, 12));
  add("black_plane", flat_image(50, 40, 0), cut_out(noise, 0, 0, 11, 12));
  add("white_plane", flat_image(50, 40, 255), flat_image(11, 12, 255));
  const auto board = [](int x, int y) { return (x + y) % 2 == 0 ? 255 : 0; };
  add("checkerboard", PaddedImage(50, 41, 2).fill(board), PaddedImage(16, 15).fill(board));
  add("other_checkerboard", PaddedImage(50, 41, 2).fill(board),
      PaddedImage(16, 15).fill([&](int x, int y) { return x == 3 && y == 2 ? 99 : board(x, y); }));
  // Flat but for the right part; the best is among patches that are nearly flat.
  add("flat_patches", PaddedImage(80, 40).fill([](int x, int y) {
    return x < 60 ? 100 : x == 65 && y == 20 ? 101 : (x * y) % 3 == 0 ? 101 : 100;
  }),
      PaddedImage(9, 9).fill([](int x, int y) { return x == 4 && y == 4 ? 90 : 89; }));
  // Nothing but flat patches and worse ones: a flat one is the best.
  add("negative_or_flat", PaddedImage(20, 9).fill([](int x, int) { return x < 12 ? 50 : 20 * x; }),
      PaddedImage(6, 9).fill([](int x, int) { return 200 - 20 * x; }));
  add("one_bright_pixel",
      PaddedImage(64, 48).fill([](int x, int y) { return x == 33 && y == 21 ? 255 : 0; }),
      PaddedImage(15, 15).fill([](int x, int y) { return x == 7 && y == 7 ? 255 : 0; }));
  // The same thing at three places.
  PaddedImage twins = textured_image(120, 90, 4);
  const PaddedImage own = cut_out(twins, 90, 10, 20, 16);
  for (const auto& [left, top] : {std::pair{20, 60}, {60, 10}}) {
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 20; ++x) {
        twins.at(left + x, top + y) = cut_out(own, x, y, 1, 1).at(0, 0);
      }
    }
  }
  add("ties", twins, own);
  add("ties_noisy", twins, cut_out(own, 0, 0, 20, 16, 12));
  return scenes;
}

}  // namespace cltrack::test
