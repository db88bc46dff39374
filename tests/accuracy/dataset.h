// SPDX-License-Identifier: LGPL-2.1-or-later
// Benchmark sequences on disk. A sequence is a folder with a video file, or a folder `img/` of
// pictures, beside `groundtruth_rect.txt`: x,y,width,height for each frame, NaN (or an empty box)
// where the target is absent, separated by comma, semicolon, blank or tab.
// `attributes.txt`, if there is one, names what makes the sequence hard ("occlusion, blur").
//
// Two more files follow the TLD author's protocol; both hold x1,y1,x2,y2:
//   init_orig.txt  the first box; without it, it is the first row of the ground truth
//   gt_orig.txt    the ground truth at its source. It is preferred, for the author's corners are
//                  pixels that belong to the box: its width is x2 - x1 + 1, while TLD data turned
//                  into rectangles usually lost that 1. On boxes of 20 pixels it is seen in scores.
// All these files count pixels from 1. Boxes here are the library's: they count from 0.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "text_files.h"
#include "variant.h"

namespace cltrack::accuracy {

struct Sequence {
  std::string name;  // of the folder; ".2" added for a second target; find_sequences()
  std::filesystem::path folder;
  std::filesystem::path video;                // empty where there is img/
  std::vector<std::filesystem::path> images;  // of img/, in order; empty where there is a video
  Boxes truth;                                // one entry a frame
  BoundingBox first_box;                      // where trackers start, on the first frame
  std::vector<std::string> attributes;        // what makes it hard, of attributes.txt
  Variant variant = {};  // how its pictures are changed; truth and boxes fit it
  std::string error;     // why it cannot be read: then all but the name and the folder is empty
};

// The name of the folder that its folder lies in, "otb".
std::string set_of(const Sequence& sequence);

// Reads one sequence folder: one sequence for each ground-truth file (`groundtruth_rect.txt`,
// `groundtruth_rect.2.txt`, ...) in it. One that cannot be read has an error, which Footage throws,
// so that it ends its own runs alone.
std::vector<Sequence> read_sequence_folder(const std::filesystem::path& folder);

// Finds the sequences of `folders`, each a sequence folder or one that holds such folders, one or
// two levels down, those that cannot be read too. A folder that is found twice counts once; where
// two have one name, the folders that they lie in are put in front: "tld-david", "otb-david". With
// `names`, returns those alone, in that order.
// Throws Error{invalid_argument} if a folder holds none, or a name is unknown.
std::vector<Sequence> find_sequences(std::span<const std::filesystem::path> folders,
                                     std::span<const std::string> names = {});

}  // namespace cltrack::accuracy
