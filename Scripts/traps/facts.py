"""Facts implied by the branches that lead to a place."""

import re

from graph import COMPARISONS, OPPOSITE, ZERO


class Facts:
    def facts(self, block):
        """The facts implied by the branches that lead to a block, as pairs of condition and truth."""
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
        """Facts about the arguments of a function that has returned without throwing."""
        facts = []
        symbol = self.module.symbol(self.function, call)
        for one, sign, relation, other in self.module.promises(symbol):
            a, b = (self.module.translate(c, self.values, call) for c in (one, other))
            if a is not None and b is not None:
                facts.append(((a, sign, relation, b), None))
        return facts

    def _open(self, condition, truth, depth):
        """A condition and everything that follows from it."""
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
        """A collection that is known not to be empty has a first element."""
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
