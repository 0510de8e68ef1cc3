import Foundation

/// Something to find: a beacon, told apart from the others by its minor number.
public struct Treasure: Hashable, Sendable {
  /// What it is called.
  public let name: String
  /// Its number, from 1.
  public let minor: UInt16

  /// Whose beacons treasures are.
  public static let uuid = UUID(
    uuid: (0xD2, 0xA6, 0x0B, 0x41, 0x7C, 0x55, 0x4E, 0x0F, 0x9A, 0x31, 1, 2, 3, 4, 5, 6))
  /// Of this hunt.
  public static let major: UInt16 = 1

  /// All of them, in the order in which they are hunted.
  public static let all = ["Amber", "Jade", "Coral"].enumerated().map { index, name in
    Treasure(name: name, minor: UInt16(index + 1))
  }
}
