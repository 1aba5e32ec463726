# Collectives: what our loop costs over a bare MPI loop in the same program, and what the adaptive mode saves.
# Sourced by tools/bench, which gives $build, $repeats, table_row and table_head.
# shellcheck shell=bash disable=SC2154

program=$build/bin/ashlar_bench_coll_overhead
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

run_ranks() { # RANKS ARGUMENT...
  local ranks=$1
  shift
  mpirun.openmpi -n "$ranks" --bind-to none --oversubscribe "$program" "$@"
}

overhead_table() { # RANKS
  table_head '>size (B)' '>bare loop (µs)' '>ours (µs)' '>overhead' '>median, bare (µs)' \
    '>median, ours (µs)' '>difference'
  run_ranks "$1" overhead "$repeats" | while read -r word size bare ours overhead bare_median our_median difference; do
    if [[ $word != overhead ]]; then continue; fi
    table_row "$size" "$bare" "$ours" "$overhead %" "$bare_median" "$our_median" "$difference %"
  done
}

adaptive_table() { # RANKS
  local totals
  totals=$(mktemp)
  table_head '>size (B)' '>iterations' '>median (µs)' '>half the 95 % interval'
  run_ranks "$1" adaptive | while read -r word first second third fourth; do
    case $word in
      adaptive) table_row "$first" "$second" "$third" "$fourth %" ;;
      total_*) printf '%s %s %s %s\n' "${word#total_}" "$first" "$second" "$third" >>"$totals" ;;
    esac
  done
  printf '\n'
  table_head sweep '>fixed iterations' '>adaptive (s)' '>fixed (s)' '>ratio'
  while read -r sweep iterations adaptive fixed; do
    table_row "$sweep" "$iterations" "$adaptive" "$fixed" \
      "$(awk -v a="$adaptive" -v f="$fixed" 'BEGIN { printf "%.1f", f / a }')"
  done <"$totals"
  rm -f -- "$totals"
}

cat <<'END'
## Collectives

`all_reduce`, float, sum, out of place, Open MPI over shared memory. *Overhead*: equal blocks of a bare
`MPI_Allreduce` loop and of our loop in turn in the same program, the median of the pairs' ratios. *Median*: what the
adaptive mode reports, against the median of as many batches of the bare loop right after it; the difference is the
median of the pairs' ratios as well, since the machine changes between two speeds from one pair to the next.

END
for ranks in 2 4; do
  printf '### Overhead, %s ranks\n\n' "$ranks"
  overhead_table "$ranks"
  printf '\n'
done
cat <<'END'
### Adaptive mode, 2 ranks

A fixed count is one number for all sizes, so for every median to be known within 2 % it must be the one that the worst
size needs. *all_sizes*: the adaptive sweep as measured; the fixed one calculated as that count times the sum of the
medians, since it would run for hours. *to_64KiB*: both measured.

END
adaptive_table 2
