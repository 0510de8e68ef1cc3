"""Proves that a place cannot trap: differences and bounds of integers, from types, definitions and the checks before."""

import re

from values import width

# More than any count of things in memory, and more steps than a counter of 64 bits makes while somebody waits.
MOST_IN_MEMORY = 1 << 47
LARGEST_STEP, COUNTED = 1 << 16, 1 << 62
# An `Int` that somebody gives is taken to be smaller: every place that makes one of a wider number is listed.
LARGEST_INT, WIDE = 1 << 53, 1 << 57
ZERO = ("zero",)
COMPARISONS = {"slt": ("s", "<"), "sle": ("s", "<="), "sgt": ("s", ">"), "sge": ("s", ">="), "ult": ("u", "<"),
               "ule": ("u", "<="), "ugt": ("u", ">"), "uge": ("u", ">="), "eq": (None, "=="), "ne": (None, "!=")}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
LIMIT_OF_NODES = 160
# Loops looked into for one question; more means that nothing is known.
MOST_EFFORT = 40


def limits(bits, sign):
    return (0, (1 << bits) - 1) if sign == "u" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


class Graph:
    """Edges `to <= from + weight`."""

    def __init__(self):
        self.edges, self.nodes = {}, set()
        self.contradicts = False

    def le(self, one, other, most):
        """`one - other <= most`."""
        key = (other, one)
        if key not in self.edges or self.edges[key] > most:
            self.edges[key] = most
            self.nodes.update(key)
            return True
        return False

    def between(self, one, other, least, most):
        changed = self.le(one, other, most)
        return self.le(other, one, -least) or changed

    def distances(self, source):
        distance = {source: 0}
        edges = list(self.edges.items())
        for step in range(len(self.nodes) + 1):
            changed = False
            for (start, end), weight in edges:
                if start in distance:
                    new = distance[start] + weight
                    if end not in distance or new < distance[end]:
                        distance[end], changed = new, True
            if not changed:
                return distance
        self.contradicts = True
        return distance


