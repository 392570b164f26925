# Debian puts HIP among the system's libraries, where CMake's HIP language does not look: shows it a folder that looks
# like ROCm's. Does nothing where there is a ROCm. To be included before enable_language(HIP).
set(hip_libraries "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
if(EXISTS "${hip_libraries}/cmake/hip-lang/hip-lang-config.cmake" AND NOT DEFINED CMAKE_HIP_COMPILER_ROCM_ROOT
   AND NOT EXISTS /opt/rocm/lib/cmake/hip-lang)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/rocm/lib")
  file(CREATE_LINK "${hip_libraries}/cmake" "${CMAKE_BINARY_DIR}/rocm/lib/cmake" SYMBOLIC)
  set(CMAKE_HIP_COMPILER_ROCM_ROOT "${CMAKE_BINARY_DIR}/rocm")
  if(NOT DEFINED CMAKE_HIP_COMPILER AND NOT DEFINED ENV{HIPCXX})
    find_program(ROWAN_HIP_CLANG NAMES clang++-15 REQUIRED) # the one that Debian's hipcc calls
    set(CMAKE_HIP_COMPILER "${ROWAN_HIP_CLANG}")
  endif()
  string(APPEND CMAKE_HIP_FLAGS " --rocm-path=/usr --rocm-device-lib-path=${hip_libraries}/amdgcn/bitcode")
  set(ENV{amd_comgr_DIR} "${hip_libraries}/cmake/amd_comgr") # the compiler's check does not know the architecture
endif()
