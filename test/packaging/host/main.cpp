// SPDX-License-Identifier: BSL-1.0
extern "C" int run_echo(const char* file);

int main(int, char** argv) { return run_echo(argv[1]); }
