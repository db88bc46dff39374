// SPDX-License-Identifier: LGPL-2.1-or-later
#include "network/siamese_network.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "network/layer_order.h"
#include "network/shared_weights.h"
#include "ops/network/activation.h"
#include "ops/network/gates.h"

namespace cltrack {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// The number of the last turn that needs each tensor.
std::vector<std::size_t> last_uses(std::span<const OrderedLayer> layers, std::size_t tensors) {
  std::vector<std::size_t> last(tensors);
  for (const OrderedLayer& each : layers) {
    last[at(each.layer.input)] = last[at(each.layer.output)] = each.turn;
    if (each.scaling) last[at(each.scaling->input)] = each.turn;
  }
  return last;
}

// Arrays that tensors use in turn: each takes the smallest free one that is large enough, or else
// the largest, which grows.
class Turns {
 public:
  // For a tensor that is first written in turn `now`, and last needed in turn `until`.
  std::size_t take(std::size_t values, std::size_t now, std::size_t until) {
    const auto fits = [&](std::size_t a, std::size_t b) {  // a is better than b
      const bool is_enough = sizes_[a] >= values, is_other = sizes_[b] >= values;
      if (is_enough != is_other) return is_enough;
      return is_enough ? sizes_[a] < sizes_[b] : sizes_[a] > sizes_[b];
    };
    std::size_t best = sizes_.size();
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (until_[i] < now && (best == sizes_.size() || fits(i, best))) best = i;
    }
    if (best == sizes_.size()) {
      sizes_.push_back(0);
      until_.push_back(0);
    }
    sizes_[best] = std::max(sizes_[best], values);
    until_[best] = until;
    return best;
  }
  std::size_t count() const { return sizes_.size(); }

 private:
  std::vector<std::size_t> sizes_, until_;
};

}  // namespace

SiameseNetwork::SiameseNetwork(std::shared_ptr<const NetworkModel> model)
    : model_(std::move(model)) {
  const auto of_template =
      tensor_shapes(*model_, template_parts(*model_), model_->template_side, {});
  const auto of_search =
      tensor_shapes(*model_, search_parts(*model_), model_->search_side, of_template);
  answer_side_ = of_search[at(model_->scores)].side;
  for (const NetworkLayer& layer : model_->of_search) {
    if (!layer.kernels || std::ranges::count(kernels_, *layer.kernels) > 0) continue;
    kernels_.push_back(*layer.kernels);
    kernel_places_.push_back(template_values_);
    template_values_ +=
        map_values(of_template[at(*layer.kernels)].side, model_->channels[at(*layer.kernels)]);
  }
  made_kernels_.resize(kernels_.size());
  template_ = plan(template_parts(*model_), of_template, kernels_);
  search_ = plan(search_parts(*model_), of_search, std::array{model_->scores, model_->boxes});
}

LayerShape SiameseNetwork::shape_of(const NetworkLayer& layer,
                                    std::span<const TensorShape> shapes) const {
  LayerShape shape = {};
  shape.side = shapes[at(layer.input)].side;
  shape.made = shapes[at(layer.output)].side;
  shape.inputs = model_->channels[at(layer.input)];
  shape.outputs = layer.channels;
  shape.pitch = model_->channels[at(layer.output)];
  shape.first = layer.first_channel;
  shape.kernel_side = layer.kernel;
  shape.stride = layer.stride;
  shape.pad = layer.pad;
  shape.activation = static_cast<int>(layer.activation);
  shape.adds = layer.adds;
  shape.transposed = layer.transposed;
  shape.hidden = layer.hidden;
  shape.weights = static_cast<int>(layer.weights);
  shape.bias = static_cast<int>(layer.bias);
  shape.second_weights = static_cast<int>(layer.second_weights);
  shape.second_bias = static_cast<int>(layer.second_bias);
  if (layer.kind == LayerKind::scale) shape.side = shape.made;
  if (layer.kernels) {
    const auto kernel = std::ranges::find(kernels_, *layer.kernels) - kernels_.begin();
    shape.weights = static_cast<int>(kernel_places_[static_cast<std::size_t>(kernel)]);
    shape.bias = -1;
    shape.slot_values = static_cast<int>(template_values_);
  }
  return shape;
}

SiameseNetwork::Program SiameseNetwork::plan(const NetworkParts& parts,
                                             std::span<const TensorShape> shapes,
                                             std::span<const int> kept) const {
  std::vector<std::optional<Place>> places(shapes.size());
  places[0] = {Storage::pictures, 0};
  for (std::size_t i = 0; i < kept.size(); ++i) places[at(kept[i])] = {Storage::kept, i};
  const std::vector<OrderedLayer> layers = order_layers(parts, kept);
  const std::vector<std::size_t> last = last_uses(layers, shapes.size());
  Program program;
  Turns turns;
  for (const auto& [layer, scaling, turn] : layers) {
    std::optional<Place>& output = places[at(layer.output)];
    if (!output) {
      const std::size_t values =
          map_values(shapes[at(layer.output)].side, model_->channels[at(layer.output)]);
      output = {Storage::turns, turns.take(values, turn, last[at(layer.output)])};
    }
    Step& step = program.steps.emplace_back(
        Step{layer.kind, shape_of(layer, shapes), *places[at(layer.input)], *output});
    if (!scaling) continue;
    step.gates = places[at(scaling->input)];
    step.shape.scaling = static_cast<int>(scaling->activation);
  }
  for (std::size_t i = 0; i < turns.count(); ++i) {
    program.turns.emplace_back(Memory::Use::scratch);
  }
  return program;
}

