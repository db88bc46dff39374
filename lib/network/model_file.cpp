// SPDX-License-Identifier: LGPL-2.1-or-later
#include "network/model_file.h"

#include <bit>
#include <cmath>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/network.h"
#include "core/json_fields.h"
#include "ops/network/gates.h"

namespace cltrack {
namespace {

using Json = nlohmann::json;
using namespace json;

constexpr std::string_view kMagic = "cltrack network\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHead = 32;  // bytes: magic, and four numbers
constexpr std::size_t kMostWeights = Network::kLargest / sizeof(float);
constexpr std::size_t kLongestText = 1 << 20;  // of the description: NanoTrack's have 8 and 10 kB
constexpr int kDeepest = 3;                    // objects within lists within the object
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kMostLayers = 1000;  // of a part
constexpr std::size_t kMostTensors = 1000;
constexpr int kMostChannels = 4096;
constexpr int kLargestSide = 1024;
constexpr int kLargestKernel = 31;
constexpr int kLargestStride = 64;
constexpr int kLargestReach = 4;  // sides of the template that a search window has: NanoTrack's 2
constexpr double kMostValues = 1 << 26;  // of all tensors of a part
constexpr double kMostProducts = 2e9;    // of a part: a second or so on one core
constexpr double kLargestMean = 255;

// As zlib has it.
std::uint32_t crc32(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> all;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
      all[i] = value;
    }
    return all;
  }();
  std::uint32_t value = 0xFFFFFFFF;
  for (const char byte : bytes) {
    value = table[(value ^ static_cast<unsigned char>(byte)) & 0xFF] ^ value >> 8;
  }
  return ~value;
}

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

// Fields of the description, of which none is believed.

int integer(const Json& json, const std::string& name, int lowest, int highest) {
  if (!json.is_number_integer()) refuse(name + " is not a whole number");
  const double value = json.get<double>();
  if (value >= lowest && value <= highest) return static_cast<int>(value);
  refuse(name + " is not from " + std::to_string(lowest) + " to " + std::to_string(highest));
}

int integer_field(const Json& json, const char* name, int lowest, int highest) {
  return integer(field(json, name), name, lowest, highest);
}

bool flag(const Json& json, const char* name) {
  if (!json.contains(name)) return false;
  if (!json[name].is_boolean()) refuse(std::string(name) + " is neither true nor false");
  return json[name].get<bool>();
}

template <typename Value, std::size_t count>
Value named(const Json& json, const char* name,
            const std::pair<const char*, Value> (&names)[count]) {
  const Json& text = field(json, name);
  for (const auto& [known, value] : names) {
    if (text == known) return value;
  }
  refuse(std::string(name) + " is " + text.dump(-1, ' ', true, Json::error_handler_t::replace) +
         ", which is not known");
}

constexpr std::pair<const char*, LayerKind> kKinds[] = {{"convolution", LayerKind::convolution},
                                                        {"depthwise", LayerKind::depthwise},
                                                        {"pointwise", LayerKind::pointwise},
                                                        {"gates", LayerKind::gates},
                                                        {"scale", LayerKind::scale}};
constexpr std::pair<const char*, Activation> kActivations[] = {
    {"none", Activation::none},
    {"relu", Activation::relu},
    {"relu6", Activation::relu6},
    {"hard-swish", Activation::hard_swish},
    {"hard-sigmoid", Activation::hard_sigmoid},
    {"sigmoid", Activation::sigmoid},
    {"exp", Activation::exp}};

int tensor_field(const Json& json, const char* name, const NetworkModel& model) {
  return integer_field(json, name, 0, static_cast<int>(model.channels.size()) - 1);
}

int channels_of(const NetworkModel& model, int tensor) {
  return model.channels[static_cast<std::size_t>(tensor)];
}

// Where `count` weights begin that the file has.
std::size_t place(const Json& json, const char* name, std::size_t count,
                  const NetworkModel& model) {
  const auto first =
      static_cast<std::size_t>(integer_field(json, name, 0, static_cast<int>(kMostWeights)));
  if (first + count > model.weights.size()) {
    refuse(std::string(name) + " has " + std::to_string(count) + " weights from " +
           std::to_string(first) + " on, and the file has " + std::to_string(model.weights.size()));
  }
  return first;
}

