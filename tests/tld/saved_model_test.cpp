// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/saved_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/random.h"
#include "support/errors.h"
#include "tld/saved_model.h"

namespace cltrack {
namespace {

using Json = nlohmann::json;
using test::error_of;
using testing::HasSubstr;

Patch patch_of(int seed) {
  Patch patch;
  for (int i = 0; i < kPatchPixels; ++i) {
    patch.pixels[static_cast<std::size_t>(i)] =
        static_cast<std::int16_t>((i % 3 - 1) * 16 * (seed + 1));
  }
  patch.set_norm();
  return patch;
}

SavedTarget small_target() {
  SavedTarget saved{.frame_width = 640,
                    .frame_height = 480,
                    .width = 40.3f,
                    .height = 33.1f,
                    .minimum_variance = 123.4f,
                    .fern_threshold = 0.5f,
                    .nn_threshold = 0.65f,
                    .nn_valid_threshold = 0.7f,
                    .points = {{0, 0.1f, 0.25f, 1}, {1.0f / 3, 0.7f, 0.9f, 0.7f}},
                    .tables = FernTables(1, 2),
                    .positives = {patch_of(0), patch_of(1)},
                    .negatives = {patch_of(2)}};
  saved.tables.counts = {{0, 0}, {3, 1}, {0, 7}, {1, 0}};
  saved.tables.posteriors = {0, posterior({3, 1}), 0, posterior({1, 0})};
  return saved;
}

std::string text_of(const SavedTarget& saved) {
  return SavedModel(std::make_shared<const SavedTarget>(saved)).text();
}

std::string changed(const std::function<void(Json&)>& change) {
  Json json = Json::parse(text_of(small_target()));
  change(json);
  return json.dump();
}

std::string refusal(const std::string& text) {
  const Error error = error_of([&] { SavedModel::parse(text); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  return error.what();
}

TEST(SavedModel, IsReadAsItWasWritten) {
  const SavedTarget saved = small_target();
  const SavedModel model = SavedModel::parse(text_of(saved));
  EXPECT_EQ(model.target(), saved);
  EXPECT_EQ(model.text(), text_of(saved));
}

TEST(SavedModel, HasTheTemplateOfANetworkIfThereWasOne) {
  SavedTarget saved = small_target();
  EXPECT_FALSE(Json::parse(text_of(saved)).contains("template"));
  saved.shown = {0, 7, 255};
  EXPECT_EQ(SavedModel::parse(text_of(saved)).target(), saved);
  const TargetModel model = restore_model(saved, {.ferns = 1, .pairs = 2}, 1, 640, 480);
  EXPECT_EQ(model.shown, saved.shown);
  EXPECT_EQ(save_target(model, saved.tables, 640, 480).shown, saved.shown);
  const auto with = [](const Json& value) {
    return refusal(changed([&](Json& json) { json["template"] = value; }));
  };
  EXPECT_THAT(with({1, 256}), HasSubstr("a pixel of template"));
  EXPECT_THAT(with({1, 0.5}), HasSubstr("a pixel of template is not a whole number"));
  EXPECT_THAT(with(1), HasSubstr("template is not a list"));
}

TEST(SavedModel, PosteriorsAndNormsAreThoseOfWhatWasObserved) {
  const std::string text = changed([](Json& json) { json["observations"] = {1, 1, 1}; });
  const SavedModel model = SavedModel::parse(text);
  EXPECT_EQ(model.target().tables.posteriors[1], kPosteriorOne / 2);
  EXPECT_EQ(model.target().positives[1].norm, patch_of(1).norm);
}

// Such are in files of earlier versions.
TEST(SavedModel, LargeCountsAreHalvedUntilTheyFit) {
  const std::string text = changed([](Json& json) { json["observations"] = {1, 200000, 3}; });
  const SavedModel model = SavedModel::parse(text);
  EXPECT_EQ(model.target().tables.counts[1], (LeafCount{50000, 1}));
}

TEST(SavedModel, RefusesWhatWasCutOff) {
  const std::string text = text_of(small_target());
  for (std::size_t size = 0; size < text.size(); ++size) refusal(text.substr(0, size));
}

TEST(SavedModel, RefusesWhatIsSomethingElse) {
  EXPECT_THAT(refusal("\x89PNG\r\n"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("no JSON object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("no format"));
  EXPECT_THAT(refusal(R"({"format": 7})"), HasSubstr("format is another"));
  EXPECT_THAT(refusal(changed([](Json& json) { json["version"] = 2; })), HasSubstr("version is 2"));
  EXPECT_THAT(refusal(std::string(SavedModel::kLargest + 1, ' ')), HasSubstr("bytes; at most"));
}

// As deep as nesting can be in so many bytes: it must not take the stack.
TEST(SavedModel, RefusesWhatIsNestedDeeply) {
  const std::size_t depth = SavedModel::kLargest / 2;
  EXPECT_THAT(refusal(std::string(depth, '[')), HasSubstr("nested"));
  EXPECT_THAT(refusal(std::string(depth, '[') + std::string(depth, ']')), HasSubstr("nested"));
}

TEST(SavedModel, RefusesFieldsThatAreMissing) {
  const Json json = Json::parse(text_of(small_target()));
  for (const auto& entry : json.items()) {
    const std::string& name = entry.key();
    EXPECT_THAT(refusal(changed([&](Json& less) { less.erase(name); })), HasSubstr("no " + name));
  }
}

// None of these may be believed, and no memory be taken for it.
TEST(SavedModel, RefusesNumbersThatCannotBe) {
  const auto with = [](const char* name, const Json& value) {
    return refusal(changed([&](Json& json) { json[name] = value; }));
  };
  for (const char* name : {"frame-width", "frame-height", "ferns", "pairs"}) {
    for (const Json& value : {Json(0), Json(-1), Json(1e300), Json(1ull << 63), Json("1"),
                              Json(2.5), Json(nullptr), Json(Json::array())}) {
      EXPECT_THAT(with(name, value), HasSubstr(name));
    }
  }
  for (const char* name : {"width", "height", "minimum-variance", "fern-threshold", "nn-threshold",
                           "nn-valid-threshold"}) {
    for (const Json& value : {Json(-1), Json(1e300), Json("1"), Json(nullptr)}) {
      EXPECT_THAT(with(name, value), HasSubstr(name));
    }
  }
  EXPECT_THAT(with("points", {0, 0, 0}), HasSubstr("points has 3 entries instead of 8"));
  EXPECT_THAT(with("points", {0, 0, 0, 0, 0, 0, 0, 1.01}), HasSubstr("coordinate"));
  EXPECT_THAT(with("points", 3), HasSubstr("not a list"));
  EXPECT_THAT(with("observations", {0, 1}), HasSubstr("multiple of 3"));
  EXPECT_THAT(with("observations", {4, 1, 1}), HasSubstr("code"));
  EXPECT_THAT(with("observations", {1, 1, 1, 1, 1, 1}), HasSubstr("code"));
  EXPECT_THAT(with("observations", {1, -1, 1}), HasSubstr("count"));
  EXPECT_THAT(with("observations", {1, 1, 1'000'000'001}), HasSubstr("count"));
  EXPECT_THAT(with("observations", Json(std::vector<int>(15, 0))), HasSubstr("at most 12"));
}

TEST(SavedModel, RefusesPatchesThatCannotBe) {
  const auto with = [](const std::vector<int>& pixels) {
    return refusal(changed([&](Json& json) { json["negatives"] = Json::array({pixels}); }));
  };
  EXPECT_THAT(with(std::vector<int>(kPatchPixels - 1)), HasSubstr("225 pixels"));
  EXPECT_THAT(with(std::vector<int>(kPatchPixels, 4081)), HasSubstr("a pixel is not"));
  // The sum of their squares does not fit in 32 bits.
  EXPECT_THAT(with(std::vector<int>(kPatchPixels, 4080)), HasSubstr("relative to their mean"));
  std::vector<int> wide(kPatchPixels);
  for (std::size_t i = 0; i + 1 < wide.size(); ++i) wide[i] = i % 2 == 0 ? 4080 : -4080;
  EXPECT_THAT(with(wide), HasSubstr("relative to their mean"));
  EXPECT_THAT(refusal(changed([](Json& json) { json["positives"] = Json::array(); })),
              HasSubstr("no positives"));
  EXPECT_THAT(refusal(changed([](Json& json) {
                json["positives"] = {{1, 2}};
              })),
              HasSubstr("positives has a patch"));
}

// Whatever is changed in it, it is read or refused.
TEST(SavedModel, AnyOtherByteDoesNoHarm) {
  const std::string text = text_of(small_target());
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string other = text;
    for (std::uint32_t n = random.below(3) + 1; n > 0; --n) {
      other[random.below(static_cast<std::uint32_t>(other.size()))] =
          static_cast<char>(random.below(256));
    }
    try {
      SavedModel::parse(other).text();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
    }
  }
}

Patch small_patch(int value) {
  Patch patch;
  patch.pixels[0] = static_cast<std::int16_t>(value);
  patch.pixels[1] = static_cast<std::int16_t>(-value);
  patch.set_norm();
  return patch;
}

SavedTarget saved_target(const TldConfig& config) {
  TargetModel model(40, 30, config, 3);
  model.minimum_variance = 12;
  model.fern_threshold = 0.6f;
  model.nn_threshold = 0.7f;
  model.nn_valid_threshold = 0.8f;
  const std::vector<Patch> positives = {small_patch(1), small_patch(2), small_patch(3)};
  const std::vector<Patch> negatives = {small_patch(4), small_patch(5), small_patch(6)};
  model.patches.restore(positives, negatives);
  FernTables tables = model.ferns.tables();
  tables.counts[5].positives = 2;
  tables.posteriors[5] = posterior({2, 0});
  return save_target(model, tables, 320, 240);
}

TEST(SavedTarget, TheModelIsTheSameAgain) {
  const TldConfig config;
  const SavedTarget saved = saved_target(config);
  const TargetModel model = restore_model(saved, config, 9, 320, 240);
  EXPECT_EQ(save_target(model, model.ferns.tables(), 320, 240), saved);
  EXPECT_EQ(model.patches.positives().size(), 3u);
  EXPECT_EQ(model.ferns.tables().counts[5].positives, 2);
  EXPECT_EQ(model.nn_valid_threshold, 0.8f);
}

TEST(SavedTarget, IsAsLargeAsTheFrames) {
  const TldConfig config;
  const SavedTarget saved = saved_target(config);
  const TargetModel twice = restore_model(saved, config, 9, 640, 480);
  EXPECT_FLOAT_EQ(twice.width, 80);
  EXPECT_FLOAT_EQ(twice.height, 60);
  const TargetModel tiny = restore_model(saved, config, 9, 16, 8);
  EXPECT_FLOAT_EQ(tiny.width, 8);
  EXPECT_FLOAT_EQ(tiny.height, 8);
  const TargetModel wide = restore_model(saved, config, 9, 4000, 10);
  EXPECT_FLOAT_EQ(wide.height, 10);
}

TEST(SavedTarget, KeepsToTheLimitsOfTheTracker) {
  const SavedTarget saved = saved_target({});
  TldConfig config;
  config.max_positive_patches = 2;
  config.max_negative_patches = 1;
  const TargetModel model = restore_model(saved, config, 9, 320, 240);
  EXPECT_THAT(model.patches.positives(), testing::ElementsAre(small_patch(1), small_patch(2)));
  EXPECT_THAT(model.patches.negatives(), testing::ElementsAre(small_patch(6)));
}

TEST(SavedTarget, OtherFernsAreRefused) {
  const SavedTarget saved = saved_target({});
  check_ferns(saved, {});
  TldConfig fewer, shorter;
  fewer.ferns = 3;
  shorter.pairs = 7;
  test::expect_rejected([&] { check_ferns(saved, fewer); }, {"10 ferns of 13", "3 ferns of 13"});
  test::expect_rejected([&] { check_ferns(saved, shorter); }, {"10 ferns of 13", "10 ferns of 7"});
}

}  // namespace
}  // namespace cltrack
