# The device part: optional, compiled once for each backend from the same sources. Several may be in one library.
option(ROWAN_CUDA "build the CUDA backend (needs nvcc)" OFF)
option(ROWAN_HIP "build the HIP backend (needs hipcc and rocPRIM)" OFF)
find_package(Boost QUIET COMPONENTS context)
option(ROWAN_EMULATED "put the emulated device into the library: kernels on the CPU, slow (needs Boost.Context)" OFF)

# everything in a folder named device, but the emulator itself
file(GLOB_RECURSE ROWAN_DEVICE_SOURCES RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS lib/*.cpp features/*.cpp
     accumulators/*.cpp)
list(FILTER ROWAN_DEVICE_SOURCES INCLUDE REGEX "/device/")
list(FILTER ROWAN_DEVICE_SOURCES EXCLUDE REGEX "/emulated/")
list(TRANSFORM ROWAN_DEVICE_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)
# What is compiled: some as one, in 0.4 of the time. By itself is what has most kernels, and what includes the platform's
# primitives, where `sort` is theirs.
set(ROWAN_DEVICE_ALONE ${PROJECT_SOURCE_DIR}/accumulators/dense/device/small.cpp
    ${PROJECT_SOURCE_DIR}/lib/device/runtime/primitives.cpp)
set(rows ${ROWAN_DEVICE_SOURCES})
list(FILTER rows EXCLUDE REGEX "/lib/device/")
list(REMOVE_ITEM rows ${ROWAN_DEVICE_ALONE})
set(rest ${ROWAN_DEVICE_SOURCES})
list(REMOVE_ITEM rest ${rows} ${ROWAN_DEVICE_ALONE})
rowan_together(rows rows 5 ${rows})
rowan_together(rest device 6 ${rest})
set(ROWAN_DEVICE_COMPILED ${rows} ${rest} ${ROWAN_DEVICE_ALONE})
file(GLOB ROWAN_EMULATOR_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/device/emulated/*.cpp)

# The table of kernel shapes of each backend (lib/device/runtime/shapes.hpp): its own where a build is for one architecture
# that has one, the backend's default where it is for several. For everybody in the build: device code, tests, the program.
function(rowan_tune_for backend prefix architectures suffix tables)
  list(TRANSFORM architectures REPLACE "${suffix}" "")
  list(REMOVE_DUPLICATES architectures)
  list(LENGTH architectures count)
  if(count EQUAL 1 AND architectures IN_LIST tables)
    add_compile_definitions(ROWAN_${backend}_TUNED_FOR=${prefix}${architectures})
  endif()
endfunction()
if(ROWAN_CUDA)
  rowan_tune_for(CUDA sm_ "${CMAKE_CUDA_ARCHITECTURES}" "(a-real|a-virtual|-real|-virtual|a)$" "80;90")
endif()
if(ROWAN_HIP)
  rowan_tune_for(HIP "" "${CMAKE_HIP_ARCHITECTURES}" ":.*$" "gfx906;gfx90a")
endif()

# The flags with which the compiler calls the emulator before every access: half of ThreadSanitizer, without its runtime.
# A tenth of a test's time is in the kernels: half as long to compile, with places alone for the debugger. No less than -O1:
# unoptimised, g++ sets whole structures by instructions that it does not watch.
set(ROWAN_CHECKED_FLAGS -O1 -gdwarf-4 -g1 -fsanitize=thread $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>
    $<$<CXX_COMPILER_ID:Clang>:-mllvm -tsan-instrument-read-before-write=1>)

# rowan_emulated(TARGET NAMESPACE [checked]): device sources for the CPU, and the emulator that runs them. Several in one
# program differ in their namespace.
function(rowan_emulated target namespace)
  add_library(${target}_emulator OBJECT ${ROWAN_EMULATOR_SOURCES})
  add_library(${target} OBJECT ${ROWAN_DEVICE_COMPILED})
  foreach(part ${target}_emulator ${target})
    target_compile_definitions(${part} PUBLIC ROWAN_BACKEND=${namespace} PRIVATE $<$<STREQUAL:${ROWAN_SCHEDULER},threads>:ROWAN_SCHEDULER_THREADS>)
    target_include_directories(${part} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/lib/include)
    target_link_libraries(${part} PUBLIC $<BUILD_INTERFACE:rowan_warnings> Boost::context ${ROWAN_SCHEDULER_LIBRARY})
    target_compile_options(${part} PRIVATE -ffp-contract=off)
    # as the library that they are put into
    set_target_properties(${part} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endforeach()
  if("checked" IN_LIST ARGN)
    target_compile_definitions(${target}_emulator PRIVATE ROWAN_CHECKED)
    target_compile_options(${target} PRIVATE ${ROWAN_CHECKED_FLAGS})
  endif()
endfunction()

set(ROWAN_DEVICE_OBJECTS "")
if(ROWAN_CUDA)
  if(NOT DEFINED CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc 13 has C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
  find_package(CUDAToolkit REQUIRED)
  add_subdirectory(${PROJECT_SOURCE_DIR}/cmake/cuda ${PROJECT_BINARY_DIR}/device/cuda)
  list(APPEND ROWAN_DEVICE_OBJECTS $<TARGET_OBJECTS:rowan_cuda>)
  target_link_libraries(rowan PUBLIC $<BUILD_INTERFACE:CUDA::cudart_static> PRIVATE CUDA::cudart_static)
  target_compile_definitions(rowan PRIVATE ROWAN_HAVE_CUDA)
endif()
if(ROWAN_HIP)
  include(${PROJECT_SOURCE_DIR}/cmake/debian_hip.cmake)
  set(CMAKE_HIP_STANDARD 20)
  enable_language(HIP)
  find_package(hip REQUIRED)
  add_subdirectory(${PROJECT_SOURCE_DIR}/cmake/hip ${PROJECT_BINARY_DIR}/device/hip)
  list(APPEND ROWAN_DEVICE_OBJECTS $<TARGET_OBJECTS:rowan_hip>)
  target_link_libraries(rowan PUBLIC $<BUILD_INTERFACE:hip::host> PRIVATE hip::host)
  target_compile_definitions(rowan PRIVATE ROWAN_HAVE_HIP)
endif()
if(ROWAN_EMULATED)
  rowan_emulated(rowan_emulated_backend emulated)
  list(APPEND ROWAN_DEVICE_OBJECTS $<TARGET_OBJECTS:rowan_emulated_backend> $<TARGET_OBJECTS:rowan_emulated_backend_emulator>)
  target_link_libraries(rowan PUBLIC $<BUILD_INTERFACE:Boost::context> PRIVATE Boost::context)
  target_compile_definitions(rowan PRIVATE ROWAN_HAVE_EMULATED=emulated)
endif()
target_sources(rowan PRIVATE ${ROWAN_DEVICE_OBJECTS})
