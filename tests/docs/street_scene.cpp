// SPDX-License-Identifier: LGPL-2.1-or-later
#include "street_scene.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace cltrack::test {
namespace {

constexpr double kPi = 3.14159265358979;
constexpr double kStreet = 268;  // where it begins, from above
constexpr double kBusWidth = 270;

void color(cairo_t* cairo, std::uint32_t rgb, double alpha = 1) {
  cairo_set_source_rgba(cairo, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                        (rgb & 255) / 255.0, alpha);
}

void box(cairo_t* cairo, double x, double y, double width, double height, std::uint32_t rgb) {
  color(cairo, rgb);
  cairo_rectangle(cairo, x, y, width, height);
  cairo_fill(cairo);
}

void circle(cairo_t* cairo, double x, double y, double radius, std::uint32_t rgb) {
  color(cairo, rgb);
  cairo_arc(cairo, x, y, radius, 0, 2 * kPi);
  cairo_fill(cairo);
}

void polygon(cairo_t* cairo, std::initializer_list<std::pair<double, double>> corners,
             std::uint32_t rgb) {
  color(cairo, rgb);
  cairo_new_path(cairo);
  for (const auto& [x, y] : corners) cairo_line_to(cairo, x, y);
  cairo_fill(cairo);
}

void draw_sky(cairo_t* cairo) {
  cairo_pattern_t* sky = cairo_pattern_create_linear(0, 0, 0, kStreet);
  cairo_pattern_add_color_stop_rgb(sky, 0, 0.45, 0.70, 0.92);
  cairo_pattern_add_color_stop_rgb(sky, 1, 0.93, 0.95, 0.90);
  cairo_set_source(cairo, sky);
  cairo_paint(cairo);
  cairo_pattern_destroy(sky);
  circle(cairo, 210, 50, 24, 0xfff1b8);
  for (const auto& [x, y] : {std::pair{90, 62}, std::pair{330, 38}, std::pair{470, 96}}) {
    for (const int part : {-22, 0, 24}) circle(cairo, x + part, y, part == 0 ? 17 : 12, 0xf7fafc);
    box(cairo, x - 30, y + 2, 64, 11, 0xf7fafc);
  }
  // Hills.
  color(cairo, 0x9cc08a);
  cairo_move_to(cairo, 0, 210);
  cairo_curve_to(cairo, 120, 130, 220, 250, 360, 190);
  cairo_curve_to(cairo, 470, 140, 560, 210, 640, 170);
  cairo_line_to(cairo, 640, kStreet);
  cairo_line_to(cairo, 0, kStreet);
  cairo_fill(cairo);
}

void draw_windows(cairo_t* cairo, double x, double y, int columns, int rows, double step) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const double left = x + column * step;
      const double top = y + row * step * 1.15;
      box(cairo, left, top, step * 0.58, step * 0.74, 0xffffff);
      const bool light = (row * 7 + column * 3) % 4 == 0;
      box(cairo, left + 2, top + 2, step * 0.58 - 4, step * 0.74 - 4, light ? 0xffd977 : 0x5b7c99);
    }
  }
}

void draw_houses(cairo_t* cairo) {
  struct House {
    double x, width, height;
    std::uint32_t wall, roof;
  };
  for (const House& house :
       {House{14, 76, 74, 0xe9cfa6, 0x9b4a3a}, House{112, 58, 102, 0xc9d6df, 0x52616b},
        House{192, 66, 62, 0xf2e3c6, 0xb5654a}, House{276, 78, 118, 0xbcd0c4, 0x4b3b47},
        House{372, 70, 66, 0xf3d9d0, 0x7d4f50}, House{470, 62, 92, 0xdcc7e0, 0x6a4c7d},
        House{556, 74, 68, 0xf0d5b8, 0xa3553f}}) {
    const double top = kStreet - house.height;
    box(cairo, house.x, top, house.width, house.height, house.wall);
    polygon(cairo,
            {{house.x - 6, top},
             {house.x + house.width / 2, top - 26},
             {house.x + house.width + 6, top}},
            house.roof);
    draw_windows(cairo, house.x + 8, top + 8, static_cast<int>(house.width / 20),
                 static_cast<int>(house.height / 28), 20);
  }
  for (const double x : {100.0, 181.0, 363.0, 452.0, 545.0}) {
    box(cairo, x - 2, kStreet - 34, 4, 34, 0x6b4f3a);
    circle(cairo, x, kStreet - 42, 14, 0x4f8a4b);
    circle(cairo, x - 5, kStreet - 48, 7, 0x69a35d);
  }
}

void draw_street(cairo_t* cairo) {
  box(cairo, 0, kStreet, 640, 12, 0xc9c4b8);
  box(cairo, 0, kStreet + 12, 640, 80, 0x5c6066);
  for (int x = -10; x < 640; x += 60) box(cairo, x, kStreet + 58, 34, 4, 0xf1f1ea);
}

