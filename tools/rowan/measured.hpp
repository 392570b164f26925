#pragma once
// What `multiply` measured or foretold, as text and as JSON.
#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <rowan/context.hpp>

namespace rowan::tool {

/// C as a whole.
struct Size {
  std::int64_t rows = 0, cols = 0, nnz = 0, nprod = 0;

  /// Products for each entry of C; 0 where it has none.
  [[nodiscard]] double compression_ratio() const;
};

/// What was written in blocks of rows.
struct WrittenBlocks {
  std::int64_t blocks = 0;
  std::int64_t bytes = 0;      ///< columns and values
  std::int64_t nnz = 0;        ///< of C
  std::int64_t first_row = 0;  ///< those before it were there: an interrupted program was continued
  double counting = 0;         ///< seconds to count C's rows first
  double writing = 0;          ///< seconds, most of them while other blocks were computed
};

/// A multiplication that was done; `read` and `write` are seconds outside of it.
struct Done {
  Size size;
  Stats stats;
  double read = 0, write = 0;
  double counting = 0;                       // products by themselves, once more; 0: not measured
  std::optional<WrittenBlocks> blocks = {};  // where C was written in blocks: `write` is its `writing`

  /// Everything before the first accumulator but checks; products are counted on its way.
  [[nodiscard]] double choosing() const { return stats.features + stats.binning + stats.deciding; }
  /// `seconds` as a share of the multiplication, in percent.
  [[nodiscard]] double percent(double seconds) const;
  /// Two operations a product, but for time that was not spent on multiplying.
  [[nodiscard]] double gflops() const;
};

/// A multiplication that was only sized up; `limit` is 0 where there is none.
struct Foreseen {
  Size size;
  std::int64_t bytes_c = 0, bytes_temporary = 0, limit = 0;

  [[nodiscard]] std::int64_t bytes() const { return bytes_c + bytes_temporary; }
};

/// R·A·P that was done.
struct GalerkinDone {
  Size size;  // nprod: of both products
  GalerkinStats stats;
  double read = 0, write = 0;
};

[[nodiscard]] std::string summary(const GalerkinDone& done);  // one line
[[nodiscard]] std::string text(const GalerkinDone& done);
[[nodiscard]] nlohmann::ordered_json json(const GalerkinDone& done);

[[nodiscard]] std::string summary(const Done& done);  // one line
[[nodiscard]] std::string text(const Done& done);
[[nodiscard]] std::string text(const Foreseen& foreseen);
[[nodiscard]] nlohmann::ordered_json json(const Done& done);
[[nodiscard]] nlohmann::ordered_json json(const Foreseen& foreseen);

/// "one_phase" or "two_phase".
[[nodiscard]] std::string method_name(Method method);

}  // namespace rowan::tool
