// The part of ROCm SMI's C interface that Ashlar calls, declared from its documentation.
//
// Source: rocm_smi.h of ROCm 5.2.3 (Debian) and 6.x. Used by rocm_smi.cc and by the fake driver of the tests, so it is
// plain C. Trap: rsmi_frequencies_t got a first member (has_deep_sleep) and one more frequency in ROCm 6.
#pragma once

#include <stddef.h>
#include <stdint.h>

// NOLINTBEGIN: the names and types are AMD's.
#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t rsmi_status_t;

enum {
  RSMI_STATUS_SUCCESS = 0,
  RSMI_STATUS_INVALID_ARGS = 1,
  RSMI_STATUS_NOT_SUPPORTED = 2,
  RSMI_STATUS_FILE_ERROR = 3,
  RSMI_STATUS_PERMISSION = 4,
  RSMI_STATUS_OUT_OF_RESOURCES = 5,
  RSMI_STATUS_INTERNAL_EXCEPTION = 6,
  RSMI_STATUS_INPUT_OUT_OF_BOUNDS = 7,
  RSMI_STATUS_INIT_ERROR = 8,
  RSMI_STATUS_NOT_YET_IMPLEMENTED = 9,
  RSMI_STATUS_NOT_FOUND = 10,
  RSMI_STATUS_INSUFFICIENT_SIZE = 11,
  RSMI_STATUS_INTERRUPT = 12,
  RSMI_STATUS_UNEXPECTED_SIZE = 13,
  RSMI_STATUS_NO_DATA = 14,
  RSMI_STATUS_UNEXPECTED_DATA = 15,
  RSMI_STATUS_BUSY = 16,
  RSMI_STATUS_REFCOUNT_OVERFLOW = 17,
};

enum { RSMI_CLK_TYPE_SYS = 0, RSMI_CLK_TYPE_MEM = 4 };
enum { RSMI_MEM_TYPE_VRAM = 0 };
enum { RSMI_TEMP_TYPE_JUNCTION = 1 };
enum { RSMI_TEMP_CURRENT = 0 };
enum { RSMI_GPU_BLOCK_UMC = 1 };

typedef struct {
  uint32_t num_supported;
  uint32_t current;
  uint64_t frequency[32];
} rsmi_frequencies_v5_t;

typedef struct {
  uint8_t has_deep_sleep;
  uint32_t num_supported;
  uint32_t current;
  uint64_t frequency[33];
} rsmi_frequencies_v6_t;

typedef struct {
  uint64_t correctable_err;
  uint64_t uncorrectable_err;
} rsmi_error_count_t;

typedef struct {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
  const char* build;
} rsmi_version_t;

rsmi_status_t rsmi_init(uint64_t flags);
rsmi_status_t rsmi_shut_down(void);
rsmi_status_t rsmi_version_get(rsmi_version_t* version);
rsmi_status_t rsmi_version_str_get(int component, char* version, uint32_t length);
rsmi_status_t rsmi_num_monitor_devices(uint32_t* count);
rsmi_status_t rsmi_dev_name_get(uint32_t device, char* name, size_t length);
rsmi_status_t rsmi_dev_unique_id_get(uint32_t device, uint64_t* id);
rsmi_status_t rsmi_dev_pci_id_get(uint32_t device, uint64_t* bdf);
rsmi_status_t rsmi_dev_memory_total_get(uint32_t device, int type, uint64_t* bytes);
rsmi_status_t rsmi_dev_memory_usage_get(uint32_t device, int type, uint64_t* bytes);
rsmi_status_t rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t* microwatts);
rsmi_status_t rsmi_dev_power_cap_get(uint32_t device, uint32_t sensor, uint64_t* microwatts);
rsmi_status_t rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor, int metric, int64_t* millidegrees);
rsmi_status_t rsmi_dev_gpu_clk_freq_get(uint32_t device, int type, void* frequencies);
rsmi_status_t rsmi_dev_busy_percent_get(uint32_t device, uint32_t* percent);
rsmi_status_t rsmi_dev_ecc_count_get(uint32_t device, int block, rsmi_error_count_t* count);
rsmi_status_t rsmi_dev_ecc_enabled_get(uint32_t device, uint64_t* blocks);

#ifdef __cplusplus
}
#endif
// NOLINTEND
