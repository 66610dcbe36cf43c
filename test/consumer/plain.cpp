// SPDX-License-Identifier: BSL-1.0
static_assert(__cplusplus == 201703L);

int main() {}