NetworkLayer parse_layer(const Json& json, const NetworkModel& model) {
  if (!json.is_object()) refuse("what should be a layer is none");
  NetworkLayer layer;
  layer.kind = named(json, "op", kKinds);
  layer.activation = named(json, "activation", kActivations);
  layer.input = tensor_field(json, "input", model);
  layer.output = tensor_field(json, "output", model);
  layer.channels = channels_of(model, layer.output);
  if (layer.kind == LayerKind::scale &&
      (layer.activation == Activation::sigmoid || layer.activation == Activation::exp)) {
    refuse("its activation needs e^x, which is not there for maps");
  }
  const bool is_convolution = layer.kind == LayerKind::convolution;
  const bool is_depthwise = layer.kind == LayerKind::depthwise;
  const bool is_pointwise = layer.kind == LayerKind::pointwise;
  if (json.contains("first")) {
    layer.first_channel = integer_field(json, "first", 0, layer.channels - 1);
    layer.channels = integer_field(json, "channels", 1, layer.channels - layer.first_channel);
  }
  if (is_pointwise) {
    layer.adds = flag(json, "adds");
    layer.transposed = flag(json, "transposed");
  }
  if (is_convolution || is_depthwise) {
    layer.kernel = integer_field(json, "kernel", 1, kLargestKernel);
    layer.stride = integer_field(json, "stride", 1, kLargestStride);
    layer.pad = integer_field(json, "pad", -kLargestSide, layer.kernel - 1);
  }
  if (json.contains("kernels") && (is_depthwise || is_pointwise)) {
    layer.kernels = tensor_field(json, "kernels", model);
    return layer;
  }
  const int inputs = channels_of(model, layer.input);
  if (layer.kind == LayerKind::gates) {
    layer.hidden = integer_field(json, "hidden", 1, kMostChannels);
    const std::size_t hidden = weight_row(layer.hidden), outputs = weight_row(layer.channels);
    layer.weights = place(json, "squeeze", static_cast<std::size_t>(inputs) * hidden, model);
    layer.bias = place(json, "squeeze-bias", hidden, model);
    layer.second_weights =
        place(json, "excite", static_cast<std::size_t>(layer.hidden) * outputs, model);
    layer.second_bias = place(json, "excite-bias", outputs, model);
  } else if (layer.kind != LayerKind::scale) {
    const auto taps = static_cast<std::size_t>(layer.kernel * layer.kernel);
    const std::size_t each = is_depthwise
                                 ? static_cast<std::size_t>(layer.channels)
                                 : static_cast<std::size_t>(inputs) * weight_row(layer.channels);
    layer.weights = place(json, "weights", taps * each, model);
    layer.bias = place(json, "bias", weight_row(layer.channels), model);
  }
  return layer;
}

std::vector<NetworkLayer> parse_layers(const Json& json, const char* name,
                                       const NetworkModel& model) {
  std::vector<NetworkLayer> layers;
  for (const Json& layer : list(json, name, kMostLayers)) {
    try {
      layers.push_back(parse_layer(layer, model));
    } catch (const Error& error) {
      throw Error(error.code(), std::string(error.what()) + ", in layer " +
                                    std::to_string(layers.size()) + " of " + name);
    }
  }
  return layers;
}

}  // namespace

// Whether layers fit each other.

namespace {

class Shapes {
 public:
  Shapes(const NetworkModel& model, int side, std::span<const TensorShape> of_template)
      : model_(model),
        of_template_(of_template),
        all_(model.channels.size()),
        made_(model.channels.size()) {
    all_[0].side = side;
    made_[0] = model.channels[0];
  }

  void add(const NetworkLayer& layer) {
    if (!is_readable(layer.input)) refuse("it reads " + name(layer.input) + ", which is not there");
    if (layer.input == layer.output || layer.output == 0) {
      refuse("it writes " + name(layer.output) + ", which it reads, or the picture");
    }
    if (layer.kind == LayerKind::scale) {
      if (!is_readable(layer.output) || at(layer.input).side != 1 || is_part(layer) ||
          channels_of(model_, layer.input) != layer.channels) {
        refuse("it scales " + name(layer.output) + " by " + name(layer.input) +
               ", which are not its gates");
      }
      return;
    }
    const int side = side_of(layer);
    products_ += products(layer, side);
    if (products_ > kMostProducts) refuse("it takes too many products");
    write(layer, side);
  }