void draw_wheel(cairo_t* cairo, double x, double y, double angle, double radius) {
  circle(cairo, x, y, radius, 0x222428);
  circle(cairo, x, y, 6, 0xd5d9dd);
  color(cairo, 0x44484e);
  cairo_set_line_width(cairo, 2);
  for (int spoke = 0; spoke < 3; ++spoke) {
    const double turned = angle + spoke * kPi / 3;
    cairo_move_to(cairo, x - 6 * std::cos(turned), y - 6 * std::sin(turned));
    cairo_line_to(cairo, x + 6 * std::cos(turned), y + 6 * std::sin(turned));
  }
  cairo_stroke(cairo);
}

void draw_van(cairo_t* cairo, const BoundingBox& place) {
  const auto x = static_cast<double>(place.x);
  const auto y = static_cast<double>(place.y);
  polygon(cairo,
          {{x, y}, {x + 66, y}, {x + 90, y + 22}, {x + 96, y + 28}, {x + 96, y + 50}, {x, y + 50}},
          0xd8413a);
  box(cairo, x, y, 66, 7, 0xf6f1e7);
  box(cairo, x, y + 36, 96, 5, 0x8e211f);
  polygon(cairo, {{x + 66, y + 7}, {x + 72, y + 7}, {x + 88, y + 23}, {x + 66, y + 23}}, 0xbfe3f2);
  // A yellow sun on its side.
  circle(cairo, x + 30, y + 21, 9, 0xffd23f);
  color(cairo, 0xffd23f);
  cairo_set_line_width(cairo, 2.5);
  for (int ray = 0; ray < 8; ++ray) {
    const double angle = ray * kPi / 4;
    cairo_move_to(cairo, x + 30 + 11 * std::cos(angle), y + 21 + 11 * std::sin(angle));
    cairo_line_to(cairo, x + 30 + 14 * std::cos(angle), y + 21 + 14 * std::sin(angle));
  }
  cairo_stroke(cairo);
  box(cairo, x + 92, y + 30, 4, 6, 0xfff3b0);
  for (const double wheel : {20.0, 76.0}) draw_wheel(cairo, x + wheel, y + 50, x / 11, 11);
}

void draw_balloon(cairo_t* cairo, const BoundingBox& place) {
  const auto x = static_cast<double>(place.x) + 26;
  const auto y = static_cast<double>(place.y) + 28;
  const std::uint32_t stripes[] = {0x2a6f97, 0xf4d35e, 0xee964b, 0xf95738, 0xee964b, 0xf4d35e};
  for (int stripe = 0; stripe < 6; ++stripe) {
    // Of a ball: narrower at the sides.
    const double left = -26 * std::cos(stripe * kPi / 6);
    const double right = -26 * std::cos((stripe + 1) * kPi / 6);
    cairo_save(cairo);
    cairo_rectangle(cairo, x + left, y - 30, right - left + 0.5, 62);
    cairo_clip(cairo);
    circle(cairo, x, y, 26, stripes[stripe]);
    cairo_restore(cairo);
  }
  polygon(cairo, {{x - 13, y + 23}, {x + 13, y + 23}, {x + 6, y + 36}, {x - 6, y + 36}}, 0xc8452f);
  box(cairo, x - 6, y + 40, 12, 9, 0x7a5230);
  color(cairo, 0x4a3420);
  cairo_set_line_width(cairo, 1);
  for (const double side : {-5.0, 5.0}) {
    cairo_move_to(cairo, x + side, y + 34);
    cairo_line_to(cairo, x + side, y + 42);
  }
  cairo_stroke(cairo);
}

// Drives the other way, nearer than the van.
void draw_bus(cairo_t* cairo, double x) {
  const double y = kStreet - 42;
  box(cairo, x, y, kBusWidth, 112, 0x2f7f79);
  box(cairo, x, y, kBusWidth, 10, 0xf3efe4);
  box(cairo, x, y + 74, kBusWidth, 8, 0xf4c95d);
  for (int window = 0; window < 6; ++window) {
    box(cairo, x + 46 + window * 36, y + 20, 30, 34, 0x21384a);
  }
  box(cairo, x + 8, y + 20, 28, 80, 0xbfe3f2);
  box(cairo, x + 21, y + 20, 2, 80, 0x2f7f79);
  box(cairo, x + 60, y + 58, 120, 12, 0xf3efe4);
  for (const double wheel : {66.0, 206.0}) draw_wheel(cairo, x + wheel, y + 112, -x / 14, 14);
}

double bus_left(int frame) { return 900.0 - 11 * frame; }

}  // namespace

BoundingBox StreetScene::van(int frame) {
  return {12.0f + 4.2f * static_cast<float>(frame), kStreet - 4, 97, 62};
}

BoundingBox StreetScene::balloon(int frame) {
  const auto time = static_cast<float>(frame);
  return {568 - 1.1f * time, 46 + 14 * std::sin(time / 18), 53, 78};
}

bool StreetScene::is_hidden(int frame) {
  const BoundingBox box = van(frame);
  return double{box.x} >= bus_left(frame) && double{box.right()} <= bus_left(frame) + kBusWidth;
}

void StreetScene::draw(cairo_t* cairo, int frame) {
  draw_sky(cairo);
  draw_balloon(cairo, balloon(frame));
  draw_houses(cairo);
  draw_street(cairo);
  draw_van(cairo, van(frame));
  draw_bus(cairo, bus_left(frame));
}

}  // namespace cltrack::test
