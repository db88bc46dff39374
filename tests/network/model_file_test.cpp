// SPDX-License-Identifier: LGPL-2.1-or-later
#include "network/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "cltrack/network.h"
#include "core/random.h"
#include "support/errors.h"
#include "support/random_network.h"

namespace cltrack {
namespace {

using Json = nlohmann::json;
using test::error_of;
using test::NetworkFile;
using testing::HasSubstr;

const NetworkFile& network() {
  static const NetworkFile file = test::RandomNetwork::make(1);
  return file;
}

std::string refusal(const std::string& bytes) {
  const Error error = error_of([&] { NetworkModel::parse(bytes); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("not a model of a network: "));
  return error.what();
}

std::string refusal_of(const std::function<void(Json&)>& change) {
  NetworkFile file = network();
  change(file.description);
  return refusal(file.bytes());
}

// Of the layer of a part, the last one if `index` is less than 0.
std::string refusal_of(const char* part, int index, const Json& changes) {
  return refusal_of([&](Json& json) {
    Json& layers = json[part];
    layers[index < 0 ? layers.size() - 1 : static_cast<std::size_t>(index)].update(changes);
  });
}

TEST(ModelFile, IsReadAsItWasWritten) {
  const NetworkModel model = NetworkModel::parse(network().bytes());
  EXPECT_EQ(model.name, "random");
  EXPECT_EQ(model.template_side, 31);
  EXPECT_EQ(model.search_side, 63);
  EXPECT_EQ(model.stride, 8);
  EXPECT_EQ(model.channels, network().description["channels"].get<std::vector<int>>());
  EXPECT_EQ(model.weights, network().weights);
  ASSERT_EQ(model.backbone.size(), 12u);
  ASSERT_EQ(model.of_template.size(), 3u);
  ASSERT_EQ(model.of_search.size(), 11u);
  NetworkLayer first;
  first.kind = LayerKind::convolution;
  first.activation = Activation::hard_swish;
  first.output = 1;
  first.channels = 8;
  first.kernel = 3;
  first.stride = 2;
  first.pad = 1;
  first.bias = 27 * 8;
  EXPECT_EQ(model.backbone[0], first);
  EXPECT_TRUE(model.backbone[11].adds);
  EXPECT_TRUE(model.of_template[1].transposed);
  EXPECT_EQ(model.of_template[0].pad, -1);
  EXPECT_EQ(model.of_search[7].first_channel, 9);
  EXPECT_EQ(model.of_search[7].kernels, model.of_template[2].output);
}

TEST(ModelFile, MapsAreAsLargeAsKernelsLeaveThem) {
  const NetworkModel model = NetworkModel::parse(network().bytes());
  const auto of_template = tensor_shapes(model, template_parts(model), 31, {});
  const auto of_search = tensor_shapes(model, search_parts(model), 63, of_template);
  const auto at = [](const auto& shapes, int tensor) {
    return shapes[static_cast<std::size_t>(tensor)].side;
  };
  EXPECT_EQ(at(of_template, model.backbone[0].output), 16);
  EXPECT_EQ(at(of_template, model.features), 4);
  EXPECT_EQ(at(of_template, model.of_template[0].output), 2);
  EXPECT_EQ(at(of_template, model.scores), 0);
  EXPECT_EQ(at(of_search, model.features), 8);
  EXPECT_EQ(at(of_search, model.scores), 7);
  EXPECT_EQ(at(of_search, model.of_template[0].output), 0);
}

TEST(ModelFile, RefusesWhatWasCutOff) {
  const std::string bytes = network().bytes();
  for (std::size_t size = 0; size < bytes.size(); size += size < 100 ? 1 : 97) {
    refusal(bytes.substr(0, size));
  }
  EXPECT_THAT(refusal(bytes.substr(0, 20)), HasSubstr("cut off"));
  EXPECT_THAT(refusal(bytes.substr(0, bytes.size() - 1)), HasSubstr("cut off or damaged"));
  EXPECT_THAT(refusal(bytes + '\0'), HasSubstr("cut off or damaged"));
}

TEST(ModelFile, RefusesWhatIsDamaged) {
  const std::string bytes = network().bytes();
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    std::string other = bytes;
    char& byte = other[random.below(static_cast<std::uint32_t>(other.size()))];
    byte = static_cast<char>(byte ^ 1 << random.below(8));
    refusal(other);
  }
  std::string other = bytes;
  other[other.size() / 2] ^= 1;
  EXPECT_THAT(refusal(other), HasSubstr("checksum"));
}

TEST(ModelFile, RefusesWhatIsSomethingElse) {
  EXPECT_THAT(refusal(""), HasSubstr("something else"));
  EXPECT_THAT(refusal("\x89PNG\r\n"), HasSubstr("something else"));
  EXPECT_THAT(refusal(std::string(Network::kLargest + 1, ' ')), HasSubstr("bytes; at most"));
  EXPECT_THAT(refusal(NetworkFile::sealed(2, 2, 0, "{}")), HasSubstr("version is 2"));
  EXPECT_THAT(refusal(NetworkFile::sealed(1, 2, 0, "{}")), HasSubstr("it has no name"));
  EXPECT_THAT(refusal(NetworkFile::sealed(1, 3, 0, "{,}")), HasSubstr("not JSON"));
  EXPECT_THAT(refusal(NetworkFile::sealed(1, 2, 0xFFFFFFFF, "{}")), HasSubstr("cut off"));
  EXPECT_THAT(refusal(NetworkFile::sealed(1, 0xFFFFFFFF, 0, "{}")), HasSubstr("cut off"));
  const std::string text((1 << 20) + 1, ' ');
  EXPECT_THAT(refusal(NetworkFile::sealed(1, (1 << 20) + 1, 0, text)),
              HasSubstr("description has"));
  const std::string deep(100000, '[');
  EXPECT_THAT(refusal(NetworkFile::sealed(1, 100000, 0, deep)), HasSubstr("nested"));
}

TEST(ModelFile, RefusesWeightsThatAreNoNumbers) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    NetworkFile file = network();
    file.weights[7] = value;
    EXPECT_THAT(refusal(file.bytes()), HasSubstr("weight 7 is no number"));
  }
}

