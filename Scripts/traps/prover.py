"""Proves that a place cannot trap: from types, definitions and the checks before it."""

import re

from calls import Calls
from facts import Facts
from graph import LARGEST_INT, LIMIT_OF_NODES, MOST_IN_MEMORY, WIDE, ZERO, Graph, limits
from loops import Loops
from values import width


class Prover(Facts, Loops, Calls):

    def __init__(self, function, values, module):
        self.function, self.values, self.module = function, values, module
        self.assumed, self.known, self.facts_at, self.used = {}, {}, {}, set()
        self.depth, self.effort = 0, 0

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

    def _define(self, graph, canonical, block, nonlinear):
        """Adds what is known about a value; returns the values from which it is computed."""
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
        """The range of a sum, difference or product in unbounded arithmetic."""
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

    def holds(self, condition, truth, block):
        """Whether a condition certainly holds in a block."""
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
        """Conditions on the function's arguments that would prove `one <= other + slack`; empty if there are none."""
        wanted = [c for c in (one, other) if c != ZERO]
        graph = self.graph(wanted, block)
        a, b = (c if c == ZERO else (c, "s") for c in (one, other))

        def given(node, toward):
            """Nodes in the caller's terms that bound this one, nearest first."""
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
        """Whether an integer may be larger than an `Int` is assumed to be."""
        graph = self.graph([value], block)
        node = (value, "s")
        return not graph.contradicts and not (graph.low.get(node, -WIDE - 1) >= -WIDE and graph.high.get(node, WIDE + 1) <= WIDE)

    def failing(self, condition, truth, block):
        """The needs `(one, other, slack)` under which a condition has a truth value; `[]` if it has no such form."""
        comparison = self._comparison(condition, truth)
        if comparison is None or comparison[1] == "u":
            return []
        one, _, relation, other = comparison
        return {"<": [(one, other, -1)], "<=": [(one, other, 0)], ">": [(other, one, -1)], ">=": [(other, one, 0)],
                "==": [(one, other, 0), (other, one, 0)], "!=": []}[relation]

    def ways(self, block):
        """The conditions that would close every path into a block, with their blocks; `None` if a path is always open."""
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
