#include "tools/rowan/bench/suites.hpp"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "tools/rowan/command.hpp"

namespace rowan::tool::bench {
namespace {

// Table 3 of OpSparse (Du et al., IEEE Access 2022): name, rows, nnz, products and entries of A*A.
constexpr std::array kOpSparse{
    SuiteMatrix{"m133-b3", 200'200, 800'800, 3'203'200, 3'182'751},
    SuiteMatrix{"mac_econ_fwd500", 206'500, 1'273'389, 7'556'897, 6'704'899},
    SuiteMatrix{"patents_main", 240'547, 560'943, 2'604'790, 2'281'308},
    SuiteMatrix{"webbase-1M", 1'000'005, 3'105'536, 69'524'195, 51'111'996},
    SuiteMatrix{"mc2depi", 525'825, 2'100'225, 8'391'680, 5'245'952},
    SuiteMatrix{"scircuit", 170'998, 958'936, 8'676'313, 5'222'525},
    SuiteMatrix{"mario002", 389'874, 2'101'242, 12'829'364, 6'449'598},
    SuiteMatrix{"cage12", 130'228, 2'032'536, 34'610'826, 15'231'874},
    SuiteMatrix{"majorbasis", 160'000, 1'750'416, 19'178'064, 8'243'392},
    SuiteMatrix{"offshore", 259'789, 4'242'673, 71'342'515, 23'356'245},
    SuiteMatrix{"2cubes_sphere", 101'492, 1'647'264, 27'450'606, 8'974'526},
    SuiteMatrix{"poisson3Da", 13'514, 352'762, 11'768'678, 2'957'530},
    SuiteMatrix{"filter3D", 106'437, 2'707'179, 85'957'185, 20'161'619},
    SuiteMatrix{"mono_500Hz", 169'410, 5'036'288, 204'030'968, 41'377'964},
    SuiteMatrix{"conf5_4-8x8-05", 49'152, 1'916'928, 74'760'192, 10'911'744},
    SuiteMatrix{"cant", 62'451, 4'007'383, 269'486'473, 17'440'029},
    SuiteMatrix{"consph", 83'334, 6'010'480, 463'845'030, 26'539'736},
    SuiteMatrix{"shipsec1", 140'874, 7'813'404, 450'639'288, 24'086'412},
    SuiteMatrix{"rma10", 46'835, 2'374'001, 156'480'259, 7'900'917},
    SuiteMatrix{"delaunay_n24", 16'777'216, 100'663'202, 633'914'372, 347'322'258},
    SuiteMatrix{"cage15", 5'154'859, 99'199'551, 2'078'631'615, 929'023'247},
    SuiteMatrix{"wb-edu", 9'845'725, 57'156'537, 1'559'579'990, 630'077'764},
    SuiteMatrix{"cop20k_A", 121'192, 2'624'331, 79'883'385, 18'705'069},
    SuiteMatrix{"hood", 220'542, 10'768'436, 562'028'138, 34'242'180},
    SuiteMatrix{"pwtk", 217'918, 11'634'424, 626'054'402, 32'772'236},
    SuiteMatrix{"pdb1HYS", 36'417, 4'344'765, 555'322'659, 19'594'581},
};

// The data sets of nsparse (Nagasaka et al., ICPP 2017), under their names in the collection.
constexpr std::array kNsparse{
    SuiteMatrix{"pdb1HYS", 36'417, 4'344'765, 555'322'659, 19'594'581},
    SuiteMatrix{"consph", 83'334, 6'010'480, 463'845'030, 26'539'736},
    SuiteMatrix{"cant", 62'451, 4'007'383, 269'486'473, 17'440'029},
    SuiteMatrix{"shipsec1", 140'874, 7'813'404, 450'639'288, 24'086'412},
    SuiteMatrix{"pwtk", 217'918, 11'634'424, 626'054'402, 32'772'236},
    SuiteMatrix{"rma10", 46'835, 2'374'001, 156'480'259, 7'900'917},
    SuiteMatrix{"conf5_4-8x8-05", 49'152, 1'916'928, 74'760'192, 10'911'744},
    SuiteMatrix{"cop20k_A", 121'192, 2'624'331, 79'883'385, 18'705'069},
    SuiteMatrix{"mac_econ_fwd500", 206'500, 1'273'389, 7'556'897, 6'704'899},
    SuiteMatrix{"scircuit", 170'998, 958'936, 8'676'313, 5'222'525},
    SuiteMatrix{"mc2depi", 525'825, 2'100'225, 8'391'680, 5'245'952},
    SuiteMatrix{"webbase-1M", 1'000'005, 3'105'536, 69'524'195, 51'111'996},
    SuiteMatrix{"cage15", 5'154'859, 99'199'551, 2'078'631'615, 929'023'247},
    SuiteMatrix{"wb-edu", 9'845'725, 57'156'537, 1'559'579'990, 630'077'764},
    SuiteMatrix{"cit-Patents", 3'774'768, 16'518'948, 82'152'992, 68'848'721},
};

}  // namespace

std::vector<std::string> suite_names() {
  return {"nsparse", "opsparse"};
}

std::span<const SuiteMatrix> suite(const std::string& name) {
  if (name == "opsparse") return kOpSparse;
  if (name == "nsparse") return kNsparse;
  throw UsageError("there is no suite \"" + name + "\"");
}

std::string find_matrix(const std::string& folder, const std::string& name) {
  namespace fs = std::filesystem;
  for (const fs::path& place : {fs::path(folder), fs::path(folder) / name})
    for (const char* ending : {".mtx", ".mtx.gz", ".bin"})
      if (const fs::path file = place / (name + ending); fs::is_regular_file(file)) return file.string();
  return "";
}

std::string difference(const SuiteMatrix& m, std::int64_t rows, std::int64_t nnz, std::int64_t nprod,
                       std::int64_t nnz_c) {
  std::string out;
  const auto compare = [&](const char* what, std::int64_t is, std::int64_t published) {
    if (is != published) out += fmt::format("{}{} {}, published {}", out.empty() ? "" : "; ", what, is, published);
  };
  compare("rows", rows, m.rows), compare("nnz", nnz, m.nnz), compare("nprod", nprod, m.nprod);
  compare("nnz(C)", nnz_c, m.nnz_c);
  return out;
}

}  // namespace rowan::tool::bench
