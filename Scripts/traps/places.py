"""The places of a function that can trap, and the library functions that trap for some of their arguments."""

import re

from graph import ZERO
from prover import Prover
from values import SCALARS

NUMBER = r"\b(U?Int(8|16|32|64|128)?|Double|Float|Index|A1?\.Index|Range|ClosedRange|Stride|A\.Stride)\b"

# A pattern for library functions, what can go wrong, and the check that may prove that it cannot (see `Places`).
# The first match counts. `None` means that the function accepts any argument.
LIBRARY = [(re.compile(pattern), danger, check) for pattern, danger, check in [
    (r"^_assertionFailure|^_fatalErrorMessage|^_diagnose|^fatalError|^preconditionFailure", None, None),
    # Elements and slices
    (r"^(Array|ContiguousArray)\.subscript\.(getter|modify|read|setter) : \(Int\)", "index", "element"),
    (r"^Span<.*>\.subscript\.getter : \(Int\)|^Span\.subscript\.getter : \(Int\)", "index", "element"),
    (r"^(Array|ContiguousArray)\.subscript\.(getter|modify|setter) : \(Range<Int>\)", "slice", "slice"),
    (r"^(MutableCollection|Collection)\.subscript\.getter : <A where .*RangeExpression", "slice", "expression"),
    (r"\.subscript\.(getter|modify) : \(\(UnboundedRange_\)", None, None),
    (r"^Dictionary\.subscript|^Dictionary\.Values\.subscript|^Dictionary\.index|^Set\.", None, None),
    (r"\.subscript\.(getter|setter|modify|read)", "index", None),
    (r"\.removeFirst\(\)|\.removeLast\(\)", "empty", "filled"),
    (r"^Array\.remove\(at: Int\)", "index", "element"),
    (r"^Array\.insert\(.*at: Int\)", "index", "insertion"),
    (r"\.swapAt\(", "index", None),
    (r"\.replaceSubrange|\.removeSubrange", "slice", None),
    (r"\.removeFirst\(Int\)|\.removeLast\(Int\)", "count", "removable"),
    (r"\.(prefix|suffix|dropFirst|dropLast)\(Int\)", "negative", "counted"),
    (r"\.dropFirst|\.dropLast|\.prefix\(while|\.split", None, None),
    (r"^Span<.*>\.extracting\((droppingFirst|droppingLast|first|last)", "negative", "counted"),
    (r"^Span.*\.extracting\(Range", "slice", None),
    (r"\.init\(repeating: .*count: Int\)|^repeatElement", "negative", "repeated"),
    (r"\.reserveCapacity\(Int\)|\.init\(capacity: Int\)", "negative", "counted"),
    (r"\.index\((after|before)|\.index\(_: .*offsetBy|\.formIndex", "index", None),
    (r"^stride<", "step", "step"),
    (r"\.init\(uniqueKeysWithValues|dictionaryLiteral: \(A, B\)", "twin keys", "literal"),
    # Conversions and arithmetic
    (r"init<.*>\((clamping|truncatingIfNeeded|exactly): |^Int\.init\((bitPattern|exactly): ", "wide", "narrow"),
    (r"^FixedWidthInteger\.init<A where A1: StringProtocol>|^FixedWidthInteger\.init\(String\)", "wide", "narrow"),
    (r"\.decode(IfPresent)?\(Int\.Type|^NSNumber\.int(eger)?Value", "wide", None),
    (r"^Double\.init<A where A: BinaryInteger>|^Double\.init\(|^Float\.init\(|^Double\.init<A where A: StringProtocol", None, None),
    (r"^(FixedWidthInteger|BinaryInteger|U?Int\d*)\.init<A where A1?: (BinaryInteger|BinaryFloatingPoint)>\(A1?\)",
     "conversion", "widening"),
    (r"^U?Int\d*\.init\((Double|Float)\)", "conversion", None),
    (r"^UInt8\.init\(ascii:", "conversion", "ascii"),
    (r"^(FixedWidthInteger|BinaryInteger|U?Int\d*)\.(addingReportingOverflow|subtractingReportingOverflow|"
     r"multipliedReportingOverflow|multipliedFullWidth|multipliedHigh|isMultiple|(little|big)Endian|init\((big|little)Endian"
     r"|init\(bitPattern|byteSwapped|(leading|trailing)ZeroBitCount|nonzeroBitCount|words|bitWidth|hash|random)", None, None),
    (r"^(BinaryInteger|FixedWidthInteger|SignedInteger|UnsignedInteger|U?Int\d*|AdditiveArithmetic|Numeric|SignedNumeric)"
     r"\.(&|\||\^|~|==|!=|<|>|<=|>=)(=)? infix", None, None),
    (r"^(BinaryInteger|FixedWidthInteger|U?Int\d*)\.(&<<|&>>|<<|>>|&\+|&-|&\*)(=)? infix", None, None),
    (r"^(BinaryInteger|FixedWidthInteger|SignedInteger|U?Int\d*|AdditiveArithmetic|Numeric|SignedNumeric)\.(\+|-|\*|/|%)",
     "arithmetic", None),
    (r"\.quotientAndRemainder|\.dividingFullWidth", "division", None),
    (r"^abs<A", "arithmetic", "absolute"),
    (r"^(FixedWidthInteger|BinaryFloatingPoint|U?Int\d*)\.random<|\.random\(in", "range", None),
    (r"^Duration\.(seconds|milliseconds|microseconds|nanoseconds)<A where A: BinaryInteger>", None, None),
    (r"^Duration\.(\+|-|<|>|==|!=|<=|>=)|^Duration\.(components|zero)|^Duration\.init\(secondsComponent", None, None),
    (r"^Duration\./ infix\(Duration, Duration\)|^Data\.init<A where A: Sequence|\.withMemoryRebound|\.withCString", None, None),
    (r"^Duration\.(/|/=) infix<", "division", None),
    (r"^Duration\.|^DispatchTimeInterval\.", "duration", None),
    (r"^\+ infix\(DispatchTime, Double\)|^Date\.|^Thread\.sleep", None, None),
    (r"^(Continuous|Suspending)Clock\.", None, None),
    # Pointers
    (r"^Unsafe(Mutable)?(Raw)?BufferPointer\.init\(start", "count", None),
    (r"^Unsafe.*\.(loadUnaligned|load|storeBytes)\b", "pointer", None),
    (r"^Unsafe.*\.copyMemory|^Unsafe.*\.copyBytes|^Unsafe.*\.(update|initialize)\(.*(from|count)", "pointer", None),
    (r"\.allocate\(", "count", "allocated"),
    (r"^Data\.init\(bytesNoCopy|^Data\.init\(count|^Data\.init\(bytes", "count", None),
    # Functions of Foundation that trap
    (r"^FileHandle\.(write\(Data|readData|readDataToEndOfFile|availableData|seek\(toFileOffset|closeFile|truncateFile)",
     "file", None),
    (r"\b(moveItem|copyItem|replaceItem)\(", "name", None),
    (r"^Unicode\.Scalar\.init\(UInt8\)|^Unicode\.Scalar\.init\(UInt(16|32)\) -> Unicode\.Scalar\?", None, None),
    (r"^Character\.init\(String\)|^Character\.init\(_:", "text", None),
    (r"^String\.init<A where A: BinaryInteger>\(_: A, radix", "radix", "radix"),
    # `as!` is an instruction of its own; the compiler emits this call for `as` to a superclass or `Any`.
    (r"^_arrayForceCast", None, None),
    # Functions that accept any number
    (r"^(min|max|swap|zip|withUnsafe|print|sequence)<|^withExtendedLifetime|^_allocateUninitialized|^_finalizeUninit|"
     r"^_deallocateUninit", None, None),
    (r"BuiltinLiteral|builtin[A-Z]\w*Literal|^DefaultStringInterpolation\.|^String\.(init|append|\+|==|<)|^Hasher\.", None, None),
    (r"\.init\(from: Decoder|KeyedDecodingContainer|Unkeyed|SingleValue|CodingKey|Encod|Decod", None, None),
    (r"\.(count|isEmpty|indices|first|last|startIndex|endIndex|min|max|bitPattern|magnitude|exponent|isNaN|isFinite|"
     r"rounded|squareRoot|_roundSlowPath|description|utf8|unicodeScalars|enumerated|sorted|makeIterator|next|value)\b", None, None),
    (r"\.(append|contains|firstIndex|lastIndex|map|reduce|filter|forEach|elementsEqual|starts|joined|reversed|compactMap|"
     r"flatMap|allSatisfy|formUnion|union|insert|first|last|sort|index\(forKey)\b", None, None),
    (r"^DispatchQueue|^DispatchSource|^Dispatch(Group|Semaphore|WorkItem|Time\.now|Time\.)|^_MutexHandle|^Mutex|^Atomic|^Result\.|"
     r"^Optional\.|^RunLoop|^Timer|^ProcessInfo|^Progress|^OperationQueue|^NSNumber|^NSDate|^JSON|^CocoaError|^URL|^POSIX",
     None, None),
    (r"^(Closed)?Range(Expression)?\.(~=|contains|init\(uncheckedBounds|overlaps|clamped|lowerBound|upperBound|==)|^PartialRange",
     None, None),
    (r"^(fcntl|ioctl|open|errno|S_IS\w+|WIF\w+|SIG_\w+)\b", None, None),
    (r"^(sin|cos|tan|atan2?|asin|acos|pow|exp2?|log(2|10|1p)?|expm1|fmod|hypot|floor|ceil|round|trunc|sqrt|cbrt|erfc?|abs)\b", None, None),
    (r"(==|!=|<|>|<=|>=) infix|\.(formUnion|withValue|yield|resume|combine|init\(arrayLiteral)\b|^SIMD|^pointwise", None, None),
]]


