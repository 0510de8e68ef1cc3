"""Code shared by Scripts/toolchain-names and Scripts/package-names: reads symbol graphs and writes tables of names.

A table is text: a line `module NAME`, then lines that begin with `exports`, `free` or `members` and list names.
`free` are a module's types, functions and variables at the top level, `members` the members of its types.
"""
import glob
import json
import os
import re
import subprocess
import tempfile

NAME = re.compile(r"[A-Za-z]\w*")


def graphs(tool, module, options=()):
    """Yields each of a module's symbol graphs, including those of its extensions of other modules' types."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [tool, "-module-name", module, "-target", "x86_64-unknown-linux-gnu", "-output-dir", folder,
             "-minimum-access-level", "public", "-skip-inherited-docs", *options],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name in sorted(glob.glob(os.path.join(folder, "*.symbols.json"))):
            with open(name) as file:
                yield json.load(file)


def name_of(symbol):
    """A symbol's name without labels; None for operators and names that begin with an underscore."""
    name = re.sub(r"\(.*", "", symbol["pathComponents"][-1])
    return name if NAME.fullmatch(name) else None


def lines_of(keyword, names):
    """`keyword name name …`, in lines of at most 110 characters."""
    line = keyword
    for name in names:
        if len(line) + 1 + len(name) > 110:
            yield line
            line = keyword
        line += " " + name
    if names:
        yield line


def table(source, modules):
    """The text of a table. Each module is a tuple (name, exports, free, members)."""
    lines = [f"# Made by {source}; do not edit."]
    for module, exports, free, members in modules:
        lines += ["", f"module {module}", *lines_of("exports", exports), *lines_of("free", free),
                  *lines_of("members", members)]
    return "\n".join(lines) + "\n"
