// SPDX-License-Identifier: LGPL-2.1-or-later
// Runs a helper program in a child process, for work that may crash, such as a driver's compiler.
// Parent and child share a socket: the child writes a line when it is done, and each of them
// notices through it that the other one has ended.
//
// Threading: safe.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace cltrack {

struct ChildOutcome {
  enum class End { done, failed, stopped };
  End end = End::failed;
  std::string how;  // why it failed, for users: "it exited with status 1: no space left"
};

// Runs `program` until it reports that it is done, or ends, or `stop` is requested. Then kills it
// and all that it has started. It runs in a process group of its own, with the present environment,
// in which `variables` ("NAME=value") are replaced, without input and without other open files. Its
// last output becomes part of `how`. Works whether or not others wait for children or SIGCHLD is
// ignored. Does not throw for what happens to the child.
ChildOutcome run_child(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments,
                       const std::vector<std::string>& variables, const std::stop_token& stop);

// The path of the program `name`: the value of the environment variable `variable`, or else beside
// the binary with this code (libcltrack.so or a program), or in the folder "cltrack-0.1" there (0.1
// is the version). Empty if none of them can be executed.
std::filesystem::path find_program(const char* name, const char* variable);

// The child's first call: from here on the child ends when its parent ends. False if the process
// was not started by run_child().
bool follow_parent();
// The child's last call: reports that all is done. Does not return, and runs no destructors.
[[noreturn]] void end_as_done();

}  // namespace cltrack
