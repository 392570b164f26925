#pragma once
/// \file
/// All of rowan's C++ interface (Eigen's adaptor apart: <rowan/eigen.hpp>).

#include <rowan/context.hpp>
#include <rowan/csr.hpp>
#include <rowan/device.hpp>
#include <rowan/device_group.hpp>
#include <rowan/divided.hpp>
#include <rowan/error.hpp>
#include <rowan/export.hpp>
#include <rowan/galerkin.hpp>
#include <rowan/generate.hpp>
#include <rowan/inspection.hpp>
#include <rowan/io.hpp>
#include <rowan/memory.hpp>
#include <rowan/operations.hpp>
#include <rowan/options.hpp>
#include <rowan/pattern.hpp>
#include <rowan/row_sink.hpp>
#include <rowan/stacked.hpp>
#include <rowan/types.hpp>
#include <rowan/version.hpp>
#include <rowan/wide.hpp>
