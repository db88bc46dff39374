// SPDX-License-Identifier: LGPL-2.1-or-later
// Sets properties of an element to random values within their range, extremes included.
#pragma once

#include <glib-object.h>

#include "action_note.h"
#include "random_values.h"

namespace cltrack::test {

// Sets one, and fails the test if it is not read back where that is what it should be.
void set_random_property(RandomValues& random, GObject* object, ActionNote& note);

// Reads all of them.
void read_properties(GObject* object);

// All as they were when the element was made; lists are empty.
void reset_properties(GObject* object);

}  // namespace cltrack::test
