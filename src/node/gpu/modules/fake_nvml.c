// NVIDIA's library as the tests need it: eight healthy H100 unless FAKE_NVML says otherwise.
//
//   gpus=N           how many the driver counts
//   init=CODE        what nvmlInit_v2 answers (9: driver not loaded, 18: versions differ)
//   lost=I           GPU I answers NVML_ERROR_GPU_IS_LOST to everything
//   unsupported=1    everything optional answers NVML_ERROR_NOT_SUPPORTED
//   garbage=1        blank sentinels, impossible numbers, texts without an end
//   throttle=BITS    reasons why clocks are reduced, on every GPU
//   throttle_gpu=I   ... on GPU I alone
//   ecc=N            uncorrected errors on GPU 0
//   ecc_mode=0       ECC is off
//   remap_failed=1   a row of GPU 0 could not be replaced
//   persistence=0    persistence mode is off
//   links=N          NVLinks of each GPU; down_link=L: link L of GPU 0 is down
//   sm_clock=MHZ     clock now
//   hang_file=PATH   power readings hang while the file exists; last in the list
// The codes and quirks are the real library's: see NVML's API reference.
#include "node/gpu/modules/fake_control.h"
#include "node/gpu/nvml_abi.h"

#include <stdatomic.h>
#include <stdio.h>

#define MAX_FAKE_GPUS 200

struct nvmlDevice_st {
  char nothing;  // a handle is only an address
};

// Any thread may call the real library, and each nvmlInit_v2 wants its own nvmlShutdown.
static struct nvmlDevice_st g_devices[MAX_FAKE_GPUS];
static atomic_int g_initialised;

static unsigned int IndexOf(nvmlDevice_t device) { return (unsigned int)(device - g_devices); }

static long Told(const char* key, long otherwise) { return Setting("FAKE_NVML", key, otherwise); }

// What every call answers before it does anything.
static nvmlReturn_t Refusal(nvmlDevice_t device, int optional) {
  if (atomic_load(&g_initialised) == 0) return NVML_ERROR_UNINITIALIZED;
  if (device == NULL) return NVML_ERROR_INVALID_ARGUMENT;
  if (Told("lost", -1) == (long)IndexOf(device)) return NVML_ERROR_GPU_IS_LOST;
  if (optional && Told("unsupported", 0) != 0) return NVML_ERROR_NOT_SUPPORTED;
  return NVML_SUCCESS;
}

static int Garbage(void) { return Told("garbage", 0) != 0; }

static nvmlReturn_t PutText(char* buffer, unsigned int length, const char* text) {
  if (Garbage()) {
    memset(buffer, 'x', length);  // no end
    return NVML_SUCCESS;
  }
  if (strlen(text) + 1 > length) return NVML_ERROR_INSUFFICIENT_SIZE;
  strcpy(buffer, text);
  return NVML_SUCCESS;
}

static nvmlReturn_t PutNumber(nvmlDevice_t device, unsigned int* out, unsigned int value) {
  const nvmlReturn_t refusal = Refusal(device, 1);
  if (refusal != NVML_SUCCESS) return refusal;
  *out = Garbage() ? 0x7ffffff0U : value;
  return NVML_SUCCESS;
}

static nvmlReturn_t PutLong(nvmlDevice_t device, unsigned long long* out, unsigned long long value) {
  const nvmlReturn_t refusal = Refusal(device, 1);
  if (refusal != NVML_SUCCESS) return refusal;
  *out = Garbage() ? 0x7ffffffffffffff2ULL : value;
  return NVML_SUCCESS;
}

static nvmlReturn_t PutSwitch(nvmlDevice_t device, int* out, int value) {
  const nvmlReturn_t refusal = Refusal(device, 1);
  if (refusal != NVML_SUCCESS) return refusal;
  *out = Garbage() ? 77 : value;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void) {
  const nvmlReturn_t code = (nvmlReturn_t)Told("init", NVML_SUCCESS);
  if (code == NVML_SUCCESS) atomic_fetch_add(&g_initialised, 1);
  return code;
}

