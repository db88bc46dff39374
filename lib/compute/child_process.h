// SPDX-License-Identifier: LGPL-2.1-or-later
// A program of ours that does what may end a process, such as running a driver's compiler, in a
// process of its own. The two share a socket: the child writes a line into it when all is done, and
// each of them learns by it that the other one has ended.
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
  std::string how;  // of what failed, for users: "it exited with status 1: no space left"
};

// Runs `program` until it says that it is done, or ends, or `stop` is requested: then it is killed,
// with all that it has started. It gets a process group of its own, the present environment with
// `variables` ("NAME=value") in place of those of the same names, nothing for input, and no other
// open file; what it prints last becomes part of `how`. Nothing depends on who else waits for
// children, or on SIGCHLD being ignored. Does not throw for what happens to the child.
ChildOutcome run_child(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments,
                       const std::vector<std::string>& variables, const std::stop_token& stop);

// Where the program `name` lies: the environment variable `variable` names it, or else it is beside
// what holds this code (libcltrack.so, or a program), or in the folder "cltrack" there. Empty if
// there is none that can be run.
std::filesystem::path find_program(const char* name, const char* variable);

// For the child. Its first call: from here on it ends with its parent, at once. False if nobody has
// started it by run_child().
bool follow_parent();
// Its last call: all is done. Does not return, and runs no destructors.
[[noreturn]] void end_as_done();

}  // namespace cltrack
