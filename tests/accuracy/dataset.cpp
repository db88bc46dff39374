// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dataset.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <exception>
#include <fstream>
#include <string_view>

#include "cltrack/error.h"
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

// A pipe, say, would be waited for.
bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<Row> read_rows(const fs::path& file) {
  if (!is_file(file)) fail("cannot read " + file.string() + ": no regular file");
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
    if (!has_extension(entry.path(), {".jpg", ".jpeg", ".png"})) continue;
    if (!is_file(entry.path())) fail(entry.path().string() + ": no regular file");
    pictures.push_back(entry.path());
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
      if (!is_file(entry.path())) fail(entry.path().string() + ": no regular file");
      videos.push_back(entry.path());
    }
  }
  if (videos.size() > 1) {
    fail(folder.string() + ": " + std::to_string(videos.size()) +
         " videos; a sequence folder holds one, or img/");
  }
  return videos.empty() ? fs::path() : videos.front();
}

// What cannot be looked at is not there; whoever reads it says why.
bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

struct TruthFile {
  std::string suffix;  // of the sequence's name: ".2" of "groundtruth_rect.2.txt"
  fs::path path;
};

std::vector<TruthFile> truth_files(const fs::path& folder) {
  std::vector<TruthFile> files{{"", folder / kTruth}};
  for (int target = 2;; ++target) {
    const std::string number = std::to_string(target);
    const fs::path file = folder / ("groundtruth_rect." + number + ".txt");
    if (!is_there(file)) return files;
    files.push_back({'.' + number, file});
  }
}

bool is_sequence_folder(const fs::path& folder) {
  return is_folder(folder) && is_there(folder / kTruth);
}

std::vector<fs::path> subfolders(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_folder(entry.path())) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  return folders;
}

std::vector<fs::path> sequence_folders(const fs::path& folder) {
  if (!is_folder(folder)) fail(folder.string() + ": no such folder");
  if (is_sequence_folder(folder)) return {folder};
  std::vector<fs::path> found;
  for (const fs::path& child : subfolders(folder)) {
    if (is_sequence_folder(child)) {
      found.push_back(child);
      continue;
    }
    try {
      std::ranges::copy_if(subfolders(child), std::back_inserter(found), is_sequence_folder);
    } catch (const fs::filesystem_error&) {
      found.push_back(child);  // may be one: reading it fails, and says so
    }
  }
  if (found.empty()) {
    fail(folder.string() + ": no sequence here: no " + std::string(kTruth) +
         " in it, nor in a folder in it");
  }
  return found;
}

std::string name_of(const fs::path& folder, const TruthFile& truth) {
  return fs::weakly_canonical(folder).filename().string() + truth.suffix;
}

// Without `name` and `error`.
Sequence read_sequence(const fs::path& folder, const TruthFile& file) {
  Sequence sequence;
  sequence.folder = folder;
  if (is_folder(folder / "img")) {
    sequence.images = list_pictures(folder / "img");
    if (sequence.images.empty()) {
      fail((folder / "img").string() + ": no .jpg, .jpeg or .png in it");
    }
  } else {
    sequence.video = find_video(folder);
    if (sequence.video.empty()) fail(folder.string() + ": neither a video file nor img/ in it");
  }
  sequence.truth = read_rectangles(file.path);
  // Both files of the author are about the one target of his sequences.
  const bool is_first = file.suffix.empty();
  const fs::path original = folder / "gt_orig.txt";
  if (is_first && is_there(original)) {
    const std::size_t rows = sequence.truth.size();
    sequence.truth = read_corners(original);
    if (sequence.truth.size() != rows) {
      fail(original.string() + ": " + std::to_string(sequence.truth.size()) + " rows, but " +
           std::to_string(rows) + " in " + std::string(kTruth));
    }
  }
  const fs::path init = folder / "init_orig.txt";
  const bool has_init = is_first && is_there(init);
  const auto first = has_init ? read_corners(init).front() : sequence.truth.front();
  if (!first) {
    fail((has_init ? init : file.path).string() +
         ":1: the first row must be a box: it is where tracking starts");
  }
  sequence.first_box = *first;
  return sequence;
}

Sequence read_or_explain(const fs::path& folder, const TruthFile& file) {
  try {
    return read_sequence(folder, file);
  } catch (const std::exception& error) {
    Sequence unreadable;
    unreadable.folder = folder;
    unreadable.error = error.what();
    return unreadable;
  }
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
  std::vector<Sequence> sequences;
  for (const TruthFile& file : truth_files(folder)) {
    sequences.push_back(read_or_explain(folder, file));
    sequences.back().name = name_of(folder, file);
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
