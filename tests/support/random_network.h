// SPDX-License-Identifier: LGPL-2.1-or-later
// A tiny Siamese network of random weights, as a file: all kinds of layers that NanoTrack has, with
// odd numbers of channels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"

namespace cltrack::test {

struct NetworkFile {
  nlohmann::json description;
  std::vector<float> weights;

  std::string bytes() const {
    const std::string text = description.dump();
    std::string rest = text;
    rest.resize(text.size() + weights.size() * sizeof(float));
    std::memcpy(rest.data() + text.size(), weights.data(), weights.size() * sizeof(float));
    return sealed(1, static_cast<std::uint32_t>(text.size()),
                  static_cast<std::uint32_t>(weights.size()), rest);
  }

  // With a head that says so, and the checksum of `rest`.
  static std::string sealed(std::uint32_t version, std::uint32_t text_bytes, std::uint32_t count,
                            const std::string& rest) {
    std::string head = "cltrack network\n";
    for (const std::uint32_t value : {version, text_bytes, count, checksum(rest)}) {
      for (int shift = 0; shift < 32; shift += 8) head += static_cast<char>(value >> shift & 0xFF);
    }
    return head + rest;
  }

  // CRC-32, bit by bit.
  static std::uint32_t checksum(const std::string& bytes) {
    std::uint32_t value = 0xFFFFFFFF;
    for (const char byte : bytes) {
      value ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1) * 0xEDB88320u;
    }
    return ~value;
  }
};

class RandomNetwork {
 public:
  // For pictures of 31 and 63 pixels: maps of 4 and 8 places, answers of 7.
  static NetworkFile make(std::uint64_t seed) {
    RandomNetwork network(seed);
    return network.finish();
  }

  // The same, whose answer is the same at every place, whatever it looks at: a score, and how far
  // left, top, right and bottom are from the place, pixels of the search window.
  static NetworkFile constant(float score, const std::array<float, 4>& edges) {
    NetworkFile file = make(1);
    const Json& search = file.description["search"];
    const auto set = [&](const Json& layer, std::initializer_list<float> values) {
      std::fill_n(at(file, layer["weights"]), std::size_t{8} * row(1), 0.0f);
      std::copy(values.begin(), values.end(), at(file, layer["bias"]));
    };
    set(search[search.size() - 2], {0, std::log(score / (1 - score))});
    set(search.back(),
        {std::log(edges[0]), std::log(edges[1]), std::log(edges[2]), std::log(edges[3])});
    return file;
  }

 private:
  using Json = nlohmann::json;

  explicit RandomNetwork(std::uint64_t seed) : random_(seed) {}

  static std::vector<float>::iterator at(NetworkFile& file, const Json& index) {
    return file.weights.begin() + index.get<std::ptrdiff_t>();
  }
  static std::size_t row(int outputs) { return static_cast<std::size_t>((outputs + 7) / 8 * 8); }

  int tensor(int channels) {
    channels_.push_back(channels);
    return static_cast<int>(channels_.size()) - 1;
  }
  int channels(int tensor) const { return channels_[static_cast<std::size_t>(tensor)]; }

  // A matrix whose rows are padded, with values that keep sums of `inputs` products near 1.
  std::size_t matrix(int inputs, int outputs, std::size_t padded) {
    const std::size_t first = weights_.size();
    const float most = std::sqrt(3 / static_cast<float>(inputs));
    for (int i = 0; i < inputs; ++i) {
      for (std::size_t k = 0; k < padded; ++k) {
        weights_.push_back(k < static_cast<std::size_t>(outputs) ? random_.uniform(-most, most)
                                                                 : 0);
      }
    }
    return first;
  }
  std::size_t bias(int outputs) {
    const std::size_t first = weights_.size();
    for (int k = 0; k < outputs; ++k) weights_.push_back(random_.uniform(-0.5f, 0.5f));
    weights_.resize(first + row(outputs));
    return first;
  }

  static Json layer(const char* op, int input, int output, const char* activation) {
    return {{"op", op}, {"input", input}, {"output", output}, {"activation", activation}};
  }
  void kernel(Json& json, int side, int stride, int pad) {
    json.update({{"kernel", side}, {"stride", stride}, {"pad", pad}});
  }

