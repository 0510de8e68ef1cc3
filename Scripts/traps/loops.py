"""Bounds of values that arrive over several paths, some of them around a loop."""

import re

from graph import COUNTED, LARGEST_STEP, MOST_EFFORT, ZERO, limits


class Loops:
    def incoming(self, argument):
        """The values passed for a block's argument."""
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

    def _versions(self, canonical):
        """The content of memory where paths meet."""
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
        """Bounds of a value that arrives over several paths, some of them around a loop."""
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
                    continue  # an impossible path
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
