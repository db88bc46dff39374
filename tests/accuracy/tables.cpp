// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tables.h"

#include <algorithm>

#include "attribute_table.h"
#include "markup.h"
#include "report.h"
#include "row_choice.h"
#include "shift_table.h"
#include "state_table.h"

namespace cltrack::accuracy {
namespace {

struct Figure {
  TableColumn column;
  const char* format;
  Getter get;
};

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all{
      {{"P25", 6}, "%.3f", [](const Row& row) { return row.scores.at25.precision; }},
      {{"R25", 6}, "%.3f", [](const Row& row) { return row.scores.at25.recall; }},
      {{"F25", 6}, "%.3f", [](const Row& row) { return row.scores.at25.f; }},
      {{"F50", 6}, "%.3f", [](const Row& row) { return row.scores.at50.f; }},
      {{"AUC", 6}, "%.3f", [](const Row& row) { return row.scores.auc; }},
      {{"P20", 6}, "%.3f", [](const Row& row) { return row.scores.p20; }},
      {{"absFP", 6}, "%.3f", [](const Row& row) { return row.scores.absent_fp; }},
      {{"fps", 8}, "%.1f", [](const Row& row) { return row.fps_median(); }},
      {{"p99 ms", 8}, "%.2f", [](const Row& row) { return row.ms_p99; }},
  };
  return all;
}

double f25(const Row& row) { return row.scores.at25.f; }
double frames(const Row& row) { return static_cast<double>(row.frames); }

std::string range_text(const Spread& range) {
  return text("%.3f", range.low) + ".." + text("%.3f", range.high);
}

std::vector<std::string> line_of(const std::string& sequence, const std::string& tracker,
                                 const std::string& count, const std::vector<std::string>& cells,
                                 const std::string& range) {
  std::vector<std::string> line{sequence, tracker, count};
  line.insert(line.end(), cells.begin(), cells.end());
  line.push_back(range);
  return line;
}

void add_sequences(Table& table, std::span<const Row> rows,
                   const std::vector<std::string>& trackers,
                   const std::vector<std::string>& sequences) {
  for (const std::string& sequence : sequences) {
    for (const std::string& tracker : trackers) {
      const Rows selected = select(rows, tracker, sequence);
      if (selected.empty()) {
        const std::vector<std::string> none(figures().size(), "-");
        table.lines.push_back(line_of(sequence, tracker, "-", none, "FAILED, see below"));
        continue;
      }
      std::vector<std::string> cells;
      for (const Figure& figure : figures()) {
        cells.push_back(text(figure.format, spread(selected, figure.get).mean));
      }
      table.lines.push_back(line_of(sequence, tracker, text("%.0f", spread(selected, frames).mean),
                                    cells, range_text(spread(selected, f25))));
    }
  }
}

// The mean over sequences is taken per seed first, so that its range shows what a seed can do to
// the result as a whole.
void add_means(Table& table, std::span<const Row> rows, const std::vector<std::string>& trackers,
               const std::vector<std::string>& sequences) {
  for (const std::string& tracker : trackers) {
    std::vector<std::string> cells;
    std::vector<double> lowest;
    std::size_t count = 0;
    for (const Figure& figure : figures()) {
      std::vector<double> means;
      for (const std::string& sequence : sequences) {
        const Rows selected = select(rows, tracker, sequence);
        if (!selected.empty()) means.push_back(spread(selected, figure.get).mean);
      }
      count = means.size();
      cells.push_back(text(figure.format, spread(means).mean));
    }
    if (count == 0) continue;
    std::vector<std::uint64_t> seeds;
    for (const Row& row : rows) {
      if (row.tracker == tracker && std::ranges::find(seeds, row.seed) == seeds.end()) {
        seeds.push_back(row.seed);
      }
    }
    for (const std::uint64_t seed : seeds) {
      std::vector<double> means;
      for (const std::string& sequence : sequences) {
        Rows selected = select(rows, tracker, sequence);
        std::erase_if(selected, [&](const Row* row) { return row->seed != seed; });
        means.push_back(spread(selected, f25).mean);
      }
      lowest.push_back(spread(means).mean);
    }
    table.lines.push_back(line_of("MEAN of " + std::to_string(count), tracker, "", cells,
                                  range_text(spread(lowest))));
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
    sum.frames += spread(mine, frames).mean;
    sum.seconds += spread(mine, [](const Row& row) { return row.total_s; }).mean;
  }
  return sum;
}

}  // namespace

Table sequence_table(std::span<const Row> rows) {
  const auto trackers = names(rows, &Row::tracker);
  const auto sequences = names(rows, &Row::sequence);
  Table table{{}, {{"sequence", -14}, {"tracker", -14}, {"frames", 6}}, {}};
  for (const Figure& figure : figures()) table.columns.push_back(figure.column);
  table.columns.push_back({"F25 over runs", 0});
  add_sequences(table, rows, trackers, sequences);
  if (sequences.size() > 1) add_means(table, rows, trackers, sequences);
  return table;
}

Table speed_table(std::span<const Row> rows) {
  const auto trackers = names(rows, &Row::tracker);
  const auto sequences = names(rows, &Row::sequence);
  const std::string baseline = "cv-tld";
  const bool compare =
      trackers.size() > 1 && std::ranges::find(trackers, baseline) != trackers.end();
  Table table{"Speed over all frames, first frames included:", {{"", 0}}, {}};
  for (const std::string& tracker : trackers) {
    const Total all = total(rows, sequences, tracker, tracker);
    if (all.frames == 0) continue;
    std::string line = tracker + ": " + text("%.1f", all.fps()) + " fps (" +
                       text("%.0f", all.frames) + " frames in " + text("%.2f", all.seconds) + " s)";
    if (compare && tracker != baseline) {
      const double ratio = total(rows, sequences, tracker, baseline).fps() /
                           total(rows, sequences, baseline, tracker).fps();
      line += ", " + text("%.2f", ratio) + " x " + baseline;
    }
    table.lines.push_back({line});
  }
  return table;
}

std::string failure(const Row& row) {
  return row.tracker + " on " + row.sequence + ", seed " + std::to_string(row.seed) + row.begins() +
         ": " + row.error;
}

void print_tables(std::ostream& out, std::span<const Row> all_rows) {
  const std::vector<Row> rows = given_rows(all_rows);
  const auto trackers = names(rows, &Row::tracker);
  const auto sequences = names(rows, &Row::sequence);
  print(out, sequence_table(rows));
  out << '\n';
  print(out, speed_table(rows));
  out << '\n';
  for (const auto& tables :
       {state_tables(rows, trackers), attribute_tables(rows, trackers, sequences),
        shift_tables(all_rows, trackers, sequences)}) {
    for (const Table& table : tables) print(out, table);
  }
  for (const Row& row : all_rows) {
    if (!row.error.empty()) out << "FAILED " << printable(failure(row)) << '\n';
  }
}

}  // namespace cltrack::accuracy
