// Named limits of `net`. Each has a reject path and a test at and over it. Options may lower or raise those that
// depend on the use (sizes, deadlines); the others hold for everybody.
#pragma once

#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>

namespace ashlar::net {

// Messages. Over a limit: the status that the server answers with stands behind.
inline constexpr size_t kMaxHeadBytes = size_t{64} << 10U;           // start line and headers with their line ends: 431
inline constexpr size_t kMaxHeaderCount = 128;                       // header lines of a message: 431
inline constexpr size_t kMaxTargetBytes = size_t{16} << 10U;         // request target: 414
inline constexpr size_t kMaxMethodBytes = 32;                        // the longest registered method has 17: 501
inline constexpr size_t kMaxTrailerBytes = size_t{8} << 10U;         // trailer lines with their line ends: 431
inline constexpr size_t kMaxChunkSizeDigits = 16;                    // 64 bits: 400
inline constexpr size_t kMaxChunkExtensionBytes = size_t{4} << 10U;  // of all chunks of a message together: 400
inline constexpr size_t kMaxRequestBodyBytes = size_t{8} << 20U;     // default of the server: 413
inline constexpr size_t kMaxResponseBodyBytes = size_t{64} << 20U;   // default of the client
inline constexpr int kMaxInterimResponses = 8;                       // 1xx before the final response

// Server.
inline constexpr size_t kMaxConnections = 256;  // default; one more is answered 503 and closed
inline constexpr size_t kMaxWorkers = 64;
inline constexpr size_t kDefaultWorkers = 4;
inline constexpr size_t kMaxQueuedRequests = 128;  // default; waiting for a worker; one more is answered 503
inline constexpr int kListenBacklog = 128;
inline constexpr size_t kReadBufferBytes = size_t{16} << 10U;  // per connection
inline constexpr size_t kMaxLingerBytes = size_t{4} << 20U;    // discarded after a refusal, so that it can be read
inline constexpr absl::Duration kLingerDeadline = absl::Seconds(2);
inline constexpr size_t kMaxPoliteRefusals = 64;  // connections over the limit that get a 503; others are just closed
inline constexpr absl::Duration kAcceptPause = absl::Milliseconds(100);  // after the process ran out of descriptors

inline constexpr absl::Duration kHeaderReadDeadline = absl::Seconds(10);  // first byte to the end of the head
inline constexpr absl::Duration kBodyReadDeadline = absl::Seconds(60);    // end of the head to the end of the body
inline constexpr absl::Duration kWriteDeadline = absl::Seconds(60);       // a whole response
inline constexpr absl::Duration kIdleDeadline = absl::Seconds(60);        // between two requests
inline constexpr absl::Duration kStopGrace = absl::Seconds(10);           // for requests in flight when stopping

// Client.
inline constexpr absl::Duration kRequestDeadline = absl::Seconds(30);  // everything, from name lookup to last byte
inline constexpr absl::Duration kConnectDeadline = absl::Seconds(5);   // lookup, TCP and TLS handshake
inline constexpr size_t kMaxIdleConnections = 8;                       // kept for reuse by one Client
inline constexpr absl::Duration kMaxIdleAge = absl::Seconds(30);       // older ones are closed, not reused
inline constexpr size_t kMaxAddresses = 8;                             // tried for one name
inline constexpr int kMaxPendingLookups = 16;                          // name lookups whose caller gave up, and others

}  // namespace ashlar::net