class Place:
    def __init__(self, kind, location, title, detail, subject):
        self.kind, self.location, self.title, self.detail = kind, location, title, detail
        # The stored property that is indexed or counted, `Type.name`, if there is one.
        self.subject = subject


class Places:
    """Finds the places of a function."""

    def __init__(self, function, names, prefix, values, module):
        self.function, self.names, self.prefix = function, names, prefix
        self.values, self.module = values, module
        self.prover = Prover(function, values, module)
        self.found = []

    def all(self):
        for block in self.function.in_order:
            for instruction in block.instructions:
                where = instruction.location
                if where is None or not where[0].startswith(self.prefix):
                    continue
                if instruction.op == "builtin" and '"int_trap"' in instruction.text and self.is_unimplemented(block):
                    continue
                danger = self.danger(instruction, block)
                if danger:
                    subject = self.subject(instruction, danger[0])
                    self.found.append(Place(danger[0], where, self.function.title, danger[1], subject))
        return self.found

    def is_unimplemented(self, block):
        """A superclass's initializer that the class does not have, for which the compiler emits a trap."""
        return any("_unimplementedInitializer" in self.values.callee(i) for i in block.instructions if i.op == "apply")

    def subject(self, instruction, kind):
        """The stored property whose element is accessed, or that is incremented or decremented."""
        if kind in ("index", "slice", "empty", "count") and "apply" in instruction.op:
            arguments = self.values.arguments(instruction)
            base = self.values.base(arguments[-1], instruction) if arguments else ("none",)
            return self.property(base, "[]")
        if kind == "overflow":
            flag = self.values.of(instruction.operands[0])
            builtin = self.function.definitions.get(flag[1]) if flag[0] == "flag" else None
            operands = [self.values.of(o) for o in builtin.operands[:2]] if builtin else []
            if len(operands) == 2 and operands[1][0] == "constant" and abs(operands[1][1]) <= 1 << 16:
                return self.property(operands[0], "+=")
        return None

    def is_counter(self, instruction):
        """A stored 64-bit number that grows by a constant."""
        builtin = self.function.definitions.get(self.values.of(instruction.operands[0])[1])
        if builtin is None or not re.match(r'builtin "[su]add_with_overflow_Int64"', builtin.text):
            return False
        return (self.subject(instruction, "overflow") or "").endswith("+=")

    @staticmethod
    def property(canonical, mark):
        name = None
        if canonical[0] == "memory" and len(canonical[1]) > 1:
            name = canonical[1][-1]
        elif canonical[0] == "field":
            name = canonical[2]
        if not isinstance(name, str) or "." not in name:
            return None
        return name.lstrip("#") + mark

    def danger(self, instruction, block):
        op = instruction.op
        if op == "cond_fail":
            condition = self.values.of(instruction.operands[0])
            if self.prover.holds(condition, False, block) or self.is_counter(instruction):
                return None
            return "overflow", re.search(r'"(.*)"', instruction.text).group(1)
        if op in ("unconditional_checked_cast", "unconditional_checked_cast_addr"):
            return "cast", "as!"
        if op == "builtin" and '"unexpectedError"' in instruction.text:
            return "error", "try!"
        if op == "builtin" and '"int_trap"' in instruction.text:
            return None if self.is_unreachable(block) else ("trap", "trap")
        if op == "struct" and instruction.text.startswith("struct $Int ("):
            return self.widened(instruction, block)
        if "apply" in op and op not in ("partial_apply", "end_apply", "abort_apply"):
            return self.call(instruction, block)
        return None

    def call(self, instruction, block):
        name = self.values.callee(instruction)
        if re.match(r"_assertionFailure|_fatalErrorMessage|_diagnoseUnexpected|fatalError|_unexpectedError", name) or (
                name.endswith("-> Never")):
            if self.is_unreachable(block) or name.startswith("_unimplementedInitializer"):
                return None
            texts = [i.text for b in self.near(block) for i in b.instructions if i.op == "string_literal"]
            if any("SIMD" in t or "Swift/Range.swift" in t and "Index out of range" in " ".join(texts) for t in texts):
                return None  # x, y, z and w, and the loops over them inside vector operators
            if any('"Assertion failed"' in t for t in texts):
                return None  # not in release builds
            told = [re.search(r'"(.*)"', t).group(1) for t in texts]
            said = [t for t in told if len(t) > 11 and not t.endswith(".swift") and t not in ("Fatal error",)]
            return "check", (said[-1] if said else name.split("(")[0])
        if name == "witness_method" :
            witness = self.function.definitions[re.search(r"apply.*? (%\d+)", instruction.text).group(1)].text
            match = re.search(r"#(BinaryInteger|FixedWidthInteger|AdditiveArithmetic|Numeric|SignedNumeric|Strideable|"
                              r"Collection|BidirectionalCollection|RandomAccessCollection|MutableCollection)\.(\S+)", witness)
            if match and not re.match(r"count|isEmpty|startIndex|endIndex|makeIterator|bitWidth|init!|magnitude|\"[=<>!]",
                                      match.group(2)):
                return "generic", f"{match.group(1)}.{match.group(2)}".rstrip(":")
            return None
        if not self.is_library(instruction):
            return None
        for pattern, danger, check in LIBRARY:
            if pattern.search(name):
                if danger is None or (check and getattr(self, check)(instruction, block)):
                    return None
                return danger, name
        arguments = name.split(" -> ")[0]
        if re.search(NUMBER, arguments) and "(" in arguments and not name.startswith("__C."):
            return "unknown", name
        return None

    def near(self, block):
        """The block and its predecessors, which contain the message of the failure."""
        near = [block]
        while len(near) < 4 and near[0].predecessors:
            near.insert(0, near[0].predecessors[0])
        return near

    def is_library(self, instruction):
        definition = self.function.definitions.get(re.search(r"apply.*? (%\d+)", instruction.text).group(1))
        return definition is not None and definition.op == "function_ref" and "@" in definition.text and (
            self.names.is_library(re.search(r"@(\S+) :", definition.text).group(1)))

    def widened(self, instruction, block):
        """An `Int` converted from a number that may be larger than any count."""
        value = self.values.of(instruction.operands[0])
        if value in self.values.plain or value[0] in ("result", "constant", "count"):
            source = self.function.definitions.get(value[1]) if value[0] == "result" else None
            if source is None or "mul_with" not in source.text:
                return None
        if value[0] == "argument" and self.function.types.get(value[1], "").startswith("$Builtin"):
            return None  # a variable in a loop: its values are examined at their origin
        return ("wide", "an Int of a wider number") if self.prover.is_wide(value, block) else None

    def is_unreachable(self, block):
        """Whether a block is unreachable, because of conditions here or of the arguments of all callers."""
        ways = self.prover.ways(block)
        if ways is None:
            return False
        for condition, truth, before in ways:
            if self.prover.holds(condition, truth, before):
                continue
            needs = self.prover.failing(condition, truth, before)
            if not needs or not all(self.at_most(*need, before) for need in needs):
                return False
        return True

    # Checks: each returns true if the call cannot trap.

    def element(self, instruction, block):
        return self.reached(instruction, block, -1)

    def insertion(self, instruction, block):
        return self.reached(instruction, block, 0)

    def reached(self, instruction, block, slack):
        arguments = self.values.arguments(instruction)
        if len(arguments) < 2:
            return False
        index = self.values.of(arguments[-2])
        return self.within(index, self.values.base(arguments[-1], instruction), slack, block)

    def within(self, index, base, slack, block):
        """Whether an index lies within a collection, because of conditions here or of the arguments of all callers."""
        count = ("count", base)
        return self.at_most(ZERO, index, 0, block) and self.at_most(index, count, slack, block)

    def at_most(self, one, other, slack, block):
        self.values.widths.setdefault(one, 64)
        self.values.widths.setdefault(other, 64)
        if self.prover.at_most(one, other, slack, block):
            return True
        needs = self.prover.own_needs(one, other, slack, block)
        return bool(needs) and self.module.asked_of_callers(self.function, needs)

    def slice(self, instruction, block):
        arguments = self.values.arguments(instruction)
        within = self.values.base(arguments[-2], instruction)
        return self.range_fits(within, self.values.base(arguments[-1], instruction), block)

    def range_fits(self, within, base, block):
        if within[0] != "range":
            return False
        ends = within[2:]
        slack = -1 if within[1] in ("ClosedRange", "PartialRangeThrough") else 0
        if within[1] == "PartialRangeFrom":
            return self.within(ends[0], base, 0, block)
        return self.at_most(ZERO, ends[0], 0, block) and self.within(ends[-1], base, slack, block)

    def expression(self, instruction, block):
        arguments = self.values.arguments(instruction)
        if not re.search(r"<(Contiguous)?Array<", instruction.text) or len(arguments) < 2:
            return False
        within = self.values.base(arguments[-2], instruction)
        return self.range_fits(within, self.values.base(arguments[-1], instruction), block)

    def filled(self, instruction, block):
        arguments = self.values.arguments(instruction)
        count = ("count", self.values.base(arguments[-1], instruction))
        return self.at_most(("constant", 1, 64), count, 0, block)

    def counted(self, instruction, block):
        arguments = self.values.arguments(instruction)
        return any(self.at_most(ZERO, self.values.of(a), 0, block) for a in arguments
                   if self.values.widths.get(self.values.of(a)) == 64 and not self.values.is_address(a))

    repeated = counted
    allocated = counted

    def removable(self, instruction, block):
        arguments = self.values.arguments(instruction)
        return self.within(self.values.of(arguments[-2]), self.values.base(arguments[-1], instruction), 0, block)

    def step(self, instruction, block):
        """A stride by a nonzero constant."""
        by = self.values.base(self.values.arguments(instruction)[-1], instruction)
        return by[0] == "constant" and by[1] != 0

    def literal(self, instruction, block):
        """Keys written in the source; any test that creates the value finds duplicates."""
        return True

    def widening(self, instruction, block):
        match = re.search(r"<(U?Int\d*), (U?Int\d*)>\(", instruction.text)
        if not match:
            return False
        to, of = match.groups()
        unsigned = of.startswith("U")
        if SCALARS[to] > SCALARS[of]:
            return unsigned or not to.startswith("U")
        return to == of

    def narrow(self, instruction, block):
        """Not an `Int`, or one converted from a number of fewer than 64 bits."""
        match = re.search(r"<(U?Int\d*)(?:, ([\w.]+))?>\(", instruction.text)
        if not match or match.group(1) != "Int":
            return match is not None
        if match.group(2) in ("Int", "Int32", "UInt32", "Int16", "UInt16", "Int8", "UInt8"):
            return True
        return False

    def ascii(self, instruction, block):
        """A character literal, which is a constant of the compiler."""
        arguments = self.values.arguments(instruction)
        definition = self.function.definitions.get(arguments[0])
        if definition is None or not definition.operands:
            return False
        value = self.values.of(definition.operands[0])
        return value[0] == "constant" and 0 <= value[1] < 128

    def absolute(self, instruction, block):
        return re.search(r"<(Double|Float)>\(", instruction.text) is not None

    def radix(self, instruction, block):
        for argument in self.values.arguments(instruction):
            value = self.values.of(argument)
            if value[0] == "constant" and 2 <= value[1] <= 36:
                return True
        return False
