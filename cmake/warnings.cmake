# what every file of the project is compiled with; users of the library inherit none of it
add_library(rowan_warnings INTERFACE)
target_compile_options(rowan_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
                                                -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Wdouble-promotion)
if(ROWAN_WERROR)
  target_compile_options(rowan_warnings INTERFACE -Werror)
endif()
