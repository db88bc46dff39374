// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dataset.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "join.h"

namespace cltrack::accuracy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTruth = "groundtruth_rect.txt";
constexpr std::string_view kSeparators = ",; \t\r";

using Row = std::array<float, 4>;

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

Row parse_row(const fs::path& file, std::size_t line_number, std::string_view line) {
  const auto complain = [&](const std::string& what) {
    fail(file.string() + ":" + std::to_string(line_number) + ": " + what + " in \"" +
         std::string(line) + "\"; a row is four numbers, or NaN, separated by comma or blank");
  };
  Row row{};
  std::size_t count = 0;
  std::string_view rest = line;
  while (true) {
    const std::size_t start = rest.find_first_not_of(kSeparators);
    if (start == std::string_view::npos) break;
    rest.remove_prefix(start);
    const std::string_view word = rest.substr(0, rest.find_first_of(kSeparators));
    rest.remove_prefix(word.size());
    float value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || std::isinf(value)) {
      complain(std::string(word) + " is not a number");
    }
    if (count == row.size()) complain("more than four numbers");
    row[count++] = value;
  }
  if (count != row.size()) complain("found " + std::to_string(count) + " numbers");
  return row;
}

std::vector<Row> read_rows(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) fail("cannot read " + file.string());
  std::vector<Row> rows;
  std::string line;
  std::size_t blank_line = 0;  // only allowed at the end: elsewhere frames would be miscounted
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (line.find_first_not_of(kSeparators) == std::string::npos) {
      if (blank_line == 0) blank_line = number;
      continue;
    }
    if (blank_line != 0) {
      fail(file.string() + ":" + std::to_string(blank_line) +
           ": empty line; write NaN,NaN,NaN,NaN for a frame without the target");
    }
    rows.push_back(parse_row(file, number, line));
  }
  if (rows.empty()) fail(file.string() + ": no rows");
  return rows;
}

std::optional<BoundingBox> visible(const BoundingBox& box) {
  return box.is_valid() ? std::optional(box) : std::nullopt;
}

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return extension;
}

bool has_extension(const fs::path& path, std::initializer_list<std::string_view> allowed) {
  const std::string extension = lower_extension(path);
  return std::ranges::find(allowed, extension) != allowed.end();
}

// The number that ends a picture's name: 12 of "frame_0012.jpg". Sequences count from anywhere and
// not always with leading zeros, so sorting by name alone will not do.
long long picture_number(const fs::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t last = stem.find_last_not_of("0123456789");
  const std::size_t start = last == std::string::npos ? 0 : last + 1;
  long long number = -1;
  std::from_chars(stem.data() + start, stem.data() + stem.size(), number);
  return number;
}

std::vector<fs::path> list_pictures(const fs::path& folder) {
  std::vector<fs::path> pictures;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (has_extension(entry.path(), {".jpg", ".jpeg", ".png"})) pictures.push_back(entry.path());
  }
  std::ranges::sort(pictures, [](const fs::path& a, const fs::path& b) {
    const long long number_a = picture_number(a);
    const long long number_b = picture_number(b);
    return number_a != number_b ? number_a < number_b : a.filename() < b.filename();
  });
  return pictures;
}

fs::path find_video(const fs::path& folder) {
  std::vector<fs::path> videos;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (has_extension(entry.path(),
                      {".mpg", ".mpeg", ".mp4", ".avi", ".mkv", ".webm", ".mov", ".ogv"})) {
      videos.push_back(entry.path());
    }
  }
  if (videos.size() > 1) {
    fail(folder.string() + ": " + std::to_string(videos.size()) +
         " videos; a sequence folder holds one, or img/");
  }
  return videos.empty() ? fs::path() : videos.front();
}

// "groundtruth_rect.txt" -> "", "groundtruth_rect.2.txt" -> ".2".
std::vector<std::pair<std::string, fs::path>> truth_files(const fs::path& folder) {
  std::vector<std::pair<std::string, fs::path>> files{{"", folder / kTruth}};
  for (int target = 2;; ++target) {
    const std::string number = std::to_string(target);
    const fs::path file = folder / ("groundtruth_rect." + number + ".txt");
    if (!fs::exists(file)) return files;
    files.emplace_back('.' + number, file);
  }
}

