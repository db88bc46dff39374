// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dataset.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <map>
#include <set>
#include <string_view>

#include "join.h"

namespace cltrack::accuracy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTruth = "groundtruth_rect.txt";
constexpr std::string_view kAttributes = "attributes.txt";

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
    if (!is_file(entry.path())) refuse(entry.path().string() + ": no regular file");
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
      if (!is_file(entry.path())) refuse(entry.path().string() + ": no regular file");
      videos.push_back(entry.path());
    }
  }
  if (videos.size() > 1) {
    refuse(folder.string() + ": " + std::to_string(videos.size()) +
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
  if (!is_folder(folder)) refuse(folder.string() + ": no such folder");
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
    refuse(folder.string() + ": no sequence here: no " + std::string(kTruth) +
           " in it, nor in a folder in it");
  }
  return found;
}

std::string name_of(const fs::path& folder, const TruthFile& truth) {
  return fs::weakly_canonical(folder).filename().string() + truth.suffix;
}

// Two data folders may have sequences of one name, which tables and files would take for one: the
// folders that they lie in are put in front, "otb-david", as many as it takes.
void tell_apart(std::vector<Sequence>& sequences) {
  std::vector<fs::path> parents;
  for (const Sequence& sequence : sequences) {
    parents.push_back(fs::weakly_canonical(sequence.folder).parent_path());
  }
  while (true) {
    std::map<std::string, int> count;
    for (const Sequence& sequence : sequences) ++count[sequence.name];
    bool renamed = false;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      if (count[sequences[i].name] == 1 || !parents[i].has_filename()) continue;
      sequences[i].name.insert(0, parents[i].filename().string() + "-");
      parents[i] = parents[i].parent_path();
      renamed = true;
    }
    if (!renamed) return;
  }
}

// Without `name` and `error`.
Sequence read_sequence(const fs::path& folder, const TruthFile& file) {
  Sequence sequence;
  sequence.folder = folder;
  if (is_folder(folder / "img")) {
    sequence.images = list_pictures(folder / "img");
    if (sequence.images.empty()) {
      refuse((folder / "img").string() + ": no .jpg, .jpeg or .png in it");
    }
  } else {
    sequence.video = find_video(folder);
    if (sequence.video.empty()) refuse(folder.string() + ": neither a video file nor img/ in it");
  }
  sequence.truth = read_rectangles(file.path);
  // Both files of the author are about the one target of his sequences.
  const bool is_first = file.suffix.empty();
  const fs::path original = folder / "gt_orig.txt";
  if (is_first && is_there(original)) {
    const std::size_t rows = sequence.truth.size();
    sequence.truth = read_corners(original);
    if (sequence.truth.size() != rows) {
      refuse(original.string() + ": " + std::to_string(sequence.truth.size()) + " rows, but " +
             std::to_string(rows) + " in " + std::string(kTruth));
    }
  }
  const fs::path init = folder / "init_orig.txt";
  const bool has_init = is_first && is_there(init);
  const auto first = has_init ? read_corners(init).front() : sequence.truth.front();
  if (!first) {
    refuse((has_init ? init : file.path).string() +
           ":1: the first row must be a box: it is where tracking starts");
  }
  sequence.first_box = *first;
  if (is_there(folder / kAttributes)) sequence.attributes = read_names(folder / kAttributes);
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

std::string set_of(const Sequence& sequence) {
  return fs::weakly_canonical(sequence.folder).parent_path().filename().string();
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
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    for (const fs::path& sequence_folder : sequence_folders(folder)) {
      if (!seen.insert(fs::weakly_canonical(sequence_folder)).second) continue;
      std::ranges::move(read_sequence_folder(sequence_folder), std::back_inserter(found));
    }
  }
  tell_apart(found);
  if (names.empty()) return found;

  std::vector<Sequence> chosen;
  for (const std::string& name : names) {
    const auto sequence = std::ranges::find(found, name, &Sequence::name);
    if (sequence == found.end()) {
      refuse("no sequence \"" + name + "\"; there are: " + join(found, &Sequence::name));
    }
    chosen.push_back(*sequence);
  }
  return chosen;
}

}  // namespace cltrack::accuracy
