# The storage measurement beside fio: same folder, file size, block, depth and O_DIRECT, one after the other in turn.
# Sourced by tools/bench, which has the functions used here.
# shellcheck shell=bash disable=SC2154

storage_seconds=${STORAGE_SECONDS:-2}
storage_size=${STORAGE_SIZE:-1G}
# Cloud disks pay out a burst after each pause: the ramp lets it pass, so that both are seen at the lasting rate.
storage_ramp=${STORAGE_RAMP:-2}
storage_program=${ASHLAR:-$ashlar}
storage_folder=$(mktemp -d "${STORAGE_FOLDER:-$build}/storage-XXXXXX")
trap 'rm -rf -- "$storage_folder"' EXIT

# storage_ours PATTERN OPERATION BLOCK DEPTH: "BYTES_PER_SECOND P50_SECONDS P99_SECONDS"
storage_ours() {
  "$storage_program" bench storage "$storage_folder" --json --pattern "$1" --operation "$2" --block "$3" --depth "$4" \
    --size "$storage_size" --seconds "$storage_seconds" --ramp "${storage_ramp}s" --skip fsync,metadata 2>/dev/null |
    jq -r '.runs[0] | "\(.bandwidth_bytes_per_second) \(.latency_seconds.p50) \(.latency_seconds.p99)"'
}

# storage_fio PATTERN OPERATION BLOCK DEPTH [OPTION...]: the same of fio. The file is laid out in full as ours is, and
# removed again, so that all start from a fresh one.
storage_fio() {
  local access=$2
  if [[ $1 == rand ]]; then access=rand$2; fi
  fio --name=layout --filename="$storage_folder/fio" --size="$storage_size" --rw=write --bs=4M --ioengine=psync \
    --direct=1 --end_fsync=1 --output=/dev/null
  fio --name=cell --filename="$storage_folder/fio" --size="$storage_size" --rw="$access" --bs="$3" --iodepth="$4" \
    --ioengine=io_uring --direct=1 --overwrite=1 --norandommap --randrepeat=0 \
    --lat_percentiles=1 --clat_percentiles=0 "${@:5}" \
    --time_based --runtime="$storage_seconds" --ramp_time="$storage_ramp" --output-format=json |
    jq -r --arg operation "$2" '.jobs[0][$operation] |
      "\(.bw_bytes) \(.lat_ns.percentile["50.000000"] / 1e9) \(.lat_ns.percentile["99.000000"] / 1e9)"'
  rm -f -- "$storage_folder/fio"
}

# With what ours does too: the file and its buffers are registered with the kernel.
storage_fio_registered() { storage_fio "$@" --fixedbufs --registerfiles; }

storage_ours_sync() {
  "$storage_program" bench storage "$storage_folder" --json --pattern seq --operation read --block 4K --depth 1 \
    --size 16M --seconds 0.1 --skip metadata 2>/dev/null |
    jq -r '.fsync | "\(1 / .latency_seconds.mean) \(.latency_seconds.p50) \(.latency_seconds.p99)"'
}

storage_fio_sync() {
  fio --name=sync --filename="$storage_folder/fio" --size=1G --rw=write --bs=4K --ioengine=psync --fallocate=none \
    --fdatasync=1 --time_based --runtime=2 --output-format=json |
    jq -r '.jobs[0].sync.lat_ns |
      "\(1e9 / .mean) \(.percentile["50.000000"] / 1e9) \(.percentile["99.000000"] / 1e9)"'
  rm -f -- "$storage_folder/fio"
}

