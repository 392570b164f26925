# Writes a C++ source with what policy files say of the machines they are for and of the products that they were fitted
# to: cmake -DOUT=FILE "-DFILES=A.json;B.json" -P provenance.cmake. training/provenance.hpp declares it.
set(policies "")
foreach(file IN LISTS FILES)
  file(READ "${file}" policy)
  string(JSON name GET "${policy}" name)
  string(JSON machines ERROR_VARIABLE missing GET "${policy}" for)
  if(missing)
    set(machines "")
  endif()
  set(hashes "")
  string(JSON products ERROR_VARIABLE missing GET "${policy}" provenance products)
  if(NOT missing)
    string(REGEX MATCHALL "\"hash\" : \"[^\"]*\"" found "${products}")
    list(TRANSFORM found REPLACE "\"hash\" : " "")
    list(JOIN found ", " hashes)
  endif()
  string(APPEND policies "    {\"${name}\", \"${machines}\", {${hashes}}},\n")
endforeach()
file(WRITE "${OUT}" "// Made by cmake/provenance.cmake.
#include \"training/provenance.hpp\"

namespace rowan::training {

const Provenance* provenance_of(std::string_view policy) {
  static const std::vector<Provenance> all{
${policies}  };
  for (const Provenance& p : all)
    if (p.policy == policy) return &p;
  return nullptr;
}

}  // namespace rowan::training
")