  std::vector<TensorShape> take() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (made_[i] != model_.channels[i]) all_[i] = {};
    }
    return std::move(all_);
  }

 private:
  static std::string name(int tensor) { return "tensor " + std::to_string(tensor); }
  const TensorShape& at(int tensor) const { return all_[static_cast<std::size_t>(tensor)]; }
  bool is_readable(int tensor) const {
    return made_[static_cast<std::size_t>(tensor)] == channels_of(model_, tensor) &&
           !at(tensor).transposed;
  }
  bool is_part(const NetworkLayer& layer) const {
    return layer.channels != channels_of(model_, layer.output);
  }

  int side_of(const NetworkLayer& layer) const {
    const int inputs = channels_of(model_, layer.input), from = at(layer.input).side;
    const bool is_gates = layer.kind == LayerKind::gates;
    if ((is_gates || layer.kind == LayerKind::depthwise) && inputs != layer.channels) {
      refuse("it makes " + std::to_string(layer.channels) + " channels of " +
             std::to_string(inputs) + ", each of one");
    }
    if (is_gates && gate_values(from, inputs, layer.hidden) > kMostGateValues) {
      refuse("it has gates of a map that is too large");
    }
    if (is_gates) return 1;
    if (layer.kernels) check_kernels(layer, inputs);
    const int reached = from + 2 * layer.pad - layer.kernel;
    if (reached < 0) {
      refuse("a kernel of " + std::to_string(layer.kernel) + " does not fit into a map of " +
             std::to_string(from));
    }
    return reached / layer.stride + 1;
  }

  void check_kernels(const NetworkLayer& layer, int inputs) const {
    const int tensor = *layer.kernels;
    const TensorShape kernels =
        of_template_.empty() ? TensorShape{} : of_template_[static_cast<std::size_t>(tensor)];
    const bool fits = layer.kind == LayerKind::pointwise
                          ? kernels.transposed && kernels.side * kernels.side == layer.channels &&
                                layer.channels % kWeightLanes == 0
                          : !kernels.transposed && kernels.side == layer.kernel;
    // Tensor 0 is the picture, which no layer makes.
    if (!fits || tensor == 0 || channels_of(model_, tensor) != inputs) {
      refuse(name(tensor) + " of the template does not fit as its kernels");
    }
  }

  double products(const NetworkLayer& layer, int side) const {
    const double inputs = channels_of(model_, layer.input);
    if (layer.kind == LayerKind::gates) return 2 * inputs * layer.hidden;
    const double taps = layer.kernel * layer.kernel;
    const double each = layer.kind == LayerKind::depthwise ? 1 : inputs;
    return static_cast<double>(side) * side * layer.channels * taps * each;
  }

  // Parts of a tensor are made from its first channel on.
  void write(const NetworkLayer& layer, int side) {
    TensorShape& to = all_[static_cast<std::size_t>(layer.output)];
    int& made = made_[static_cast<std::size_t>(layer.output)];
    const bool fits = layer.adds ? is_readable(layer.output) && !is_part(layer) && to.side == side
                                 : made == layer.first_channel && (made == 0 || to.side == side);
    const bool fits_transposed = !is_part(layer) && !layer.adds && of_template_.empty();
    if (!fits || (layer.transposed && !fits_transposed)) {
      refuse("its result does not fit into " + name(layer.output));
    }
    if (layer.adds) return;
    made += layer.channels;
    to = {side, layer.transposed};
    values_ += static_cast<double>(side) * side * layer.channels;
    if (values_ > kMostValues) refuse("it takes too much memory");
  }

  const NetworkModel& model_;
  const std::span<const TensorShape> of_template_;
  std::vector<TensorShape> all_;
  std::vector<int> made_;  // channels of each tensor
  double products_ = 0, values_ = 0;
};

}  // namespace

std::vector<TensorShape> tensor_shapes(const NetworkModel& model, const NetworkParts& parts,
                                       int side, std::span<const TensorShape> of_template) {
  Shapes shapes(model, side, of_template);
  std::size_t number = 0;
  for (const std::span<const NetworkLayer> layers : parts) {
    for (const NetworkLayer& layer : layers) {
      try {
        shapes.add(layer);
      } catch (const Error& error) {
        throw Error(error.code(), std::string(error.what()) + ", in layer " +
                                      std::to_string(number) + " for a picture of " +
                                      std::to_string(side));
      }
      ++number;
    }
  }
  return shapes.take();
}

NetworkParts template_parts(const NetworkModel& model) {
  return {model.backbone, model.of_template};
}
NetworkParts search_parts(const NetworkModel& model) { return {model.backbone, model.of_search}; }

