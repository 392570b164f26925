# what every file of the project is compiled with; users of the library inherit none of it
add_library(rowan_warnings INTERFACE)
target_compile_options(rowan_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
                                                -Wcast-align -Wdouble-promotion
                                                $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Wold-style-cast>)
# g++ 12 and 13 see overlapping copies in std::string's own operator+ (GCC bug 105651)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(rowan_warnings INTERFACE -Wno-restrict)
endif()
# g++ takes what sanitizers add for reads of what was never written, in <regex> and around poisoned memory
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  target_compile_options(rowan_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
if(ROWAN_WERROR)
  target_compile_options(rowan_warnings INTERFACE -Werror)
endif()
