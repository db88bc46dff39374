// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/picture_header.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cltrack::gst {
namespace {

using std::uint32_t;
using std::uint8_t;

template <std::size_t kSize>
using Bytes = std::array<uint8_t, kSize>;

// The file, up to the limit.
class Reader {
 public:
  explicit Reader(std::FILE* file) : file_(file) {}

  template <std::size_t kSize>
  bool read(Bytes<kSize>& bytes) {
    return take(kSize) && std::fread(bytes.data(), 1, kSize, file_) == kSize;
  }
  // One thread has the file: no lock for each byte.
  int get() { return take(1) ? getc_unlocked(file_) : EOF; }
  // True even if there are not as many bytes.
  bool skip(uint32_t bytes) {
    return take(bytes) && std::fseek(file_, static_cast<long>(bytes), SEEK_CUR) == 0;
  }

 private:
  bool take(std::uint64_t bytes) {
    position_ += bytes;
    return position_ <= kMaxPictureBytes;
  }

  std::FILE* file_;
  std::uint64_t position_ = 0;
};

// Both formats write the high byte first.
uint32_t number(const uint8_t* bytes, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

// Chunks: length, type, data, CRC.
PictureHeader read_png(Reader& file) {
  PictureHeader header;
  Bytes<8> start;
  Bytes<4> crc;
  while (file.read(start)) {
    uint32_t length = number(start.data(), 4);
    const std::string_view type(reinterpret_cast<const char*>(start.data()) + 4, 4);
    Bytes<8> size;
    if (type == "IHDR" && length >= size.size()) {
      if (!file.read(size)) break;
      header.width = number(size.data(), 4);
      header.height = number(size.data() + 4, 4);
      length -= static_cast<uint32_t>(size.size());
    }
    if (!file.skip(length) || !file.read(crc)) break;
    if (type == "IEND") {
      header.complete = true;
      break;
    }
  }
  return header;
}

// The marker that comes next, EOF if there is none. What lies before it is skipped: coded data,
// in which a byte 0xff is followed by 0 unless it is a restart marker (0xd0 to 0xd7).
int next_marker(Reader& file) {
  while (true) {
    int byte = file.get();
    while (byte != EOF && byte != 0xff) byte = file.get();
    while (byte == 0xff) byte = file.get();
    if (byte == EOF || (byte != 0 && (byte < 0xd0 || byte > 0xd7))) return byte;
  }
}

bool starts_frame(int marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// Segments: marker, length that counts itself, data. The coded data follow such a segment.
PictureHeader read_jpeg(Reader& file) {
  PictureHeader header;
  while (true) {
    const int marker = next_marker(file);
    if (marker == 0xd9) header.complete = true;
    if (marker == EOF || marker == 0xd9) return header;
    if (marker == 0x01 || marker == 0xd8) continue;  // these have no length
    Bytes<2> start;
    if (!file.read(start)) return header;
    uint32_t length = std::max(number(start.data(), 2), 2u) - 2;
    Bytes<5> frame;  // precision, height, width
    if (starts_frame(marker) && length >= frame.size()) {
      if (!file.read(frame)) return header;
      header.height = number(frame.data() + 1, 2);
      header.width = number(frame.data() + 3, 2);
      length -= static_cast<uint32_t>(frame.size());
    }
    if (!file.skip(length)) return header;
  }
}

}  // namespace

std::optional<PictureHeader> read_picture_header(std::FILE* file) {
  constexpr Bytes<8> kPng = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Reader reader(file);
  Bytes<2> start;
  if (!reader.read(start)) return std::nullopt;
  if (start[0] == 0xff && start[1] == 0xd8) return read_jpeg(reader);
  Bytes<6> rest;
  if (start[0] != kPng[0] || start[1] != kPng[1] || !reader.read(rest)) return std::nullopt;
  if (!std::equal(rest.begin(), rest.end(), kPng.begin() + 2)) return std::nullopt;
  return read_png(reader);
}

}  // namespace cltrack::gst
