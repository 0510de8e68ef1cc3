import Foundation
import Testing

@testable import NearbySafeArchives

/// `UnarchiverInside` reads private properties of Foundation, as they are in the toolchains listed here.
@Suite("Private layout of Foundation's unarchiver")
struct UnarchiverLayoutTests {
  /// The layout is known for swift-corelibs-foundation of Swift 6.2 and 6.3.
  private static var toolchain: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }

  private static var advice: Comment {
    """
    \(toolchain): NSKeyedUnarchiver's private properties are not those of Swift 6.2 and 6.3 (_stream, _containers, \
    _flags). Apps' own unarchivers are no longer protected: adapt UnarchiverInside in NearbySafeArchives.
    """
  }

  @Test("Its data, state and depth are where UnarchiverInside expects them")
  func layout() throws {
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: UnarchiverWitness(), requiringSecureCoding: true)
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
    let before = UnarchiverInside(unarchiver)
    #expect(before.data == archive, Self.advice)
    #expect(before.isAtTop, Self.advice)
    #expect(!before.hasBegun, Self.advice)
    let coder: NSCoder = unarchiver
    let witness =
      coder.decodeObject(of: [UnarchiverWitness.self], forKey: NSKeyedArchiveRootObjectKey)
      as? UnarchiverWitness
    #expect(witness?.isAtTop == false, Self.advice)
    #expect(UnarchiverInside(unarchiver).hasBegun, Self.advice)
  }
}

/// Inspects its unarchiver while it is being decoded.
final class UnarchiverWitness: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let isAtTop: Bool?

  override init() { isAtTop = nil }
  init?(coder: NSCoder) { isAtTop = (coder as? NSKeyedUnarchiver).map { UnarchiverInside($0).isAtTop } }
  func encode(with coder: NSCoder) { coder.encode(1, forKey: "one") }
}
