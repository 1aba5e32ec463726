# Culprit finding: how often simulated clusters with known faults have the right one named, and in how many rounds.
# Sourced by tools/bench, which has the functions used here.
# shellcheck shell=bash disable=SC2154

culprit_program=$build/bin/ashlar_stats_accuracy
culprit_seeds=${CULPRIT_SEEDS:-200}

# culprit_rows NODES SEEDS NODES_PER_SWITCH: rows of a table, the number of nodes first.
culprit_rows() {
  local nodes=$1
  say "culprits: $nodes nodes, $2 seeds"
  "$culprit_program" "$@" | while read -r kind seeds in_set exact wrong rounds most_rounds tests; do
    table_row "$nodes" "$kind" "$seeds" "$in_set %" "$exact %" "$wrong %" "$rounds" "$most_rounds" \
      "$(awk -v n="$nodes" 'BEGIN { printf "%.1f", 3 * log(n) / log(2) }')" "$((nodes - 1))" "$tests"
  done
}

cat <<'END'
## Culprits

Simulated clusters with one known fault of a kind, or two of random kinds (*two_at_once*), or none (*healthy*), seeds 1
to the number shown. A healthy test has 5 % noise and one of two modes by chance: the slow one at 78 to 88 % of the
speed, in 20 to 80 % of the tests. Slow nodes, links and switches leave 30 to 70 % of the speed, throttled clocks 50 to
75 %; flapping nodes leave 20 to 60 % in 50 to 90 % of their tests; corrupt data shows in 50 to 100 %. No run names a
rank by itself. *In set*: each culprit is among the candidates. *Exact*: they are named and nobody else is. *False*:
somebody without a fault is pinned (in healthy clusters: named at all). *Limit*: 3 log2(n) rounds of tests that share no
node; all pairs would need *n - 1*.

END
table_head '>nodes' fault '>seeds' '>in set' '>exact' '>false' '>rounds (median)' '>rounds (most)' '>limit' \
  '>all pairs' '>tests (median)'
culprit_rows 8 "$culprit_seeds" 2
culprit_rows 17 "$culprit_seeds" 4
culprit_rows 64 "$((culprit_seeds / 5))" 8
culprit_rows 256 "$((culprit_seeds / 20))" 8
culprit_rows 1024 "$((culprit_seeds / 100))" 32
culprit_rows 4096 "$((culprit_seeds / 200))" 32
