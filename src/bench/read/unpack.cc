#include "bench/read/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <memory>

namespace ashlar::bench {
namespace {

using base::Error;
using base::StatusCode;
using base::StatusOr;

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr size_t kChunkBytes = size_t{1} << 18U;
constexpr int kGzipOnly = 16 + MAX_WBITS;  // zlib.h, inflateInit2

base::Status TooLong(uint64_t most_bytes) {
  return Error(StatusCode::kResourceExhausted, "more than {} unpacked", base::HumanBytes({most_bytes}));
}

StatusOr<Unpacked> UnpackGzip(std::string_view bytes, uint64_t most_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return Error(StatusCode::kResourceExhausted, "zlib has no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, &inflateEnd);
  Unpacked unpacked;
  std::string chunk(kChunkBytes, '\0');
  size_t at = 0;
  int code = Z_OK;
  while (true) {
    if (stream.avail_in == 0 && at < bytes.size()) {
      const size_t length = std::min(kChunkBytes, bytes.size() - at);
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + at));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(length);
      at += length;
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    code = inflate(&stream, Z_NO_FLUSH);
    unpacked.text.append(chunk, 0, chunk.size() - stream.avail_out);
    if (unpacked.text.size() > most_bytes) return TooLong(most_bytes);
    const bool has_input = stream.avail_in > 0 || at < bytes.size();
    if (code == Z_STREAM_END) {
      if (!has_input) return unpacked;
      if (inflateReset(&stream) != Z_OK) break;
    } else if (code != Z_OK || (!has_input && stream.avail_out > 0)) {
      break;
    }
  }
  unpacked.damage = fmt::format("the gzip data is cut or damaged after {} unpacked bytes", unpacked.text.size());
  return unpacked;
}

StatusOr<Unpacked> UnpackZstd(std::string_view bytes, uint64_t most_bytes) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  if (stream == nullptr) return Error(StatusCode::kResourceExhausted, "zstd has no memory");
  Unpacked unpacked;
  std::string chunk(kChunkBytes, '\0');
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  size_t left = 1;
  while (true) {
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(left) != 0) break;
    unpacked.text.append(chunk, 0, output.pos);
    if (unpacked.text.size() > most_bytes) return TooLong(most_bytes);
    if (input.pos == input.size && output.pos < output.size) break;
  }
  if (left != 0) {
    unpacked.damage = fmt::format("the zstd data is cut or damaged after {} unpacked bytes", unpacked.text.size());
  }
  return unpacked;
}

}  // namespace

StatusOr<Unpacked> Unpack(std::string bytes, uint64_t most_bytes) {
  if (bytes.starts_with(kGzipMagic)) return UnpackGzip(bytes, most_bytes);
  if (bytes.starts_with(kZstdMagic)) return UnpackZstd(bytes, most_bytes);
  if (bytes.size() > most_bytes) return TooLong(most_bytes);
  return Unpacked{.text = std::move(bytes), .damage = ""};
}

}  // namespace ashlar::bench
