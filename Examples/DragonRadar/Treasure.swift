import Foundation

/// Something to find: a beacon with its own minor number.
public struct Treasure: Hashable, Sendable {
  /// The treasure's name.
  public let name: String
  /// The beacon's minor number, from 1.
  public let minor: UInt16

  /// The UUID that all treasures advertise.
  public static let uuid = UUID(
    uuid: (0xD2, 0xA6, 0x0B, 0x41, 0x7C, 0x55, 0x4E, 0x0F, 0x9A, 0x31, 1, 2, 3, 4, 5, 6))
  /// The major number of this hunt.
  public static let major: UInt16 = 1

  /// All treasures, in the order of the hunt.
  public static let all = ["Amber", "Jade", "Coral"].enumerated().map { index, name in
    Treasure(name: name, minor: UInt16(index + 1))
  }
}
