#pragma once
/// \file
/// What librowan.so shows: all else is hidden.

#if defined(__GNUC__)
#define ROWAN_API __attribute__((visibility("default")))
#else
#define ROWAN_API
#endif