TEST(ModelFile, RefusesFieldsThatAreMissing) {
  for (const auto& entry : network().description.items()) {
    const std::string& name = entry.key();
    EXPECT_THAT(refusal_of([&](Json& json) { json.erase(name); }), HasSubstr("no " + name));
  }
  for (const char* part : {"backbone", "template", "search"}) {
    for (std::size_t i = 0; i < network().description[part].size(); ++i) {
      for (const auto& entry : network().description[part][i].items()) {
        const std::string& name = entry.key();
        const std::string what = refusal_of([&](Json& json) { json[part][i].erase(name); });
        EXPECT_THAT(what, HasSubstr("in layer ")) << name;
      }
    }
  }
}

// None of these may be believed, and no memory be taken for it.
TEST(ModelFile, RefusesNumbersThatCannotBe) {
  const Json wrong = {-1, 0, 1e300, 1ull << 63, "1", 2.5, nullptr, Json::array(), 1 << 30};
  for (const char* name : {"template-side", "search-side", "stride"}) {
    for (const Json& value : wrong) {
      EXPECT_THAT(refusal_of([&](Json& json) { json[name] = value; }), HasSubstr(name));
    }
  }
  for (const char* name : {"features", "scores", "boxes"}) {
    for (const Json& value : {Json(-1), Json(1000), Json("1"), Json(nullptr), Json(2.5)}) {
      EXPECT_THAT(refusal_of([&](Json& json) { json[name] = value; }), HasSubstr(name));
    }
  }
  EXPECT_THAT(refusal_of([](Json& json) { json["scores"] = json["boxes"]; }), HasSubstr("scores"));
  EXPECT_THAT(refusal_of([](Json& json) { json["boxes"] = 4; }), HasSubstr("boxes"));
  EXPECT_THAT(refusal_of([](Json& json) { json["features"] = json["template"][0]["output"]; }),
              HasSubstr("features"));
  EXPECT_THAT(refusal_of([](Json& json) { json["mean"] = {0, 0}; }), HasSubstr("mean"));
  EXPECT_THAT(refusal_of([](Json& json) { json["mean"] = {0, 0, 256}; }), HasSubstr("mean"));
  EXPECT_THAT(refusal_of([](Json& json) { json["channels"] = Json::array(); }),
              HasSubstr("3 colours"));
  EXPECT_THAT(refusal_of([](Json& json) { json["channels"][0] = 4; }), HasSubstr("3 colours"));
  EXPECT_THAT(refusal_of([](Json& json) { json["channels"][1] = 4097; }), HasSubstr("channels"));
  EXPECT_THAT(refusal_of([](Json& json) { json["channels"] = Json(std::vector<int>(1001, 1)); }),
              HasSubstr("at most 1000"));
  EXPECT_THAT(refusal_of([](Json& json) { json["name"] = std::string(201, 'a'); }),
              HasSubstr("at most 200"));
  EXPECT_THAT(refusal_of([](Json& json) { json["backbone"] = 3; }), HasSubstr("not a list"));
  EXPECT_THAT(refusal_of([](Json& json) { json["backbone"][0] = 3; }), HasSubstr("a layer"));
}

