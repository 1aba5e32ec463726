// What the fake drivers of the tests do is told by the environment variable that each names: words separated by
// commas, as "gpus=8,lost=3", or the absolute path of a file that holds them and may change at any time. Plain C;
// included once by each fake.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SETTINGS = 1024 };

// The settings as they are now; an empty text when there are none.
static void ReadSettings(const char* variable, char* settings) {
  const char* text = getenv(variable);
  settings[0] = '\0';
  if (text == NULL) return;
  if (text[0] != '/') {
    strncpy(settings, text, MAX_SETTINGS - 1);
    settings[MAX_SETTINGS - 1] = '\0';
    return;
  }
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const ssize_t got = read(file, settings, MAX_SETTINGS - 1);
  settings[got < 0 ? 0 : got] = '\0';
  close(file);
}

// Where the value of `key` starts in `settings`; NULL when it is not set.
static const char* FindSetting(const char* settings, const char* key) {
  const size_t length = strlen(key);
  while (settings != NULL && *settings != '\0') {
    if (strncmp(settings, key, length) == 0 && settings[length] == '=') return settings + length + 1;
    settings = strchr(settings, ',');
    if (settings != NULL) ++settings;
  }
  return NULL;
}

// The number that `key` is set to, or `otherwise`.
static long Setting(const char* variable, const char* key, long otherwise) {
  char settings[MAX_SETTINGS];
  ReadSettings(variable, settings);
  const char* value = FindSetting(settings, key);
  return value == NULL ? otherwise : strtol(value, NULL, 0);
}

// Hangs, as a driver does whose GPU no longer answers, for as long as the file named by `hang_file=PATH` exists (it
// must be the last setting).
static void HangIfTold(const char* variable) {
  const struct timespec tick = {0, 1000000};
  for (;;) {
    char settings[MAX_SETTINGS];
    ReadSettings(variable, settings);
    const char* path = FindSetting(settings, "hang_file");
    if (path == NULL || access(path, F_OK) != 0) return;
    nanosleep(&tick, NULL);
  }
}
