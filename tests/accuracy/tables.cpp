// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include "join.h"
#include "report.h"
#include "row_choice.h"

namespace cltrack::accuracy {
namespace {

struct TableColumn {
  std::string title;
  int width;  // in a terminal, as in printf(): below 0 to the left; 0: the last one, as it is
};

struct Table {
  std::string title;  // the line above it; empty: none
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> lines;
};

bool has_head(const Table& table) {
  return std::ranges::any_of(table.columns,
                             [](const TableColumn& column) { return !column.title.empty(); });
}

void print_line(std::ostream& out, const Table& table, const std::vector<std::string>& cells) {
  if (!table.title.empty()) out << "  ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = printable(cells[i]);
    const int width = table.columns[i].width;
    const auto least = static_cast<std::size_t>(std::abs(width));
    const std::string gap(least > cell.size() ? least - cell.size() : 0, ' ');
    if (i > 0) out << (width == 0 ? "  " : " ");
    out << (width > 0 ? gap : "") << cell << (width < 0 ? gap : "");
  }
  out << '\n';
}

std::vector<std::string> titles(const Table& table) {
  std::vector<std::string> texts;
  for (const TableColumn& column : table.columns) texts.push_back(column.title);
  return texts;
}

// Indented below its title, if it has one. Without titles of columns there is no line of them.
void print(std::ostream& out, const Table& table) {
  if (!table.title.empty()) out << table.title << '\n';
  if (has_head(table)) print_line(out, table, titles(table));
  for (const auto& cells : table.lines) print_line(out, table, cells);
}

double auc(const Row& row) { return row.scores.auc; }
double f25(const Row& row) { return row.scores.at25.f; }
double tpr50(const Row& row) { return row.states.true_positive_rate(); }
double frames(const Row& row) { return static_cast<double>(row.frames); }

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
      {{"AUC", 6}, "%.3f", auc},
      {{"TPR50", 6}, "%.3f", tpr50},
      {{"P20", 6}, "%.3f", [](const Row& row) { return row.scores.p20; }},
      {{"absFP", 6}, "%.3f", [](const Row& row) { return row.scores.absent_fp; }},
      {{"fps", 8}, "%.1f", [](const Row& row) { return row.fps_median(); }},
      {{"p99 ms", 8}, "%.2f", [](const Row& row) { return row.ms_p99; }},
  };
  return all;
}

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

// Each tracker on each sequence, means over seeds; then each tracker's mean over the sequences.
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

// What states and confidences are worth: each tracker over all frames of all its runs.
struct TrackerCounts {
  std::string tracker;
  std::size_t runs = 0;
  StateCounts counts;
};

std::vector<TrackerCounts> sum(std::span<const Row> rows,
                               const std::vector<std::string>& trackers) {
  std::vector<TrackerCounts> sums;
  for (const std::string& tracker : trackers) {
    TrackerCounts all{tracker, 0, {}};
    for (const Row& row : rows) {
      if (!row.error.empty() || row.tracker != tracker) continue;
      ++all.runs;
      all.counts += row.states;
    }
    if (all.runs > 0) sums.push_back(all);
  }
  return sums;
}

Table presence(const std::vector<TrackerCounts>& sums) {
  Table table{"States and presence, over all frames of all runs:", {{"tracker", -14}}, {}};
  for (const char* title :
       {"runs", "frames", "P25 trk", "P25 unc", "trk share", "calib err", "TPR50", "TNR", "GM50"}) {
    table.columns.push_back({title, 9});
  }
  for (const auto& [tracker, runs, counts] : sums) {
    table.lines.push_back(
        {tracker, std::to_string(runs), std::to_string(counts.visible + counts.absent),
         text("%.3f", counts.tracking.precision()), text("%.3f", counts.uncertain.precision()),
         text("%.3f", counts.tracking_share()), text("%.3f", counts.calibration_error()),
         text("%.3f", counts.true_positive_rate()), text("%.3f", counts.true_negative_rate()),
         text("%.3f", counts.geometric_mean())});
  }
  return table;
}

