# The rooms' own benchmarks (x_bench.cc), each with its peer or ceiling beside it.
# Sourced by tools/bench, which has the functions used here.
# shellcheck shell=bash disable=SC2154

printf '## Rooms\n'
for program in "$build"/bin/ashlar_*_bench; do
  room=${program##*/ashlar_}
  room=${room%_bench}
  printf '\n### %s\n\n' "$room"
  google_benchmark "$room"
done
