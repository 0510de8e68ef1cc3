"""The functions of a module together: what each of them writes, guarantees to its callers and requires of them."""

import re

from places import Places
from graph import ZERO
from sil import APPLY, functions
from values import Values

SYMBOL = re.compile(r"@([^\s,:()]+)")
EVERYTHING = "*"


class Module:
    def __init__(self, path, names, prefix, elsewhere):
        self.names, self.prefix = names, prefix
        self.functions = {f.name: f for f in functions(path)}
        self.closed = self._named_in_tables(path) | elsewhere
        self.values = {name: Values(f, names, self) for name, f in self.functions.items()}
        self.walkers = {}
        self.sites = {}
        self._find_sites()
        self.effects = {name: (set(), set()) for name in self.functions}
        self._find_effects()

    @staticmethod
    def _named_in_tables(path):
        """Functions that can be called without being named: witnesses and overridable methods."""
        found, table = set(), False
        for line in open(path, encoding="utf-8", errors="replace"):
            if line.startswith(("sil_vtable", "sil_witness_table", "sil_default_witness_table", "sil_property")):
                table = True
            elif line.startswith("}"):
                table = False
            elif table:
                found.update(SYMBOL.findall(line))
        return found

    def symbol(self, function, instruction):
        match = APPLY.match(instruction.text)
        definition = function.definitions.get(match.group(2)) if match else None
        if definition is None or definition.op != "function_ref":
            return None
        found = SYMBOL.search(definition.text)
        return found.group(1) if found else None

    def _find_sites(self):
        for function in self.functions.values():
            uses = {}
            for block in function.blocks.values():
                for instruction in block.instructions:
                    if instruction.op == "function_ref":
                        uses[instruction.results[0]] = SYMBOL.search(instruction.text).group(1)
            for block in function.blocks.values():
                for instruction in block.instructions:
                    called = None
                    if "apply" in instruction.op and instruction.op != "partial_apply":
                        match = APPLY.match(instruction.text)
                        called = match.group(2) if match else None
                    for operand in set(instruction.operands):
                        name = uses.get(operand)
                        if name is None or name not in self.functions:
                            continue
                        if operand == called and block.order >= 0:
                            self.sites.setdefault(name, []).append((function, instruction))
                        elif operand != called:
                            self.closed.add(name)

    # Writes

    def _find_effects(self):
        """For each function, the paths of its arguments and the fields of objects that it may write."""
        steps = {name: self._steps(f) for name, f in self.functions.items()}
        changed = True
        while changed:
            changed = False
            for name, (paths, objects, calls) in steps.items():
                written, fields = self.effects[name]
                before = (len(written), len(fields))
                written |= paths
                fields |= objects
                for callee, arguments in calls:
                    theirs, far = self.effects[callee]
                    fields |= far
                    for position, suffix in theirs:
                        if position < len(arguments) and arguments[position] is not None:
                            self._note(written, fields, arguments[position] + suffix)
                changed |= before != (len(written), len(fields))

    def _steps(self, function):
        values = self.values[function.name]
        paths, objects, calls = set(), set(), []
        for block in function.in_order:
            for instruction in block.instructions:
                op = instruction.op
                if op in ("store", "copy_addr", "assign", "inject_enum_addr", "destroy_addr"):
                    path = values.path(instruction.operands[-1])
                    self._note(paths, objects, path)
                elif "apply" in op and op not in ("partial_apply", "end_apply", "abort_apply"):
                    self._call(function, values, instruction, paths, objects, calls)
        return paths, objects, calls

    @staticmethod
    def _note(paths, objects, path):
        """Records a write if it is to memory that outlives the function."""
        root = path[0]
        if isinstance(root, tuple) and root[0] == "entry":
            paths.add((root[1], path[1:4]))
        elif isinstance(root, tuple) and root[0] == "object":
            objects.add(path[1] if len(path) > 1 else EVERYTHING)
        elif isinstance(root, tuple):
            objects.add(EVERYTHING)

    def _call(self, function, values, instruction, paths, objects, calls):
        symbol = self.symbol(function, instruction)
        arguments = values.arguments(instruction)
        if symbol in self.functions:
            calls.append((symbol, [values.path(a) if values.is_address(a) else None for a in arguments]))
            return
        name = values.callee(instruction)
        quiet = Values.is_quiet(name)
        signature = instruction.text.split(" : $", 1)[-1]
        if not quiet:
            if symbol is None or not self.names.is_library(symbol) or "@callee_guaranteed" in signature:
                objects.add(EVERYTHING)
            if "@inout" in signature or "@out" in signature:
                for argument in arguments:
                    if values.is_address(argument):
                        self._note(paths, objects, values.path(argument))

    # Places

    def walker(self, function):
        if function.name not in self.walkers:
            self.walkers[function.name] = Places(function, self.names, self.prefix, self.values[function.name], self)
        return self.walkers[function.name]

    def places(self):
        for function in self.functions.values():
            if function.has_source(self.prefix):
                yield from self.walker(function).all()

    def asked_of_callers(self, function, needs, depth=0):
        """Whether every call of a function is known, and each proves what the function needs.

        A need is `(one, other, slack)` in the function's own terms: `one <= other + slack`.
        """
        if function.name in self.closed or depth > 4:
            return False
        for caller, instruction in self.sites.get(function.name, []):
            walker = self.walker(caller)
            translated = []
            for one, other, slack in needs:
                a = self.translate(one, walker.values, instruction)
                b = self.translate(other, walker.values, instruction)
                if a is None or b is None:
                    return False
                translated.append((a, b, slack))
            for need in translated:
                if not walker.prover.at_most(*need, instruction.block):
                    own = walker.prover.own_needs(*need, instruction.block)
                    if not own or not self.asked_of_callers(caller, own, depth + 1):
                        return False
        return True

    def translate(self, canonical, values, instruction):
        """A value of a called function in the terms of the caller; `None` if the caller does not know it."""
        kind = canonical[0]
        if canonical == ZERO or kind == "constant":
            return canonical
        arguments = values.arguments(instruction)
        if kind == "argument":
            position = canonical[2] if len(canonical) > 2 else None
            if position is None or position >= len(arguments) or values.is_address(arguments[position]):
                return None
            return self._wide(values, values.of(arguments[position]))
        if kind == "memory" and canonical[2] == ("start",):
            root = canonical[1][0]
            if not (isinstance(root, tuple) and root[0] == "entry") or root[1] >= len(arguments):
                return None
            argument = arguments[root[1]]
            if not values.is_address(argument):
                return None
            return self._wide(values, values.memory_at(values.path(argument) + canonical[1][1:], instruction))
        if kind == "field":
            inner = self.translate(canonical[1], values, instruction)
            return None if inner is None else self._wide(values, values.field(inner, canonical[2]))
        if kind in ("count", "bound"):
            inner = self.translate(canonical[1], values, instruction)
            return None if inner is None else self._wide(values, (kind, inner) + canonical[2:])
        return None

    @staticmethod
    def _wide(values, canonical):
        values.widths.setdefault(canonical, 64)
        return canonical

    # Guarantees

    def promises(self, symbol):
        """Comparisons that hold after a function has returned, in its own terms."""
        function = self.functions.get(symbol)
        if function is None:
            return []
        if not hasattr(function, "promised"):
            function.promised = []
            ends = [b for b in function.in_order if b.instructions and b.instructions[-1].op == "return"]
            if len(ends) == 1:
                prover = self.walker(function).prover
                said = []
                for condition, truth in prover.facts(ends[0]):
                    comparison = prover._comparison(condition, truth) if truth in (True, False) else condition
                    if comparison and all(self.is_portable(function, c) for c in (comparison[0], comparison[3])):
                        said.append(comparison)
                function.promised = said
        return function.promised

    def is_portable(self, function, canonical):
        kind = canonical[0]
        if canonical == ZERO or kind == "constant":
            return True
        if kind == "argument":
            return len(canonical) > 2
        if kind == "memory":
            return canonical[2] == ("start",) and isinstance(canonical[1][0], tuple) and canonical[1][0][0] == "entry"
        if kind in ("field", "count", "bound"):
            return self.is_portable(function, canonical[1])
        return False

    def result(self, symbol):
        """Relations of the number that a function returns, or of its optional's payload: `(least, [(count, slack)])`."""
        function = self.functions.get(symbol)
        if function is None:
            return None
        if not hasattr(function, "returned"):
            function.returned = None
            function.returned = self._result(function)
        return function.returned

    def _result(self, function):
        ends = [b for b in function.in_order if b.instructions and b.instructions[-1].op == "return"]
        if len(ends) != 1 or not ends[0].instructions[-1].operands:
            return None
        walker = self.walker(function)
        prover, values = walker.prover, walker.values
        canonical = values.of(ends[0].instructions[-1].operands[0])
        if not function.returns_int:
            return None
        merges = canonical[0] == "argument" and any(value == canonical[1] for value, _ in ends[0].arguments)
        incoming = (prover.incoming(canonical) if merges else None) or [(ends[0], canonical)]
        least, limits = None, None
        for block, value in incoming:
            if value[0] in ("argument", "memory", "field", "count"):
                values.widths.setdefault(value, 64)
            kind = prover.payload_graph(value, block)
            if kind == "none":
                continue
            if kind is None:
                return None
            low, high = kind
            least = low if least is None else min(least, low)
            limits = high if limits is None else {k: max(v, high[k]) for k, v in limits.items() if k in high}
        if least is None:
            return None
        return least, [(k, v) for k, v in (limits or {}).items() if self.is_portable(function, k)]