bool is_sequence_folder(const fs::path& folder) {
  return fs::is_directory(folder) && fs::exists(folder / kTruth);
}

std::vector<fs::path> subfolders(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  return folders;
}

std::vector<fs::path> sequence_folders(const fs::path& folder) {
  if (!fs::is_directory(folder)) fail(folder.string() + ": no such folder");
  if (is_sequence_folder(folder)) return {folder};
  std::vector<fs::path> found;
  for (const fs::path& child : subfolders(folder)) {
    if (is_sequence_folder(child)) {
      found.push_back(child);
    } else {
      std::ranges::copy_if(subfolders(child), std::back_inserter(found), is_sequence_folder);
    }
  }
  if (found.empty()) {
    fail(folder.string() + ": no sequence here: no " + std::string(kTruth) +
         " in it, nor in a folder in it");
  }
  return found;
}

}  // namespace

Boxes read_rectangles(const fs::path& file) {
  Boxes boxes;
  for (const auto& [x, y, width, height] : read_rows(file)) {
    boxes.push_back(visible({x - 1, y - 1, width, height}));
  }
  return boxes;
}

Boxes read_corners(const fs::path& file) {
  Boxes boxes;
  for (const auto& [x1, y1, x2, y2] : read_rows(file)) {
    boxes.push_back(visible({x1 - 1, y1 - 1, x2 - x1 + 1, y2 - y1 + 1}));
  }
  return boxes;
}

std::vector<Sequence> read_sequence_folder(const fs::path& folder) {
  Sequence common;
  common.folder = folder;
  common.name = fs::weakly_canonical(folder).filename().string();
  if (fs::is_directory(folder / "img")) {
    common.images = list_pictures(folder / "img");
    if (common.images.empty()) fail((folder / "img").string() + ": no .jpg, .jpeg or .png in it");
  } else {
    common.video = find_video(folder);
    if (common.video.empty()) fail(folder.string() + ": neither a video file nor img/ in it");
  }

  std::vector<Sequence> sequences;
  for (const auto& [suffix, file] : truth_files(folder)) {
    Sequence sequence = common;
    sequence.name += suffix;
    sequence.truth = read_rectangles(file);
    // Both files of the author are about the one target of his sequences.
    const fs::path original = folder / "gt_orig.txt";
    if (suffix.empty() && fs::exists(original)) {
      const std::size_t rows = sequence.truth.size();
      sequence.truth = read_corners(original);
      if (sequence.truth.size() != rows) {
        fail(original.string() + ": " + std::to_string(sequence.truth.size()) + " rows, but " +
             std::to_string(rows) + " in " + std::string(kTruth));
      }
    }
    const fs::path init = folder / "init_orig.txt";
    const bool has_init = suffix.empty() && fs::exists(init);
    const auto first = has_init ? read_corners(init).front() : sequence.truth.front();
    if (!first) {
      fail((has_init ? init : file).string() +
           ":1: the first row must be a box: it is where tracking starts");
    }
    sequence.first_box = *first;
    sequences.push_back(std::move(sequence));
  }
  return sequences;
}

std::vector<Sequence> find_sequences(std::span<const fs::path> folders,
                                     std::span<const std::string> names) {
  std::vector<Sequence> found;
  for (const fs::path& folder : folders) {
    for (const fs::path& sequence_folder : sequence_folders(folder)) {
      std::ranges::move(read_sequence_folder(sequence_folder), std::back_inserter(found));
    }
  }
  if (names.empty()) return found;

  std::vector<Sequence> chosen;
  for (const std::string& name : names) {
    const auto sequence = std::ranges::find(found, name, &Sequence::name);
    if (sequence == found.end()) {
      fail("no sequence \"" + name + "\"; there are: " + join(found, &Sequence::name));
    }
    chosen.push_back(*sequence);
  }
  return chosen;
}

}  // namespace cltrack::accuracy
