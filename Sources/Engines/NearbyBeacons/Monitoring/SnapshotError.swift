/// Why octets are not a valid snapshot of monitored regions, and at which offset.
package enum SnapshotError: Error, Hashable, Sendable {
  package enum Part: String, Hashable, Sendable {
    case mark, version, count, identifier, uuid, flags, major, minor, state, remaining
  }

  /// A field needs more octets than are left.
  case truncated(Part, offset: Int, needed: Int, left: Int)
  /// A field has a value that no snapshot contains.
  case invalid(Part, offset: Int)
  /// The snapshot was written by a program with a newer format.
  case unknownVersion(UInt8)
  /// Octets remain after the last region.
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
