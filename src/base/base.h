// The words that every room uses. Other rooms include this facade only.
#pragma once

#include "base/clock.h"          // IWYU pragma: export
#include "base/embedded_data.h"  // IWYU pragma: export
#include "base/hash.h"           // IWYU pragma: export
#include "base/id.h"             // IWYU pragma: export
#include "base/json.h"           // IWYU pragma: export
#include "base/mutex.h"          // IWYU pragma: export
#include "base/status.h"         // IWYU pragma: export
#include "base/text.h"           // IWYU pragma: export
#include "base/units.h"          // IWYU pragma: export
#include "base/verdict.h"        // IWYU pragma: export
#include "base/yaml.h"           // IWYU pragma: export
