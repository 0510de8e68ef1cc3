"""What is known about the results of calls: elements of ranges, found indices, counts."""

import re

from graph import MOST_IN_MEMORY, ZERO, Graph, limits


class Calls:
    def _bound(self, graph, canonical):
        """Relations of a range's elements: its bounds are in order, and an array's indices are below its count."""
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
        """The count of an array, if a range is that array's `indices`."""
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

    def _payload_source(self, canonical):
        """The call whose optional result contains the value passed to a block."""
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
        """The bounds of an optional's payload or of a number; `"none"` for `nil`, `None` if nothing is known."""
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
        """Whether a switch leads to a block only if an optional is `nil`."""
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
        """The upper bound of a number, in terms that a caller may know."""
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
        """An element of a range lies within it; finds the origin of the loop's iterator in the function."""
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
