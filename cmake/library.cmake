# rowan::rowan. Sources are globbed so that a new accumulator or reader needs no line here.
# The number of librowan.so's binary interface: a release that breaks it raises the number (packaging/RELEASE.md).
set(ROWAN_SOVERSION 0)
set(ROWAN_SCHEDULER tbb CACHE STRING "what runs parallel loops: tbb, or threads (for ThreadSanitizer)")
set_property(CACHE ROWAN_SCHEDULER PROPERTY STRINGS tbb threads)
if(ROWAN_SCHEDULER STREQUAL threads)
  set(ROWAN_SCHEDULER_PACKAGE Threads)
  set(ROWAN_SCHEDULER_LIBRARY Threads::Threads)
elseif(ROWAN_SCHEDULER STREQUAL tbb)
  set(ROWAN_SCHEDULER_PACKAGE TBB)
  set(ROWAN_SCHEDULER_LIBRARY TBB::tbb)
else()
  message(FATAL_ERROR "ROWAN_SCHEDULER is \"${ROWAN_SCHEDULER}\", it must be tbb or threads")
endif()
find_package(${ROWAN_SCHEDULER_PACKAGE} REQUIRED)
find_package(hwy REQUIRED)
find_package(ZLIB REQUIRED)
find_package(FastFloat REQUIRED)
find_package(nlohmann_json QUIET)
option(ROWAN_ZIP "read and write scipy's .npz where libzip is found" ON)
if(ROWAN_ZIP)
  # libzip's own files for CMake ask for programs that Debian has in other packages
  find_path(ROWAN_ZIP_INCLUDE zip.h)
  find_library(ROWAN_ZIP_LIBRARY zip)
  if(ROWAN_ZIP_INCLUDE AND ROWAN_ZIP_LIBRARY)
    add_library(rowan::libzip UNKNOWN IMPORTED) # users of a static rowan find it again (rowan-config.cmake)
    set_target_properties(rowan::libzip PROPERTIES IMPORTED_LOCATION ${ROWAN_ZIP_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ROWAN_ZIP_INCLUDE})
  endif()
endif()

file(GLOB_RECURSE ROWAN_SOURCES RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS lib/*.cpp features/*.cpp accumulators/*.cpp models/*.cpp)
list(FILTER ROWAN_SOURCES EXCLUDE REGEX "/device/")  # cmake/device.cmake
if(ROWAN_BUILD_FUZZ)
  list(FILTER ROWAN_SOURCES EXCLUDE REGEX "^lib/(api|backends|c|host/galerkin|host/replay)/")  # what fuzzers do not call
endif()
add_library(rowan ${ROWAN_SOURCES})
add_library(rowan::rowan ALIAS rowan)
include(${PROJECT_SOURCE_DIR}/cmake/unity.cmake)
if(CMAKE_CXX_FLAGS MATCHES HWY_COMPILE_ONLY_STATIC) # quick to build: tests/docs/tutorials.sh
  rowan_compile_together(rowan 30 ${PROJECT_SOURCE_DIR} ROWAN_SOURCES KERNELS lib/core/hypersparse.cpp lib/core/stream.cpp lib/core/vector_bytes.cpp)
else()
  # alone: hypersparse.cpp (-Wsubobject-linkage), and others because g++ inlines other functions where they have neighbours
  rowan_compile_together(rowan 6 ${PROJECT_SOURCE_DIR} ROWAN_SOURCES
    lib/api/wide.cpp lib/core/hypersparse.cpp lib/core/stack.cpp lib/core/validate.cpp lib/host/replay/replay.cpp
    lib/io/binary_write.cpp lib/io/native_read.cpp lib/io/native_write.cpp lib/io/npz.cpp)
endif()
target_compile_features(rowan PUBLIC cxx_std_20)
# A static library may become part of a shared object, such as a module for Python. What is not ROWAN_API is hidden.
set_target_properties(rowan PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                       VERSION ${PROJECT_VERSION} SOVERSION ${ROWAN_SOVERSION})
# ... without which g++ would inline none of the library's own functions there (6 % on 11 matrices)
target_compile_options(rowan PRIVATE -fno-semantic-interposition)
target_include_directories(rowan PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib/include> $<INSTALL_INTERFACE:include>
                                 PRIVATE ${PROJECT_SOURCE_DIR})
set(zip "")
if(TARGET rowan::libzip)
  set(zip rowan::libzip) # before zlib, which a static one needs
endif()
target_link_libraries(rowan PRIVATE $<BUILD_INTERFACE:rowan_warnings> ${ROWAN_SCHEDULER_LIBRARY} hwy::hwy hwy::hwy_contrib ${zip} ZLIB::ZLIB
                                    $<BUILD_INTERFACE:FastFloat::fast_float>)
if(ROWAN_SCHEDULER STREQUAL threads)
  target_compile_definitions(rowan PRIVATE ROWAN_SCHEDULER_THREADS)
endif()
if(nlohmann_json_FOUND)
  target_link_libraries(rowan PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
  target_compile_definitions(rowan PRIVATE ROWAN_HAVE_JSON)
endif()
if(TARGET rowan::libzip)
  set_source_files_properties(lib/io/zip.cpp PROPERTIES COMPILE_DEFINITIONS ROWAN_HAVE_ZIP)
endif()
# Products are rounded before they are added, on every instruction set: no contraction into fused multiply-adds.
target_compile_options(rowan PRIVATE -ffp-contract=off)
# x86: one lane where there is no SSE4 (Highway 1.0's baseline), SSE4, AVX2 and AVX-512; the targets between repeat one
# of these in our kernels.
# AVX3_DL, which has what AVX-512 got with Ice Lake and Zen 4, only where it makes a difference: bitmaps are read out with
# its byte compress.
set(ROWAN_AVX3_DL HWY_WANT_AVX3_DL)
file(GLOB ROWAN_DENSE_SOURCES CONFIGURE_DEPENDS accumulators/dense/*.cpp)
set_source_files_properties(${ROWAN_DENSE_SOURCES} lib/core/instructions.cpp PROPERTIES COMPILE_DEFINITIONS ${ROWAN_AVX3_DL})
# Highway's NEON is compiled with AES. g++ does not inline its constructors into those that it makes itself, of structs
# with vectors, unless all of the file may use AES; it never uses it unasked.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64" AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(ROWAN_NEON_OPTIONS -march=armv8-a+crypto)
  target_compile_options(rowan PRIVATE ${ROWAN_NEON_OPTIONS})
endif()
if(ROWAN_BUILD_FUZZ)
  # kernels for one instruction set: fuzzers try what reads, ./test asan tries all of them
  target_compile_definitions(rowan PRIVATE HWY_COMPILE_ONLY_STATIC)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    target_compile_options(rowan PRIVATE -march=haswell -maes)  # AVX2
  endif()
  # Under its sanitizers clang 14 takes six minutes for the sorting networks, without them ten seconds; fuzzers try what reads.
  set_source_files_properties(accumulators/sort/host.cpp PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
endif()
# Elsewhere: no vectors whose length is known only at run time, the kernels' scratch is laid out for one length.
target_compile_definitions(rowan PRIVATE "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV)")
