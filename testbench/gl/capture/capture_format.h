// SPDX-License-Identifier: Apache-2.0
// The capture file: a header, then chunks until the end of the file. Each chunk is complete before the next begins, so
// only the last chunk of a killed session can be incomplete.
//
//   header   8 bytes "isbecapt", version (32 bits), chip name (16 bytes, padded with zeros), CRC-32 of all that
//   chunk    kind, bytes as stored, bytes of the content, CRC-32 of the stored bytes, CRC-32 of these four (32 bits
//   each);
//            the content, zlib; nothing if it is empty
//
//   blob     any bytes, stored once; blobs are numbered from 0 in file order, and references are to earlier blobs;
//            pages of memory (4096 bytes; the last page of a buffer may be shorter) are blobs too
//   draw     the record of draw_record.h, after its blobs
//   frame    empty: ends a frame, which has the draws since the previous frame chunk
//   end      empty: the session ended by itself
#pragma once

#include <cstdint>

namespace isbesim::gl {

inline constexpr char capture_magic[] = "isbecapt";
/// 3 adds the provoking vertex to draws; 4 what they cull, consecutive draws and records; 5 the size of an index. In
/// older files their bits are 0.
inline constexpr std::uint32_t capture_version = 5, oldest_capture_version = 2;
inline constexpr unsigned capture_name_bytes = 16;
inline constexpr unsigned capture_header_bytes = 8 + 4 + capture_name_bytes + 4;
inline constexpr unsigned chunk_header_bytes = 20;
/// Chunks with a larger content are refused before memory is allocated: no session writes them.
inline constexpr std::uint32_t most_chunk_bytes = 1U << 30;
/// Deflate expands a byte to at most 1032 (258 bytes per two bits), not counting zlib's header and checksum.
inline constexpr std::uint64_t most_inflation = 1032;

enum class chunk_kind : std::uint32_t { blob = 1, draw, frame, end };

} // namespace isbesim::gl