nvmlReturn_t nvmlShutdown(void) {
  if (atomic_load(&g_initialised) == 0) return NVML_ERROR_UNINITIALIZED;
  atomic_fetch_sub(&g_initialised, 1);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return PutText(version, length, "550.90.07");
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  return PutText(version, length, "12.550.90.07");
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  if (atomic_load(&g_initialised) == 0) return NVML_ERROR_UNINITIALIZED;
  *count = (unsigned int)Told("gpus", 8);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  if (atomic_load(&g_initialised) == 0) return NVML_ERROR_UNINITIALIZED;
  if ((long)index >= Told("gpus", 8) || index >= MAX_FAKE_GPUS) return NVML_ERROR_INVALID_ARGUMENT;
  if (Told("lost", -1) == (long)index) return NVML_ERROR_GPU_IS_LOST;
  *device = &g_devices[index];
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  const nvmlReturn_t refusal = Refusal(device, 0);
  return refusal != NVML_SUCCESS ? refusal : PutText(name, length, "NVIDIA H100 80GB HBM3");
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  const nvmlReturn_t refusal = Refusal(device, 0);
  char text[64];
  if (refusal != NVML_SUCCESS) return refusal;
  snprintf(text, sizeof(text), "GPU-00000000-0000-0000-0000-%012u", IndexOf(device));
  return PutText(uuid, length, text);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  const nvmlReturn_t refusal = Refusal(device, 0);
  if (refusal != NVML_SUCCESS) return refusal;
  memset(pci, 0, sizeof(*pci));
  pci->domain = IndexOf(device) + 1;
  snprintf(pci->busId, sizeof(pci->busId), "%08X:00:00.0", pci->domain);
  if (Garbage()) strcpy(pci->busId, "<<<NULL>>>");
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  const nvmlReturn_t refusal = Refusal(device, 0);
  if (refusal != NVML_SUCCESS) return refusal;
  memory->total = 85520809984ULL;
  memory->used = Garbage() ? memory->total + 1 : 1073741824ULL;
  memory->free = memory->total - memory->used;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, int type, unsigned int* clock) {
  return PutNumber(device, clock, type == NVML_CLOCK_MEM ? 2619 : (unsigned int)Told("sm_clock", 1980));
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, int type, unsigned int* clock) {
  return PutNumber(device, clock, type == NVML_CLOCK_MEM ? 2619 : 1980);
}

// Not there when the fake is built as an old or a very new driver.
#ifndef FAKE_NVML_WITHOUT_APPLICATION_CLOCKS
nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, int type, unsigned int* clock) {
  return PutNumber(device, clock, type == NVML_CLOCK_MEM ? 2619 : 1755);
}
#endif

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long* reasons) {
  const long only = Told("throttle_gpu", -1);
  const int here = device == NULL || only < 0 || only == (long)IndexOf(device);
  return PutLong(device, reasons, here ? (unsigned long long)Told("throttle", 0) : 0);
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, int* current, int* pending) {
  const nvmlReturn_t code = PutSwitch(device, current, (int)Told("ecc_mode", 1));
  return code != NVML_SUCCESS ? code : PutSwitch(device, pending, (int)Told("ecc_mode", 1));
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, int errorType, int counterType,
                                         unsigned long long* count) {
  unsigned long long errors = 0;
  (void)counterType;
  if (device != NULL && IndexOf(device) == 0 && errorType == NVML_MEMORY_ERROR_TYPE_UNCORRECTED) {
    errors = (unsigned long long)Told("ecc", 0);
  }
  return PutLong(device, count, errors);
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, int* mode) {
  return PutSwitch(device, mode, (int)Told("persistence", 1));
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, int sensor, unsigned int* temperature) {
  if (sensor != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
  return PutNumber(device, temperature, 34);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* milliwatts) {
  HangIfTold("FAKE_NVML");
  return PutNumber(device, milliwatts, 71500);
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* milliwatts) {
  return PutNumber(device, milliwatts, 700000);
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long* millijoules) {
  return PutLong(device, millijoules, 123456789ULL);
}

nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned int* value) {
  return PutNumber(device, value, 0);
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
  const nvmlReturn_t refusal = Refusal(device, 1);
  if (refusal != NVML_SUCCESS) return refusal;
  utilization->gpu = Garbage() ? 101 : 5;
  utilization->memory = 1;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, int* isActive) {
  const long links = Told("links", NVML_NVLINK_MAX_LINKS);
  if (links == 0) return NVML_ERROR_NOT_SUPPORTED;
  if ((long)link >= links) return NVML_ERROR_INVALID_ARGUMENT;
  return PutSwitch(device, isActive, IndexOf(device) != 0 || Told("down_link", -1) != (long)link);
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int* corrected, unsigned int* uncorrected,
                                       unsigned int* isPending, unsigned int* failureOccurred) {
  const nvmlReturn_t code = PutNumber(device, corrected, 2);
  if (code != NVML_SUCCESS) return code;
  *uncorrected = 1;
  *isPending = 0;
  *failureOccurred = IndexOf(device) == 0 ? (unsigned int)Told("remap_failed", 0) : 0;
  return NVML_SUCCESS;
}
