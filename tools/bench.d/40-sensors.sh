# The sensors: one sample of every source beside the bare reads of the same files, and the heap over 100,000 samples.
# Sourced by tools/bench, which has the functions used here.
# shellcheck shell=bash disable=SC2154

sensors_program=$build/bin/ashlar_node_bench

printf '## Sensors\n\n'
cat <<'END'
One sample of every source (CPU, pressure, memory, disks, network, file systems, InfiniBand, GPUs) of this machine, and
of this machine with the files of 8 InfiniBand ports beside it. BareRead is the ceiling: opening and reading the same
files without looking at them. The heap is measured with malloc's cache of each thread off: what lies there is free, and
counts as used.

END
google_benchmark node '^BM_(Sample|BareRead|Prometheus)'
sensors_labels() { # FILTER
  "$sensors_program" --benchmark_filter="$1" --benchmark_format=json 2>/dev/null |
    jq -r '.benchmarks[] | "\n\(.name): \(.label)."'
}
sensors_labels '^BM_(Sample|BareRead)'
GLIBC_TUNABLES=glibc.malloc.tcache_count=0 sensors_labels '^BM_HeapGrowth'