TEST(ModelFile, RefusesLayersThatCannotBe) {
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"op", "deconvolution"},
                                                           {"op", 7},
                                                           {"activation", "gelu"},
                                                           {"input", 1000},
                                                           {"output", -1},
                                                           {"kernel", 0},
                                                           {"kernel", 32},
                                                           {"stride", 0},
                                                           {"stride", 65},
                                                           {"pad", 3},
                                                           {"pad", -1025},
                                                           {"weights", -1},
                                                           {"weights", 1 << 30},
                                                           {"bias", 1e9}}) {
    EXPECT_THAT(refusal_of("backbone", 0, {{name, value}}),
                testing::AllOf(HasSubstr(name), HasSubstr("in layer 0 of backbone")));
  }
  const auto last = network().weights.size() - 1;
  EXPECT_THAT(refusal_of("backbone", 0, {{"weights", last}}), HasSubstr("216 weights"));
  EXPECT_THAT(refusal_of("backbone", 2, {{"hidden", 0}}), HasSubstr("hidden"));
  EXPECT_THAT(refusal_of("backbone", 2, {{"squeeze", last}}), HasSubstr("squeeze"));
  EXPECT_THAT(refusal_of("backbone", 3, {{"activation", "exp"}}), HasSubstr("e^x"));
  EXPECT_THAT(refusal_of("backbone", -1, {{"adds", 1}}), HasSubstr("adds"));
  EXPECT_THAT(refusal_of("search", 7, {{"first", 19}}), HasSubstr("first"));
  EXPECT_THAT(refusal_of("search", 7, {{"channels", 11}}), HasSubstr("channels"));
}

