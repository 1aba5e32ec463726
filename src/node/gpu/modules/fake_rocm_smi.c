// AMD's library as the tests need it: eight healthy MI300X unless FAKE_ROCM_SMI says otherwise.
//
//   gpus=N, init=CODE (8: amdgpu is not loaded), unsupported=1, garbage=1, major=5 (the older layout of frequencies),
//   ecc=N (uncorrected errors on GPU 0), hang_file=PATH (power readings hang; last in the list)
#include "node/gpu/modules/fake_control.h"
#include "node/gpu/rocm_smi_abi.h"

#include <stdio.h>

static long Told(const char* key, long otherwise) { return Setting("FAKE_ROCM_SMI", key, otherwise); }

static rsmi_status_t Refusal(uint32_t device) {
  if ((long)device >= Told("gpus", 8)) return RSMI_STATUS_INVALID_ARGS;
  return Told("unsupported", 0) != 0 ? RSMI_STATUS_NOT_SUPPORTED : RSMI_STATUS_SUCCESS;
}

static int Garbage(void) { return Told("garbage", 0) != 0; }

static rsmi_status_t Put(uint32_t device, uint64_t* out, uint64_t value) {
  const rsmi_status_t refusal = Refusal(device);
  if (refusal != RSMI_STATUS_SUCCESS) return refusal;
  *out = Garbage() ? UINT64_MAX : value;
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t rsmi_init(uint64_t flags) {
  (void)flags;
  return (rsmi_status_t)Told("init", RSMI_STATUS_SUCCESS);
}

rsmi_status_t rsmi_shut_down(void) { return RSMI_STATUS_SUCCESS; }

rsmi_status_t rsmi_version_get(rsmi_version_t* version) {
  version->major = (uint32_t)Told("major", 7);
  version->minor = 2;
  version->patch = 0;
  version->build = "fake";
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t rsmi_version_str_get(int component, char* version, uint32_t length) {
  (void)component;
  snprintf(version, length, "6.7.0");
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t rsmi_num_monitor_devices(uint32_t* count) {
  *count = (uint32_t)Told("gpus", 8);
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t rsmi_dev_name_get(uint32_t device, char* name, size_t length) {
  const rsmi_status_t refusal = Refusal(device);
  if (refusal != RSMI_STATUS_SUCCESS) return refusal;
  if (Garbage()) memset(name, 1, length);
  else snprintf(name, length, "AMD Instinct MI300X");
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t rsmi_dev_unique_id_get(uint32_t device, uint64_t* id) {
  const rsmi_status_t code = Put(device, id, 0x1122334455660000ULL + device);
  if (code == RSMI_STATUS_SUCCESS && Garbage()) *id = 0;
  return code;
}

// Domain in the upper half, then bus, device and function.
rsmi_status_t rsmi_dev_pci_id_get(uint32_t device, uint64_t* bdf) {
  const rsmi_status_t refusal = Refusal(device);
  *bdf = ((uint64_t)(device + 1) << 32U) | (0x83ULL << 8U) | (2ULL << 3U) | 1ULL;
  return refusal;
}

rsmi_status_t rsmi_dev_memory_total_get(uint32_t device, int type, uint64_t* bytes) {
  (void)type;
  return Put(device, bytes, 206141652992ULL);
}

rsmi_status_t rsmi_dev_memory_usage_get(uint32_t device, int type, uint64_t* bytes) {
  (void)type;
  return Put(device, bytes, 297795584ULL);
}

rsmi_status_t rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t* microwatts) {
  (void)sensor;
  HangIfTold("FAKE_ROCM_SMI");
  return Put(device, microwatts, 137000000ULL);
}

rsmi_status_t rsmi_dev_power_cap_get(uint32_t device, uint32_t sensor, uint64_t* microwatts) {
  (void)sensor;
  return Put(device, microwatts, 750000000ULL);
}

rsmi_status_t rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor, int metric, int64_t* millidegrees) {
  const rsmi_status_t refusal = Refusal(device);
  (void)metric;
  if (sensor != RSMI_TEMP_TYPE_JUNCTION) return RSMI_STATUS_NOT_SUPPORTED;
  *millidegrees = Garbage() ? INT64_MIN : 41000;
  return refusal;
}

rsmi_status_t rsmi_dev_gpu_clk_freq_get(uint32_t device, int type, void* frequencies) {
  const rsmi_status_t refusal = Refusal(device);
  const uint64_t high = type == RSMI_CLK_TYPE_MEM ? 1300000000ULL : 2100000000ULL;
  if (refusal != RSMI_STATUS_SUCCESS) return refusal;
  if (Told("major", 7) < 6) {
    rsmi_frequencies_v5_t* table = frequencies;
    table->num_supported = Garbage() ? 1000000 : 2;
    table->current = 0;
    table->frequency[0] = 132000000ULL;
    table->frequency[1] = high;
  } else {
    rsmi_frequencies_v6_t* table = frequencies;
    table->has_deep_sleep = 1;
    table->num_supported = Garbage() ? 1000000 : 2;
    table->current = 1;
    table->frequency[0] = 132000000ULL;
    table->frequency[1] = high;
  }
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t rsmi_dev_busy_percent_get(uint32_t device, uint32_t* percent) {
  const rsmi_status_t refusal = Refusal(device);
  *percent = Garbage() ? 1000 : 3;
  return refusal;
}

rsmi_status_t rsmi_dev_ecc_count_get(uint32_t device, int block, rsmi_error_count_t* count) {
  const rsmi_status_t refusal = Refusal(device);
  (void)block;
  count->correctable_err = Garbage() ? UINT64_MAX : 0;
  count->uncorrectable_err = device == 0 ? (uint64_t)Told("ecc", 0) : 0;
  return refusal;
}

rsmi_status_t rsmi_dev_ecc_enabled_get(uint32_t device, uint64_t* blocks) {
  return Put(device, blocks, RSMI_GPU_BLOCK_UMC);
}