namespace {

void parse_description(const Json& json, NetworkModel& model) {
  const Json& name = field(json, "name");
  if (!name.is_string() || name.get_ref<const std::string&>().size() > kLongestName) {
    refuse("name is no text of at most " + std::to_string(kLongestName) + " bytes");
  }
  model.name = name.get<std::string>();
  model.template_side = integer_field(json, "template-side", 1, kLargestSide);
  model.search_side = integer_field(json, "search-side", 1, kLargestSide);
  model.stride = integer_field(json, "stride", 1, kLargestSide);
  const Json& mean = list(json, "mean", model.mean.size());
  if (mean.size() != model.mean.size()) refuse("mean has not one entry for each colour");
  for (std::size_t i = 0; i < mean.size(); ++i) {
    model.mean[i] = static_cast<float>(number(mean[i], "a mean", 0, kLargestMean));
  }
  for (const Json& channels : list(json, "channels", kMostTensors)) {
    model.channels.push_back(integer(channels, "a number of channels", 1, kMostChannels));
  }
  if (model.channels.empty() || model.channels[0] != 3) refuse("its pictures have not 3 colours");
  model.backbone = parse_layers(json, "backbone", model);
  model.of_template = parse_layers(json, "template", model);
  model.of_search = parse_layers(json, "search", model);
  model.features = tensor_field(json, "features", model);
  model.scores = tensor_field(json, "scores", model);
  model.boxes = tensor_field(json, "boxes", model);
}

void check_shapes(const NetworkModel& model) {
  const auto of_template = tensor_shapes(model, template_parts(model), model.template_side, {});
  const auto of_search = tensor_shapes(model, search_parts(model), model.search_side, of_template);
  const auto side = [&](int tensor) { return of_search[static_cast<std::size_t>(tensor)].side; };
  if (side(model.scores) == 0 || side(model.scores) != side(model.boxes) ||
      channels_of(model, model.scores) != 2 || channels_of(model, model.boxes) != 4) {
    refuse("scores and boxes are not made, 2 and 4 for each place");
  }
  if (side(model.features) == 0) refuse("features are not made");
  if (model.search_side > kLargestReach * model.template_side) {
    refuse("search-side is more than " + std::to_string(kLargestReach) + " times template-side");
  }
}

NetworkModel parse_file(std::string_view bytes) {
  if (bytes.size() > Network::kLargest) {
    refuse("it has " + std::to_string(bytes.size()) + " bytes; at most " +
           std::to_string(Network::kLargest) + " are allowed");
  }
  if (!bytes.starts_with(kMagic)) refuse("it begins like something else");
  if (bytes.size() < kHead) refuse("it has been cut off");
  const std::uint32_t version = word(bytes, 16);
  if (version != kVersion) {
    refuse("its version is " + std::to_string(version) + ", and " + std::to_string(kVersion) +
           " is what this program reads");
  }
  const std::size_t text_size = word(bytes, 20), count = word(bytes, 24);
  if (bytes.size() != kHead + text_size + sizeof(float) * count) {
    refuse("it has " + std::to_string(bytes.size()) +
           " bytes, and says that it has more or less: it has been cut off or damaged");
  }
  if (text_size > kLongestText) {
    refuse("its description has " + std::to_string(text_size) + " bytes; at most " +
           std::to_string(kLongestText) + " are allowed");
  }
  if (crc32(bytes.substr(kHead)) != word(bytes, 28)) refuse("its checksum is wrong: it is damaged");
  NetworkModel model;
  model.weights.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = word(bytes, kHead + text_size + sizeof(float) * i);
    const auto value = std::bit_cast<float>(bits);
    if (!std::isfinite(value)) refuse("weight " + std::to_string(i) + " is no number");
    model.weights.push_back(value);
  }
  try {
    const auto text = bytes.substr(kHead, text_size);
    parse_description(Json::parse(text,
                                  [](int depth, Json::parse_event_t, const Json&) {
                                    if (depth > kDeepest) refuse("it is nested too deeply");
                                    return true;
                                  }),
                      model);
  } catch (const Json::exception& error) {
    refuse(std::string("its description is not JSON: ") + error.what());
  }
  check_shapes(model);
  return model;
}

}  // namespace

NetworkModel NetworkModel::parse(std::string_view bytes) {
  try {
    return parse_file(bytes);
  } catch (const Error& error) {
    throw Error(error.code(), std::string("not a model of a network: ") + error.what());
  }
}

Network Network::parse(std::string_view bytes) {
  return Network(std::make_shared<const NetworkModel>(NetworkModel::parse(bytes)));
}

const std::string& Network::name() const { return model_->name; }

}  // namespace cltrack
