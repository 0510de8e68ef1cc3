/// Words with a meaning in the language itself.
enum SwiftWords {
  /// Words that never refer to a declaration when they stand alone.
  static let reserved: Set<String> = Set(
    """
    _ actor any as associatedtype async await break case catch class continue convenience consuming borrowing \
    default defer deinit didSet discard do dynamic each else enum extension fallthrough false fileprivate final for \
    func get guard if import in indirect infix init inout internal is isolated lazy let macro mutating nil \
    nonisolated nonmutating open operator optional override package postfix precedencegroup prefix private protocol \
    public repeat required rethrows return safe self Self sending set some static struct subscript super switch \
    throw throws true try typealias unowned unsafe var weak where while willSet Any Type Protocol yield distributed \
    unchecked then
    """.split(separator: " ").map(String.init))

  /// Names that the language declares implicitly inside accessors and `catch`.
  static let implicit: Set<String> = [
    "error", "newValue", "oldValue", "unsafe", "escaping", "left", "right", "none",
  ]

  /// Lower-case attributes that mean the same on Linux.
  static let attributes: Set<String> = Set(
    """
    available discardableResult escaping autoclosure main preconcurrency unchecked frozen inlinable inline \
    usableFromInline propertyWrapper resultBuilder dynamicMemberLookup dynamicCallable testable globalActor \
    unknown warn_unqualified_access convention rethrows attached freestanding backDeployed retroactive \
    exported implementationOnly spi concurrent isolated nonisolated storageRestrictions lifetime specialized \
    noescape transparent differentiable derivative optimize unsafe safe abi noDerivative section used c cdecl \
    nonobjc requires_stored_property_inits
    """.split(separator: " ").map(String.init))

  static func isType(_ name: String) -> Bool {
    let letter = name.utf8.first { $0 != UInt8(ascii: "_") }
    return letter.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") } ?? false
  }
}
