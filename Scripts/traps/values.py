"""Determines which values of a function are equal: through structs of one field, loads and unwritten memory."""

import re

from sil import APPLY, OPERANDS, VALUE

SCALARS = {
    "Int": 64, "UInt": 64, "Int64": 64, "UInt64": 64, "Int32": 32, "UInt32": 32, "Int16": 16, "UInt16": 16,
    "Int8": 8, "UInt8": 8, "Bool": 1, "Builtin.Word": 64,
}
UNSIGNED = {"UInt", "UInt64", "UInt32", "UInt16", "UInt8"}
ADDRESSES = {
    "begin_access", "struct_element_addr", "tuple_element_addr", "ref_element_addr", "alloc_stack", "global_addr",
    "project_box", "address_to_pointer", "pointer_to_address", "unchecked_addr_cast", "init_enum_data_addr",
    "unchecked_take_enum_data_addr", "init_existential_addr", "open_existential_addr", "index_addr", "ref_tail_addr",
    "unchecked_ref_cast_addr", "mark_dependence_addr",
}
# Calls that write no memory except their arguments, and do not change the count of an `inout` argument.
QUIET = re.compile(
    r"(count|isEmpty|indices|subscript|startIndex|endIndex|first|last)\.(getter|read|modify)|_allocateUninitialized|"
    r"_finalizeUninitialized|_builtinStringLiteral|assertionFailure|makeIterator|contains|Iterator\.next"
)


# A step of a path from a collection to one of its elements.
ELEMENT = "[]"


def touches(written, path):
    """Whether a write to memory changes the value at a path; writing an element does not change its array's count."""
    shorter = min(len(written), len(path))
    return written[:shorter] == path[:shorter] and not (len(written) > len(path) and written[len(path)] == ELEMENT)


def width(kind):
    """The width of a type in bits; `None` if it is not an integer."""
    kind = kind.lstrip("$*").strip()
    if kind in SCALARS:
        return SCALARS[kind]
    match = re.fullmatch(r"Builtin\.Int(\d+)", kind)
    return int(match.group(1)) if match else None


