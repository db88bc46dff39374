// SPDX-License-Identifier: LGPL-2.1-or-later
// OpenCL's classes by name, for headers; whoever uses their members includes cl.h.
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
