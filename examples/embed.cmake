# The text of a file as an array of characters, for C and C++: cmake -DFILE=F -DNAME=kText -DHEADER=H -P embed.cmake
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1, " bytes "${bytes}")
file(WRITE ${HEADER} "static const char ${NAME}[] = {${bytes}0};\n")
