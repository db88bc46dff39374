// SPDX-License-Identifier: LGPL-2.1-or-later
#include "report.h"

#include <glib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "cltrack/error.h"
#include "tld/presence.h"

namespace cltrack::accuracy {
namespace {

using Figure = std::pair<const char*, double>;

std::vector<Figure> figures(const Row& row) {
  const Scores& scores = row.scores;
  const StateCounts& states = row.states;
  return {{"p25", scores.at25.precision},
          {"r25", scores.at25.recall},
          {"f25", scores.at25.f},
          {"p50", scores.at50.precision},
          {"r50", scores.at50.recall},
          {"f50", scores.at50.f},
          {"auc", scores.auc},
          {"p20", scores.p20},
          {"absent_fp", scores.absent_fp},
          {"p25_tracking", states.tracking.precision()},
          {"p25_uncertain", states.uncertain.precision()},
          {"tracking_share", states.tracking_share()},
          {"calibration_error", states.calibration_error()},
          {"tpr50", states.true_positive_rate()},
          {"tnr", states.true_negative_rate()},
          {"gm50", states.geometric_mean()},
          {"fps_median", row.fps_median()},
          {"fps_mean", row.fps_mean()},
          {"ms_mean", row.ms_mean},
          {"ms_median", row.ms_median},
          {"ms_p99", row.ms_p99},
          {"ms_init", row.ms_init},
          {"total_s", row.total_s}};
}

// Names come from folders: bytes that are no UTF-8 become replacement characters.
std::string line_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

// With as many digits as tell floats apart.
std::string exactly(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

// As a field of CSV, RFC 4180.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '"');
  }
  return '"' + text + '"';
}
std::string field(const std::string& text) {
  return text.find_first_of("\",\r\n") == std::string::npos ? text : quoted(text);
}

// Six digits, as in CSV; not a number becomes null.
nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(std::stod(number(value)))
                              : nlohmann::ordered_json(nullptr);
}

std::string file_of(const Row& row) {
  std::string name = row.tracker + "-" + row.sequence + "-" + std::to_string(row.seed);
  if (row.variant != kGivenVariant) name += "-" + row.variant;
  if (row.start != kGivenStart) name += "-" + row.start;
  if (row.first_frame > 0) name += "-frame" + std::to_string(row.first_frame);
  return name + ".csv";
}

// What write_terms() writes of a box.
std::vector<std::string> fields_of(const Hypothesis& hypothesis,
                                   const std::optional<BoundingBox>& truth) {
  const BoundingBox& box = hypothesis.box;
  std::vector<std::string> fields;
  for (const float side : {box.x, box.y, box.width, box.height}) {
    fields.push_back(exactly(static_cast<double>(side)));
  }
  fields.push_back(truth ? exactly(static_cast<double>(overlap(box, *truth))) : "");
  for (const PresenceTerm& term : presence_terms()) {
    fields.push_back(exactly(term.value(hypothesis.evidence)));
  }
  fields.push_back(exactly(static_cast<double>(hypothesis.presence)));
  return fields;
}

}  // namespace

std::string printable(const std::string& text) {
  std::string result;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const gunichar character = g_utf8_get_char_validated(at, end - at);
    const bool is_valid = character < gunichar{0x110000};
    const char* const next = is_valid ? g_utf8_next_char(at) : at + 1;
    if (is_valid && !g_unichar_iscntrl(character)) {
      result.append(at, next);
    } else {
      for (; at < next; ++at) {
        char code[8];
        std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(*at));
        result += code;
      }
    }
    at = next;
  }
  return result;
}

std::string to_json(const Row& row) {
  nlohmann::ordered_json json;
  json["tracker"] = row.tracker;
  json["sequence"] = row.sequence;
  json["set"] = row.set;
  json["variant"] = row.variant;
  json["seed"] = row.seed;
  json["start"] = row.start;
  json["first_frame"] = row.first_frame;
  if (!row.error.empty()) {
    json["error"] = row.error;
    return line_of(json);
  }
  json["frames"] = row.frames;
  json["attributes"] = row.attributes;
  for (const auto& [name, value] : figures(row)) json[name] = json_number(value);
  for (const double share : row.scores.success) json["success"].push_back(json_number(share));
  for (const double share : row.scores.near) json["near"].push_back(json_number(share));
  for (const ConfidenceBin& bin : row.states.bins) {
    json["confidence_bins"].push_back({{"boxes", bin.boxes},
                                       {"mean", json_number(bin.mean_confidence())},
                                       {"right", json_number(bin.right_share())}});
  }
  for (const StageStats& stage : row.stages) {
    json["stages"][stage.name] = {{"calls", stage.calls},
                                  {"total_ms", json_number(stage.total_ms)},
                                  {"median_ms", json_number(stage.median_ms)},
                                  {"p99_ms", json_number(stage.p99_ms)}};
  }
  return line_of(json);
}

