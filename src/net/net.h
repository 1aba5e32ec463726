// HTTP/1.1 codec, client and server. Other rooms include this facade only.
#pragma once

#include "net/http_client.h"   // IWYU pragma: export
#include "net/http_codec.h"    // IWYU pragma: export
#include "net/http_message.h"  // IWYU pragma: export
#include "net/http_server.h"   // IWYU pragma: export
#include "net/http_writer.h"   // IWYU pragma: export
#include "net/limits.h"        // IWYU pragma: export
#include "net/target.h"        // IWYU pragma: export
