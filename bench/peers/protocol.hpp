#pragma once
// A contestant's side of PROTOCOL.md. A peer is a class
//
//   struct Peer {
//     Peer(const peer::Matrix& a, const peer::Matrix& b, int threads, const std::vector<std::string>& args);
//     void multiply();              // C = A*B: allocated, sorted
//     peer::Result result() const;  // a view of C
//     void release();               // frees C
//     std::string stages() const;   // optional: a JSON object for the report
//     std::int64_t device_bytes() const;  // optional: device memory that a multiplication takes at most, C inside; 0:
//                                         // not known
//     void rest();                  // optional: gives memory back that it keeps for its next multiplication
//   };
//
// and `int main(int argc, char** argv) { return peer::serve<Peer>({{"Name 1.0"}}, argc, argv); }`.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace peer {

struct Matrix {
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int32_t> row_ptr = {}, col = {};
  std::vector<double> val = {};

  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(col.size()); }
};

/// C as the library holds it; row pointers of either width.
struct Result {
  std::int64_t rows = 0, cols = 0;
  const std::int32_t* row_ptr32 = nullptr;
  const std::int64_t* row_ptr64 = nullptr;
  const std::int32_t* col = nullptr;
  const double* val = nullptr;

  [[nodiscard]] std::int64_t row_ptr(std::int64_t i) const {
    return row_ptr32 != nullptr ? row_ptr32[i] : row_ptr64[i];
  }
};

/// One way to multiply, as `--contestants` prints it.
struct Contestant {
  std::string name;
  std::vector<std::string> args = {};
  std::string kind = "full";
  std::string backend = "host";
  bool sorted = true;  // false: C's columns come in any order
};

constexpr std::int32_t kMagic = 0x52535243;

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

inline File open(const std::string& path, const char* mode) {
  File f(std::fopen(path.c_str(), mode));
  if (!f) throw std::runtime_error(path + ": " + std::strerror(errno));
  return f;
}

template <class T>
void get(std::FILE* f, T* to, std::int64_t n) {
  const auto count = static_cast<std::size_t>(n);
  if (std::fread(to, sizeof(T), count, f) != count) throw std::runtime_error("the matrix ends early");
}
template <class T>
void put(std::FILE* f, const T* from, std::int64_t n) {
  const auto count = static_cast<std::size_t>(n);
  if (std::fwrite(from, sizeof(T), count, f) != count) throw std::runtime_error("cannot write C");
}

inline Matrix read(const std::string& path) {
  const File f = open(path, "rb");
  std::int32_t magic = 0;
  std::int64_t size[3];
  get(f.get(), &magic, 1), get(f.get(), size, 3);
  if (magic != kMagic) throw std::runtime_error(path + ": not binary CSR");
  Matrix m{.rows = size[0], .cols = size[1]};
  m.row_ptr.resize(static_cast<std::size_t>(size[0] + 1));
  m.col.resize(static_cast<std::size_t>(size[2])), m.val.resize(static_cast<std::size_t>(size[2]));
  get(f.get(), m.row_ptr.data(), size[0] + 1), get(f.get(), m.col.data(), size[2]), get(f.get(), m.val.data(), size[2]);
  return m;
}

inline void write(const std::string& path, const Result& c) {
  const File f = open(path, "wb");
  const std::int64_t nnz = c.row_ptr(c.rows), size[] = {c.rows, c.cols, nnz};
  put(f.get(), &kMagic, 1), put(f.get(), size, 3);
  for (std::int64_t i = 0; i <= c.rows; i++) {
    const auto p = static_cast<std::int32_t>(c.row_ptr(i));
    put(f.get(), &p, 1);
  }
  put(f.get(), c.col, nnz), put(f.get(), c.val, nnz);
  if (std::fflush(f.get()) != 0) throw std::runtime_error("cannot write " + path);
}

/// Seconds of each multiplication until `budget` is spent.
template <class Peer>
std::vector<double> run(Peer& peer, double budget) {
  constexpr std::size_t kMost = 2000;  // enough for a minimum and a median of the smallest
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  double spent = 0;
  if constexpr (requires { peer.rest(); }) peer.multiply(), peer.release();  // takes its memory again, untimed
  do {
    const auto start = Clock::now();
    peer.multiply();
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    peer.release();
    seconds.push_back(took), spent += took;
  } while (spent < budget && seconds.size() < kMost);
  return seconds;
}

inline void answer(const std::string& json) {
  std::printf("%s\n", json.c_str());
  std::fflush(stdout);
}

inline std::string quoted(const std::string& text) {
  std::string s = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    s += c == '\n' ? ' ' : c;
  }
  return s + "\"";
}

template <class Peer>
std::string seconds_json(const Peer& peer, const std::vector<double>& seconds) {
  std::string s = "{\"seconds\": [";
  for (std::size_t i = 0; i < seconds.size(); i++) {
    char number[32];
    std::snprintf(number, sizeof number, "%s%.9f", i == 0 ? "" : ", ", seconds[i]);
    s += number;
  }
  s += "]";
  if constexpr (requires { peer.device_bytes(); })
    if (const std::int64_t bytes = peer.device_bytes(); bytes != 0) s += ", \"device_bytes\": " + std::to_string(bytes);
  if constexpr (requires { peer.stages(); }) s += ", \"stages\": " + peer.stages();
  return s + "}";
}

inline int list(const std::vector<Contestant>& contestants) {
  for (const Contestant& c : contestants) {
    std::string args;
    for (const std::string& a : c.args) args += (args.empty() ? "" : ", ") + quoted(a);
    answer("{\"name\": " + quoted(c.name) + ", \"args\": [" + args + "], \"kind\": " + quoted(c.kind) +
           ", \"backend\": " + quoted(c.backend) + (c.sorted ? "}" : ", \"sorted\": false}"));
  }
  return 0;
}

template <class Peer>
int serve(const std::vector<Contestant>& contestants, int argc, char** argv) try {
  std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 1 && args[0] == "--contestants") return list(contestants);
  if (args.size() < 3) throw std::runtime_error("usage: PEER --contestants | PEER [ARGS] A.bin B.bin THREADS");
  const int threads = std::atoi(args.back().c_str());
  const std::string file_b = args[args.size() - 2], file_a = args[args.size() - 3];
  args.resize(args.size() - 3);
  const auto peer = [&] {
    const Matrix a = read(file_a);
    if (file_b == file_a) return std::make_unique<Peer>(a, a, threads, args);
    return std::make_unique<Peer>(a, read(file_b), threads, args);
  }();
  answer("{\"ready\": true}");
  for (std::string line; std::getline(std::cin, line);) {
    try {
      if (line.starts_with("run ")) {
        const std::string times = seconds_json(*peer, run(*peer, std::atof(line.c_str() + 4)));
        if constexpr (requires { peer->rest(); }) peer->rest();
        answer(times);
      } else if (line.starts_with("write ")) {
        peer->multiply();
        write(line.substr(6), peer->result());
        peer->release();
        if constexpr (requires { peer->rest(); }) peer->rest();
        answer("{\"written\": true}");
      } else {
        answer("{\"error\": \"not understood\"}");
      }
    } catch (const std::exception& e) {
      peer->release();
      answer("{\"error\": " + quoted(e.what()) + "}");
    }
  }
  return 0;
} catch (const std::exception& e) {
  answer("{\"error\": " + quoted(e.what()) + "}");
  return 1;
}

}  // namespace peer
