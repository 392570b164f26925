# Installs rowan, builds examples/ and a shared object against the installed package as a user would, and runs them.
#   cmake -DBUILD=<build folder> -DSOURCE=<source folder> -DGENERATOR=<Ninja or another> -P installed_package.cmake
set(prefix ${BUILD}/installed)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  message("${output}")
endfunction()
file(REMOVE_RECURSE ${prefix} ${BUILD}/installed_examples ${BUILD}/installed_shared_object) # what an earlier, half-done run left would be believed
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/examples -B ${BUILD}/installed_examples -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${BUILD}/installed_examples)
run(${BUILD}/installed_examples/multiply)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/shared_object -B ${BUILD}/installed_shared_object
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${BUILD}/installed_shared_object)
run(${BUILD}/installed_shared_object/open_product)
