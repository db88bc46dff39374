// SPDX-License-Identifier: LGPL-2.1-or-later
#include "box_writer.h"
#include "quote.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace track_video {
namespace {

std::ofstream open(const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::trunc);
  if (!file) {
    throw std::runtime_error("cannot write " + quote(path.string()) + ": " + std::strerror(errno) +
                             ". Choose another directory with --output");
  }
  return file;
}

// RFC 4180: quoted only if necessary.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string number(double value, int decimals) {
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, value);
  return digits;
}

}  // namespace

BoxWriter::BoxWriter(const std::filesystem::path& directory) {
  csv_ = open(directory / "boxes.csv");
  json_lines_ = open(directory / "boxes.jsonl");
  csv_ << "frame,pts,id,label,state,confidence,x,y,width,height\n";
}

void BoxWriter::write(const Row& row) {
  const bool has_box = row.state != cltrack::TrackState::lost;
  const bool has_time = row.seconds >= 0;
  const std::string seconds = has_time ? number(row.seconds, 6) : "";
  const std::string fields[] = {number(row.box.x, 2), number(row.box.y, 2),
                                number(row.box.width, 2), number(row.box.height, 2)};
  csv_ << row.frame << ',' << seconds << ',' << row.id << ',' << csv_text(row.label) << ','
       << to_string(row.state) << ',' << number(row.confidence, 4);
  for (const auto& field : fields) csv_ << ',' << (has_box ? field : "");
  csv_ << '\n' << std::flush;
  check();
}

void BoxWriter::write(const std::string& json) {
  json_lines_ << json << '\n' << std::flush;
  check();
}

void BoxWriter::check() const {
  if (csv_ && json_lines_) return;
  throw std::runtime_error("cannot write more boxes (is the disk full?)");
}

}  // namespace track_video
