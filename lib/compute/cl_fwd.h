// SPDX-License-Identifier: LGPL-2.1-or-later
// Forward declarations of OpenCL's classes, for headers; cl.h has the definitions.
#pragma once

namespace cl {
class Buffer;
class CommandQueue;
class Context;
class Device;
class Event;
class Kernel;
class Program;
}  // namespace cl
