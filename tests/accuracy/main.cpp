// SPDX-License-Identifier: LGPL-2.1-or-later
// cltrack-evaluate: accuracy and speed of trackers on sequences with ground truth.
#include <gst/gst.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>

#include "batch.h"
#include "cltrack/error.h"
#include "cltrack/network.h"
#include "param.h"
#include "perturb.h"
#include "report.h"

namespace {

namespace fs = std::filesystem;
using namespace cltrack;
using namespace cltrack::accuracy;

struct Options {
  std::vector<fs::path> data;
  std::vector<std::string> sequences;
  std::vector<std::string> params;
  std::vector<std::string> efforts;
  fs::path json;
  fs::path csv;
  fs::path boxes;
  fs::path terms;
  fs::path network;
  std::size_t variants = 1;
  BatchOptions batch;
};

std::string tracker_list() {
  std::string text = "Trackers:\n";
  for (const TrackerKind& kind : tracker_kinds()) {
    text += "  " + kind.name + ": " + kind.description + "\n";
  }
  return text +
         "Data: a folder with a video, or img/ of .jpg or .png, beside groundtruth_rect.txt "
         "(x,y,width,height\nfor each frame, counting from 1; NaN where the target is absent), or "
         "a folder of such folders.\nThe first box is that of init_orig.txt (x1,y1,x2,y2) where "
         "there is one, else the first row. What attributes.txt\nnames (\"occlusion, blur\") gets "
         "a table of its own. A sequence that cannot be read fails alone; the exit\nstatus is 1 "
         "then, and 2 if nothing could be run.";
}

void add_options(CLI::App& app, Options& options) {
  app.footer(tracker_list());
  app.add_option("--data", options.data, "Sequence folders, or folders of them")
      ->required()
      ->type_name("DIR");
  app.add_option("--sequences", options.sequences, "Only these, by name")
      ->delimiter(',')
      ->type_name("A,B");
  app.add_option("--trackers", options.batch.trackers, "What to run")
      ->delimiter(',')
      ->capture_default_str()
      ->type_name("A,B");
  app.add_option("--seeds", options.batch.seeds,
                 "Runs with seeds 0 to N-1 of trackers that make random choices")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--cv-seeds", options.batch.cv_seeds, "The same for cv-*, which are slow")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--param", options.params,
                 "A field of TldConfig, or template.FIELD of TemplateConfig; an unknown name lists "
                 "all. May be given again")
      ->type_name("NAME=VALUE");
  app.add_option("--perturb", options.variants,
                 "Run on so many variants of each sequence: other noise, light, edges, frames, "
                 "first boxes, compression. Tables then have means and deviations over them")
      ->check(CLI::Range(std::size_t{1}, known_variants().size()))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--start-every", options.batch.starts.every,
                 "Run from every N-th frame that shows the target, too, if N or more follow; 0 for "
                 "the first frame alone")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--most-starts", options.batch.starts.most,
                 "How many first frames --start-every may take of a sequence; 0 for all")
      ->needs("--start-every")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str()
      ->type_name("N");
  app.add_flag(
      "--shift-first", options.batch.starts.shifted,
      "Run 12 times more from first boxes moved by 10 % of their size and scaled by 0.8 to "
      "1.2 (OTB's SRE)");
  app.add_option("--max-frames", options.batch.max_frames, "Of each run; 0 for all")
      ->check(CLI::Range(0, 1000000000))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--steps", options.batch.pace.steps,
                 "Frames to go on by, over and over: 1,1,3 leaves out two of five. Times stay")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000000))
      ->type_name("N,N");
  app.add_option("--efforts", options.efforts,
                 "Work on each frame, over and over: full, near or motion (Frame::effort)")
      ->delimiter(',')
      ->check(CLI::IsMember({"full", "near", "motion"}))
      ->type_name("A,B");
  app.add_option("--network", options.network,
                 "What tools/convert_network.py has made: tld asks this network, too")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  app.add_option("--json", options.json,
                 "Write a line of JSON for each run; tests/evaluation_page.py draws it")
      ->type_name("FILE");
  app.add_option("--csv", options.csv, "Write a line of CSV for each run")->type_name("FILE");
  app.add_option("--boxes", options.boxes, "Write the boxes of each run as CSV into this folder")
      ->type_name("DIR");
  app.add_option("--terms", options.terms,
                 "Write the evidence of each box that tld decided on as CSV into this folder, a "
                 "file a run; tests/accuracy/fit_presence.py fits presence to it")
      ->type_name("DIR");
  app.add_option("--jobs", options.batch.jobs,
                 "Runs at the same time. With more than 1, speeds are not to be trusted")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->type_name("N");
}

constexpr const char* kPresenceTracker = "tld";

void require_presence(const BatchOptions& batch) {
  if (std::ranges::find(batch.trackers, kPresenceTracker) != batch.trackers.end() &&
      batch.configs.tld.motion == kCorrelation) {
    return;
  }
  throw Error(ErrorCode::invalid_argument,
              "--terms: nothing here decides by presence; have tld among --trackers, with "
              "motion=correlation");
}

int evaluate(const Options& options) {
  BatchOptions batch = options.batch;
  for (const std::string& param : options.params) set_param(batch.configs, param);
  for (const std::string& effort : options.efforts) {
    batch.pace.efforts.push_back(effort == "full"   ? Effort::full
                                 : effort == "near" ? Effort::near
                                                    : Effort::motion);
  }
  if (!options.network.empty()) {
    std::ifstream file(options.network, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    batch.configs.tld.network = Network::parse(bytes);
  }
  validate(batch.configs.tld);
  validate(batch.configs.match);
  for (const std::string& tracker : batch.trackers) find_tracker(tracker);
  batch.configs.logs_hypotheses = !options.terms.empty();
  if (!options.terms.empty()) require_presence(batch);
  const auto sequences =
      perturbed(find_sequences(options.data, options.sequences), options.variants);

  LineFile json = options.json.empty() ? LineFile() : LineFile(options.json);
  LineFile csv = options.csv.empty() ? LineFile() : LineFile(options.csv);
  csv.write(csv_header());
  if (!options.boxes.empty()) fs::create_directories(options.boxes);
  if (!options.terms.empty()) {
    fs::create_directories(options.terms);
    write_weights(options.terms);
  }

  const auto rows =
      run_batch(sequences, batch, [&](const Row& row, const Observations& observations) {
        json.write(to_json(row));
        csv.write(to_csv(row));
        if (!options.boxes.empty() && row.error.empty()) {
          write_boxes(options.boxes, row, observations.frames);
        }
        if (!options.terms.empty() && row.error.empty() && row.tracker == kPresenceTracker) {
          const auto sequence = std::ranges::find_if(sequences, [&](const Sequence& one) {
            return one.name == row.sequence && one.variant.name == row.variant;
          });
          write_terms(options.terms, row, kept_truth(*sequence, row.first_frame, batch.pace),
                      observations.frames);
        }
      });
  print_tables(std::cout, rows);
  if (batch.jobs > 1) std::cout << "(" << batch.jobs << " runs at once: speeds are too low)\n";
  const bool failed = std::ranges::any_of(rows, [](const Row& row) { return !row.error.empty(); });
  return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Accuracy and speed of trackers on sequences with ground truth.",
               "cltrack-evaluate");
  Options options;
  try {
    gst_init(nullptr, nullptr);
    add_options(app, options);
    app.parse(argc, argv);
    return evaluate(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "cltrack-evaluate: " << printable(error.what()) << '\n';
    return 2;
  }
}
