// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/color/color_labels.h"

namespace cltrack {
namespace {

constexpr int kDrop = 8 - kColorBits;

template <int kValue>
struct Constant {
  constexpr operator int() const { return kValue; }  // NOLINT: stands for the number
};

struct Row {
  const std::uint8_t* c0;
  const std::uint8_t* c1;
  const std::uint8_t* c2;
};

// Steps are constants for common formats, which saves multiplications.
template <typename Step0, typename Step1>
void label_pixels(const Row& row, Step0 step0, Step1 step1, const std::uint8_t* table, int first,
                  int count, std::uint8_t* labels) {
  for (int i = 0; i < count; ++i) {
    const std::ptrdiff_t x = first + i;
    labels[i] = table[color_cell(row.c0[x * step0], row.c1[x * step1], row.c2[x * step1])];
  }
}

// Two neighbours share their chroma, and thus a part of the cell.
template <typename Step0, typename Step1>
void label_pairs(const Row& row, Step0 step0, Step1 step1, const std::uint8_t* table, int first,
                 int count, std::uint8_t* labels) {
  const auto label = [&](std::ptrdiff_t x, std::uint32_t chroma) {
    return table[chroma | static_cast<std::uint32_t>(row.c0[x * step0] >> kDrop)];
  };
  const auto chroma_at = [&](std::ptrdiff_t x) {
    const std::ptrdiff_t i = x >> 1;
    return color_cell(0, row.c1[i * step1], row.c2[i * step1]);
  };
  std::ptrdiff_t x = first;
  const std::ptrdiff_t end = x + count;
  if ((x & 1) != 0 && x < end) {
    *labels++ = label(x, chroma_at(x));
    ++x;
  }
  for (; x + 1 < end; x += 2) {
    const std::uint32_t chroma = chroma_at(x);
    labels[0] = label(x, chroma);
    labels[1] = label(x + 1, chroma);
    labels += 2;
  }
  if (x < end) *labels = label(x, chroma_at(x));
}

void label_any(const ColorPicture& picture, const Row& row, const std::uint8_t* table, int first,
               int count, std::uint8_t* labels) {
  const auto& c = picture.components;
  for (int i = 0; i < count; ++i) {
    const int x = first + i;
    const auto at = [&](const std::uint8_t* data, const ColorComponent& component) {
      return data[static_cast<std::ptrdiff_t>(x >> component.shift_x) * component.step];
    };
    labels[i] = table[color_cell(at(row.c0, c[0]), at(row.c1, c[1]), at(row.c2, c[2]))];
  }
}

}  // namespace

void label_row(const ColorPicture& picture, const std::uint8_t* table, int x, int y, int count,
               std::uint8_t* labels) {
  const auto& c = picture.components;
  const auto row_of = [y](const ColorComponent& component) {
    return component.data + (y >> component.shift_y) * component.stride;
  };
  const Row row = {row_of(c[0]), row_of(c[1]), row_of(c[2])};
  const bool alike = c[1].step == c[2].step && c[1].shift_x == c[2].shift_x && c[0].shift_x == 0;
  const int chroma_step = c[1].step;
  if (alike && c[1].shift_x == 1) {
    if (c[0].step == 1 && chroma_step == 1) {  // I420, YV12, Y42B
      return label_pairs(row, Constant<1>{}, Constant<1>{}, table, x, count, labels);
    }
    if (c[0].step == 1 && chroma_step == 2) {  // NV12, NV21, NV16
      return label_pairs(row, Constant<1>{}, Constant<2>{}, table, x, count, labels);
    }
    if (c[0].step == 2 && chroma_step == 4) {  // YUY2, UYVY
      return label_pairs(row, Constant<2>{}, Constant<4>{}, table, x, count, labels);
    }
  }
  if (alike && c[1].shift_x == 0 && c[0].step == chroma_step) {
    switch (chroma_step) {
      case 1:  // Y444, GBR
        return label_pixels(row, Constant<1>{}, Constant<1>{}, table, x, count, labels);
      case 3:  // RGB, BGR
        return label_pixels(row, Constant<3>{}, Constant<3>{}, table, x, count, labels);
      case 4:  // RGBx and its like
        return label_pixels(row, Constant<4>{}, Constant<4>{}, table, x, count, labels);
      default:
        break;
    }
  }
  label_any(picture, row, table, x, count, labels);
}

}  // namespace cltrack
