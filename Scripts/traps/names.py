"""The readable names of the functions that a module calls."""

import re
import subprocess

LIBRARIES = ("Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationInternationalization",
             "Dispatch", "Synchronization", "Glibc", "_StringProcessing", "_Concurrency", "Observation")
LIBRARY = re.compile(r"(%s)\." % "|".join(LIBRARIES))
QUALIFIED = re.compile(r"\b(%s)\." % "|".join(LIBRARIES))


class Names(dict):
    """Maps symbols to names without modules: `Array.subscript.getter : (Int) -> A`."""

    def __init__(self, path, demangle):
        symbols = set()
        for line in open(path, encoding="utf-8", errors="replace"):
            found = re.search(r"function_ref @(\S+) :", line)
            if found:
                symbols.add(found.group(1))
        ordered = sorted(symbols)
        names = subprocess.run(
            [demangle, "--compact"], input="\n".join(ordered), capture_output=True, text=True, check=True).stdout
        self.library = set()
        for symbol, name in zip(ordered, names.split("\n")):
            name, module = self.plain(name)
            if module or LIBRARY.match(name):
                self.library.add(symbol)
            self[symbol] = QUALIFIED.sub("", name)

    @staticmethod
    def plain(name):
        """The name without specialisations, and whether it is an extension by a library."""
        if name.startswith("generic specialization <"):
            depth = 0
            for position, character in enumerate(name):
                if character == "<":
                    depth += 1
                elif character == ">" and name[position - 1] != "-":
                    depth -= 1
                    if depth == 0:
                        break
            name = name[position + 1 :].removeprefix(" of ")
        name = name.removeprefix("static ")
        extended = re.match(r"\(extension in (\w+)\):", name)
        if extended:
            name = name[extended.end() :]
            return (name, True) if extended.group(1) in LIBRARIES else (f"{extended.group(1)}.{name}", False)
        return name, False

    def is_library(self, symbol):
        return symbol in self.library
