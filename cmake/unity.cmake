# Sources compiled together, as one: most of the time goes to headers. ROWAN_UNITY=OFF compiles each by itself.

# The plain sources of TARGET, relative to BASE, SIZE of a folder as one. Kernels are files of their own, which Highway includes
# again for each instruction set: KERNELS, where there is but one, takes them with the others.
#   rowan_compile_together(TARGET SIZE BASE SOURCES [KERNELS] [ALONE...])    SOURCES: a list's name; ALONE: what defines names
#                                                                            that its neighbours have, too
function(rowan_compile_together target size base sources)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ROWAN_UNITY} UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ${sources})
    file(STRINGS ${base}/${source} kernel REGEX "foreach_target" LIMIT_COUNT 1)
    if((kernel AND NOT KERNELS IN_LIST ARGN) OR source IN_LIST ARGN)
      continue()
    endif()
    string(REGEX MATCH "^(lib/)?[a-z_]+/" folder ${source})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR count_${folder} "${count_${folder}} + 1")
    math(EXPR group "(${count_${folder}} - 1) / ${size}")
    set_source_files_properties(${base}/${source} PROPERTIES UNITY_GROUP ${folder}${group})
  endforeach()
endfunction()

# The same for sources of whatever language: writes files to the build folder that include SIZE of SOURCES each, and lists them
# in OUT. The global property rowan_together_SOURCE says in which file a source is.
#   rowan_together(OUT NAME SIZE SOURCES...)
function(rowan_together out name size)
  set(files "")
  set(sources ${ARGN})
  while(ROWAN_UNITY AND sources)
    list(LENGTH files number)
    set(file ${PROJECT_BINARY_DIR}/unity/${name}_${number}.cpp)
    # g++ takes a source for a header, and warns of types that every file would have for itself
    set(text "#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)\n")
    string(APPEND text "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#endif\n")
    list(SUBLIST sources 0 ${size} together)
    list(REMOVE_ITEM sources ${together})
    foreach(source IN LISTS together)
      string(APPEND text "#include \"${source}\"\n")
      set_property(GLOBAL PROPERTY rowan_together_${source} ${file})
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY) # written only where it changes
    list(APPEND files ${file})
  endwhile()
  set(${out} ${files} ${sources} PARENT_SCOPE)
endfunction()
