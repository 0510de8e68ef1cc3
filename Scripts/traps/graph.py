"""Differences and bounds of integers: a graph of `one - other <= most`, and its shortest paths."""

# Above any count of things in memory, the largest step of a 64-bit counter, and a bound that it never reaches.
MOST_IN_MEMORY = 1 << 47
LARGEST_STEP, COUNTED = 1 << 16, 1 << 62
# Stored or passed `Int`s are assumed to be smaller; every conversion of a wider number to an `Int` is listed.
LARGEST_INT, WIDE = 1 << 53, 1 << 57
ZERO = ("zero",)
COMPARISONS = {"slt": ("s", "<"), "sle": ("s", "<="), "sgt": ("s", ">"), "sge": ("s", ">="), "ult": ("u", "<"),
               "ule": ("u", "<="), "ugt": ("u", ">"), "uge": ("u", ">="), "eq": (None, "=="), "ne": (None, "!=")}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
LIMIT_OF_NODES = 160
# Loops examined for one query; beyond that, nothing is known.
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
