// SPDX-License-Identifier: LGPL-2.1-or-later
// What cltrack-evaluate writes: rows as JSON Lines and CSV while it runs, tables at the end, the
// boxes of each run. evaluation_page.py draws what the JSON Lines hold.
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>
#include <span>
#include <string>

#include "run.h"

namespace cltrack::accuracy {

// For a terminal: control characters, and bytes that are no UTF-8, as \\xNN. Names and messages
// hold what is in files of others.
std::string printable(const std::string& text);

// A row as one line of JSON; figures that are not defined are null.
std::string to_json(const Row& row);

// The same as comma-separated values; figures that are not defined are empty.
std::string csv_header();
std::string to_csv(const Row& row);

// A file that gets a line at a time and has each on the disk before the next, so that nothing is
// lost if a later run fails. Without a path it does nothing.
class LineFile {
 public:
  LineFile() = default;
  // Throws Error{invalid_argument} if the file cannot be made.
  explicit LineFile(const std::filesystem::path& path);
  // Throws Error{failed} if it cannot be written.
  void write(const std::string& line);

 private:
  std::filesystem::path path_;
  std::ofstream stream_;
};

// Writes TRACKER-SEQUENCE-SEED.csv, with -VARIANT behind it for another variant than the given one,
// -START for a shifted first box and -frameN for a later first frame, into `folder`:
// frame,x,y,width,height,confidence,state; frames and pixels count from 0, a lost target has no
// box. Nine digits: every bit of a float shows, so that files are equal only if the tracks are.
void write_boxes(const std::filesystem::path& folder, const Row& row,
                 std::span<const Observation> frames);

// What presence was made of, for fit_presence.py. write_weights() writes weights.csv into `folder`,
// a line for each term: term,weight,source (fit or hand),reason (what a loss by it is called).
// write_terms() writes a file for each run, named as by write_boxes(), with a line for each box
// that was decided on, on the frames that have ground truth: sequence,variant,frame,place (here or
// elsewhere),x,y,width,height,overlap, which is empty where the target is absent, the value of each
// term without its weight, and presence; and for losses.py one of the same name in the folder
// frames, with a line for each of these frames: sequence,set,variant,frame,visible (1 or 0),overlap
// (of what is reported),state,reason (of a loss).
void write_weights(const std::filesystem::path& folder);
void write_terms(const std::filesystem::path& folder, const Row& row, const Boxes& truth,
                 std::span<const Observation> frames);

// Tables: each tracker on each sequence, means over seeds with the lowest and highest; each
// tracker's mean over the sequences; speeds; what states and confidences are worth; AUC by
// attribute; what variants change; and what shifted first boxes change, which count nowhere else.
void print_tables(std::ostream& out, std::span<const Row> rows);

}  // namespace cltrack::accuracy
