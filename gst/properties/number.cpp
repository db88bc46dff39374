// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/number.h"

namespace cltrack::gst {

std::optional<double> number_of(const GValue* value) {
  switch (G_VALUE_TYPE(value)) {
    case G_TYPE_INT:
    case G_TYPE_UINT:
    case G_TYPE_LONG:
    case G_TYPE_ULONG:
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_FLOAT:
    case G_TYPE_DOUBLE:
      break;
    default:  // g_value_transform() would take truth values and characters for numbers, too
      return std::nullopt;
  }
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_DOUBLE);
  g_value_transform(value, &number);
  return g_value_get_double(&number);
}

}  // namespace cltrack::gst
