# Sources compiled together, as one: most of the time goes to headers. ROWAN_UNITY=OFF compiles each by itself.

# The plain sources of TARGET, relative to BASE, SIZE of a folder as one. Kernels are files of their own, which Highway includes
# again for each instruction set.
#   rowan_compile_together(TARGET SIZE BASE SOURCES [ALONE...])    SOURCES: a list's name; ALONE: what defines names that its
#                                                                  neighbours have, too
function(rowan_compile_together target size base sources)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ROWAN_UNITY} UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ${sources})
    file(STRINGS ${base}/${source} kernel REGEX "foreach_target" LIMIT_COUNT 1)
    if(kernel OR source IN_LIST ARGN)
      continue()
    endif()
    string(REGEX MATCH "^(lib/)?[a-z_]+/" folder ${source})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR count_${folder} "${count_${folder}} + 1")
    math(EXPR group "(${count_${folder}} - 1) / ${size}")
    set_source_files_properties(${base}/${source} PROPERTIES UNITY_GROUP ${folder}${group})
  endforeach()
endfunction()
