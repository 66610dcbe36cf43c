#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""embed.py FILE NAME: a C++ header with the bytes of the file as an array of that name, on standard output."""
import pathlib
import sys

data = pathlib.Path(sys.argv[1]).read_bytes()
print(f"#pragma once\n\ninline constexpr unsigned char {sys.argv[2]}[] = {{")
for at in range(0, len(data), 16):
    print("    " + ", ".join(f"0x{byte:02X}" for byte in data[at:at + 16]) + ",")
print("};")