  int convolution(Json& part, int input, int outputs, int side, int stride, int pad) {
    Json json = layer("convolution", input, tensor(outputs), "hard-swish");
    kernel(json, side, stride, pad);
    json["weights"] = matrix(side * side * channels(input), outputs, row(outputs));
    json["bias"] = bias(outputs);
    part.push_back(json);
    return json["output"];
  }
  int depthwise(Json& part, int input, int side, int stride, int pad, const char* activation) {
    const int outputs = channels(input);
    Json json = layer("depthwise", input, tensor(outputs), activation);
    kernel(json, side, stride, pad);
    json["weights"] = matrix(side * side, outputs, static_cast<std::size_t>(outputs));
    json["bias"] = bias(outputs);
    part.push_back(json);
    return json["output"];
  }
  int pointwise(Json& part, int input, int outputs, const char* activation,
                const Json& more = Json::object()) {
    Json json = layer("pointwise", input, 0, activation);
    json["weights"] = matrix(channels(input), outputs, row(outputs));
    json["bias"] = bias(outputs);
    json.update(more);
    if (!more.contains("output")) json["output"] = tensor(outputs);
    part.push_back(json);
    return json["output"];
  }
  void excite(Json& part, int input, int hidden, const char* gates, const char* activation) {
    const int outputs = channels(input);
    Json json = layer("gates", input, tensor(outputs), gates);
    json["hidden"] = hidden;
    json["squeeze"] = matrix(outputs, hidden, row(hidden));
    json["squeeze-bias"] = bias(hidden);
    json["excite"] = matrix(hidden, outputs, row(outputs));
    json["excite-bias"] = bias(outputs);
    part.push_back(json);
    part.push_back(layer("scale", json["output"], input, activation));
  }

  NetworkFile finish() {
    Json backbone = Json::array(), of_template = Json::array(), of_search = Json::array();
    const int picture = tensor(3);
    const int first = convolution(backbone, picture, 8, 3, 2, 1);
    const int second = depthwise(backbone, first, 3, 2, 1, "relu");
    excite(backbone, second, 5, "hard-sigmoid", "none");
    const int third = pointwise(backbone, second, 12, "relu");
    const int fourth = depthwise(backbone, third, 5, 2, 2, "none");
    excite(backbone, fourth, 3, "hard-sigmoid", "hard-swish");
    const int features = pointwise(backbone, fourth, 10, "none");
    const int wide = pointwise(backbone, features, 20, "hard-swish");
    const int last = depthwise(backbone, wide, 3, 1, 1, "relu6");
    pointwise(backbone, last, 10, "none", {{"output", features}, {"adds", true}});

    const int middle = depthwise(of_template, features, 1, 1, -1, "none");
    const int places = pointwise(of_template, features, 10, "none", {{"transposed", true}});
    const int kernels = pointwise(of_template, middle, 10, "none");

    const int search = pointwise(of_search, features, 10, "none");
    const int product = tensor(16);
    Json json = layer("pointwise", search, product, "none");
    json["kernels"] = places;
    of_search.push_back(json);
    excite(of_search, product, 16, "sigmoid", "none");
    const int narrow = depthwise(of_search, product, 2, 1, 0, "relu6");
    const int both = tensor(19);
    pointwise(of_search, narrow, 9, "none", {{"output", both}, {"first", 0}, {"channels", 9}});
    const int other = pointwise(of_search, features, 10, "none");
    json = layer("depthwise", other, both, "none");
    kernel(json, 2, 1, 0);
    json.update({{"kernels", kernels}, {"first", 9}, {"channels", 10}});
    of_search.push_back(json);
    const int answer = pointwise(of_search, both, 8, "relu6");
    const int scores = pointwise(of_search, answer, 2, "none");
    const int boxes = pointwise(of_search, answer, 4, "exp");
    return {{{"name", "random"},
             {"template-side", 31},
             {"search-side", 63},
             {"stride", 8},
             {"mean", {0, 0, 0}},
             {"channels", channels_},
             {"features", features},
             {"scores", scores},
             {"boxes", boxes},
             {"backbone", backbone},
             {"template", of_template},
             {"search", of_search}},
            weights_};
  }

  Random random_;
  std::vector<int> channels_;
  std::vector<float> weights_;
};

}  // namespace cltrack::test
