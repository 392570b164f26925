# The library's plain sources, six of a folder as one: most of the time goes to headers. Kernels are files of their own, which
# Highway includes again for each instruction set.
#   rowan_compile_together(TARGET SOURCES ALONE)    names of lists; ALONE: what defines names that its neighbours have, too
function(rowan_compile_together target sources_name alone_name)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ROWAN_UNITY} UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ${sources_name})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${source} kernel REGEX "foreach_target" LIMIT_COUNT 1)
    if(kernel OR source IN_LIST ${alone_name})
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    string(REGEX MATCH "^[a-z]+/?[a-z]*" folder ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    math(EXPR count_${folder} "${count_${folder}} + 1")
    math(EXPR group "(${count_${folder}} - 1) / 6")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
endfunction()
