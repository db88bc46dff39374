// SPDX-License-Identifier: LGPL-2.1-or-later
#include "device_stand.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/ferns/fern_codes.h"

namespace cltrack::accuracy {
namespace {

constexpr std::size_t kBest = 100;

// A positive of the first frame lies near 1; this is where the ferns' threshold usually is.
std::uint32_t best_score(const Scan& scan) {
  return static_cast<std::uint32_t>(static_cast<float>(scan.config.ferns) *
                                    static_cast<float>(kPosteriorOne) *
                                    scan.config.fern_threshold) +
         1;
}

std::uint32_t half_score(const Scan& scan) {
  return static_cast<std::uint32_t>(scan.config.ferns) * kPosteriorOne / 2;
}

// Makes the host's copy the only one that counts.
template <typename... Arrays>
void from_host(Arrays&... arrays) {
  (static_cast<void>(arrays.host_update()), ...);
}

void run_blur(DeviceStand& s) { blur(*s.queue, s.luma, s.blurred); }

void run_integrate(DeviceStand& s) { integrate(*s.queue, s.luma, s.integrals); }

void run_pyramid(DeviceStand& s) {
  build_flow_pyramid(*s.queue, s.luma, s.scan.config.flow_levels, s.flow.window, s.to);
}

void run_point_flow(DeviceStand& s) {
  point_flow(*s.queue, s.from, s.to, s.points, s.window, s.flow.search(), s.tracked);
}

constexpr int kFilterCells = 32;
void run_sample_windows(DeviceStand& s) {
  sample_windows(*s.queue, s.luma, s.filter_windows, kFilterCells * kCellSide, s.filter_samples);
}
void run_hog(DeviceStand& s) {
  hog(*s.queue, s.filter_samples, kFilterCells, s.hog_scratch, s.features);
}

void run_filter_spectra(DeviceStand& s) {
  filter_spectra(*s.queue, s.filter_tables, s.features, s.filter_spectrum);
}
void run_filter_learn(DeviceStand& s) {
  filter_learn(*s.queue, s.filter_tables, s.filter_spectrum, s.filter_job, s.filter_scratch,
               s.filter);
}
void run_filter_respond(DeviceStand& s) {
  filter_respond(*s.queue, s.filter_tables, s.filter_spectrum, s.filter_job, s.filter,
                 s.filter_response);
}
void run_sample_colors(DeviceStand& s) {
  sample_colors(*s.queue, s.luma, s.filter_windows, kFilterCells * kCellSide, s.color_bins);
}
void run_learn_colors(DeviceStand& s) {
  learn_colors(*s.queue, s.color_bins, kFilterCells * kCellSide, s.color_learnt, s.color_histograms,
               s.color_likelihoods);
}
void run_color_response(DeviceStand& s) {
  color_response(*s.queue, s.color_bins, kFilterCells * kCellSide, s.color_asked,
                 s.color_likelihoods, s.color_responses);
}

constexpr int kScaleSource = 80;  // samples
void run_resample_windows(DeviceStand& s) {
  resample_windows(*s.queue, s.scale_sources, kScaleSource, s.scale_windows,
                   kScaleCells * kCellSide, s.scale_samples);
}
void run_scale_hog(DeviceStand& s) {
  hog(*s.queue, s.scale_samples, kScaleCells, s.scale_scratch, s.scale_features);
}
void run_scale_spectra(DeviceStand& s) { scale_spectra(*s.queue, s.scale_features, s.scales); }
void run_scale_learn(DeviceStand& s) {
  scale_learn(*s.queue, s.scales, s.scale_learn_jobs, s.numerators, s.denominators);
}
void run_scale_respond(DeviceStand& s) {
  scale_respond(*s.queue, s.scales, s.scale_respond_jobs, s.numerators, s.denominators,
                s.responses);
}

void run_scan(DeviceStand& s) {
  scan(*s.queue, s.blurred, s.integrals, s.windows, s.tables, kPosteriorOne, s.scan_scratch,
       s.candidates);
}

void select_from(DeviceStand& s, CandidateArrays& candidates) {
  select_best(*s.queue, candidates, s.windows, kBest, s.best);
}
void run_select_best(DeviceStand& s) { select_from(s, s.given); }

void run_extract_patches(DeviceStand& s) {
  extract_patches(*s.queue, s.luma, s.boxes, s.box_count, s.longest_side, s.patch_scratch,
                  s.patches);
}

void nearest_of(DeviceStand& s, Array<Patch>& patches) {
  nearest_patches(*s.queue, patches, s.box_count, s.model, s.model_job, s.similarities, s.nearest);
}
void run_nearest_patches(DeviceStand& s) { nearest_of(s, s.queries); }

void run_fern_codes(DeviceStand& s) {
  fern_codes(*s.queue, s.blurred, s.windows, s.list, s.warps, s.code_jobs, s.scan.config.ferns,
             s.samples.codes);
}

void far_among(DeviceStand& s, CandidateArrays& candidates) {
  far_candidates(*s.queue, candidates, s.windows, s.scan.config.pairs,
                 {s.scan.config.negative_overlap, half_score(s.scan)}, s.samples);
}
void run_far_candidates(DeviceStand& s) { far_among(s, s.given); }

constexpr int kBlocks = 10;  // as FernEnsemble::train() has it
void run_order_samples(DeviceStand& s) { order_samples(*s.queue, s.training, kBlocks, s.order); }

void learn_from(DeviceStand& s, const FernSampleArrays& samples,
                const Array<std::uint32_t>& order) {
  update_ferns(*s.queue, samples, order, half_score(s.scan), 1, s.tables);
}
void run_update_ferns(DeviceStand& s) { learn_from(s, s.training, s.order); }

// Two waits: the count decides how much is copied.
void read_candidates(DeviceStand& s) {
  CandidateArrays& all = s.candidates;
  const std::size_t room = all.windows.size();
  all.resize(all.ferns, all.count.host_read()[0]);
  all.windows.fetch();
  all.codes.fetch();
  const auto windows = all.windows.host_read();
  const auto codes = all.codes.host_read();
  s.found.windows.assign(windows.begin(), windows.end());
  s.found.codes.assign(codes.begin(), codes.end());
  all.resize(all.ferns, room);
}

void fetch_best(DeviceStand& s) {
  s.best.windows.fetch();
  s.best.boxes.fetch();
  s.best.count.fetch();
}

void upload_frame(DeviceStand& s) { s.next_frame(); }

constexpr OpCase kOps[] = {
    {"blur", "-", run_blur, upload_frame, [](DeviceStand& s) { s.blurred.pixels.fetch(); }},
    {"integrate", "-", run_integrate, upload_frame,
     [](DeviceStand& s) {
       s.integrals.sums.fetch();
       s.integrals.squares.fetch();
     }},
    {"flow_pyramid", "LK", run_pyramid, upload_frame,
     [](DeviceStand&) {}},  // only point_flow reads it
    {"point_flow", "LK", run_point_flow, [](DeviceStand& s) { from_host(s.points); },
     [](DeviceStand& s) { s.tracked.fetch(); }},
    {"sample_windows", "-", run_sample_windows, upload_frame,
     [](DeviceStand& s) { s.filter_samples.fetch(); }},
    {"hog", "-", run_hog, [](DeviceStand& s) { from_host(s.filter_samples); },
     [](DeviceStand& s) { s.features.fetch(); }},
    {"filter_spectra", "-", run_filter_spectra, [](DeviceStand& s) { from_host(s.features); },
     [](DeviceStand& s) { s.filter_spectrum.fetch(); }},
    {"filter_learn", "-", run_filter_learn, [](DeviceStand& s) { from_host(s.filter_spectrum); },
     [](DeviceStand& s) { s.filter.fetch(); }},
    {"filter_respond", "-", run_filter_respond,
     [](DeviceStand& s) { from_host(s.filter_spectrum); },
     [](DeviceStand& s) { s.filter_response.fetch(); }},
    {"sample_colors", "-", run_sample_colors, upload_frame,
     [](DeviceStand& s) { s.color_bins.fetch(); }},
    {"learn_colors", "-", run_learn_colors, [](DeviceStand& s) { from_host(s.color_bins); },
     [](DeviceStand& s) { s.color_likelihoods.fetch(); }},
    {"color_response", "-", run_color_response,
     [](DeviceStand& s) { from_host(s.color_bins, s.color_likelihoods); },
     [](DeviceStand& s) { s.color_responses.fetch(); }},
    {"resample_windows", "-", run_resample_windows,
     [](DeviceStand& s) { from_host(s.scale_sources); },
     [](DeviceStand& s) { s.scale_samples.fetch(); }},
    {"scale_hog", "-", run_scale_hog, [](DeviceStand& s) { from_host(s.scale_samples); },
     [](DeviceStand& s) { s.scale_features.fetch(); }},
    {"scale_spectra", "-", run_scale_spectra, [](DeviceStand& s) { from_host(s.scale_features); },
     [](DeviceStand&) {}},  // only scale_learn and scale_respond read them
    {"scale_learn", "-", run_scale_learn, [](DeviceStand& s) { from_host(s.scale_learn_jobs); },
     [](DeviceStand&) {}},  // only scale_respond reads it
    {"scale_respond", "-", run_scale_respond,
     [](DeviceStand& s) { from_host(s.scale_respond_jobs); },
     [](DeviceStand& s) { s.responses.fetch(); }},
    {"scan", "FFE+FC", run_scan,
     [](DeviceStand& s) { s.tables.posteriors.assign(s.scan.tables.posteriors); }, read_candidates},
    {"select_best", "FC", run_select_best,
     [](DeviceStand& s) { from_host(s.given.windows, s.given.count); }, fetch_best},
    {"extract_patches", "NCC", run_extract_patches,
     [](DeviceStand& s) {
       s.next_frame();
       from_host(s.boxes);
     },
     [](DeviceStand& s) { s.patches.fetch(); }},
    {"nearest_patches", "NCC", run_nearest_patches,
     [](DeviceStand& s) { from_host(s.queries, s.model); },
     [](DeviceStand& s) { s.nearest.fetch(); }},
    {"far_candidates", "ONSC", run_far_candidates,
     [](DeviceStand& s) { from_host(s.given.windows, s.given.codes, s.given.count); },
     [](DeviceStand& s) {
       s.samples.sample_count.fetch();
       s.samples.place_count.fetch();
     }},
    {"fern_codes", "PSC", run_fern_codes, [](DeviceStand& s) { from_host(s.list, s.warps); },
     [](DeviceStand&) {}},  // only update_ferns reads them
    {"order_samples", "-", run_order_samples,
     [](DeviceStand& s) {
       from_host(s.training.places, s.training.sample_count, s.training.place_count);
     },
     [](DeviceStand&) {}},
    {"update_ferns", "-", run_update_ferns,
     [](DeviceStand& s) {
       from_host(s.training.codes);
       s.reset_tables();
     },
     [](DeviceStand& s) { s.tables.posteriors.fetch(); }},
};

// The frame and the posteriors go up, the best windows come down.
void run_random_fern(DeviceStand& s) {
  s.next_frame();
  s.tables.posteriors.assign(s.scan.tables.posteriors);
  run_blur(s);
  run_integrate(s);
  run_scan(s);
  select_from(s, s.candidates);
  fetch_best(s);
  s.queue->finish();
}

// The frame, the boxes and the model go up, patches and similarities come down.
void run_nearest_neighbour(DeviceStand& s) {
  s.next_frame();
  from_host(s.boxes, s.model);
  run_extract_patches(s);
  nearest_of(s, s.patches);
  s.patches.fetch();
  s.nearest.fetch();
  s.queue->finish();
}

// Windows and warps go up; blurred picture, candidates and tables are there already and stay.
void run_learning(DeviceStand& s) {
  from_host(s.list, s.warps);
  run_fern_codes(s);
  far_among(s, s.candidates);
  order_samples(*s.queue, s.samples, kBlocks, s.samples_order);
  for (int pass = 0; pass < s.scan.config.bootstrap; ++pass) {
    learn_from(s, s.samples, s.samples_order);
  }
  s.queue->finish();
}

constexpr ModuleCase kModules[] = {
    {"random_fern", "Random Fern", run_random_fern},
    {"nearest_neighbour", "Nearest Neighbor Classifier", run_nearest_neighbour},
    {"learning", "Learning Module", run_learning},
};

}  // namespace

std::span<const OpCase> op_cases() { return kOps; }
std::span<const ModuleCase> module_cases() { return kModules; }

DeviceStand::DeviceStand(const Clip& clip, const DeviceInfo& info)
    : scan(clip), queue(Device::open(info)->make_queue()), frames(clip) {
  const BoundingBox box = target = clip.box();
  const ScanTarget scanned = {.sizes = scan.sizes, .tables = 0, .least_score = best_score(scan)};
  windows.assign({&scanned, 1});
  scan_scratch.room = windows.count;
  tables.assign(scan.tables);
  std::vector<BoundingBox> some{box};
  for (std::size_t i = 1; i < kBest; ++i) {
    some.push_back(scan.grid.window(static_cast<std::uint32_t>(i * 7919 % scan.grid.size())).box());
  }
  boxes.assign(some);
  box_count.resize(1);
  box_count.host_write()[0] = static_cast<std::uint32_t>(some.size());
  for (const ScanScale& scale : scan.grid.scales()) {
    longest_side = std::max({longest_side, static_cast<float>(scale.width),
                             static_cast<float>(scale.height), box.width, box.height});
  }
  model.assign(scan.patches(kPatches));
  constexpr int kModel = kPatches;
  const PatchJob job = {0, kModel / 3, kModel / 6, kModel / 3, kModel - kModel / 3, 0};
  model_job.assign({&job, 1});

  flow = {scan.config.flow_window_min | 1, scan.config.flow_iterations, scan.config.flow_epsilon};
  std::vector<Point> grid;
  const auto side = static_cast<float>(scan.config.flow_points);
  for (float y = 0.5f; y < side; ++y) {
    for (float x = 0.5f; x < side; ++x) {
      grid.push_back({box.x + box.width * x / side, box.y + box.height * y / side});
    }
  }
  points.assign(grid);
  window.assign({&flow.window, 1});

  const float window_side = 5 * std::sqrt(box.area());
  const WindowJob around = window_job({box.center_x() - window_side / 2,
                                       box.center_y() - window_side / 2, window_side, window_side},
                                      kFilterCells * kCellSide);
  filter_windows.assign({&around, 1});
  const FilterJob learn_filter = cltrack::filter_job(0, 0, box.width, box.height, 15);
  filter_job.assign({&learn_filter, 1});
  filter.resize(kFilterSpectrum);
  std::ranges::fill(filter.host_write(), 0.0f);
  learn_colors_of(box, window_side);

  make_scales();

  list.assign(scan.positives);
  std::vector<FixedWarp> fixed;
  for (int i = 0; i < scan.config.update_warps.warps; ++i) {
    fixed.push_back(fixed_warp(i == 0 ? Warp{} : scan.random_warp(box)));
  }
  warps.assign(fixed);
  const CodeJob look = {.first_listed = 0,
                        .listed = static_cast<std::uint32_t>(list.size()),
                        .first_warp = 0,
                        .warps = static_cast<std::uint32_t>(warps.size()),
                        .first_sample = 0,
                        .first_size = 0,
                        .size_count = static_cast<int>(windows.sizes.size()),
                        .frame = 0};
  code_jobs.assign({&look, 1});
  const LearnJob learn_job = {.first_window = 0,
                              .window_count = windows.count,
                              .first_size = 0,
                              .size_count = look.size_count,
                              .first_sample = 0,
                              .positives = look.listed * look.warps,
                              .tables = 0,
                              .positive_score = half_score(scan),
                              .x = box.x,
                              .y = box.y,
                              .width = box.width,
                              .height = box.height,
                              .frame = 0,
                              .room = windows.count};
  samples.assign(scan.config.ferns, {&learn_job, 1});

  queries.assign(scan.patches(kBest));

  next_frame();
  run_pyramid(*this);
  std::swap(from, to);
  for (const auto run : {run_blur, run_integrate, run_pyramid, run_point_flow, run_scan})
    run(*this);
  keep_first_candidates();
  run_fern_codes(*this);
  run_far_candidates(*this);
  keep_first_training();
  for (const OpCase& op : kOps) op.run(*this);
  reset_tables();
  queue->finish();
}

// The target's inside, and what is around it.
void DeviceStand::learn_colors_of(const BoundingBox& box, float window_side) {
  constexpr int kSide = kFilterCells * kCellSide;
  const auto samples_of = [&](float pixels) {
    return std::clamp(static_cast<int>(pixels / window_side * kSide), 2, kSide);
  };
  const int width = samples_of(box.width), height = samples_of(box.height);
  constexpr int kMiddle = kSide / 2;
  const ColorLearnJob job = {.window = 0,
                             .slot = 0,
                             .inner_left = kMiddle - width / 3,
                             .inner_top = kMiddle - height / 3,
                             .inner_right = kMiddle + width / 3,
                             .inner_bottom = kMiddle + height / 3,
                             .outer_left = kMiddle - width / 2,
                             .outer_top = kMiddle - height / 2,
                             .outer_right = kMiddle + width / 2,
                             .outer_bottom = kMiddle + height / 2,
                             .rate = 0.04f};
  color_learnt.assign({&job, 1});
  const ColorResponseJob asked = color_response_job(0, 0, width, height, kSide);
  color_asked.assign({&asked, 1});
  color_histograms.resize(2 * kColorBins);
  std::ranges::fill(color_histograms.host_write(), 0.0f);
  color_likelihoods.resize(kColorBins);
}

void DeviceStand::make_scales() {
  const double extent = std::pow(kScaleRatio, kUnchangedScale);  // of the largest window
  std::vector<WindowJob> jobs;
  for (int scale = -kUnchangedScale; scale <= kUnchangedScale; ++scale) {
    const auto side = static_cast<float>(kScaleSource * std::pow(kScaleRatio, scale) / extent);
    const float corner = (static_cast<float>(kScaleSource) - side) / 2;
    jobs.push_back(resample_job({corner, corner, side, side}, kScaleCells * kCellSide, 0));
  }
  scale_windows.assign(jobs);
  const auto width = static_cast<float>(extent) * target.width;
  const auto height = static_cast<float>(extent) * target.height;
  const WindowJob source = window_job(
      {target.center_x() - width / 2, target.center_y() - height / 2, width, height}, kScaleSource);
  next_frame();
  sample_windows(*queue, luma, Array<WindowJob>(std::span(&source, 1)), kScaleSource,
                 scale_sources);
  const ScaleLearnJob learn = {.window = 0, .slot = 0, .rate = 0.025f};
  scale_learn_jobs.assign({&learn, 1});
  const ScaleRespondJob respond = {.window = 0, .slot = 0};
  scale_respond_jobs.assign({&respond, 1});
  numerators.assign(std::vector<float>(kScaleSpectrum));
  denominators.assign(std::vector<float>(kScaleBins));
}

void DeviceStand::keep_first_candidates() {
  read_candidates(*this);
  given.assign(scan.config.ferns, found);
}

void DeviceStand::keep_first_training() {
  const std::uint32_t count = samples.sample_count.host_read()[0];
  const std::uint32_t places = samples.place_count.host_read()[0];
  LearnJob job = samples.jobs.host_read()[0];
  job.room = count - job.positives;
  training.assign(scan.config.ferns, {&job, 1});
  const auto ferns = static_cast<std::size_t>(scan.config.ferns);
  training.codes.assign(samples.codes.host_read().first(count * ferns));
  training.places.assign(samples.places.host_read().first(count));
  training.sample_count.host_write()[0] = count;
  training.place_count.host_write()[0] = places;
}

void DeviceStand::reset_tables() { tables.assign(scan.tables); }

void DeviceStand::next_frame() {
  luma.release();
  luma.borrow(frames.next());
}

}  // namespace cltrack::accuracy