Table reliability(const std::vector<TrackerCounts>& sums) {
  Table table{"Share of right boxes (overlap of at least 0.25) / boxes, by confidence:",
              {{"confidence", -14}},
              {}};
  for (std::size_t bin = 0; bin < kConfidenceBins; ++bin) {
    table.columns.push_back({text("%.1f", static_cast<double>(bin) / kConfidenceBins) + "-" +
                                 text("%.1f", static_cast<double>(bin + 1) / kConfidenceBins),
                             12});
  }
  for (const auto& [tracker, runs, counts] : sums) {
    std::vector<std::string> line{tracker};
    for (const ConfidenceBin& bin : counts.bins) {
      std::string cell = text("%.2f", bin.right_share());
      if (bin.boxes > 0) cell.append("/").append(std::to_string(bin.boxes));
      line.push_back(cell);
    }
    table.lines.push_back(line);
  }
  return table;
}

std::vector<Table> state_tables(std::span<const Row> rows,
                                const std::vector<std::string>& trackers) {
  const auto sums = sum(rows, trackers);
  if (sums.empty()) return {};
  return {presence(sums), reliability(sums)};
}

// The sequences that have each attribute, and ran.
std::map<std::string, std::vector<std::string>> by_attribute(
    std::span<const Row> rows, const std::vector<std::string>& sequences) {
  std::map<std::string, std::vector<std::string>> found;
  for (const std::string& sequence : sequences) {
    const auto row = std::ranges::find_if(
        rows, [&](const Row& one) { return one.error.empty() && one.sequence == sequence; });
    if (row == rows.end()) continue;
    for (const std::string& attribute : row->attributes) found[attribute].push_back(sequence);
  }
  return found;
}

// Mean AUC of each tracker over the sequences that have an attribute, for each attribute. None if
// there is no attribute.
std::vector<Table> attribute_tables(std::span<const Row> rows,
                                    const std::vector<std::string>& trackers,
                                    const std::vector<std::string>& sequences) {
  const auto attributes = by_attribute(rows, sequences);
  if (attributes.empty()) return {};
  Table table{"AUC by attribute:", {{"attribute", -24}, {"sequences", 9}}, {}};
  for (const std::string& tracker : trackers) table.columns.push_back({tracker, 15});
  for (const auto& [attribute, having] : attributes) {
    std::vector<std::string> line{attribute, std::to_string(having.size())};
    for (const std::string& tracker : trackers) {
      std::vector<double> means;
      for (const std::string& sequence : having) {
        const Rows selected = select(rows, tracker, sequence);
        means.push_back(spread(selected, auc).mean);
      }
      line.push_back(text("%.3f", spread(means).mean));
    }
    table.lines.push_back(line);
  }
  return {table};
}

bool is_shifted(const Row& row) { return row.start != kGivenStart; }

// Mean AUC over seeds, and then over starts.
struct Shifted {
  double given = kUndefined;
  double mean = kUndefined;
  double lowest = kUndefined;
  std::string lowest_start;
  std::size_t starts = 0;  // that have figures
};

Shifted shifted(std::span<const Row> rows, const std::string& tracker,
                const std::string& sequence) {
  const Rows selected = select(rows, tracker, sequence);
  Shifted result;
  std::vector<double> means;
  for (const std::string& start : names(rows, &Row::start)) {
    Rows of_start;
    std::ranges::copy_if(selected, std::back_inserter(of_start),
                         [&](const Row* row) { return row->start == start; });
    if (of_start.empty()) continue;
    const double mean = spread(of_start, auc).mean;
    if (start == kGivenStart) {
      result.given = mean;
      continue;
    }
    ++result.starts;
    means.push_back(mean);
    if (!(mean >= result.lowest)) {
      result.lowest = mean;
      result.lowest_start = start;
    }
  }
  result.mean = spread(means).mean;
  return result;
}

std::vector<std::string> shift_line(const std::string& sequence, const std::string& tracker,
                                    const std::string& starts, const Shifted& aucs) {
  return {sequence,
          tracker,
          starts,
          text("%.3f", aucs.given),
          text("%.3f", aucs.mean),
          text("%+.3f", aucs.mean - aucs.given),
          text("%.3f", aucs.lowest),
          aucs.lowest_start};
}

