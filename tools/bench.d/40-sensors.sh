# The sensors: one sample of every source beside the bare reads of the same files, and the heap over 100,000 samples.
# Sourced by tools/bench, which has the functions used here.
# shellcheck shell=bash disable=SC2154

sensors_program=$build/bin/ashlar_node_bench

printf '## Sensors\n\n'
cat <<'END'
One sample of every source (CPU, pressure, memory, disks, network, file systems, InfiniBand, GPUs) of this machine, and
of this machine with the files of 8 InfiniBand ports beside it. BareRead is the ceiling: opening and reading the same
files without looking at them.

END
google_benchmark node '^BM_(Sample|BareRead|Prometheus)'
"$sensors_program" --benchmark_filter='^BM_Sample' --benchmark_format=json 2>/dev/null |
  jq -r '.benchmarks[] | "\n\(.name): \(.series) series, " +
    "\(.cpu_ms_per_sample * 1000 | round / 1000) ms of CPU a sample, all threads of the process."'
"$sensors_program" --benchmark_filter='^BM_HeapGrowth' --benchmark_format=json 2>/dev/null |
  jq -r '.benchmarks[] | "\n\(.name): the heap holds \(.heap_growth_bytes) bytes more than before."'
