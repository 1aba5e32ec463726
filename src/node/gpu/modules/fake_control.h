// What the fake drivers of the tests do is told by the environment variable that each names: words separated by
// commas, as "gpus=8,lost=3". Plain C; included once by each fake.
#pragma once

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char* g_control_variable;

// The number after `key=`, or `otherwise`.
static long Setting(const char* key, long otherwise) {
  const char* text = getenv(g_control_variable);
  const size_t length = strlen(key);
  while (text != NULL && *text != '\0') {
    if (strncmp(text, key, length) == 0 && text[length] == '=') return strtol(text + length + 1, NULL, 0);
    text = strchr(text, ',');
    if (text != NULL) ++text;
  }
  return otherwise;
}

static const char* SettingText(const char* key) {
  const char* text = getenv(g_control_variable);
  const size_t length = strlen(key);
  while (text != NULL && *text != '\0') {
    if (strncmp(text, key, length) == 0 && text[length] == '=') return text + length + 1;
    text = strchr(text, ',');
    if (text != NULL) ++text;
  }
  return NULL;
}

// Hangs, as a driver does whose GPU no longer answers, for as long as the file named by `hang_file=PATH` exists (it must
// be the last setting).
static void HangIfTold(void) {
  const char* path = SettingText("hang_file");
  const struct timespec tick = {0, 1000000};
  while (path != NULL && access(path, F_OK) == 0) nanosleep(&tick, NULL);
}
