"""Parses SIL: functions, blocks, instructions, and which block dominates which."""

import re

LOCATION = re.compile(r', loc (?:\* )?"([^"]*)":(\d+):(\d+)')
APPLY = re.compile(r"^(?:\([%\d, ]*\) = |%\d+ = )?((?:try_|begin_)?apply)\b(?: \[[\w ]+\])* (%\d+)")
OPERANDS = re.compile(r"\(((?:%\d+(?:, )?)*)\)$")
VALUE = re.compile(r"%\d+")


class Instruction:
    __slots__ = ("results", "op", "text", "location", "block", "index", "operands")

    def __init__(self, results, op, text, location):
        self.results, self.op, self.text, self.location = results, op, text, location
        self.block, self.index = None, 0
        self.operands = VALUE.findall(text)


class Block:
    __slots__ = ("name", "arguments", "instructions", "successors", "predecessors", "dominator", "order")

    def __init__(self, name, arguments):
        self.name, self.arguments = name, arguments
        self.instructions, self.successors, self.predecessors = [], [], []
        self.dominator, self.order = None, -1


class Function:
    def __init__(self, name, title):
        self.name, self.title = name, title
        self.blocks, self.definitions, self.types = {}, {}, {}
        self.entry, self.in_order = None, []

    def finish(self):
        for block in self.blocks.values():
            for position, instruction in enumerate(block.instructions):
                instruction.block, instruction.index = block, position
                for result in instruction.results:
                    self.definitions[result] = instruction
            last = block.instructions[-1] if block.instructions else None
            if last is not None:
                for name in dict.fromkeys(re.findall(r"\bbb\d+\b", last.text)):
                    if name in self.blocks:
                        block.successors.append(self.blocks[name])
                        self.blocks[name].predecessors.append(block)
        self._order()
        self._dominate()

    def has_source(self, prefix):
        return any(
            i.location and i.location[0].startswith(prefix) for b in self.blocks.values() for i in b.instructions)

    def _order(self):
        seen, order, stack = {self.entry}, [], [(self.entry, iter(self.entry.successors))]
        while stack:
            block, rest = stack[-1]
            for successor in rest:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(successor.successors)))
                    break
            else:
                order.append(block)
                stack.pop()
        self.in_order = order[::-1]
        for number, block in enumerate(self.in_order):
            block.order = number

    def _dominate(self):
        self.entry.dominator = self.entry
        changed = True
        while changed:
            changed = False
            for block in self.in_order[1:]:
                new = None
                for other in block.predecessors:
                    if other.dominator is None:
                        continue
                    new = other if new is None else self._common(new, other)
                if new is not block.dominator:
                    block.dominator, changed = new, True

    @staticmethod
    def _common(one, other):
        while one is not other:
            while one.order > other.order:
                one = one.dominator
            while other.order > one.order:
                other = other.dominator
        return one


def split_results(line):
    """The results of an instruction, and the remaining text."""
    if line.startswith("%"):
        head, _, rest = line.partition(" = ")
        return [head], rest
    if line.startswith("(%"):
        head, _, rest = line.partition(") = ")
        return VALUE.findall(head), rest
    return [], line


def split_types(text):
    """The elements of a list of types, split at its top-level commas."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "(<[":
            depth += 1
        elif character in ")]" or (character == ">" and text[position - 1] != "-"):
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return parts + [text[start:].strip()] if text[start:].strip() else parts


def conventions(line):
    """The conventions of a function's arguments: indirect results first, as in its first block."""
    signature = line.split(" : $", 1)[-1]
    start = re.search(r"\((?!\w+\) (?:@|\())", re.sub(r"@convention\(\w+(?:: \w+)?\)", lambda m: "_" * len(m.group(0)), signature))
    if not start:
        return []
    depth, end = 0, len(signature)
    for position in range(start.start(), len(signature)):
        if signature[position] == "(":
            depth += 1
        elif signature[position] == ")":
            depth -= 1
            if depth == 0:
                end = position
                break
    results = signature[end:].count("@out ")
    return ["@out"] * results + split_types(signature[start.start() + 1 : end])


def block_arguments(text):
    """`%1 : $Int, %2 : @owned $Array<(A, B)>` as pairs of value and type."""
    pairs = []
    for match in re.finditer(r"(%\d+) : (?:@\w+ )*(\$.*?)(?=, %\d+ : |$)", text):
        pairs.append((match.group(1), match.group(2)))
    return pairs


def functions(path):
    """The functions of a SIL file."""
    function, block, comments = None, None, []
    for line in open(path, encoding="utf-8", errors="replace"):
        line = line.rstrip("\n")
        if function is None:
            if line.startswith("sil ") and line.endswith("{"):
                name = re.search(r"@(\S+) : ", line)
                title = next((c for c in comments if not c.startswith("%")), "")
                title = title.split(", loc ")[0]
                function, block = Function(name.group(1) if name else "?", title), None
                function.conventions = conventions(line)
                function.returns_int = re.search(r"-> \(?(Optional<)?Int>?(,|\)| \{|$)", line) is not None
            comments = comments + [line[3:]] if line.startswith("// ") else []
            continue
        if line.startswith("}"):
            if function.entry is not None:
                function.finish()
                yield function
            function = None
            continue
        if line.startswith("bb"):
            head = line.split("//")[0].rstrip()
            name = re.match(r"bb\d+", head).group(0)
            arguments = block_arguments(head[len(name) + 1 : -2]) if "(" in head else []
            block = Block(name, arguments)
            function.blocks[name] = block
            function.entry = function.entry or block
            for value, kind in arguments:
                function.types[value] = kind
            continue
        if not line.startswith("  ") or block is None:
            continue
        text = line[2:]
        if text.startswith("//") or text.startswith("debug_") or text.startswith(" "):
            continue
        location = LOCATION.search(text)
        cut = text.rfind(", loc ") if location else text.find(", scope ")
        if cut < 0:
            cut = text.find(" // ")
        where = None
        if location:
            where = LOCATION.search(text, cut)
            where = (where.group(1), int(where.group(2)), int(where.group(3))) if where else None
        if cut >= 0:
            text = text[:cut]
        results, rest = split_results(text)
        op = rest.split(" ", 1)[0]
        block.instructions.append(Instruction(results, op, rest, where))
