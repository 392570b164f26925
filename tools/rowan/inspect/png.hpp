#pragma once
// A raster as an image file, for pictures that hold it.
#include <string>

#include "tools/rowan/inspect/raster.hpp"

namespace rowan::tool {

/// PNG with transparency, a pixel a cell: a candidate's colour, stronger where a cell has more entries.
[[nodiscard]] std::string png(const Raster& raster);

}  // namespace rowan::tool
