#pragma once
// Which backend this unit is compiled for. Device sources are compiled once a backend; everything in them lives in an
// inline namespace of the backend's name, so that several can be in one program.
#if !defined(ROWAN_BACKEND)
#if defined(__HIPCC__)
#define ROWAN_BACKEND hip
#elif defined(__CUDACC__)
#define ROWAN_BACKEND cuda
#else
#define ROWAN_BACKEND emulated
#endif
#endif
#if !defined(__HIPCC__) && !defined(__CUDACC__)
#define ROWAN_EMULATED
#endif
