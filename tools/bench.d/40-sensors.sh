#!/bin/bash
# Prints the section of docs/benchmarks.md about the sensors: one sample of this machine beside the bare reads of the
# same files. Called by tools/bench with the build folder as the first argument.
set -euo pipefail
build="${1:-build/release}"
program="$build/bin/ashlar_node_bench"
if [[ ! -x "$program" ]]; then
  echo "40-sensors: $program is missing: configure with -DASHLAR_BENCHES=ON and build ashlar_node_bench" >&2
  exit 3
fi
echo "## Sensors"
echo
echo "One sample of every source of this machine (CPU, pressure, memory, disks, network, file systems, InfiniBand, GPUs),"
echo "median of 7 repeats, interleaved with the ceiling: opening and reading the same files without looking at them."
echo
echo "| what | wall per call | CPU per call | note |"
echo "|---|--:|--:|---|"
"$program" --benchmark_filter='BM_(Sample|BareRead|Prometheus)$' --benchmark_repetitions=7 \
  --benchmark_enable_random_interleaving=true --benchmark_format=json 2>/dev/null |
  python3 -c '
import json, sys
names = {"BM_Sample": "one sample", "BM_BareRead": "bare reads (ceiling)", "BM_Prometheus": "sample as Prometheus text"}
for row in json.load(sys.stdin)["benchmarks"]:
    if row.get("aggregate_name") != "median":
        continue
    notes = [f"{row[key]:,.0f} {key}" for key in ("series", "files", "bytes") if key in row]
    print("| {} | {:.1f} us | {:.1f} us | {} |".format(names[row["run_name"].split("/")[0]], row["real_time"], row["cpu_time"], ", ".join(notes)))
'
echo
"$program" --benchmark_filter='BM_GrowthOver100000Samples' --benchmark_format=json 2>/dev/null |
  python3 -c '
import json, sys
row = json.load(sys.stdin)["benchmarks"][0]
print("Heap growth over 100,000 samples: {:,.0f} bytes.".format(row["heap_growth_bytes"]))
'