class Prover:
    def __init__(self, function, values, module):
        self.function, self.values, self.module = function, values, module
        self.assumed, self.known, self.facts_at, self.used = {}, {}, {}, set()
        self.depth, self.effort = 0, 0

    # Facts

    def facts(self, block):
        """What the branches say that lead to a block, as pairs of condition and truth."""
        if block in self.facts_at:
            return self.facts_at[block]
        self.facts_at[block] = []
        facts = []
        walker = block
        while True:
            if len(walker.predecessors) == 1:
                before = walker.predecessors[0]
                facts += self._said(before, walker)
            upper = walker.dominator
            if upper is None or upper is walker:
                break
            walker = upper
        self.facts_at[block] = facts
        return facts

    def _said(self, before, block):
        last = before.instructions[-1] if before.instructions else None
        if last is None:
            return []
        if last.op == "cond_br":
            names = re.findall(r"\bbb\d+\b", last.text)
            if len(names) == 2 and names[0] != names[1]:
                return self._open(self.values.of(last.operands[0]), names[0] == block.name, 0)
        if last.op == "try_apply" and re.search(r"normal (bb\d+)", last.text).group(1) == block.name:
            return self._promised(last)
        return []

    def _promised(self, call):
        """What a function that has not thrown says of what it was given."""
        facts = []
        symbol = self.module.symbol(self.function, call)
        for one, sign, relation, other in self.module.promises(symbol):
            a, b = (self.module.translate(c, self.values, call) for c in (one, other))
            if a is not None and b is not None:
                facts.append(((a, sign, relation, b), None))
        return facts

    def _open(self, condition, truth, depth):
        """A condition and all that follows from it."""
        facts = [(condition, truth)]
        if depth > 6:
            return facts
        if condition[0] == "built":
            definition = self.function.definitions[condition[1]]
            name = re.match(r'builtin "(\w+)"', definition.text).group(1)
            if name == "xor_Int1" and self.values.of(definition.operands[1])[:2] == ("constant", -1):
                return facts + self._open(self.values.of(definition.operands[0]), not truth, depth + 1)
            if name == "cmp_eq_Int1":
                other = self.values.of(definition.operands[1])
                if other[0] == "constant":
                    return facts + self._open(
                        self.values.of(definition.operands[0]), truth == (other[1] != 0), depth + 1)
            if (name == "and_Int1" and truth) or (name == "or_Int1" and not truth):
                for operand in definition.operands:
                    facts += self._open(self.values.of(operand), truth, depth + 1)
        elif condition[0] == "argument":
            incoming = self.incoming(condition)
            possible = [
                (block, value) for block, value in incoming
                if not (value[0] == "constant" and (value[1] != 0) != truth)
            ]
            if incoming and len(possible) == 1 and len(incoming) > 1:
                block, value = possible[0]
                facts += self.facts(block)
                facts += self._open(value, truth, depth + 1)
        return facts

    def incoming(self, argument):
        """The values that a block's argument comes from."""
        for block in self.function.in_order:
            for position, (value, _) in enumerate(block.arguments):
                if value == argument[1]:
                    result = []
                    for before in block.predecessors:
                        last = before.instructions[-1]
                        if last.op not in ("br", "cond_br"):
                            return []
                        match = re.search(r"\b%s\(([%%\d, ]*)\)" % block.name, last.text)
                        names = re.findall(r"%\d+", match.group(1)) if match else []
                        if len(names) <= position:
                            return []
                        result.append((before, self.values.of(names[position])))
                    return result
        return []

    # The graph of a place

    def graph(self, wanted, block, instruction=None):
        graph = Graph()
        graph.nodes.add(ZERO)
        pending, seen = list(wanted), set()
        facts = self.facts(block)
        comparisons = []
        for condition, truth in facts:
            comparison = condition if truth is None else self._comparison(condition, truth)
            if comparison:
                comparisons.append(comparison)
        related = set(pending)
        for one, _, other in ((c[0], c[1], c[3]) for c in comparisons):
            related.update((one, other))
        pending = list(dict.fromkeys(list(wanted) + sorted(related - set(wanted), key=str)))
        nonlinear = []
        while pending and len(seen) < LIMIT_OF_NODES:
            canonical = pending.pop(0)
            if canonical in seen:
                continue
            seen.add(canonical)
            for more in self._define(graph, canonical, block, nonlinear):
                pending.append(more)
        for condition, truth in facts:
            self._empty(graph, condition, truth)
        for turn in range(4):
            high, low = self._bounds(graph)
            changed = False
            for one, sign, relation, other in comparisons:
                changed |= self._relate(graph, one, sign, relation, other, high, low)
            for step in nonlinear:
                changed |= bool(step(graph, high, low))
            for canonical in seen:
                changed |= self._same_signs(graph, canonical, high, low)
            if not changed:
                break
        graph.high, graph.low = self._bounds(graph)
        return graph

    def _bounds(self, graph):
        high = graph.distances(ZERO)
        reverse = Graph()
        reverse.nodes = graph.nodes
        reverse.edges = {(end, start): weight for (start, end), weight in graph.edges.items()}
        low = reverse.distances(ZERO)
        return high, {node: -distance for node, distance in low.items()}

    def _same_signs(self, graph, canonical, high, low):
        bits = self.values.widths.get(canonical)
        if bits is None or bits == 1:
            return False
        signed, unsigned = (canonical, "s"), (canonical, "u")
        half = 1 << (bits - 1)
        if low.get(signed, -half) >= 0 or high.get(unsigned, half) < half:
            return graph.between(signed, unsigned, 0, 0)
        return False

    def _comparison(self, condition, truth):
        if condition[0] != "built":
            return None
        definition = self.function.definitions[condition[1]]
        match = re.match(r'builtin "cmp_(\w\w\w?)_Int(\d+)"', definition.text)
        if not match or match.group(1) not in COMPARISONS:
            return None
        sign, relation = COMPARISONS[match.group(1)]
        if not truth:
            relation = OPPOSITE[relation]
        one, other = (self.values.of(o) for o in definition.operands[:2])
        bits = int(match.group(2))
        for operand in (one, other):
            self.values.widths.setdefault(operand, bits)
        return one, sign, relation, other

    def _relate(self, graph, one, sign, relation, other, high, low):
        changed = False
        for s in (sign,) if sign else ("s", "u"):
            a, b = (one, s), (other, s)
            if relation == "<":
                changed |= graph.le(a, b, -1)
            elif relation == "<=":
                changed |= graph.le(a, b, 0)
            elif relation == ">":
                changed |= graph.le(b, a, -1)
            elif relation == ">=":
                changed |= graph.le(b, a, 0)
            elif relation == "==":
                changed |= graph.between(a, b, 0, 0)
            else:
                for x, y in ((a, b), (b, a)):
                    if low.get(y) is not None and low.get(y) == high.get(y):
                        if low.get(x) == low[y]:
                            changed |= graph.le(ZERO, x, -(low[y] + 1))
                        elif high.get(x) == low[y]:
                            changed |= graph.le(x, ZERO, low[y] - 1)
        return changed

    def _empty(self, graph, condition, truth):
        """A collection that is said not to be empty has a first element."""
        if truth is None or condition[0] != "value":
            return
        definition = self.function.definitions.get(condition[1])
        if definition is None or "apply" not in definition.op:
            return
        name = self.values.callee(definition)
        arguments = self.values.arguments(definition)
        if re.search(r"\bisEmpty\.getter : Bool$", name) and arguments:
            count = ("count", self.values.base(arguments[-1], definition))
            self.values.widths.setdefault(count, 64)
            graph.le(ZERO, (count, "s"), 0 if truth else -1)
            if truth:
                graph.le((count, "s"), ZERO, 0)
        elif re.search(r"\bClosedRange\.contains\(A\) -> Bool$", name) and truth and len(arguments) == 2:
            value, within = (self.values.base(a, definition) for a in arguments)
            if within[0] == "range" and len(within) == 4:
                graph.le((within[2], "s"), (value, "s"), 0)
                graph.le((value, "s"), (within[3], "s"), 0)
                for node in (within[2], within[3]):
                    self._define(graph, node, definition.block, [])

    # Definitions

    def _define(self, graph, canonical, block, nonlinear):
        """Adds what is known of a value; gives the values that it is made of."""
        bits = self.values.widths.get(canonical)
        signed, unsigned = (canonical, "s"), (canonical, "u")
        if canonical[0] == "constant":
            bits = canonical[2]
            graph.between(signed, ZERO, canonical[1], canonical[1])
            graph.between(unsigned, ZERO, canonical[1] % (1 << bits), canonical[1] % (1 << bits))
            return []
        if bits is None:
            return []
        for node, sign in ((signed, "s"), (unsigned, "u")):
            graph.between(node, ZERO, *limits(bits, sign))
        kind = canonical[0]
        if canonical in self.assumed:
            self.used.add(canonical)
            graph.between(signed, ZERO, *self.assumed[canonical])
            return []
        if canonical in self.values.plain and kind in ("memory", "field", "argument", "value", "bound"):
            graph.between(signed, ZERO, -LARGEST_INT, LARGEST_INT)
        if kind == "count":
            graph.between(signed, ZERO, 0, MOST_IN_MEMORY)
            return []
        if kind == "bound":
            return self._bound(graph, canonical)
        if kind == "argument" and len(canonical) == 2:
            return self._argument(graph, canonical, signed)
        if kind == "memory" and canonical[2][0] == "merged":
            bounds = self._merged(canonical, self._versions(canonical))
            if bounds:
                graph.between(signed, ZERO, *bounds)
            return []
        if kind == "result":
            return self._result(graph, canonical, nonlinear)
        if kind == "built":
            return self._built(graph, canonical, nonlinear)
        if kind == "value":
            return self._called(graph, canonical, nonlinear)
        if kind == "memory" and canonical[2][0] == "written":
            return self._called_into(graph, canonical, nonlinear)
        return []

    def _bound(self, graph, canonical):
        """The ends of a range are in order; the indices of an array are those below its count."""
        other = ("bound", canonical[1], "lowerBound" if canonical[2] == "upperBound" else "upperBound")
        self.values.widths.setdefault(other, 64)
        low, high = (canonical, other) if canonical[2] == "lowerBound" else (other, canonical)
        graph.le((low, "s"), (high, "s"), 0)
        count = self._indices(canonical[1])
        if count is not None:
            graph.between((low, "s"), ZERO, 0, 0)
            graph.between((high, "s"), (count, "s"), 0, 0)
            graph.between((count, "s"), ZERO, 0, MOST_IN_MEMORY)
        return []

    def _indices(self, canonical):
        """The count of the array whose `indices` a range is."""
        if canonical[0] == "memory" and canonical[2][0] == "written":
            definition = self._by_identity(canonical[2][1])
        else:
            definition = self.function.definitions.get(canonical[1]) if canonical[0] == "value" else None
        if definition is None or definition.op != "apply":
            return None
        name, arguments = self.values.callee(definition), self.values.arguments(definition)
        if re.search(r"\bindices\.getter", name) and arguments and re.search(
                r"Array<|Span<", definition.text.split(" : $", 1)[-1].split(" -> ")[0] + definition.text.split("(")[0]):
            if "ArraySlice" in definition.text:
                return None
            count = ("count", self.values.base(arguments[-1], definition))
            self.values.widths.setdefault(count, 64)
            return count
        return None

    def _argument(self, graph, canonical, signed):
        definition = self._payload_source(canonical)
        if definition is not None:
            return self._payload(graph, signed, definition)
        incoming = self.incoming(canonical)
        if incoming:
            bounds = self._merged(canonical, incoming)
            if bounds:
                graph.between(signed, ZERO, *bounds)
        return []

    def _payload_source(self, canonical):
        """The call whose optional result holds the value that a block is given."""
        for block in self.function.in_order:
            if any(value == canonical[1] for value, _ in block.arguments):
                if len(block.predecessors) != 1:
                    return None
                last = block.predecessors[0].instructions[-1]
                if last.op == "try_apply":
                    return last
                if last.op != "switch_enum":
                    return None
                source = self.values.of(last.operands[0])
                if source[0] == "value":
                    return self.function.definitions.get(source[1])
                if source[0] == "memory" and source[2][0] == "written":
                    return self._by_identity(source[2][1])
                return None
        return None

    def _by_identity(self, identity):
        for block in self.function.in_order:
            for instruction in block.instructions:
                if id(instruction) == identity:
                    return instruction
        return None

    def _payload(self, graph, signed, definition):
        if "apply" not in definition.op:
            return []
        name, arguments = self.values.callee(definition), self.values.arguments(definition)
        if "IndexingIterator.next()" in name and arguments:
            return self._next(graph, signed, definition, arguments)
        known = self.module.result(self.module.symbol(self.function, definition))
        if known is not None:
            return self._known_result(graph, signed, definition, known)
        if re.search(r"\b(first|last)Index\((where|of):", name):
            subject = arguments[-1]
            text = definition.text
            if re.search(r"<Array<|<ContiguousArray<", text) or "Array<" in text.split(" : $")[-1]:
                if "ArraySlice" in text:
                    return []
                count = ("count", self.values.base(subject, definition))
                self.values.widths.setdefault(count, 64)
                graph.le(ZERO, signed, 0)
                graph.le(signed, (count, "s"), -1)
                return [count]
        return []

    def _known_result(self, graph, signed, definition, known):
        least, limits = known
        graph.le(ZERO, signed, -least)
        related = []
        for count, slack in limits:
            here = self.module.translate(count, self.values, definition)
            if here is not None:
                graph.le(signed, (here, "s"), slack)
                related.append(here)
        return related

    def payload_graph(self, value, block):
        """The bounds of an optional's payload, or of a number: `"none"` for `nil`, `None` where nothing is known."""
        node = (("returned",), "s")
        graph = Graph()
        if self.is_nil(value, block):
            return "none"
        if value[0] == "value":
            definition = self.function.definitions.get(value[1])
            if definition is None:
                return None
            if definition.op == "enum":
                if "Optional.none" in definition.text:
                    return "none"
                if not definition.operands:
                    return None
                return self._limits_of(self.values.of(definition.operands[-1]), block)
        elif value[0] == "memory" and value[2][0] == "written":
            definition = self._by_identity(value[2][1])
            if definition is None:
                return None
        else:
            return self._limits_of(value, block) if self.values.widths.get(value) == 64 else None
        related = self._payload(graph, node, definition) if "apply" in definition.op else []
        if not related:
            return self._limits_of(value, block) if self.values.widths.get(value) == 64 else None
        for canonical in related:
            self._define(graph, canonical, block, [])
        _, low = self._bounds(graph)
        return low.get(node, -(1 << 63)), self._above(graph, node)

    def is_nil(self, value, block):
        """Whether a switch that leads to a block has found an optional to be `nil`."""
        walker = block
        while True:
            if len(walker.predecessors) == 1:
                last = walker.predecessors[0].instructions[-1]
                if last.op == "switch_enum" and self.values.of(last.operands[0]) == value and re.search(
                        r"Optional\.none!enumelt: %s\b" % walker.name, last.text):
                    return True
            if walker.dominator is None or walker.dominator is walker:
                return False
            walker = walker.dominator

    def _above(self, graph, node):
        """What a number is at most, in terms that a caller may know."""
        high = {}
        for other in list(graph.nodes) if len(graph.nodes) < 200 else []:
            if other not in (ZERO, node) and other[1] == "s" and other[0][0] in (
                    "count", "argument", "memory", "field", "bound"):
                distance = graph.distances(other).get(node)
                if distance is not None and distance < 1 << 16:
                    high[other[0]] = distance
        return high

    def _limits_of(self, value, block):
        if self.values.widths.get(value) != 64:
            return None
        graph = self.graph([value], block)
        node = (value, "s")
        return graph.low.get(node, -(1 << 63)), self._above(graph, node)

    def _next(self, graph, signed, definition, arguments):
        """An element of a range lies within it. Where the loop's iterator came from is looked up in the function."""
        iterator = self.values.path(arguments[-1])
        makers = []
        for block in self.function.in_order:
            for instruction in block.instructions:
                version = None
                if instruction.op == "store" and self.values.path(instruction.operands[1]) == iterator:
                    makers.append(self.function.definitions.get(instruction.operands[0]))
                elif "apply" in instruction.op and instruction is not definition:
                    inputs = self.values.arguments(instruction)
                    if inputs and self.values.is_address(inputs[0]) and self.values.path(inputs[0]) == iterator:
                        if "@out" in instruction.text:
                            makers.append(instruction)
        if len(makers) != 1 or makers[0] is None or "makeIterator" not in self.values.callee(makers[0]):
            return []
        inputs = self.values.arguments(makers[0])
        within = self.values.base(inputs[-1], makers[0])
        if within[0] == "range" and len(within) == 4:
            low, high = within[2], within[3]
            last = -1 if within[1] == "Range" else 0
        elif within[0] in ("value", "memory") and "Range<Int>" in makers[0].text:
            low, high, last = ("bound", within, "lowerBound"), ("bound", within, "upperBound"), -1
            for node in (low, high):
                self.values.widths.setdefault(node, 64)
        else:
            return []
        graph.le((low, "s"), signed, 0)
        graph.le(signed, (high, "s"), last)
        return [low, high]

    def _versions(self, canonical):
        """What memory holds where ways meet."""
        path, (_, block) = canonical[1], canonical[2]
        _, end = self.values._flow(path)
        result = []
        for before in block.predecessors:
            version = end.get(before)
            if version is None:
                return []
            value = version[1] if version[0] == "stored" else ("memory", path, version)
            self.values.widths.setdefault(value, self.values.widths.get(canonical, 64))
            result.append((before, value))
        return result

    def _merged(self, canonical, incoming):
        """Bounds of a value that comes on several ways, some of them round a loop."""
        key = (canonical, frozenset(self.assumed.items()))
        if key in self.known:
            result, used = self.known[key]
            self.used |= used
            return result
        bits = self.values.widths.get(canonical)
        if not incoming or bits is None or self.depth > 3:
            return None
        if self.depth == 0:
            self.effort = 0
        self.effort += 1
        if self.effort > MOST_EFFORT:
            return None
        type_low, type_high = limits(bits, "s")
        self.depth += 1
        outer, outer_all = dict(self.assumed), self.used
        self.used = set()
        try:
            self.assumed[canonical] = (type_low, type_high)
            plain, around = [], []
            for block, value in incoming:
                if value == canonical:
                    continue
                outer_used, self.used = self.used, set()
                graph = self.graph([value], block)
                is_around = canonical in self.used
                self.used |= outer_used
                if graph.contradicts:
                    continue  # a way that nobody goes
                entry = (block, value, graph.low.get((value, "s"), type_low), graph.high.get((value, "s"), type_high))
                (around if is_around else plain).append(entry)
            if not plain:
                result = None
            else:
                low, high = min(e[2] for e in plain), max(e[3] for e in plain)
                if around:
                    low, high = self._around(canonical, around, low, high, type_low, type_high)
                result = (low, high)
        finally:
            self.assumed = outer
            self.depth -= 1
            used = self.used - {canonical}
            self.used = outer_all | used
        self.known[key] = (result, used)
        return result

    def _around(self, canonical, around, low, high, type_low, type_high):
        node = (canonical, "s")
        self.assumed[canonical] = (low, type_high)
        for block, value, *_ in around:
            if self.graph([value], block).low.get((value, "s"), type_low) < low:
                low = type_low
                break
        self.assumed[canonical] = (low, high)
        if any(self.graph([v], b).high.get((v, "s"), type_high) > high for b, v, *_ in around):
            counts = type_high > COUNTED and high <= COUNTED
            self.assumed[canonical] = (low, COUNTED)
            for block, value, *_ in around:
                step = self.graph([value], block).distances(node).get((value, "s"))
                counts = counts and step is not None and step <= LARGEST_STEP
            high = COUNTED if counts else type_high
            if not counts:
                self.assumed[canonical] = (low, type_high)
                bound = max(self.graph([v], b).high.get((v, "s"), type_high) for b, v, *_ in around)
                high = bound
        return low, high

    def _called(self, graph, canonical, nonlinear):
        definition = self.function.definitions.get(canonical[1])
        if definition is None or "apply" not in definition.op:
            return []
        return self._known_call(graph, (canonical, "s"), definition, nonlinear)

    def _called_into(self, graph, canonical, nonlinear):
        definition = self._by_identity(canonical[2][1])
        if definition is None or "apply" not in definition.op:
            return []
        return self._known_call(graph, (canonical, "s"), definition, nonlinear)

    def _known_call(self, graph, node, definition, nonlinear):
        name, arguments = self.values.callee(definition), self.values.arguments(definition)
        if re.match(r"(min|max)<A where A: Comparable>\(A, A\) -> A$", name) and len(arguments) >= 2:
            operands = [self.values.base(a, definition) for a in arguments[-2:]]
            for operand in operands:
                self.values.widths.setdefault(operand, self.values.widths.get(node[0], 64))
                if name.startswith("min"):
                    graph.le(node, (operand, "s"), 0)
                else:
                    graph.le((operand, "s"), node, 0)
            pick = min if name.startswith("min") else max

            def extremes(graph, high, low):
                nodes = [(operand, "s") for operand in operands]
                if any(n not in high or n not in low for n in nodes):
                    return False
                return graph.between(node, ZERO, pick(low[n] for n in nodes), pick(high[n] for n in nodes))

            nonlinear.append(extremes)
            return operands
        known = self.module.result(self.module.symbol(self.function, definition))
        if known is not None:
            return self._known_result(graph, node, definition, known)
        if re.search(r"\bcount\.getter|\.underestimatedCount", name):
            graph.between(node, ZERO, 0, MOST_IN_MEMORY)
        return []

    def _result(self, graph, canonical, nonlinear):
        definition = self.function.definitions[canonical[1]]
        match = re.match(r'builtin "([su])(add|sub|mul)_with_overflow_Int(\d+)"', definition.text)
        sign, operation, bits = match.group(1), match.group(2), int(match.group(3))
        a, b = (self.values.of(o) for o in definition.operands[:2])
        for operand in (a, b):
            self.values.widths.setdefault(operand, bits)

        def step(graph, high, low):
            return self._arithmetic(graph, (canonical, sign), operation, (a, sign), (b, sign), high, low)

        nonlinear.append(step)
        return [a, b]

    def _arithmetic(self, graph, result, operation, a, b, high, low):
        ranges = self.exact(graph, operation, a, b, high, low)
        if ranges is None:
            return False
        changed = graph.between(result, ZERO, *ranges)
        if operation == "add":
            changed |= graph.between(result, a, low[b], high[b])
            changed |= graph.between(result, b, low[a], high[a])
        elif operation == "sub":
            changed |= graph.between(result, a, -high[b], -low[b])
        return changed

    @staticmethod
    def exact(graph, operation, a, b, high, low):
        """The range of a sum, difference or product, were there numbers without end."""
        if any(n not in high or n not in low for n in (a, b)):
            return None
        if operation == "add":
            return low[a] + low[b], high[a] + high[b]
        if operation == "sub":
            least, most = low[a] - high[b], high[a] - low[b]
            if b in graph.nodes and a in graph.nodes:
                most = min(most, graph.distances(b).get(a, most))
                least = max(least, -graph.distances(a).get(b, -least))
            return least, most
        products = [x * y for x in (low[a], high[a]) for y in (low[b], high[b])]
        return min(products), max(products)

    def _built(self, graph, canonical, nonlinear):
        definition = self.function.definitions[canonical[1]]
        match = re.match(r'builtin "(\w+?)_(Int\d+|Word)(?:_(Int\d+|Word))?"', definition.text)
        if not match:
            return []
        name, bits = match.group(1), self.values.widths.get(canonical)
        operands = [self.values.of(o) for o in definition.operands[:2]]
        source = width("Builtin." + match.group(2)) or 64
        for operand in operands:
            self.values.widths.setdefault(operand, source)
        signed, unsigned = (canonical, "s"), (canonical, "u")
        x = operands[0] if operands else None
        if name == "zextOrBitCast":
            graph.between(unsigned, (x, "u"), 0, 0)
            if source < bits:
                graph.between(signed, (x, "u"), 0, 0)
        elif name == "sextOrBitCast":
            graph.between(signed, (x, "s"), 0, 0)
        elif name in ("truncOrBitCast", "trunc"):
            def fits(graph, high, low):
                changed = False
                for to in ("s", "u"):
                    least, most = limits(bits, to)
                    for of in ("s", "u"):
                        if low.get((x, of), least - 1) >= least and high.get((x, of), most + 1) <= most:
                            changed |= graph.between((canonical, to), (x, of), 0, 0)
                return changed
            nonlinear.append(fits)
        elif name in ("and", "lshr", "urem", "srem", "sdiv", "udiv", "shl", "or", "ashr", "xor") and len(operands) == 2:
            y = operands[1]
            nonlinear.append(lambda g, high, low: self._bits(g, name, canonical, x, y, high, low, bits))
        return operands

    def _bits(self, graph, name, result, x, y, high, low, bits):
        def bounds(value, sign):
            least, most = limits(bits, sign)
            return low.get((value, sign), least), high.get((value, sign), most)

        (xl, xh), (yl, yh) = bounds(x, "u"), bounds(y, "u")
        if not (0 <= xl <= xh and 0 <= yl <= yh):
            return False
        node = (result, "u")
        if name == "and" and xl == xh and yl == yh:
            return graph.between(node, ZERO, xl & yl, xl & yl)
        if name == "and":
            return graph.between(node, ZERO, 0, min(xh, yh))
        if name in ("or", "xor"):
            return graph.between(node, ZERO, 0, (1 << max(xh.bit_length(), yh.bit_length())) - 1)
        if name == "lshr" and yh < bits:
            return graph.between(node, ZERO, xl >> yh, xh >> yl)
        if name == "shl" and yh < bits and (xh << yh) < (1 << bits):
            return graph.between(node, ZERO, xl << yl, xh << yh)
        if name == "urem" and yl > 0:
            return graph.between(node, ZERO, 0, min(xh, yh - 1))
        if name == "udiv" and yl > 0:
            return graph.between(node, ZERO, xl // yh, xh // yl)
        (xl, xh), (yl, yh) = bounds(x, "s"), bounds(y, "s")
        if xl > xh or yl > yh:
            return False
        node = (result, "s")
        if name == "ashr" and 0 <= yl and yh < bits:
            return graph.between(node, ZERO, min(xl >> yl, xl >> yh), max(xh >> yl, xh >> yh))
        if name == "srem" and yl > 0:
            return graph.between(node, ZERO, 0 if xl >= 0 else 1 - yh, min(max(xh, 0), yh - 1))
        if name == "sdiv" and yl > 0:
            values = [int(a / b) if abs(a) < 1 << 50 else (abs(a) // b) * (1 if a >= 0 else -1)
                      for a in (xl, xh) for b in (yl, yh)]
            return graph.between(node, ZERO, min(values), max(values))
        return False

    # Questions

    def holds(self, condition, truth, block):
        """Whether a condition is certain in a block."""
        if condition[0] == "constant":
            return (condition[1] != 0) == truth
        if (condition, truth) in self.facts(block):
            return True
        comparison = self._comparison(condition, truth)
        if comparison is None:
            if condition[0] == "flag":
                return truth is False and self.fits(condition[1], block)
            if condition[0] == "built":
                definition = self.function.definitions[condition[1]]
                if 'builtin "xor_Int1"' in definition.text:
                    return self.holds(self.values.of(definition.operands[0]), not truth, block)
                if 'builtin "and_Int1"' in definition.text and not truth:
                    return any(self.holds(self.values.of(o), False, block) for o in definition.operands)
                if 'builtin "or_Int1"' in definition.text and truth:
                    return any(self.holds(self.values.of(o), True, block) for o in definition.operands)
                return False
            if condition[0] == "argument":
                incoming = self.incoming(condition)
                return bool(incoming) and all(self.holds(v, truth, b) for b, v in incoming)
            return False
        one, sign, relation, other = comparison
        graph = self.graph([one, other], block)
        for s in (sign,) if sign else ("s", "u"):
            a, b = (one, s), (other, s)
            if relation in ("<", "<="):
                distance = graph.distances(b).get(a)
                if distance is not None and distance <= (-1 if relation == "<" else 0):
                    return True
            elif relation in (">", ">="):
                distance = graph.distances(a).get(b)
                if distance is not None and distance <= (-1 if relation == ">" else 0):
                    return True
            elif relation == "!=":
                up, down = graph.distances(b).get(a), graph.distances(a).get(b)
                if (up is not None and up <= -1) or (down is not None and down <= -1):
                    return True
            else:
                up, down = graph.distances(b).get(a), graph.distances(a).get(b)
                if up is not None and down is not None and up <= 0 and down <= 0:
                    return True
        return graph.contradicts

    def fits(self, builtin, block):
        """Whether a checked sum, difference or product is certain to fit."""
        definition = self.function.definitions[builtin]
        match = re.match(r'builtin "([su])(add|sub|mul)_with_overflow_Int(\d+)"', definition.text)
        sign, operation, bits = match.group(1), match.group(2), int(match.group(3))
        a, b = (self.values.of(o) for o in definition.operands[:2])
        for operand in (a, b):
            self.values.widths.setdefault(operand, bits)
        graph = self.graph([a, b], block)
        ranges = self.exact(graph, operation, (a, sign), (b, sign), graph.high, graph.low)
        if ranges is None:
            return graph.contradicts
        least, most = limits(bits, sign)
        return graph.contradicts or (ranges[0] >= least and ranges[1] <= most)

    def at_most(self, one, other, slack, block):
        """Whether `one <= other + slack`."""
        wanted = [c for c in (one, other) if c != ZERO]
        for canonical in wanted:
            self.values.widths.setdefault(canonical, 64)
        graph = self.graph(wanted, block)
        if graph.contradicts:
            return True
        a, b = (c if c == ZERO else (c, "s") for c in (one, other))
        distance = graph.distances(b).get(a)
        return distance is not None and distance <= slack

    def own_needs(self, one, other, slack, block):
        """`one <= other + slack` said of what the function is given, if that would prove it."""
        wanted = [c for c in (one, other) if c != ZERO]
        graph = self.graph(wanted, block)
        a, b = (c if c == ZERO else (c, "s") for c in (one, other))

        def given(node, toward):
            """Nodes of the caller that bound this one, nearest first."""
            if node == ZERO:
                return [(ZERO, 0)]
            found = []
            for candidate in graph.nodes:
                if candidate != ZERO and candidate[1] == "s" and candidate[0][0] != "constant" and (
                        self.module.is_portable(self.function, candidate[0])):
                    distance = toward(candidate, node)
                    if distance is not None and abs(distance) < 1 << 20:
                        found.append((candidate[0], distance))
            return sorted(found, key=lambda f: (f[1], str(f[0])))[:3] + [(ZERO, d) for d in [toward(ZERO, node)]
                                                                  if d is not None and abs(d) < 1 << 20]

        below = given(a, lambda candidate, node: graph.distances(candidate).get(node))
        above = given(b, lambda candidate, node: graph.distances(node).get(candidate))
        for first, up in below:
            for second, down in above:
                if first != second:
                    return [(first, second, slack - up - down)]
        return []

    def is_wide(self, value, block):
        """Whether an integer may be larger than what an `Int` is taken to be."""
        graph = self.graph([value], block)
        node = (value, "s")
        return not graph.contradicts and not (graph.low.get(node, -WIDE - 1) >= -WIDE and graph.high.get(node, WIDE + 1) <= WIDE)

    def failing(self, condition, truth, block):
        """What must hold, `(one, other, slack)`, for a condition to be so; `[]` if that is no such thing."""
        comparison = self._comparison(condition, truth)
        if comparison is None or comparison[1] == "u":
            return []
        one, _, relation, other = comparison
        return {"<": [(one, other, -1)], "<=": [(one, other, 0)], ">": [(other, one, -1)], ">=": [(other, one, 0)],
                "==": [(one, other, 0), (other, one, 0)], "!=": []}[relation]

    def ways(self, block):
        """The conditions that would keep every way into a block closed, with their blocks; `None` if one is open."""
        if not block.predecessors:
            return [] if block is not self.function.entry else None
        result = []
        for before in block.predecessors:
            last = before.instructions[-1]
            if last.op != "cond_br":
                return None
            names = re.findall(r"\bbb\d+\b", last.text)
            result.append((self.values.of(last.operands[0]), names[0] != block.name, before))
        return result