std::string csv_header() {
  std::string line = "tracker,sequence,set,variant,seed,start,first_frame,frames";
  for (const Figure& figure : figures(Row{})) line += std::string(",") + figure.first;
  return line + ",error";
}

std::string to_csv(const Row& row) {
  std::string line = field(row.tracker) + "," + field(row.sequence) + "," + field(row.set) + "," +
                     row.variant + "," + std::to_string(row.seed) + "," + row.start + "," +
                     std::to_string(row.first_frame) + "," + std::to_string(row.frames);
  for (const Figure& figure : figures(row)) {
    line += ",";
    if (std::isfinite(figure.second) && row.error.empty()) line += number(figure.second);
  }
  return line + "," + (row.error.empty() ? "" : quoted(row.error));
}

LineFile::LineFile(const std::filesystem::path& path) : path_(path), stream_(path) {
  if (!stream_) {
    throw Error(ErrorCode::invalid_argument,
                path.string() + ": cannot be written; is its folder there?");
  }
}

void LineFile::write(const std::string& line) {
  if (path_.empty()) return;
  stream_ << line << '\n' << std::flush;
  if (!stream_) throw Error(ErrorCode::failed, path_.string() + ": writing failed");
}

void write_boxes(const std::filesystem::path& folder, const Row& row,
                 std::span<const Observation> frames) {
  LineFile file(folder / file_of(row));
  std::string lines = "frame,x,y,width,height,confidence,state";
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Observation& observation = frames[i];
    char text[128];
    if (observation.box) {
      const BoundingBox& box = *observation.box;
      std::snprintf(text, sizeof(text), "\n%zu,%.9g,%.9g,%.9g,%.9g,%.9g,%s", row.first_frame + i,
                    static_cast<double>(box.x), static_cast<double>(box.y),
                    static_cast<double>(box.width), static_cast<double>(box.height),
                    static_cast<double>(observation.confidence), to_string(observation.state));
    } else {
      std::snprintf(text, sizeof(text), "\n%zu,,,,,%.9g,%s", row.first_frame + i,
                    static_cast<double>(observation.confidence), to_string(observation.state));
    }
    lines += text;
  }
  file.write(lines);
}

namespace {

void write_frames(const std::filesystem::path& folder, const Row& row, const Boxes& truth,
                  std::span<const Observation> frames) {
  std::filesystem::create_directories(folder);
  LineFile file(folder / file_of(row));
  std::string lines = "sequence,set,variant,frame,visible,overlap,state,reason";
  const std::string run = field(row.sequence) + "," + field(row.set) + "," + row.variant;
  for (std::size_t i = 0; i < std::min(truth.size(), frames.size()); ++i) {
    const Observation& observation = frames[i];
    const auto common = static_cast<double>(frame_overlap(truth[i], observation.box));
    lines.append("\n").append(run).append(",").append(std::to_string(row.first_frame + i));
    lines.append(truth[i] ? ",1," : ",0,").append(exactly(common)).append(",");
    lines.append(to_string(observation.state)).append(",").append(observation.reason);
  }
  file.write(lines);
}

}  // namespace

void write_weights(const std::filesystem::path& folder) {
  LineFile file(folder / "weights.csv");
  file.write("term,weight,source,reason,other_weight,compared_weight");
  for (const PresenceTerm& term : presence_terms()) {
    file.write(std::string(term.name) + "," + exactly(term.weight) + "," +
               (term.is_fitted ? "fit" : "hand") + "," + (term.reason ? term.reason : "") + "," +
               exactly(term.other_weight) + "," + exactly(term.compared_weight));
  }
}

void write_terms(const std::filesystem::path& folder, const Row& row, const Boxes& truth,
                 std::span<const Observation> frames) {
  LineFile file(folder / file_of(row));
  std::string lines = "sequence,variant,frame,place,x,y,width,height,overlap";
  for (const PresenceTerm& term : presence_terms()) lines += std::string(",") + term.name;
  lines += ",presence";
  for (std::size_t i = 0; i < std::min(truth.size(), frames.size()); ++i) {
    const auto add = [&](const char* place, const Hypothesis& hypothesis) {
      lines.append("\n").append(field(row.sequence)).append(",").append(row.variant).append(",");
      lines.append(std::to_string(row.first_frame + i)).append(",").append(place);
      for (const std::string& text : fields_of(hypothesis, truth[i])) {
        lines.append(",").append(text);
      }
    };
    const Hypotheses& hypotheses = frames[i].hypotheses;
    if (hypotheses.here) add("here", *hypotheses.here);
    for (const Hypothesis& place : hypotheses.elsewhere) add("elsewhere", place);
  }
  file.write(lines);
  write_frames(folder / "frames", row, truth, frames);
}

}  // namespace cltrack::accuracy
