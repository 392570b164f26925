#include "lib/io/zip.hpp"

#include "lib/io/available_memory.hpp"
#include <rowan/error.hpp>

#ifdef ROWAN_HAVE_ZIP
#include <zip.h>

namespace rowan::io {
namespace {

constexpr std::uint32_t kLevel = 1;  // as gzip's here: six times as fast as zlib's default, a tenth larger

[[noreturn]] void refuse(const std::string& name, int code) {
  if (code == ZIP_ER_MEMORY) throw Error(ErrorCode::out_of_memory, name + ": no memory for the zip archive");
  throw Error(ErrorCode::parse, name + ": the zip archive is broken or truncated");
}

}  // namespace

/// An archive in memory. The source is freed once by whoever made it and once by the archive.
struct ZipState {
  ZipState(std::string_view bytes, int flags, const std::string& name)
      : source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr)) {
    if (source == nullptr) refuse(name, ZIP_ER_MEMORY);
    zip_error_t error;
    zip_error_init(&error);
    archive = zip_open_from_source(source, flags, &error);
    const int code = zip_error_code_zip(&error);
    zip_error_fini(&error);
    if (archive == nullptr) {
      zip_source_free(source);
      refuse(name, code);
    }
    zip_source_keep(source);
  }
  ZipState(const ZipState&) = delete;
  ZipState& operator=(const ZipState&) = delete;
  ~ZipState() {
    if (archive != nullptr) zip_discard(archive);
    zip_source_free(source);
  }

  zip_source_t* source;
  zip_t* archive = nullptr;
};

ZipReader::ZipReader(std::string_view bytes, std::string name)
    : name_(std::move(name)), state_(std::make_shared<ZipState>(bytes, ZIP_RDONLY, name_)) {}

bool ZipReader::has(const std::string& entry) const {
  return zip_name_locate(state_->archive, entry.c_str(), 0) >= 0;
}

TextBuffer ZipReader::read(const std::string& entry) const {
  const auto broken = [&](const char* what) { return Error(ErrorCode::parse, name_ + ": " + entry + " " + what); };
  zip_stat_t stat;
  if (zip_stat(state_->archive, entry.c_str(), 0, &stat) != 0) throw broken("is missing");
  if ((stat.valid & ZIP_STAT_SIZE) == 0) throw broken("has no size");
  if (stat.encryption_method != ZIP_EM_NONE) throw broken("is encrypted");
  if (stat.size > static_cast<std::uint64_t>(available_memory()))
    throw Error(ErrorCode::out_of_memory, name_ + ": " + entry + " takes " + std::to_string(stat.size) + " bytes, " +
                                              std::to_string(available_memory()) + " are free");
  const std::shared_ptr<zip_file_t> file(zip_fopen(state_->archive, entry.c_str(), 0), [](zip_file_t* f) {
    if (f != nullptr) zip_fclose(f);
  });
  if (file == nullptr) throw broken("cannot be inflated: its method of compression is not known");
  TextBuffer content(stat.size);
  while (content.size() != stat.size) {
    const std::span<char> room = content.room().first(stat.size - content.size());
    const zip_int64_t got = zip_fread(file.get(), room.data(), room.size());
    if (got <= 0) throw broken("is corrupt");
    content.advance(static_cast<std::size_t>(got));
  }
  char behind = 0;  // the checksum is compared at the end
  if (zip_fread(file.get(), &behind, 1) != 0) throw broken("is corrupt");
  return content;
}

ZipWriter::ZipWriter(std::string name)
    : name_(std::move(name)),
      state_(std::make_shared<ZipState>(std::string_view(), ZIP_CREATE | ZIP_TRUNCATE, name_)) {}

void ZipWriter::add(const std::string& entry, std::string_view bytes) {
  zip_source_t* const source = zip_source_buffer(state_->archive, bytes.data(), bytes.size(), 0);
  const zip_int64_t index =
      source == nullptr ? -1 : zip_file_add(state_->archive, entry.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    if (source != nullptr) zip_source_free(source);
    throw Error(ErrorCode::out_of_memory, name_ + ": no memory to compress " + entry);
  }
  const auto place = static_cast<zip_uint64_t>(index);
  // the same bytes whenever it is written: numpy's own date
  zip_file_set_dostime(state_->archive, place, 0, (1 << 5) | 1, 0);
  zip_set_file_compression(state_->archive, place, ZIP_CM_DEFLATE, kLevel);
}

TextBuffer ZipWriter::finish() {
  const auto check = [&](bool done) {
    if (!done) throw Error(ErrorCode::out_of_memory, name_ + ": no memory to write the zip archive");
  };
  check(zip_close(state_->archive) == 0);
  state_->archive = nullptr;
  zip_source_t* const source = state_->source;
  zip_stat_t stat;
  check(zip_source_stat(source, &stat) == 0 && zip_source_open(source) == 0);
  TextBuffer content(stat.size);
  const zip_int64_t got = zip_source_read(source, content.room().data(), stat.size);
  zip_source_close(source);
  check(got == static_cast<zip_int64_t>(stat.size));
  content.advance(stat.size);
  return content;
}

}  // namespace rowan::io
#else
namespace rowan::io {

ZipReader::ZipReader(std::string_view /*bytes*/, std::string name) : name_(std::move(name)) {
  throw Error(ErrorCode::unsupported, name_ + ": this build reads no .npz files (libzip was not found)");
}
bool ZipReader::has(const std::string& /*entry*/) const {
  return false;
}
TextBuffer ZipReader::read(const std::string& /*entry*/) const {
  return TextBuffer();
}
ZipWriter::ZipWriter(std::string name) : name_(std::move(name)) {
  throw Error(ErrorCode::unsupported, name_ + ": this build writes no .npz files (libzip was not found)");
}
void ZipWriter::add(const std::string& /*entry*/, std::string_view /*bytes*/) {}
TextBuffer ZipWriter::finish() {
  return TextBuffer();
}

}  // namespace rowan::io
#endif

namespace rowan::io {

bool is_zip(std::string_view bytes) noexcept {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

}  // namespace rowan::io
