# Tests of what runs on devices: on real ones (gpu/), and under the emulator.
file(GLOB_RECURSE ROWAN_DEVICE_TESTS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
list(FILTER ROWAN_DEVICE_TESTS INCLUDE REGEX "/device/")
file(GLOB support CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/support/*.cpp)
add_library(rowan_device_test_support OBJECT ${support} main.cpp) # once for all programs
target_include_directories(rowan_device_test_support PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(rowan_device_test_support PRIVATE -ffp-contract=off -O1) # quick to build
target_link_libraries(rowan_device_test_support PRIVATE rowan_warnings rowan::rowan doctest::doctest)

if(ROWAN_CUDA OR ROWAN_HIP)
  add_subdirectory(gpu)
endif()
if(NOT ROWAN_EMULATED)
  return()
endif()

# The device's kernels under the emulator, a program for each of ROWAN_EMULATED_LABELS, which are ctest's labels too:
#   checked  every access of every kernel is watched (the default)
#   plain    as fast as it gets: the kernels as compiled for the library
#   asan     AddressSanitizer and UBSan in place of the emulator's own checks
if(CMAKE_CXX_FLAGS MATCHES "sanitize=thread")
  return() # it knows nothing of fibers
elseif(CMAKE_CXX_FLAGS MATCHES "sanitize")
  set(ROWAN_EMULATED_LABELS plain) # one sanitizer at a time
endif()
set(ROWAN_EMULATED_LABELS checked CACHE STRING "how the emulated tests are built: checked, plain, asan")

function(rowan_device_tests label)
  set(namespace emulated_${label})
  rowan_emulated(rowan_${namespace} ${namespace} ${label})
  # kernels that tests write are watched as the library's are
  add_executable(rowan_device_tests_${label} ${ROWAN_DEVICE_TESTS})
  target_compile_definitions(rowan_device_tests_${label} PRIVATE ROWAN_BACKEND=${namespace} ROWAN_TEST_LABEL="${label}")
  target_include_directories(rowan_device_tests_${label} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(rowan_device_tests_${label} PRIVATE -ffp-contract=off -O1)
  target_link_libraries(rowan_device_tests_${label}
    PRIVATE rowan_warnings rowan_device_test_support rowan_${namespace} rowan_${namespace}_emulator rowan::rowan
            doctest::doctest ${ROWAN_SCHEDULER_LIBRARY} Boost::context ${CMAKE_DL_LIBS})
  if(label STREQUAL checked)
    target_compile_options(rowan_device_tests_${label} PRIVATE ${ROWAN_CHECKED_FLAGS} -gdwarf-4)
    target_compile_definitions(rowan_device_tests_${label} PRIVATE ROWAN_CHECKED)
  elseif(label STREQUAL asan)
    foreach(part rowan_${namespace} rowan_${namespace}_emulator rowan_device_tests_${label})
      target_compile_options(${part} PRIVATE -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
                                             -Wno-maybe-uninitialized)  # poisoning memory is no use of it
    endforeach()
    target_link_options(rowan_device_tests_${label} PRIVATE -fsanitize=address,undefined)
  endif()
  doctest_discover_tests(rowan_device_tests_${label} TEST_PREFIX "device (${label}): " PROPERTIES LABELS ${label})
endfunction()

foreach(label IN LISTS ROWAN_EMULATED_LABELS)
  rowan_device_tests(${label})
endforeach()
if(checked IN_LIST ROWAN_EMULATED_LABELS)
  add_subdirectory(mutants)
endif()
