import CNearbyVirtualTime
import NearbyDevice
import Synchronization

/// The lines of the worlds that exist, by the numbers that contexts have.
enum Registry {
  private final class Weak: @unchecked Sendable {
    weak var line: AppLine?
    init(_ line: AppLine) { self.line = line }
  }

  private static let lines = Locked<[Int32: Weak]>([:])
  private static let last = Atomic<Int32>(0)

  static func nextNumber() -> Int32 { last.wrappingAdd(1, ordering: .relaxed).newValue }

  static func add(_ line: AppLine) {
    lines.withLock { $0[line.number] = Weak(line) }
    TaskContexts.shared.addWorld()
  }

  /// Clocks and contexts of all worlds, the ended ones too: blocks and threads of their apps may refer to them for as
  /// long as the process lives. 24 octets for a world, 16 for each of its phones.
  private static let kept = Locked<[UnsafeRawPointer]>([])

  static func keep(_ address: UnsafeRawPointer) { kept.withLock { $0.append(address) } }

  static func remove(_ line: AppLine) { lines.withLock { $0[line.number] = nil } }

  /// The line of a context's world; `nil` after its end.
  static func line(_ context: Context) -> AppLine? {
    lines.withLock { $0[context.pointee.world] }?.line
  }

  static var all: [AppLine] { lines.withLock { Array($0.values) }.compactMap(\.line) }

  /// The device whose code runs on the calling thread.
  @Sendable static func deviceHere() -> NearbyDevice? {
    guard let context = nvt_current() else { return nil }
    let before = nvt_exchange(nil)
    defer { nvt_exchange(before) }
    return line(context)?.device(of: context.pointee.phone)
  }
}
