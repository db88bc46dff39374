// SPDX-License-Identifier: LGPL-2.1-or-later
// Visibility of the public symbols of libcltrack; everything else is hidden.
#pragma once

#define CLTRACK_API __attribute__((visibility("default")))
