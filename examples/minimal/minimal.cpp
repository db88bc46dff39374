// SPDX-License-Identifier: LGPL-2.1-or-later
// A minimal application of libcltrack: a textured square moves over a noisy background; the tracker
// gets its box on the first frame and reports it on the others.
//
//   c++ -std=c++20 minimal.cpp $(pkg-config --cflags --libs cltrack) && ./a.out
#include <cltrack/cltrack.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 240;
constexpr int kSide = 40;
constexpr int kFrames = 50;

// Random blocks of grey, from `seed`.
std::vector<std::uint8_t> make_texture(int width, int height, int block, unsigned seed) {
  std::mt19937 random(seed);
  const int columns = width / block + 1;
  std::vector<std::uint8_t> blocks(static_cast<std::size_t>(columns * (height / block + 1)));
  for (auto& grey : blocks) grey = static_cast<std::uint8_t>(random() % 256);
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      pixels[static_cast<std::size_t>(y * width + x)] =
          blocks[static_cast<std::size_t>(y / block * columns + x / block)];
    }
  }
  return pixels;
}

}  // namespace

int main() {
  const auto background = make_texture(kWidth, kHeight, 16, 1);
  const auto square = make_texture(kSide, kSide, 5, 2);
  try {
    const auto tracker = cltrack::make_tld_tracker();
    float worst = 1;
    for (int i = 0; i < kFrames; ++i) {
      const int left = 60 + 2 * i;
      const int top = 80 + i;
      auto picture = background;
      for (int y = 0; y < kSide; ++y) {
        std::copy_n(square.begin() + y * kSide, kSide, picture.begin() + (top + y) * kWidth + left);
      }
      const cltrack::BoundingBox truth{static_cast<float>(left), static_cast<float>(top), kSide,
                                       kSide};
      if (i == 0) tracker->add(truth, "square");
      const cltrack::Frame frame{{picture.data(), kWidth, kHeight, kWidth}};
      for (const auto& track : tracker->process(frame)) {
        std::printf("frame %d, target %d (%s): %s, box %.1f,%.1f %.1fx%.1f, confidence %.2f\n", i,
                    static_cast<int>(track.id), track.label.c_str(), to_string(track.state),
                    static_cast<double>(track.box.x), static_cast<double>(track.box.y),
                    static_cast<double>(track.box.width), static_cast<double>(track.box.height),
                    static_cast<double>(track.confidence));
        worst = std::min(worst, cltrack::overlap(track.box, truth));
      }
    }
    std::printf("smallest overlap with the ground truth: %.2f\n", static_cast<double>(worst));
  } catch (const cltrack::Error& error) {
    std::fprintf(stderr, "minimal: %s\n", error.what());
    return 1;
  }
}
