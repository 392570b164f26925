# Tests of what runs on devices: on real ones (gpu/), and under the emulator.
file(GLOB_RECURSE ROWAN_DEVICE_TESTS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
list(FILTER ROWAN_DEVICE_TESTS INCLUDE REGEX "/device/")
file(GLOB support CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/support/*.cpp)
add_library(rowan_device_test_support OBJECT ${support} main.cpp) # once for all programs
target_include_directories(rowan_device_test_support PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(rowan_device_test_support PRIVATE -ffp-contract=off -O1) # quick to build
target_link_libraries(rowan_device_test_support PRIVATE rowan_warnings rowan_inside doctest::doctest)

if(ROWAN_CUDA OR ROWAN_HIP)
  add_subdirectory(gpu)
endif()
if(NOT Boost_FOUND)
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

# A program whose backends are the host and an emulated device of the tests': its list of backends is linked in place of
# the library's.
function(rowan_with_emulated target namespace)
  add_library(${target}_backends OBJECT ${PROJECT_SOURCE_DIR}/lib/backends/devices.cpp)
  target_include_directories(${target}_backends PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/lib/include)
  target_compile_definitions(${target}_backends PRIVATE ROWAN_HAVE_EMULATED=${namespace})
  target_link_libraries(${target}_backends PRIVATE rowan_warnings)
  target_link_libraries(${target} PRIVATE ${target}_backends rowan_${namespace} rowan_${namespace}_emulator rowan_inside
                                          ${ROWAN_SCHEDULER_LIBRARY} Boost::context ${CMAKE_DL_LIBS})
  if(namespace STREQUAL emulated_asan)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

function(rowan_device_tests label)
  set(namespace emulated_${label})
  rowan_emulated(rowan_${namespace} ${namespace} ${label})
  # kernels that tests write are watched as the library's are; the list of backends stands in for the library's own
  add_executable(rowan_device_tests_${label} ${ROWAN_DEVICE_TESTS})
  rowan_compile_together(rowan_device_tests_${label} 10 ${CMAKE_CURRENT_SOURCE_DIR} ROWAN_DEVICE_TESTS)
  rowan_with_emulated(rowan_device_tests_${label} ${namespace})
  target_compile_definitions(rowan_device_tests_${label} PRIVATE ROWAN_BACKEND=${namespace} ROWAN_TEST_LABEL="${label}")
  target_include_directories(rowan_device_tests_${label} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(rowan_device_tests_${label} PRIVATE -ffp-contract=off -O1)
  target_link_libraries(rowan_device_tests_${label} PRIVATE rowan_warnings rowan_device_test_support doctest::doctest)
  if(label STREQUAL checked)
    target_compile_options(rowan_device_tests_${label} PRIVATE ${ROWAN_CHECKED_FLAGS})
    target_compile_definitions(rowan_device_tests_${label} PRIVATE ROWAN_CHECKED)
  elseif(label STREQUAL asan)
    foreach(part rowan_${namespace} rowan_${namespace}_emulator rowan_device_tests_${label})
      target_compile_options(${part} PRIVATE -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
                                             -Wno-maybe-uninitialized)  # poisoning memory is no use of it
    endforeach()
  endif()
  doctest_discover_tests(rowan_device_tests_${label} TEST_PREFIX "device (${label}): " PROPERTIES LABELS ${label} COST 10)
endfunction()

foreach(label IN LISTS ROWAN_EMULATED_LABELS)
  rowan_device_tests(${label})
endforeach()
if(checked IN_LIST ROWAN_EMULATED_LABELS)
  add_subdirectory(mutants)
endif()

# The papers' experiments, counted (bench/papers.sh); variants are their own objects in place of the library's.
if(checked IN_LIST ROWAN_EMULATED_LABELS AND ROWAN_BUILD_BENCH)
  add_library(papers_counted_program OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/papers.cpp)
  target_compile_definitions(papers_counted_program PRIVATE PAPERS_COUNT ROWAN_BACKEND=emulated_checked)
  target_include_directories(papers_counted_program PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(papers_counted_program PRIVATE rowan_warnings rowan_inside ${ROWAN_SCHEDULER_LIBRARY})
  add_custom_target(papers_counted)
  foreach(variant none ${ROWAN_PAPERS_VARIANTS})
    set(program papers_counted_${variant})
    add_executable(${program} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:papers_counted_program>
                                               ${PROJECT_SOURCE_DIR}/bench/papers_variant.cpp)
    target_compile_definitions(${program} PRIVATE ROWAN_VARIANT=${variant})
    set(others $<TARGET_OBJECTS:rowan_emulated_checked>)
    if(NOT variant STREQUAL none)
      add_library(${program}_files OBJECT EXCLUDE_FROM_ALL ${ROWAN_PAPERS_FILES_${variant}})
      target_compile_definitions(${program}_files PRIVATE "ROWAN_TUNING_OVERRIDE=${ROWAN_PAPERS_OVERRIDE_${variant}}"
                                                           ROWAN_BACKEND=emulated_checked)
      target_include_directories(${program}_files PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/lib/include)
      target_compile_options(${program}_files PRIVATE -ffp-contract=off ${ROWAN_CHECKED_FLAGS})
      target_link_libraries(${program}_files PRIVATE rowan_warnings Boost::context ${ROWAN_SCHEDULER_LIBRARY})
      list(TRANSFORM ROWAN_PAPERS_FILES_${variant} REPLACE "^${PROJECT_BINARY_DIR}/" "" OUTPUT_VARIABLE replaced)
      list(TRANSFORM replaced REPLACE "^${PROJECT_SOURCE_DIR}/" "")
      list(JOIN replaced "|" replaced)
      set(others $<TARGET_OBJECTS:${program}_files> $<FILTER:${others},EXCLUDE,${replaced}>)
    endif()
    target_sources(${program} PRIVATE ${others} $<TARGET_OBJECTS:rowan_emulated_checked_emulator>
                                      $<TARGET_OBJECTS:rowan_device_tests_checked_backends>)
    target_link_libraries(${program} PRIVATE rowan_warnings rowan_inside ${ROWAN_SCHEDULER_LIBRARY} Boost::context
                                             ${CMAKE_DL_LIBS})
    add_dependencies(papers_counted ${program})
  endforeach()
endif()

# The command line with the first label's emulated device, for tests/tools: the program's own objects, linked anew, and
# a contestant of `rowan bench` beside it as in the build tree.
if(TARGET rowan_tool)
  list(GET ROWAN_EMULATED_LABELS 0 label)
  set(place ${CMAKE_CURRENT_BINARY_DIR}/emulated)
  add_executable(rowan_tool_emulated $<TARGET_OBJECTS:rowan_tool>)
  set_target_properties(rowan_tool_emulated PROPERTIES OUTPUT_NAME rowan RUNTIME_OUTPUT_DIRECTORY ${place}/tools/rowan)
  target_link_libraries(rowan_tool_emulated PRIVATE rowan_training fmt::fmt hwy::hwy)
  rowan_with_emulated(rowan_tool_emulated emulated_${label})
  add_dependencies(rowan_tests rowan_tool_emulated)
  if(TARGET peer_rowan)
    add_executable(peer_rowan_emulated $<TARGET_OBJECTS:peer_rowan>)
    set_target_properties(peer_rowan_emulated PROPERTIES OUTPUT_NAME rowan RUNTIME_OUTPUT_DIRECTORY ${place}/bench/peers)
    rowan_with_emulated(peer_rowan_emulated emulated_${label})
    add_dependencies(rowan_tests peer_rowan_emulated)
  endif()
  target_compile_definitions(rowan_tests PRIVATE ROWAN_EMULATED_TOOL_PATH="$<TARGET_FILE:rowan_tool_emulated>")
endif()

# The C interface and pyrowan with that device: C's own tests of it, and the module's objects linked anew.
list(GET ROWAN_EMULATED_LABELS 0 label)
enable_language(C)
add_executable(rowan_c_device_tests lib/c/device.c)
set_target_properties(rowan_c_device_tests PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                                                      LINKER_LANGUAGE CXX)
target_compile_options(rowan_c_device_tests PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                                    $<$<BOOL:${ROWAN_WERROR}>:-Werror>)
rowan_with_emulated(rowan_c_device_tests emulated_${label})
add_test(NAME c_interface_device COMMAND rowan_c_device_tests)
if(TARGET pyrowan_core AND NOT label STREQUAL asan)
  set(place ${CMAKE_CURRENT_BINARY_DIR}/emulated/python)
  add_library(pyrowan_core_emulated MODULE $<TARGET_OBJECTS:pyrowan_core>)
  get_target_property(name pyrowan_core SUFFIX)
  set_target_properties(pyrowan_core_emulated PROPERTIES OUTPUT_NAME _core PREFIX "" SUFFIX "${name}"
                                                         LIBRARY_OUTPUT_DIRECTORY ${place}/pyrowan)
  rowan_with_emulated(pyrowan_core_emulated emulated_${label})
  set_target_properties(pyrowan_core_emulated_backends PROPERTIES POSITION_INDEPENDENT_CODE ON)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/pyrowan/*)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    configure_file(${file} ${place}/pyrowan/${name} COPYONLY)
  endforeach()
  add_test(NAME pyrowan_device COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider
                                       ${PROJECT_SOURCE_DIR}/python/tests/test_device.py)
  set_tests_properties(pyrowan_device PROPERTIES ENVIRONMENT "PYTHONPATH=${place};PYTHONDONTWRITEBYTECODE=1")
endif()
