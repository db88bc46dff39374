// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/raster.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "cltrack/error.h"

namespace cltrack::gst {

Raster::Raster(int width, int height)
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)) {
  if (cairo_surface_status(surface()) != CAIRO_STATUS_SUCCESS) {
    throw Error(ErrorCode::failed, "no bitmap of " + std::to_string(width) + "x" +
                                       std::to_string(height) + " pixels for the overlay: " +
                                       cairo_status_to_string(cairo_surface_status(surface())));
  }
}

int Raster::width() const { return cairo_image_surface_get_width(surface()); }
int Raster::height() const { return cairo_image_surface_get_height(surface()); }
int Raster::stride() const { return cairo_image_surface_get_stride(surface()); }
const unsigned char* Raster::data() const { return cairo_image_surface_get_data(surface()); }

void Raster::unpremultiply() {
  cairo_surface_flush(surface());
  unsigned char* row = cairo_image_surface_get_data(surface());
  const int columns = width();
  for (int left = height(); left > 0; --left, row += stride()) {
    auto* pixels = reinterpret_cast<std::uint32_t*>(row);  // 0xAARRGGBB
    for (int x = 0; x < columns; ++x) {
      const std::uint32_t alpha = pixels[x] >> 24;
      const bool is_black = (pixels[x] & 0xffffff) == 0;
      if (alpha == 255 || is_black) continue;
      std::uint32_t straight = alpha << 24;
      for (const int shift : {16, 8, 0}) {
        const std::uint32_t color = ((pixels[x] >> shift & 0xff) * 255 + alpha / 2) / alpha;
        straight |= std::min(color, std::uint32_t{255}) << shift;
      }
      pixels[x] = straight;
    }
  }
}

}  // namespace cltrack::gst
