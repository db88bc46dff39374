// SPDX-License-Identifier: LGPL-2.1-or-later
// One 8-bit plane: not owned (ImageView) or owned (Image). Rows are `stride` bytes apart, which may
// be more than the width and need not be aligned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cltrack {

struct ImageView {
  const std::uint8_t* data = nullptr;  // first pixel of the first row; not owned
  int width = 0;                       // pixels
  int height = 0;                      // rows
  std::ptrdiff_t stride = 0;           // bytes from one row to the next

  // First pixel of row y, and pixel (x, y). They must be inside the picture: nothing is checked.
  const std::uint8_t* row(int y) const { return data + y * stride; }
  std::uint8_t at(int x, int y) const { return row(y)[x]; }
  // No memory, or no pixels.
  bool empty() const { return data == nullptr || width <= 0 || height <= 0; }
};

// A plane with its own memory, rows packed.
class Image {
 public:
  Image() = default;
  // Pixels are unspecified, as after resize().
  Image(int width, int height) { resize(width, height); }

  // Keeps the memory if the size does not change, so that nothing is allocated per frame. Contents
  // become unspecified.
  void resize(int width, int height) {
    width_ = width;
    height_ = height;
    pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  }

  // Pixels and rows.
  int width() const { return width_; }
  int height() const { return height_; }

  // First pixel of row y, which must be inside the picture: nothing is checked.
  std::uint8_t* row(int y) { return pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_; }
  const std::uint8_t* row(int y) const {
    return pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_;
  }

  // Valid until the next resize().
  ImageView view() const { return {pixels_.data(), width_, height_, width_}; }

 private:
  int width_ = 0;
  int height_ = 0;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace cltrack
