#include "assess/evidence_testing.h"

#include <cstdlib>

namespace ashlar::assess {

absl::Time TestTime() { return absl::FromUnixSeconds(1767323045); }

ledger::Entry TestEntry(uint64_t sequence, std::string_view kind, std::string_view body) {
  auto json = base::ParseJson(body);
  if (!json.ok()) std::abort();
  ledger::Entry entry;
  entry.sequence = sequence;
  entry.time = TestTime() - absl::Seconds(600) + absl::Seconds(sequence);
  entry.kind = kind;
  entry.subject = "node-1";
  entry.actor = "test";
  entry.body = *std::move(json);
  return entry;
}

Evidence NoEvidence() { return Evidence(base::JsonObject{}, TestTime()); }

std::string CollectiveBody(std::string_view collective, double busbw_bytes_per_second, int wrong) {
  return fmt::format(
      R"({{"collective": "{}", "backend": "mpi", "library": "Open MPI v4.1.4", "ranks": 2, "datatype": "float",
          "machine": {{"digest": "d1"}}, "out_of_bounds": {}, "findings": [],
          "rows": [{{"size_bytes": 67108864, "out_of_place": {{"busbw_bytes_per_second": {}}}}}]}})",
      collective, wrong, busbw_bytes_per_second);
}

std::string CheckBody(std::string_view id, std::string_view verdict) {
  return fmt::format(
      R"({{"findings": [{{"id": "{}", "verdict": "{}", "value": 1, "unit": "", "expectation": "1",
          "expectation_source": "data/node/defaults.yaml", "read_from": "/proc/meminfo", "grade": "measured",
          "reason": ""}}]}})",
      id, verdict);
}

std::string IdentityBody() {
  return R"({"boot": {"time": "2026-01-02T02:04:05.000000Z"}, "virtualisation": {"is_virtual": true}, "azure": null,
             "gpu_inventories": [], "unknowns": [],
             "nics": [{"name": "eth0", "driver": "mlx5_core", "is_virtual_function": true, "carries_traffic": true}]})";
}

Evidence HealthyMachine() {
  Evidence evidence = NoEvidence();
  uint64_t sequence = 0;
  for (int run = 0; run < 2; ++run) {
    evidence.Add(TestEntry(sequence++, "node.identity", IdentityBody()));
    evidence.Add(TestEntry(sequence++, "node.check", CheckBody("memory-amount", "pass")));
    for (const char* name : {"all_reduce", "all_gather", "reduce", "broadcast", "reduce_scatter"}) {
      evidence.Add(TestEntry(sequence++, "bench.coll", CollectiveBody(name, 4e9, 0)));
    }
    evidence.Add(TestEntry(sequence++, "bench.storage", R"({"path": "/scratch", "device": "vda",
      "demand": {"loading_rate_bytes_per_second": 1e9},
      "runs": [{"name": "sequential read 1 MiB depth 8", "bandwidth_bytes_per_second": 2e9}],
      "findings": [{"id": "loading-rate", "verdict": "pass", "value": 2e9, "unit": "bytes/s",
        "expectation": ">= 1 GB/s", "expectation_source": "demand", "read_from": "/scratch", "grade": "measured",
        "reason": ""}]})"));
  }
  evidence.SetLedgerFacts({sequence, true, ""});
  return evidence;
}

}  // namespace ashlar::assess
