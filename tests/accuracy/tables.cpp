// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstdio>

#include "attribute_table.h"
#include "report.h"
#include "row_choice.h"
#include "shift_table.h"
#include "state_table.h"

namespace cltrack::accuracy {
namespace {

struct Column {
  const char* title;
  int width;
  const char* format;
  Getter get;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all{
      {"P25", 6, "%.3f", [](const Row& row) { return row.scores.at25.precision; }},
      {"R25", 6, "%.3f", [](const Row& row) { return row.scores.at25.recall; }},
      {"F25", 6, "%.3f", [](const Row& row) { return row.scores.at25.f; }},
      {"F50", 6, "%.3f", [](const Row& row) { return row.scores.at50.f; }},
      {"AUC", 6, "%.3f", [](const Row& row) { return row.scores.auc; }},
      {"P20", 6, "%.3f", [](const Row& row) { return row.scores.p20; }},
      {"absFP", 6, "%.3f", [](const Row& row) { return row.scores.absent_fp; }},
      {"fps", 8, "%.1f", [](const Row& row) { return row.fps_median(); }},
      {"p99 ms", 8, "%.2f", [](const Row& row) { return row.ms_p99; }},
  };
  return all;
}

double f25(const Row& row) { return row.scores.at25.f; }

void print_cells(std::ostream& out, const std::string& sequence, const std::string& tracker,
                 const std::string& count, const std::vector<std::string>& cells,
                 const std::string& range) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "%-14s %-14s %6s", sequence.c_str(), tracker.c_str(),
                count.c_str());
  out << buffer;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::snprintf(buffer, sizeof(buffer), " %*s", columns()[i].width, cells[i].c_str());
    out << buffer;
  }
  out << "  " << range << '\n';
}

std::string range_text(const Spread& range) {
  return text("%.3f", range.low) + ".." + text("%.3f", range.high);
}

void print_sequences(std::ostream& out, std::span<const Row> rows,
                     const std::vector<std::string>& trackers,
                     const std::vector<std::string>& sequences) {
  std::vector<std::string> titles;
  for (const Column& column : columns()) titles.push_back(column.title);
  print_cells(out, "sequence", "tracker", "frames", titles, "F25 over seeds");
  for (const std::string& sequence : sequences) {
    for (const std::string& tracker : trackers) {
      const Rows selected = select(rows, tracker, sequence);
      if (selected.empty()) {
        const std::vector<std::string> none(columns().size(), "-");
        print_cells(out, sequence, tracker, "-", none, "FAILED, see below");
        continue;
      }
      std::vector<std::string> cells;
      for (const Column& column : columns()) {
        cells.push_back(text(column.format, spread(selected, column.get).mean));
      }
      print_cells(out, sequence, tracker, std::to_string(selected.front()->frames), cells,
                  range_text(spread(selected, f25)));
    }
  }
}

// The mean over sequences is taken per seed first, so that its range shows what a seed can do to
// the result as a whole.
void print_means(std::ostream& out, std::span<const Row> rows,
                 const std::vector<std::string>& trackers,
                 const std::vector<std::string>& sequences) {
  for (const std::string& tracker : trackers) {
    std::vector<std::string> cells;
    std::vector<double> lowest;
    std::size_t count = 0;
    for (const Column& column : columns()) {
      std::vector<double> means;
      for (const std::string& sequence : sequences) {
        const Rows selected = select(rows, tracker, sequence);
        if (!selected.empty()) means.push_back(spread(selected, column.get).mean);
      }
      count = means.size();
      cells.push_back(text(column.format, spread(means).mean));
    }
    if (count == 0) continue;
    std::vector<std::uint64_t> seeds;
    for (const Row& row : rows) {
      if (row.tracker == tracker && std::ranges::find(seeds, row.seed) == seeds.end()) {
        seeds.push_back(row.seed);
      }
    }
    for (const std::uint64_t seed : seeds) {
      std::vector<double> values;
      for (const Row& row : rows) {
        if (row.error.empty() && row.tracker == tracker && row.seed == seed) {
          values.push_back(f25(row));
        }
      }
      lowest.push_back(spread(values).mean);
    }
    print_cells(out, "MEAN of " + std::to_string(count), tracker, "", cells,
                range_text(spread(lowest)));
  }
}

struct Total {
  double frames = 0;
  double seconds = 0;
  double fps() const { return frames / seconds; }
};

// Frames per second over everything that the tracker did, first frames too, on the sequences that
// both trackers ran on.
Total total(std::span<const Row> rows, const std::vector<std::string>& sequences,
            const std::string& tracker, const std::string& other) {
  Total sum;
  for (const std::string& sequence : sequences) {
    const Rows mine = select(rows, tracker, sequence);
    if (mine.empty() || select(rows, other, sequence).empty()) continue;
    sum.frames += static_cast<double>(mine.front()->frames);
    sum.seconds += spread(mine, [](const Row& row) { return row.total_s; }).mean;
  }
  return sum;
}

void print_speeds(std::ostream& out, std::span<const Row> rows,
                  const std::vector<std::string>& trackers,
                  const std::vector<std::string>& sequences) {
  const std::string baseline = "cv-tld";
  const bool compare =
      trackers.size() > 1 && std::ranges::find(trackers, baseline) != trackers.end();
  out << "Speed over all frames, first frames included:\n";
  for (const std::string& tracker : trackers) {
    const Total all = total(rows, sequences, tracker, tracker);
    if (all.frames == 0) continue;
    out << "  " << tracker << ": " << text("%.1f", all.fps()) << " fps ("
        << text("%.0f", all.frames) << " frames in " << text("%.2f", all.seconds) << " s)";
    if (compare && tracker != baseline) {
      const double ratio = total(rows, sequences, tracker, baseline).fps() /
                           total(rows, sequences, baseline, tracker).fps();
      out << ", " << text("%.2f", ratio) << " x " << baseline;
    }
    out << '\n';
  }
}

}  // namespace

void print_tables(std::ostream& out, std::span<const Row> all_rows) {
  const std::vector<Row> rows = given_rows(all_rows);
  const auto trackers = names(rows, &Row::tracker);
  const auto sequences = names(rows, &Row::sequence);
  print_sequences(out, rows, trackers, sequences);
  if (sequences.size() > 1) print_means(out, rows, trackers, sequences);
  out << '\n';
  print_speeds(out, rows, trackers, sequences);
  out << '\n';
  print_states(out, rows, trackers);
  print_attributes(out, rows, trackers, sequences);
  print_shifts(out, all_rows, trackers, sequences);
  for (const Row& row : all_rows) {
    if (!row.error.empty()) {
      out << "FAILED " << row.tracker << " on " << row.sequence << ", seed " << row.seed
          << (row.start == kGivenStart ? "" : ", from " + row.start) << ": " << row.error << '\n';
    }
  }
}

}  // namespace cltrack::accuracy