TEST(ModelFile, RefusesLayersThatDoNotFitEachOther) {
  // Reads what is made later, or what it writes, or writes the picture.
  EXPECT_THAT(refusal_of("backbone", 1, {{"input", 4}}), HasSubstr("not there"));
  EXPECT_THAT(refusal_of("backbone", 1, {{"output", 1}}), HasSubstr("writes tensor 1"));
  EXPECT_THAT(refusal_of("backbone", 0, {{"output", 0}}), HasSubstr("writes tensor 0"));
  // Makes what is there already.
  EXPECT_THAT(refusal_of("backbone", 11, {{"adds", false}}), HasSubstr("does not fit into"));
  // Parts that leave something out, or lie above each other.
  EXPECT_THAT(refusal_of("search", 7, {{"first", 8}}), HasSubstr("does not fit into"));
  EXPECT_THAT(refusal_of("search", 5, {{"channels", 8}}), HasSubstr("does not fit into"));
  EXPECT_THAT(refusal_of("search", 7, {{"pad", 1}}), HasSubstr("does not fit into"));
  // Kernels that are not of the template, or of another kind.
  EXPECT_THAT(refusal_of("search", 1, {{"kernels", 1}}), HasSubstr("its kernels"));
  EXPECT_THAT(refusal_of("search", 7, {{"kernels", 0}}), HasSubstr("its kernels"));
  EXPECT_THAT(refusal_of("search", 7, {{"kernel", 3}, {"pad", 1}}), HasSubstr("its kernels"));
  EXPECT_THAT(
      refusal_of([](Json& json) {
        Json& channels = json["channels"];
        const Json by_the_picture = {
            {"op", "depthwise"},         {"activation", "none"}, {"input", 0},  {"kernels", 0},
            {"output", channels.size()}, {"kernel", 31},         {"stride", 1}, {"pad", 0}};
        channels.push_back(3);
        json["search"].push_back(by_the_picture);
      }),
      HasSubstr("tensor 0 of the template does not fit as its kernels"));
  EXPECT_THAT(refusal_of("template", 1, {{"transposed", false}}), HasSubstr("its kernels"));
  EXPECT_THAT(refusal_of("template", 2, {{"transposed", true}}), HasSubstr("its kernels"));
  EXPECT_THAT(refusal_of("template", 0, {{"kernels", 7}}), HasSubstr("its kernels"));
  EXPECT_THAT(refusal_of("search", 0, {{"transposed", true}}), HasSubstr("does not fit into"));
  // Gates and scales of something else.
  EXPECT_THAT(refusal_of("backbone", 3, {{"input", 1}}), HasSubstr("not its gates"));
  EXPECT_THAT(refusal_of("backbone", 3, {{"output", 1}, {"input", 2}}), HasSubstr("not its gates"));
  // Kernels that reach beyond all.
  EXPECT_THAT(refusal_of("template", 0, {{"pad", -2}}), HasSubstr("does not fit into a map of 4"));
  EXPECT_THAT(refusal_of([](Json& json) { json["search"].erase(10); }), HasSubstr("boxes"));
  EXPECT_THAT(refusal_of([](Json& json) {
                json["search-side"] = 62;
                json["template-side"] = 40;
              }),
              HasSubstr("its kernels"));
}

TEST(ModelFile, RefusesWindowsThatReachFar) {
  NetworkFile file = network();
  file.description["search-side"] = 119;
  EXPECT_EQ(NetworkModel::parse(file.bytes()).search_side, 119);
  EXPECT_THAT(refusal_of([](Json& json) { json["search-side"] = 127; }),
              HasSubstr("search-side is more than 4 times template-side"));
}

TEST(ModelFile, RefusesWhatTakesTooLong) {
  EXPECT_THAT(refusal_of([](Json& json) {
                json["search-side"] = 1024;
                json["template-side"] = 1023;
                json["backbone"][0]["stride"] = json["backbone"][1]["stride"] = 1;
              }),
              HasSubstr("gates of a map that is too large"));
  EXPECT_THAT(refusal_of([](Json& json) {
                json["backbone"][0]["stride"] = 1;
                json["search-side"] = 1024;
                json["template-side"] = 1024;
                for (int i = 0; i < 20; ++i) {
                  json["channels"].push_back(8);
                  Json layer = json["backbone"][0];
                  layer["output"] = json["channels"].size() - 1;
                  json["backbone"].push_back(layer);
                }
              }),
              testing::AnyOf(HasSubstr("too many products"), HasSubstr("too much memory")));
}

// Whatever is changed in it, it is read or refused.
TEST(ModelFile, AnyOtherDescriptionDoesNoHarm) {
  const std::string text = network().description.dump();
  Random random(7);
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string other = text;
    for (std::uint32_t n = random.below(3) + 1; n > 0; --n) {
      char& byte = other[random.below(static_cast<std::uint32_t>(other.size()))];
      byte = static_cast<char>(random.below(4) > 0 ? '0' + random.below(10) : random.below(256));
    }
    std::string rest = other;
    rest.resize(other.size() + network().weights.size() * sizeof(float));
    try {
      NetworkModel::parse(NetworkFile::sealed(1, static_cast<std::uint32_t>(other.size()),
                                              static_cast<std::uint32_t>(network().weights.size()),
                                              rest));
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
    }
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace cltrack
