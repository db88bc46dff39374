// SPDX-License-Identifier: LGPL-2.1-or-later
#include "html_report.h"

#include <glib.h>

#include <memory>

#include "attribute_table.h"
#include "bars.h"
#include "join.h"
#include "markup.h"
#include "plots.h"
#include "report.h"
#include "shift_table.h"
#include "state_table.h"
#include "tables.h"

namespace cltrack::accuracy {
namespace {

// Characters that mean nothing else to a shell.
constexpr const char* kPlain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";

// The policy: whatever a name holds, nothing is run and nothing is loaded.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>cltrack-evaluate</title>
<style>
body { font: 15px/1.5 sans-serif; color: #222; max-width: 1360px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 26px; margin: 0; }
h2 { font-size: 20px; margin: 36px 0 6px; border-bottom: 1px solid #ccc; }
p { margin: 6px 0 12px; max-width: 60em; }
code { background: #f3f3f3; padding: 1px 4px; overflow-wrap: anywhere; }
.pictures { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; }
svg { flex: 1 1 540px; max-width: 720px; height: auto; }
.wide { overflow-x: auto; margin: 10px 0 20px; }
table { border-collapse: collapse; font-size: 14px; }
caption { text-align: left; padding-bottom: 4px; white-space: nowrap; }
th, td { padding: 2px 10px; text-align: left; border-bottom: 1px solid #e4e4e4; white-space: nowrap; }
th { background: #f3f3f3; }
tr:hover td { background: #f8f8ee; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.failed { color: #a00; }
dl { display: grid; grid-template-columns: max-content auto; gap: 2px 16px; margin: 12px 0; }
dt { color: #666; }
dd { margin: 0; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>cltrack-evaluate</h1>
)";

std::string heading(const std::string& words) { return "<h2>" + escaped(words) + "</h2>\n"; }

std::string paragraph(const std::string& words) { return "<p>" + escaped(words) + "</p>\n"; }

std::string section(const std::string& title, const std::string& words,
                    const std::vector<Table>& tables) {
  if (tables.empty()) return {};
  std::string html = heading(title) + paragraph(words);
  for (const Table& table : tables) html += to_html(table);
  return html;
}

std::string fact(const std::string& name, const std::string& value) {
  return "<dt>" + escaped(name) + "</dt><dd>" + value + "</dd>\n";
}

std::string facts(std::span<const Row> rows, const std::string& command) {
  const auto sequences = names(rows, &Row::sequence);
  std::size_t runs = 0;
  std::size_t frames = 0;
  for (const Row& row : rows) {
    if (!row.error.empty()) continue;
    ++runs;
    frames += row.frames;
  }
  const std::size_t failed = rows.size() - runs;
  return "<dl>\n" + fact("command", "<code>" + escaped(command) + "</code>") +
         fact("trackers", escaped(join(names(rows, &Row::tracker)))) +
         fact(std::to_string(sequences.size()) +
                  (sequences.size() == 1 ? " sequence" : " sequences"),
              escaped(join(sequences))) +
         fact("runs", std::to_string(runs) + ", " + std::to_string(frames) + " frames") +
         (failed > 0 ? fact("failed", "<span class=\"failed\">" + std::to_string(failed) +
                                          ", see below</span>")
                     : "") +
         "</dl>\n";
}

std::string failures(std::span<const Row> rows) {
  std::string html;
  for (const Row& row : rows) {
    if (!row.error.empty()) html += "<p class=\"failed\">" + escaped(failure(row)) + "</p>\n";
  }
  return html.empty() ? html : heading("Failed") + html;
}

std::string auc_bars(std::span<const Row> rows) {
  return bars_svg(rows, "AUC by sequence", [](const Row& row) { return row.scores.auc; });
}

std::string f_bars(std::span<const Row> rows) {
  return bars_svg(rows, "F by sequence (overlap over 0.25)",
                  [](const Row& row) { return row.scores.at25.f; });
}

std::string pictures(const std::string& left, const std::string& right) {
  return "<div class=\"pictures\">\n" + left + right + "</div>\n";
}

}  // namespace

std::string command_line(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    const bool is_plain =
        !argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos;
    const std::unique_ptr<char, decltype(&g_free)> quoted(g_shell_quote(argument.c_str()), g_free);
    if (!line.empty()) line += ' ';
    line += is_plain ? argument : quoted.get();
  }
  return line;
}

std::string html_report(std::span<const Row> rows, const std::string& command) {
  const std::vector<Row> given = given_rows(rows);
  const auto trackers = names(given, &Row::tracker);
  const auto sequences = names(given, &Row::sequence);
  std::string html = kHead + facts(rows, command);
  html += heading("Success and precision");
  html += paragraph(
      "Left: the share of the frames with the target on which the box overlaps the true one by "
      "more than the limit. Right: the share on which its centre is that near to the true one. "
      "Means over the sequences.");
  html += pictures(to_svg(success_plot(rows)), to_svg(precision_plot(rows)));
  html += heading("Sequences");
  html += paragraph("Means over seeds; the black line is the range over seeds.");
  html += pictures(auc_bars(rows), f_bars(rows));
  html += section("Figures",
                  "P, R and F: precision, recall and their harmonic mean; a box is correct if it "
                  "overlaps the true one by more than 0.25 (25) or 0.5 (50). AUC: mean of the "
                  "success plot. P20: share of frames whose centre is within 20 pixels. absFP: "
                  "share of frames without the target that have a box.",
                  {sequence_table(given)});
  html += section("States and confidence",
                  "What trackers know of themselves. P25 trk, P25 unc: share of right boxes among "
                  "the frames reported as tracking, as uncertain. trk share: share of the frames "
                  "with the target reported as tracking. calib err: distance between confidence "
                  "and share of right boxes. TPR50, TNR, GM50: share of right boxes on frames with "
                  "the target, of frames without it that have no box, and their geometric mean.",
                  state_tables(given, trackers));
  html += section("Attributes", "Sequences by what makes them hard.",
                  attribute_tables(given, trackers, sequences));
  html += section("Shifted first boxes", "What a first box that is not exact costs.",
                  shift_tables(rows, trackers, sequences));
  html += section("Speed", "Time in the tracker alone, on the machine that ran this.",
                  {speed_table(given)});
  html += failures(rows);
  return html + "</body>\n</html>";
}

void write_report(const std::filesystem::path& folder, std::span<const Row> rows,
                  const std::string& command) {
  write_plots(folder, rows);
  LineFile(folder / "auc.svg").write(auc_bars(rows));
  LineFile(folder / "f.svg").write(f_bars(rows));
  LineFile(folder / "index.html").write(html_report(rows, command));
}

}  // namespace cltrack::accuracy
