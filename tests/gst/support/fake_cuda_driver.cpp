// SPDX-License-Identifier: LGPL-2.1-or-later
// Plays CUDA's driver (libcuda, under its name): its one device is that of faulty_opencl.
#include <cstring>

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int cuDeviceGet(int* device, int index) {
  *device = index;
  return index == 0 ? 0 : 101;
}
EXPORTED int cuDeviceGetUuid(unsigned char* uuid, int) {
  std::memcpy(uuid, "faulty imports!!", 16);
  return 0;
}
