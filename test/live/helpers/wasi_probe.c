/* SPDX-License-Identifier: BSL-1.0 */
/* A WASI module without a C library: tries each act of its arguments (ACT PATH ...) through every directory that it was
 * given, also by climbing out of those that do not hold the path, and prints 1 or 0 for each. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))
struct span {
  void* at;
  u32 size;
};
WASI(args_sizes_get) u32 args_sizes_get(u32* count, u32* size);
WASI(args_get) u32 args_get(char** words, char* text);
WASI(fd_prestat_get) u32 fd_prestat_get(u32 fd, u32* tag_and_size);
WASI(fd_prestat_dir_name) u32 fd_prestat_dir_name(u32 fd, char* name, u32 size);
WASI(path_open)
u32 path_open(u32 fd, u32 lookup, const char* path, u32 size, u32 oflags, u64 rights, u64 inherited, u32 flags,
              u32* to);
WASI(fd_read) u32 fd_read(u32 fd, const struct span* to, u32 count, u32* done);
WASI(fd_write) u32 fd_write(u32 fd, const struct span* from, u32 count, u32* done);
WASI(fd_readdir) u32 fd_readdir(u32 fd, void* to, u32 size, u64 cookie, u32* done);
WASI(fd_close) u32 fd_close(u32 fd);
WASI(path_create_directory) u32 path_create_directory(u32 fd, const char* path, u32 size);
WASI(path_remove_directory) u32 path_remove_directory(u32 fd, const char* path, u32 size);
WASI(path_unlink_file) u32 path_unlink_file(u32 fd, const char* path, u32 size);
WASI(path_filestat_set_times)
u32 path_filestat_set_times(u32 fd, u32 lookup, const char* path, u32 size, u64 access, u64 change, u32 flags);

enum {
  follow = 1,
  oflag_directory = 2,
  times_now = 2 | 8,
  right_read = 1 << 1,
  right_write = 1 << 6,
  right_readdir = 1 << 14
};

static char text[1 << 20], name[4096], relative[16384];
static char* words[1 << 14];

static u32 length(const char* s) {
  u32 n = 0;
  while (s[n] != 0) ++n;
  return n;
}
static int same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

/* The path as seen from a directory: what is behind its name, or out of it and down from the root. */
static void seen_from(const char* directory, const char* path) {
  u32 n = length(directory), out = 0;
  while (n != 0 && directory[n - 1] == '/') --n;
  u32 i = 0;
  while (i < n && directory[i] == path[i]) ++i;
  if (i == n && (path[n] == '/' || path[n] == 0)) {
    while (path[i] == '/') ++i;
  } else {
    for (u32 k = 0; k < n; ++k)
      if (directory[k] == '/') relative[out++] = '.', relative[out++] = '.', relative[out++] = '/';
    i = 1;
  }
  while (path[i] != 0) relative[out++] = path[i++];
  if (out == 0) relative[out++] = '.';
  relative[out] = 0;
}

static int opened(u32 fd, u32 oflags, u64 rights, u32* to) {
  return path_open(fd, follow, relative, length(relative), oflags, rights, rights, 0, to) == 0;
}

static int act(const char* what, u32 fd) {
  static char buffer[4096];
  const struct span place = {buffer, 1};
  const u32 size = length(relative);
  u32 to, done;
  int fine = 0;
  if (same(what, "read") && opened(fd, 0, right_read, &to)) {
    fine = fd_read(to, &place, 1, &done) == 0 && done == 1;
    fd_close(to);
  } else if (same(what, "write") && opened(fd, 0, right_write, &to)) {
    buffer[0] = 'w';
    fine = fd_write(to, &place, 1, &done) == 0 && done == 1;
    fd_close(to);
  } else if (same(what, "list") && opened(fd, oflag_directory, right_readdir, &to)) {
    fine = fd_readdir(to, buffer, sizeof buffer, 0, &done) == 0;
    fd_close(to);
  } else if (same(what, "create")) fine = path_create_directory(fd, relative, size) == 0;
  else if (same(what, "remove"))
    fine = path_unlink_file(fd, relative, size) == 0 || path_remove_directory(fd, relative, size) == 0;
  else if (same(what, "attributes")) fine = path_filestat_set_times(fd, follow, relative, size, 0, 0, times_now) == 0;
  return fine;
}

__attribute__((export_name("_start"))) void start(void) {
  static char out[1 << 14];
  u32 count = 0, size = 0, done, given = 0;
  args_sizes_get(&count, &size);
  if (size > sizeof text || count > sizeof words / sizeof *words) return;
  args_get(words, text);
  for (u32 i = 1; i + 1 < count; i += 2) {
    int fine = 0;
    u32 prestat[2];
    for (u32 fd = 3; !fine && fd_prestat_get(fd, prestat) == 0 && prestat[1] < sizeof name; ++fd) {
      fd_prestat_dir_name(fd, name, prestat[1]);
      name[prestat[1]] = 0;
      seen_from(name, words[i + 1]);
      fine = act(words[i], fd);
    }
    out[given++] = fine ? '1' : '0';
  }
  out[given++] = '\n';
  const struct span all = {out, given};
  fd_write(1, &all, 1, &done);
}
