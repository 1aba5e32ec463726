#include <array>

#include "bench/read/dialect.h"
#include "bench/read/dialects/imb.h"
#include "bench/read/dialects/megatron.h"
#include "bench/read/dialects/nccl_json.h"
#include "bench/read/dialects/nccl_text.h"
#include "bench/read/dialects/nvbandwidth.h"
#include "bench/read/dialects/nvbandwidth_json.h"
#include "bench/read/dialects/osu.h"
#include "bench/read/dialects/perftest.h"

namespace ashlar::bench {
namespace {

constexpr std::array kDialects = {
    DialectRow{"nccl-text", "the text of nccl-tests, of rccl-tests and of `ashlar bench coll`", &MakeNcclTextReader},
    DialectRow{"nccl-json", "the JSON of nccl-tests (-J)", nullptr, &TakeNcclJson},
    DialectRow{"nvbandwidth", "the text of nvbandwidth: copy bandwidths and latencies", &MakeNvbandwidthReader},
    DialectRow{"nvbandwidth-json", "the JSON of nvbandwidth (-j)", nullptr, &TakeNvbandwidthJson},
    DialectRow{"megatron", "training logs of Megatron-LM and Megatron-DeepSpeed", &MakeMegatronReader},
    DialectRow{"osu", "the text of the OSU micro-benchmarks", &MakeOsuReader},
    DialectRow{"imb", "the text of the Intel MPI Benchmarks", &MakeImbReader},
    DialectRow{"perftest", "the text of ib_write_bw, ib_read_lat and the other tests of perftest", &MakePerftestReader},
};

}  // namespace

std::span<const DialectRow> Dialects() { return kDialects; }

}  // namespace ashlar::bench