# storage_row NAME TURNS SCALE "SIDE..." [ARGUMENT...]: runs the functions storage_SIDE TURNS times in turn and
# prints a row of medians; SCALE turns the first figure of each into its unit. The first side is ours, the others peers.
# The ratio is the median of the turns' ratios: a disk that changes its speed between turns moves both sides of one.
storage_row() {
  local name=$1 turns=$2 scale=$3 sides turn i
  read -ra sides <<<"$4"
  shift 4
  say "storage: $name"
  rm -f -- "$storage_folder"/figures-*
  for ((turn = 0; turn < turns; turn++)); do
    # Who goes first changes each time: a disk that slows down or speeds up then favours none.
    for ((i = 0; i < ${#sides[@]}; i++)); do
      local side=${sides[(i + turn) % ${#sides[@]}]}
      "storage_$side" "$@" >>"$storage_folder/figures-$side"
    done
  done
  local -a cells=("$name") latencies=()
  local column median spread
  for side in "${sides[@]}"; do
    read -r median spread < <(awk '{ print $1 }' "$storage_folder/figures-$side" | median_and_spread)
    cells+=("$(awk -v value="$median" -v scale="$scale" 'BEGIN { printf "%.4g", value / scale }')" "$spread %")
    if [[ $side != "${sides[0]}" ]]; then
      read -r median spread < <(paste "$storage_folder/figures-${sides[0]}" "$storage_folder/figures-$side" |
        awk '{ print $1 / $4 }' | median_and_spread)
      cells+=("$(printf '%.3f' "$median")")
    fi
    for column in 2 3; do
      read -r median spread < <(awk -v column="$column" '{ print $column }' "$storage_folder/figures-$side" |
        median_and_spread)
      latencies+=("$(awk -v value="$median" 'BEGIN { printf "%.3g", value * 1e6 }')")
    done
  done
  # 50th percentiles first, then the 99th.
  for column in 0 1; do
    for ((i = column; i < ${#latencies[@]}; i += 2)); do cells+=("${latencies[i]}"); done
  done
  table_row "${cells[@]}"
}

# shellcheck disable=SC2016 # backticks for Markdown
printf '## Storage\n\n'
if ! command -v fio >/dev/null || ! command -v jq >/dev/null; then
  printf 'Not measured: fio or jq is missing; tools/install-deps installs them.\n'
else
  # shellcheck disable=SC2016 # backticks for Markdown
  printf '`ashlar bench storage` beside %s, in turn, %s times each: io_uring, O_DIRECT, ' "$(fio --version)" "$repeats"
  printf 'a file of %s written in full, ' "$storage_size"
  # shellcheck disable=SC2016 # backticks for Markdown
  printf '%s s a cell after a ramp of %s s. File system: %s. *fio reg.* runs with `--fixedbufs --registerfiles`, ' \
    "$storage_seconds" "$storage_ramp" "$(stat -f -c %T "$storage_folder")"
  printf 'which is what ours does; *fio* as people start it. Ratios are medians of the turns'"'"' ratios.\n\n'
  table_head access '>ashlar' '>spread' '>fio reg.' '>spread' '>ashlar / fio reg.' '>fio' '>spread' \
    '>ashlar / fio' \
    '>p50 µs ashlar' '>p50 µs fio reg.' '>p50 µs fio' '>p99 µs ashlar' '>p99 µs fio reg.' '>p99 µs fio'
  storage_sides='ours fio_registered fio'
  for operation in read write; do
    storage_row "sequential $operation 1 MiB depth 8 (MB/s)" "$repeats" 1e6 "$storage_sides" seq "$operation" 1M 8
    for depth in 1 32; do
      storage_row "random $operation 4 KiB depth $depth (1000 op/s)" "$repeats" 4096000 "$storage_sides" \
        rand "$operation" 4K "$depth"
    done
  done
  # A disk's sync is fast or slow for seconds at a time: more turns, of two seconds each.
  sync_turns=$((3 * repeats))
  printf '\nfdatasync after appending 4 KiB through psync, %s times each:\n\n' "$sync_turns"
  table_head '' '>ashlar' '>spread' '>fio' '>spread' '>ashlar / fio' '>p50 µs ashlar' '>p50 µs fio' '>p99 µs ashlar' \
    '>p99 µs fio'
  storage_row 'fdatasync (1/s)' "$sync_turns" 1 'ours_sync fio_sync'
fi
