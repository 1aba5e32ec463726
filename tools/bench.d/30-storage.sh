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

# The file is laid out in full by fio as ours is, and removed again, so that both start from a fresh one.
storage_fio() {
  local access=$2
  if [[ $1 == rand ]]; then access=rand$2; fi
  fio --name=layout --filename="$storage_folder/fio" --size="$storage_size" --rw=write --bs=4M --ioengine=psync \
    --direct=1 --end_fsync=1 --output=/dev/null
  fio --name=cell --filename="$storage_folder/fio" --size="$storage_size" --rw="$access" --bs="$3" --iodepth="$4" \
    --ioengine=io_uring --direct=1 --overwrite=1 --norandommap --randrepeat=0 \
    --time_based --runtime="$storage_seconds" --ramp_time="$storage_ramp" --output-format=json |
    jq -r --arg operation "$2" '.jobs[0][$operation] |
      "\(.bw_bytes) \(.clat_ns.percentile["50.000000"] / 1e9) \(.clat_ns.percentile["99.000000"] / 1e9)"'
  rm -f -- "$storage_folder/fio"
}

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

# storage_compare NAME SCALE OURS FIO [ARGUMENT...]: a row of medians; SCALE turns the first figure into its unit.
storage_compare() {
  local name=$1 scale=$2 ours=$3 peer=$4
  shift 4
  say "storage: $name"
  : >"$storage_folder/ours"
  : >"$storage_folder/peer"
  local turn
  for ((turn = 0; turn < repeats; turn++)); do
    # Who goes first changes each time: a disk that slows down or speeds up then favours neither.
    if ((turn % 2 == 0)); then
      "$ours" "$@" >>"$storage_folder/ours"
      "$peer" "$@" >>"$storage_folder/peer"
    else
      "$peer" "$@" >>"$storage_folder/peer"
      "$ours" "$@" >>"$storage_folder/ours"
    fi
  done
  local -a cells=("$name")
  local column median spread ours_median=0 peer_median=0
  for side in ours peer; do
    read -r median spread < <(awk '{ print $1 }' "$storage_folder/$side" | median_and_spread)
    cells+=("$(awk -v value="$median" -v scale="$scale" 'BEGIN { printf "%.4g", value / scale }')" "$spread %")
    if [[ $side == ours ]]; then ours_median=$median; else peer_median=$median; fi
  done
  cells+=("$(awk -v a="$ours_median" -v b="$peer_median" 'BEGIN { printf "%.3f", a / b }')")
  for column in 2 3; do
    for side in ours peer; do
      read -r median spread < <(awk -v column="$column" '{ print $column }' "$storage_folder/$side" | median_and_spread)
      cells+=("$(awk -v value="$median" 'BEGIN { printf "%.3g", value * 1e6 }')")
    done
  done
  table_row "${cells[@]}"
}

# shellcheck disable=SC2016 # backticks for Markdown
printf '## Storage\n\n'
if ! command -v fio >/dev/null || ! command -v jq >/dev/null; then
  printf 'Not measured: fio or jq is missing; tools/install-deps installs them.\n'
else
  # shellcheck disable=SC2016 # backticks for Markdown
  printf '`ashlar bench storage` beside %s, in turn, %s times each: io_uring, O_DIRECT, memory in small pages, ' \
    "$(fio --version)" "$repeats"
  printf 'a file of %s written in full, %s s a cell after a ramp of %s s. fsync is fdatasync after appending 4 KiB.\n' \
    "$storage_size" "$storage_seconds" "$storage_ramp"
  printf 'File system: %s.\n\n' "$(stat -f -c %T "$storage_folder")"
  table_head access '>ashlar' '>spread' '>fio' '>spread' '>ashlar / fio' '>p50 µs ashlar' '>p50 µs fio' \
    '>p99 µs ashlar' '>p99 µs fio'
  for operation in read write; do
    storage_compare "sequential $operation 1 MiB depth 8 (MB/s)" 1e6 storage_ours storage_fio seq "$operation" 1M 8
    for depth in 1 16 32; do
      storage_compare "random $operation 4 KiB depth $depth (1000 op/s)" 4096000 storage_ours storage_fio \
        rand "$operation" 4K "$depth"
    done
  done
  storage_compare 'fdatasync after 4 KiB (1/s)' 1 storage_ours_sync storage_fio_sync
fi