std::vector<Table> shift_tables(std::span<const Row> rows, const std::vector<std::string>& trackers,
                                const std::vector<std::string>& sequences) {
  if (std::ranges::none_of(rows, is_shifted)) return {};
  Table table{"AUC from shifted first boxes (OTB's SRE), beside that from the given box:",
              {{"sequence", -14}, {"tracker", -14}},
              {}};
  for (const char* title : {"starts", "given", "shifted", "diff", "lowest"}) {
    table.columns.push_back({title, 7});
  }
  table.columns.push_back({"from", 0});
  for (const std::string& tracker : trackers) {
    std::vector<double> given;
    std::vector<double> mean;
    std::vector<double> lowest;
    for (const std::string& sequence : sequences) {
      const Shifted aucs = shifted(rows, tracker, sequence);
      if (aucs.starts == 0) continue;
      table.lines.push_back(shift_line(sequence, tracker, std::to_string(aucs.starts), aucs));
      given.push_back(aucs.given);
      mean.push_back(aucs.mean);
      lowest.push_back(aucs.lowest);
    }
    if (mean.size() < 2) continue;
    const Shifted means{spread(given).mean, spread(mean).mean, spread(lowest).mean, {}, 0};
    table.lines.push_back(shift_line("MEAN of " + std::to_string(mean.size()), tracker, "", means));
  }
  return {table};
}

// A figure of a tracker on a sequence, over its variants: each is the mean of its runs.
struct OverVariants {
  double mean = kUndefined;
  double deviation = kUndefined;
  double worst = kUndefined;
};

OverVariants over_variants(std::span<const Row> rows, const Rows& selected, const Getter& get) {
  std::vector<double> values;
  for (const std::string& variant : names(rows, &Row::variant)) {
    Rows of_variant;
    std::ranges::copy_if(selected, std::back_inserter(of_variant),
                         [&](const Row* row) { return row->variant == variant; });
    const double mean = spread(of_variant, get).mean;
    if (std::isfinite(mean)) values.push_back(mean);
  }
  const Spread all = spread(values);
  return {all.mean, standard_deviation(values), all.low};
}

std::string interval_text(const std::vector<double>& values) {
  const Interval interval = bootstrap(values);
  return text("%.3f", interval.low) + ".." + text("%.3f", interval.high);
}

// How much figures hang on what nobody sees: mean, standard deviation and worst over the variants
// of each sequence; their means over the sequences, and where these are to be expected on other
// sequences like them.
std::vector<Table> variant_tables(std::span<const Row> rows,
                                  const std::vector<std::string>& trackers,
                                  const std::vector<std::string>& sequences) {
  const auto variants = names(rows, &Row::variant);
  if (variants.size() < 2) return {};
  Table table{"Over " + std::to_string(variants.size()) + " variants (" + join(variants) +
                  "): mean, standard deviation, worst; 95 % intervals of the means of sequences:",
              {{"sequence", -14}, {"tracker", -14}},
              {}};
  const std::pair<const char*, Getter> shown[] = {{"AUC", auc}, {"F25", f25}, {"TPR50", tpr50}};
  for (const auto& figure : shown) {
    for (const char* title : {figure.first, "dev", "worst"}) table.columns.push_back({title, 12});
  }
  for (const std::string& tracker : trackers) {
    std::vector<std::vector<double>> columns(std::size(shown) * 3);
    for (const std::string& sequence : sequences) {
      const Rows selected = select(rows, tracker, sequence);
      if (selected.empty()) continue;
      std::vector<std::string> line{sequence, tracker};
      auto column = columns.begin();
      for (const auto& figure : shown) {
        const auto [mean, deviation, worst] = over_variants(rows, selected, figure.second);
        for (const double value : {mean, deviation, worst}) {
          line.push_back(text("%.3f", value));
          if (std::isfinite(value)) column->push_back(value);
          ++column;
        }
      }
      table.lines.push_back(line);
    }
    if (columns.front().size() < 2) continue;
    std::vector<std::string> means{"MEAN of " + std::to_string(columns.front().size()), tracker};
    std::vector<std::string> intervals{"95 %", tracker};
    for (const std::vector<double>& values : columns) {
      means.push_back(text("%.3f", spread(values).mean));
      intervals.push_back(interval_text(values));
    }
    table.lines.push_back(means);
    table.lines.push_back(intervals);
  }
  return {table};
}

std::string failure(const Row& row) {
  return row.tracker + " on " + row.sequence + ", seed " + std::to_string(row.seed) +
         row.particulars() + ": " + row.error;
}

}  // namespace

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
        variant_tables(rows, trackers, sequences), shift_tables(all_rows, trackers, sequences)}) {
    for (const Table& table : tables) print(out, table);
  }
  for (const Row& row : all_rows) {
    if (!row.error.empty()) out << "FAILED " << printable(failure(row)) << '\n';
  }
}

}  // namespace cltrack::accuracy
