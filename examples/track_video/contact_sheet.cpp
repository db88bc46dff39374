// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contact_sheet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace track_video {
namespace {

constexpr int kMargin = 16;
constexpr int kTitleHeight = 40;
constexpr int kCaptionHeight = 48;
constexpr int kColumns = 4;
// Captions have to fit under small pictures, too.
constexpr int kNarrowest = 200;

Color color_of(Change change) {
  switch (change) {
    case Change::lost:
      return {0.78, 0.1, 0.1};
    case Change::found:
      return {0.1, 0.3, 0.65};  // no green: whether it is the target is not known
    default:
      return kGrey;
  }
}

std::string place(const Moment& moment) {
  std::string text = "frame ";
  text += std::to_string(moment.frame);
  if (moment.seconds < 0) return text;
  char time[32];
  std::snprintf(time, sizeof time, ", %.2f s", moment.seconds);
  return text + time;
}

int width_of(const Picture& picture) { return cairo_image_surface_get_width(picture.get()); }
int height_of(const Picture& picture) { return cairo_image_surface_get_height(picture.get()); }

}  // namespace

Page draw_contact_sheet(std::span<const Moment> moments, const std::string& title) {
  int width = kNarrowest;
  int height = 1;
  for (const Moment& moment : moments) {
    width = std::max(width, width_of(moment.picture));
    height = std::max(height, height_of(moment.picture));
  }
  const int count = static_cast<int>(moments.size());
  const int columns = std::min(count, kColumns);
  const int rows = (count + columns - 1) / columns;
  const int cell_height = height + kCaptionHeight;
  Page page(kMargin + columns * (width + kMargin), kTitleHeight + rows * (cell_height + kMargin));
  page.text(kMargin, 10, page.width() - 2 * kMargin, title, kBlack, 16, Page::Align::left, true);
  for (int i = 0; i < count; ++i) {
    const Moment& moment = moments[static_cast<std::size_t>(i)];
    const int x = kMargin + i % columns * (width + kMargin);
    const int y = kTitleHeight + i / columns * (cell_height + kMargin);
    // Videos may change their size: smaller pictures are in the middle.
    const int left = x + (width - width_of(moment.picture)) / 2;
    const int top = y + (height - height_of(moment.picture)) / 2;
    cairo_set_source_surface(page.cairo(), moment.picture.get(), left, top);
    cairo_paint(page.cairo());
    page.text(x, y + height + 5, width, place(moment), kGrey);
    page.text(x, y + height + 24, width, moment.text, color_of(moment.change), 14,
              Page::Align::left, moment.change != Change::none);
  }
  return page;
}

}  // namespace track_video
