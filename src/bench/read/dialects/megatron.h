// Reads the training log of NVIDIA/Megatron-LM and of Megatron-DeepSpeed: its iteration lines, by key.
//
// Format: Megatron-LM training.py, training_log(), v2.6 to core 0.12; fields are joined by " | " and differ between
// versions, so none is read by its place. Only the last rank prints them.
#pragma once

#include <memory>

#include "bench/read/dialect.h"

namespace ashlar::bench {

std::unique_ptr<DialectReader> MakeMegatronReader(EmitRun emit);

}  // namespace ashlar::bench
