# SPDX-License-Identifier: BSL-1.0
"""What an object file that was compiled against the headers of another ABI may link against: nothing."""
import pathlib
import re
import shutil

from checks import Failed, run

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
SPELLED = re.compile(r"\babi_(\d+)\b")
# Of the launcher itself: no public header declares their functions, but for linux/launch.hpp, which abi.cpp uses whole.
INSIDE = ("shim", "linux_shim")


def number():
    """The ABI of this tree. Raises: Failed if the headers and the shims do not agree on it."""
    files = [path for top in ("include", "shims") for path in (TREE / top).rglob("*.[hc]pp")]
    found = {path: set(SPELLED.findall(path.read_text(encoding="utf-8"))) for path in files}
    numbers = set().union(*found.values())
    if len(numbers) != 1:
        raise Failed(f"the tree has the ABI numbers {sorted(numbers)}: " +
                     ", ".join(f"{path.relative_to(TREE)} {sorted(of)}" for path, of in found.items() if of))
    return int(numbers.pop())


def names(symbols):
    """The qualified name of each function in a list of demangled symbols, as a list of its parts."""
    for symbol in symbols:
        if symbol.startswith("cordon::"):
            plain = re.sub(r"\[abi:cxx11\]", "", symbol).split("(")[0]
            yield re.split(r"::", re.sub(r"<.*>", "<>", plain))


def unversioned(symbols, abi):
    """The symbols that an object of another ABI would find too. A member needs no number of its own if the constructors
    of its class have it: without them there is no object."""
    tag = f"[abi:abi_{abi}]"
    parts = [name for name in names(symbols) if name[1] not in INSIDE]
    made = {tuple(name[:-1]) for name in parts if name[-1] == name[-2] + tag}
    has_number = lambda name: f"abi_{abi}" in name or name[-1].endswith(tag)
    is_member = lambda name: any(tuple(name[:size]) in made for size in range(2, len(name)))
    return sorted("::".join(name) for name in parts if not has_number(name) and not is_member(name))


def check_symbols(archive):
    """Each function and constructor that the library defines for consumers has the number in its symbol."""
    defined = [line.split(maxsplit=2) for line in run("nm", "-C", "--defined-only", "-g", archive).splitlines()]
    # Weak ones are of templates and inline functions, which each object brings along.
    symbols = [line[2] for line in defined if len(line) == 3 and line[1] in "TDBR"]
    if not symbols:
        raise Failed(f"{archive} defines nothing")
    if left := unversioned(symbols, number()):
        raise Failed("without the number of the ABI: " + ", ".join(left))


def check_link(scratch, headers, flags):
    """A program links with the headers of this tree. With those of the next ABI it does not, for each of its symbols."""
    abi = number()
    other = shutil.copytree(headers, scratch / "other")
    for path in other.rglob("*.hpp"):
        text = path.read_text(encoding="utf-8")
        path.write_text(SPELLED.sub(f"abi_{abi + 1}", text), encoding="utf-8")
    compile_only = ["g++", "-std=c++20", "-Werror", "-Wall", "-Wextra", "-pthread", "-c", HERE / "abi.cpp", "-o"]
    run(*compile_only, scratch / "same.o", "-I", headers)
    run(*compile_only, scratch / "other.o", "-I", other)
    run("g++", scratch / "same.o", "-o", scratch / "same", *flags)
    run(scratch / "same")
    printed = run("g++", scratch / "other.o", "-o", scratch / "refused", *flags, status=1)
    wanted = [line.split(maxsplit=1)[1] for line in run("nm", "-C", "-u", scratch / "other.o").splitlines()]
    wanted = [symbol for symbol in wanted if f"abi_{abi + 1}" in symbol]
    if missing := [symbol for symbol in wanted if f"undefined reference to `{symbol}'" not in printed]:
        raise Failed(f"the linker does not name {missing}:\n{printed}")
    for symbol in (f"cordon::abi_{abi + 1}::run(", f"cordon::format::abi_{abi + 1}::read_file[abi:cxx11](",
                   f"cordon::linux_shim::abi_{abi + 1}::launch(", f"cordon::process_run::process_run[abi:abi_{abi + 1}]("):
        if not any(one.startswith(symbol.replace("[abi:cxx11]", "")) for one in wanted):
            raise Failed(f"abi.cpp does not use {symbol}: it uses {wanted}")
