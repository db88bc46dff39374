// SPDX-License-Identifier: LGPL-2.1-or-later
// An application whose pictures are in an OpenCL buffer of its own: the tracker reads them there. A
// kernel of the application draws a textured square that moves; the pictures are never on the host,
// but for a second tracker, which shows that the boxes are the same.
//
//   c++ -std=c++20 opencl_buffer.cpp $(pkg-config --cflags --libs cltrack) -lOpenCL && ./a.out
//   [DEVICE]
//
// DEVICE: as `device` of the elements; by default the first OpenCL device. Exit status: 0 the boxes
// are the same, 1 they are not, or something failed, 77 there is no OpenCL device.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cltrack/cltrack.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int kWidth = 321;
constexpr int kHeight = 240;
constexpr int kStride = 384;  // bytes from one row to the next
constexpr int kOffset = 128;  // bytes before the first row
constexpr int kSide = 40;
constexpr int kFrames = 30;
constexpr std::size_t kBytes = kOffset + std::size_t{kStride} * kHeight;

constexpr const char* kSource = R"(
uint noise(uint x, uint y, uint seed) {
  uint n = x * 374761393u + y * 668265263u + seed * 2246822519u;
  n = (n ^ (n >> 13)) * 1274126177u;
  return (n ^ (n >> 16)) & 255u;
}
kernel void draw(global uchar* picture, int stride, int offset, int left, int top, int side) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int u = x - left, v = y - top;
  const bool inside = u >= 0 && u < side && v >= 0 && v < side;
  picture[offset + y * stride + x] =
      (uchar)(inside ? noise(u / 5, v / 5, 2) : noise(x / 16, y / 16, 1));
}
)";

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) {
    throw std::runtime_error(std::string(what) + " failed: " + std::to_string(code));
  }
}

// The application's own part: a queue, a kernel and a buffer in the context of the tracker's
// device.
class Painter {
 public:
  explicit Painter(const cltrack::DeviceInfo& device) : context_(cltrack::opencl_context(device)) {
    const auto context = static_cast<cl_context>(context_.get());
    cl_device_id id = nullptr;
    check(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(id), &id, nullptr), "device");
    cl_int code = CL_SUCCESS;
    queue_ = clCreateCommandQueue(context, id, 0, &code);
    check(code, "clCreateCommandQueue");
    buffer_ = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
    check(code, "clCreateBuffer");
    const char* source = kSource;
    program_ = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program_, 1, &id, "", nullptr, nullptr), "clBuildProgram");
    kernel_ = clCreateKernel(program_, "draw", &code);
    check(code, "clCreateKernel");
  }
  ~Painter() {
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
    clReleaseMemObject(buffer_);
    clReleaseCommandQueue(queue_);
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  cl_mem buffer() const { return buffer_; }

  // Returns when the picture is there, which the tracker relies on.
  void draw(int left, int top) {
    const int arguments[] = {kStride, kOffset, left, top, kSide};
    check(clSetKernelArg(kernel_, 0, sizeof(cl_mem), &buffer_), "clSetKernelArg");
    for (cl_uint i = 0; i < 5; ++i) {
      check(clSetKernelArg(kernel_, i + 1, sizeof(int), &arguments[i]), "clSetKernelArg");
    }
    const std::size_t size[] = {kWidth, kHeight};
    check(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, size, nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
  }

  std::vector<unsigned char> read() const {
    std::vector<unsigned char> bytes(kBytes);
    check(
        clEnqueueReadBuffer(queue_, buffer_, CL_TRUE, 0, kBytes, bytes.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    return bytes;
  }

 private:
  std::shared_ptr<void> context_;  // before what is made in it
  cl_command_queue queue_ = nullptr;
  cl_mem buffer_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
};

cltrack::BoundingBox first_box(const std::vector<cltrack::Track>& tracks) {
  return tracks.empty() ? cltrack::BoundingBox() : tracks.front().box;
}

int run(const cltrack::DeviceInfo& device) {
  cltrack::TldConfig config;
  config.placement.device = device.spec;
  const auto devices = cltrack::open_devices(config);
  const auto tracker = cltrack::make_tld_tracker(config, devices);
  const auto on_host = cltrack::make_tld_tracker(config, devices);

  Painter painter(device);
  cltrack::Frame frame;
  // Lent once for all frames.
  frame.on_device.memory = cltrack::lend_buffer(device, painter.buffer());
  frame.on_device.width = kWidth;
  frame.on_device.height = kHeight;
  frame.on_device.components[0] = {.offset = kOffset, .stride = kStride};

  bool same = true;
  for (int i = 0; i < kFrames; ++i) {
    const int left = 60 + 3 * i, top = 80 + i;
    const cltrack::BoundingBox truth{static_cast<float>(left), static_cast<float>(top), kSide,
                                     kSide};
    if (i == 0) {
      tracker->add(truth);
      on_host->add(truth);
    }
    painter.draw(left, top);
    const auto tracks = tracker->process(frame);
    const cltrack::BoundingBox box = first_box({tracks.begin(), tracks.end()});
    const std::vector<unsigned char> bytes = painter.read();
    const auto others = on_host->process({{bytes.data() + kOffset, kWidth, kHeight, kStride}});
    same = same && box == first_box({others.begin(), others.end()});
    std::printf("frame %d: box %.1f,%.1f, overlap %.2f\n", i, static_cast<double>(box.x),
                static_cast<double>(box.y), static_cast<double>(cltrack::overlap(box, truth)));
    same = same && cltrack::overlap(box, truth) > 0.5f;
  }
  std::printf("on %s: %s\n", device.name.c_str(),
              same ? "the boxes are those of pictures on the host"
                   : "the boxes are not those of pictures on the host");
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<cltrack::DeviceInfo> devices = cltrack::list_devices();
    if (devices.size() < 2) {
      std::printf("there is no OpenCL device\n");
      return 77;
    }
    return run(argc > 1 ? cltrack::find_device(argv[1]) : devices[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "opencl-buffer: %s\n", error.what());
    return 1;
  }
}