void SiameseNetwork::share_weights(Queue& queue) {
  if (weights_device_ == queue.shared_device()) return;
  shared_weights_ = shared_weights(model_->weights, queue);
  weights_.share(*shared_weights_);
  weights_device_ = queue.shared_device();
}

void SiameseNetwork::run(Queue& queue, Program& program, const Array<float>& pictures,
                         const Array<float>& templates, const Array<std::int32_t>& slots,
                         std::span<Array<float>* const> kept) {
  share_weights(queue);
  const auto at_place = [&](const Place& place) -> Array<float>& {
    return place.storage == Storage::kept ? *kept[place.index] : program.turns[place.index];
  };
  for (const Step& step : program.steps) {
    const Array<float>& input =
        step.input.storage == Storage::pictures ? pictures : at_place(step.input);
    Array<float>& output = at_place(step.output);
    const Array<float>& weights = step.shape.slot_values > 0 ? templates : weights_;
    if (step.gates) {
      const auto op = step.kind == LayerKind::depthwise ? scaled_depthwise : scaled_pointwise;
      op(queue, step.shape, slots, weights, at_place(*step.gates), at_place(step.input), output);
      continue;
    }
    switch (step.kind) {
      case LayerKind::convolution:
        convolution(queue, step.shape, slots.size(), weights, input, output);
        break;
      case LayerKind::depthwise:
        depthwise(queue, step.shape, slots, weights, input, output);
        break;
      case LayerKind::pointwise:
        pointwise(queue, step.shape, slots, weights, input, output);
        break;
      case LayerKind::gates:
        gates(queue, step.shape, slots.size(), weights, input, output);
        break;
      case LayerKind::scale:
        scale(queue, step.shape, slots.size(), input, output);
        break;
    }
  }
  for (Array<float>& array : program.turns) array.discard();
}

void SiameseNetwork::check(const char* what, const Array<float>& values, std::size_t each,
                           std::size_t count) const {
  if (values.size() == each * count) return;
  throw Error(ErrorCode::invalid_argument,
              std::string(what) + " has " + std::to_string(values.size()) + " values, and " +
                  model_->name + " takes " + std::to_string(each) + " each");
}

std::vector<float> SiameseNetwork::make_templates(Queue& queue, const Array<float>& pictures) {
  const std::size_t count = pictures.size() / template_pixels();
  check("a template", pictures, template_pixels(), count);
  const std::vector<std::int32_t> none(count);
  const Array<std::int32_t> slots(none);
  std::vector<Array<float>*> kept;
  for (Array<float>& each : made_kernels_) kept.push_back(&each);
  run(queue, template_, pictures, weights_, slots, kept);
  for (const Array<float>& each : made_kernels_) each.fetch();
  queue.finish();
  std::vector<float> all(count * template_values_);
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const auto values = made_kernels_[i].host_read();
    const std::size_t each = count == 0 ? 0 : values.size() / count;
    for (std::size_t target = 0; target < count; ++target) {
      std::ranges::copy(
          values.subspan(target * each, each),
          all.begin() + static_cast<std::ptrdiff_t>(target * template_values_ + kernel_places_[i]));
    }
  }
  return all;
}

void SiameseNetwork::search(Queue& queue, const Array<float>& pictures,
                            const Array<float>& templates, const Array<std::int32_t>& slots,
                            NetworkAnswers& answers) {
  check("a search window", pictures, search_pixels(), slots.size());
  check("a template", templates, template_values_,
        template_values_ == 0 ? 0 : templates.size() / template_values_);
  run(queue, search_, pictures, templates, slots, std::array{&answers.scores, &answers.boxes});
}

std::vector<NetworkPlace> SiameseNetwork::places(std::span<const float> scores,
                                                 std::span<const float> boxes) const {
  std::vector<NetworkPlace> all;
  for (int i = 0; i < answer_side_ * answer_side_; ++i) {
    const auto x = static_cast<float>((i % answer_side_ - answer_side_ / 2) * model_->stride);
    const auto y = static_cast<float>((i / answer_side_ - answer_side_ / 2) * model_->stride);
    const auto from = boxes.subspan(4 * at(i), 4);
    NetworkPlace place;
    place.box = {x - from[0], y - from[1], from[0] + from[2], from[1] + from[3]};
    if (place.box.is_valid())
      place.score = network_sigmoid(scores[2 * at(i) + 1] - scores[2 * at(i)]);
    all.push_back(place);
  }
  return all;
}

}  // namespace cltrack
