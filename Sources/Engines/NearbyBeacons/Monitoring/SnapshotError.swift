/// What is wrong with octets that should be a snapshot of watched regions, and where.
package enum SnapshotError: Error, Hashable, Sendable {
  package enum Part: String, Hashable, Sendable {
    case mark, version, count, identifier, uuid, flags, major, minor, state, remaining
  }

  /// A field needs more octets than are left.
  case truncated(Part, offset: Int, needed: Int, left: Int)
  /// A value that a snapshot never has.
  case invalid(Part, offset: Int)
  /// From a program that writes what this one does not know.
  case unknownVersion(UInt8)
  /// Octets are left after the last region.
  case leftover(offset: Int, count: Int)
}

extension SnapshotError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated(let field, let offset, let needed, let left):
      "\(field.rawValue) at offset \(offset): needs \(needed) octets, and \(left) are left"
    case .invalid(let field, let offset): "\(field.rawValue) at offset \(offset): not a value it can have"
    case .unknownVersion(let version): "version \(version): this program reads version 1"
    case .leftover(let offset, let count): "\(count) octets are left from offset \(offset) on"
    }
  }
}