class Values:
    def __init__(self, function, names, module):
        self.function, self.names, self.module = function, names, module
        self.entries = {value: n for n, (value, _) in enumerate(function.entry.arguments)}
        self.loads = {}
        self.constant = {
            ("entry", n) for n, convention in enumerate(function.conventions) if "@in_guaranteed" in convention
        } if len(function.conventions) == len(self.entries) else set()
        self.canonical, self.widths, self.paths, self.plain = {}, {}, {}, set()
        self.shared, self.flows = None, {}

    def callee(self, instruction):
        """The readable name of the function that an apply calls."""
        match = APPLY.match(instruction.text)
        definition = self.function.definitions.get(match.group(2)) if match else None
        if definition is not None and definition.op == "function_ref":
            symbol = re.search(r"@(\S+) :", definition.text)
            return self.names.get(symbol.group(1), symbol.group(1)) if symbol else ""
        return "" if definition is None else definition.op

    @staticmethod
    def arguments(instruction):
        head = re.split(r" : \$", instruction.text, maxsplit=1)[0]
        match = OPERANDS.search(head)
        return VALUE.findall(match.group(1)) if match else []

    # Memory

    def is_address(self, value):
        definition = self.function.definitions.get(value)
        if definition is not None:
            return definition.op in ADDRESSES or (definition.op == "begin_apply" and value == definition.results[0])
        return self.function.types.get(value, "").lstrip().startswith("$*")

    def path(self, value):
        """An address as its root and the fields that lead from there."""
        if value in self.paths:
            return self.paths[value]
        definition = self.function.definitions.get(value)
        result = (value,) if value not in self.entries else (("entry", self.entries[value]),)
        if definition is not None:
            op, operands = definition.op, definition.operands
            if op == "begin_access":
                result = self.path(operands[0])
            elif op == "struct_element_addr":
                field = re.search(r"#\S+", definition.text).group(0)
                owner, _, name = field[1:].rpartition(".")
                result = self.path(operands[0]) if owner in SCALARS else self.path(operands[0]) + (field,)
            elif op == "tuple_element_addr":
                result = self.path(operands[0]) + (definition.text.rsplit(" ", 1)[1],)
            elif op == "ref_element_addr":
                field = re.search(r"#\S+", definition.text).group(0)
                kept = "let" if "[immutable]" in definition.text else "object"
                result = ((kept, self.of(operands[-1])), field)
            elif op == "global_addr":
                result = (("object", definition.text),)
            elif op == "project_box":
                result = (("object", operands[0]),)
            elif op == "begin_apply" and re.match(r"(Array|ContiguousArray|ArraySlice)\.subscript", self.callee(definition)):
                result = self.path(self.arguments(definition)[-1]) + (ELEMENT,)
            elif op not in ("alloc_stack",):
                result = (("far", value),)
        self.paths[value] = result
        return result

    def _find_shared(self):
        self.shared = set()
        for block in self.function.in_order:
            for instruction in block.instructions:
                if instruction.op in ("partial_apply", "address_to_pointer", "mark_dependence"):
                    for operand in instruction.operands[0:]:
                        if self.is_address(operand):
                            self.shared.add(self.path(operand)[0])
        for value, kind in self.function.entry.arguments:
            if "inout_aliasable" in kind:
                self.shared.add(self.path(value)[0])

    @staticmethod
    def is_quiet(name):
        return QUIET.search(name) is not None

    def writes(self, instruction, path):
        """The version of memory at `path` after an instruction; `None` if the instruction does not change it."""
        if path[0] in self.constant:
            return None
        op = instruction.op
        if op in ("store", "copy_addr", "assign"):
            source, target = instruction.operands[0], instruction.operands[-1]
            written = self.path(target)
            if written == path and op == "store":
                return ("stored", self.of(source), instruction.block)
            if written == path and op == "copy_addr":
                return ("stored", self.memory(source, instruction), instruction.block)
            return ("written", id(instruction)) if touches(written, path) else None
        if op in ("inject_enum_addr", "destroy_addr", "alloc_stack"):
            target = instruction.results[0] if op == "alloc_stack" else instruction.operands[-1]
            written = self.path(target)
            return ("written", id(instruction)) if touches(written, path) else None
        if "apply" not in op or op in ("partial_apply", "end_apply", "abort_apply"):
            return None
        symbol = self.module.symbol(self.function, instruction)
        if symbol in self.module.functions:
            return self._written_by(symbol, instruction, path)
        name = self.callee(instruction)
        quiet = self.is_quiet(name) or (
            symbol is not None and self.names.is_library(symbol) and "@callee_guaranteed" not in instruction.text)
        if (path[0] in self.shared or (isinstance(path[0], tuple) and path[0][0] == "object")) and not quiet:
            return ("written", id(instruction))
        signature = instruction.text.split(" : $", 1)[-1]
        arguments = self.arguments(instruction)
        for position, argument in enumerate(arguments):
            if not self.is_address(argument):
                continue
            written = self.path(argument)
            if not touches(written, path):
                continue
            is_result = position < signature.count("@out ")
            keeps = self.is_quiet(name) and position == len(arguments) - 1
            if is_result or ("@inout" in signature and not keeps):
                return ("written", id(instruction))
        return None

    def _written_by(self, symbol, instruction, path):
        """As `writes`, for a function of this module, whose writes are known."""
        written, fields = self.module.effects[symbol]
        version = ("written", id(instruction))
        is_far = isinstance(path[0], tuple) and path[0][0] == "object"
        if path[0] in self.shared or is_far:
            if "*" in fields or (is_far and (len(path) < 2 or path[1] in fields)):
                return version
        arguments = self.arguments(instruction)
        for position, suffix in written:
            if position < len(arguments) and self.is_address(arguments[position]):
                target = self.path(arguments[position]) + suffix
                if touches(target, path):
                    return version
        return None

    def _flow(self, path):
        """The version of memory at `path` at the start of each block."""
        if path in self.flows:
            return self.flows[path]
        if self.shared is None:
            self._find_shared()
        start, end = {}, {}
        self.flows[path] = (start, end)
        last = {}
        for block in self.function.in_order:
            last[block] = None
            for instruction in reversed(block.instructions):
                version = self.writes(instruction, path)
                if version is not None:
                    last[block] = version
                    break
        changed = True
        while changed:
            changed = False
            for block in self.function.in_order:
                if block is self.function.entry:
                    new = ("start",)
                elif start.get(block, (None,))[0] == "merged" and start[block][1] is block:
                    new = start[block]
                else:
                    seen = [end[p] for p in block.predecessors if p in end]
                    new = seen[0] if all(s == seen[0] for s in seen) else ("merged", block)
                if start.get(block) != new:
                    start[block], changed = new, True
                out = last[block] or new
                if end.get(block) != out:
                    end[block], changed = out, True
        return self.flows[path]

    def memory(self, address, instruction):
        """The value in memory at an address just before an instruction."""
        return self.memory_at(self.path(address), instruction)

    def field(self, inner, name):
        """A field of a value, which may have come from memory."""
        if inner in self.loads:
            path, instruction = self.loads[inner]
            return self.memory_at(path + ("#" + name,), instruction)
        if inner[0] == "memory" and inner[2] == ("start",):
            return ("memory", inner[1] + ("#" + name,), inner[2])
        return ("field", inner, name)

    def memory_at(self, path, instruction):
        if isinstance(path[0], tuple) and path[0][0] == "let":
            return ("memory", path, ("start",))
        start, _ = self._flow(path)
        for earlier in reversed(instruction.block.instructions[: instruction.index]):
            version = self.writes(earlier, path)
            if version is not None:
                break
        else:
            version = start.get(instruction.block, ("start",))
        if version[0] == "stored":
            return version[1]
        result = ("memory", path, version)
        self.loads.setdefault(result, (path, instruction))
        return result

    # Values

    def of(self, value):
        if value not in self.canonical:
            self.canonical[value] = ("value", value)
            self.canonical[value] = self._of(value)
        return self.canonical[value]

    def _note(self, canonical, bits):
        if bits is not None:
            self.widths.setdefault(canonical, bits)
        return canonical

    def _of(self, value):
        function = self.function
        definition = function.definitions.get(value)
        if definition is None:
            entry = (self.entries[value],) if value in self.entries else ()
            return self._note(("argument", value) + entry, width(function.types.get(value, "")))
        op, text, operands = definition.op, definition.text, definition.operands
        if op == "integer_literal":
            match = re.match(r"integer_literal \$(\S+), (-?\d+)", text)
            bits = width(match.group(1)) or 64
            return self._note(("constant", int(match.group(2)), bits), bits)
        if op == "struct":
            kind = re.match(r"struct \$([\w.]+)(<Int>)?", text)
            if kind and kind.group(1) in SCALARS and len(operands) == 1:
                return self._note(self.of(operands[0]), SCALARS[kind.group(1)])
            if kind and kind.group(2) and kind.group(1) in ("Range", "ClosedRange", "PartialRangeFrom",
                                                            "PartialRangeUpTo", "PartialRangeThrough"):
                return ("range", kind.group(1)) + tuple(self.of(o) for o in operands)
            return ("value", value)
        if op == "struct_extract":
            field = re.search(r"#(\S+)", text).group(1)
            owner, _, name = field.rpartition(".")
            inner = self.of(operands[0])
            if owner in SCALARS:
                if owner == "Int":
                    self.plain.add(inner)
                return self._note(inner, SCALARS[owner])
            if inner[0] == "range":
                return inner[2] if name == "lowerBound" or len(inner) == 3 else inner[3]
            if owner in ("Range", "ClosedRange") :
                return self._note(("bound", inner, name), None)
            return self.field(inner, field)
        if op == "tuple_extract":
            source = function.definitions.get(operands[0])
            number = int(text.rsplit(" ", 1)[1])
            if source is not None and source.op == "builtin" and "_with_overflow_" in source.text:
                if number == 1:
                    return self._note(("flag", operands[0]), 1)
                return self._note(("result", operands[0]), int(re.search(r"_Int(\d+)\"", source.text).group(1)))
            if source is not None and source.op == "tuple" and len(source.operands) > number:
                return self.of(source.operands[number])
            return ("field", self.of(operands[0]), str(number))
        if op == "builtin":
            name = re.match(r'builtin "(\w+)"', text).group(1)
            if name in ("int_expect_Int1", "assumeNonNegative_Int64", "truncOrBitCast_Int64_Word",
                        "sextOrBitCast_Word_Int64", "zextOrBitCast_Word_Int64"):
                return self.of(operands[0])
            return self._note(("built", value), width(text.rsplit(" : $", 1)[-1].strip()))
        if op == "load":
            kind = self._kind_of(operands[0])
            if kind == "Int":
                self.plain.add(self.memory(operands[0], definition))
            return self._note(self.memory(operands[0], definition), width(kind))
        if op in ("apply", "try_apply"):
            arguments, name = self.arguments(definition), self.callee(definition)
            if re.search(r"\bcount\.getter : Int$", name) and arguments:
                return self._note(("count", self.base(arguments[-1], definition)), 64)
            return self._note(("value", value), width(text.rsplit(" -> ", 1)[-1]))
        if op in ("copy_value", "begin_borrow", "move_value", "upcast", "unchecked_ref_cast"):
            return self.of(operands[0])
        return ("value", value)

    def _kind_of(self, address):
        """The type of the value at an address, as far as it is known."""
        definition = self.function.definitions.get(address)
        if definition is None:
            return self.function.types.get(address, "")
        if definition.op == "alloc_stack":
            match = re.search(r"\$([\w.]+)", definition.text)
            return match.group(1) if match else ""
        if definition.op == "begin_access":
            return self._kind_of(definition.operands[0])
        if definition.op == "struct_element_addr":
            owner = re.search(r"#(\S+)\._value", definition.text)
            return owner.group(1) if owner and owner.group(1) in SCALARS else ""
        return ""

    def base(self, value, instruction):
        """A collection, given by value or by address."""
        return self.memory(value, instruction) if self.is_address(value) else self.of(value)
