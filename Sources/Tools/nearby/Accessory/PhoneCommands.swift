import Foundation
import NearbyAccessory
import NearbyCommandLine

/// The shell commands that `nearby accessory` runs when a phone comes near, moves away, or is gone.
struct PhoneCommands: Equatable, Sendable {
  private typealias Options = AccessoryCommand.Options

  private let onNear: String?
  private let onFar: String?
  private let onGone: String?

  init(_ arguments: CommandArguments) throws(UsageError) {
    onNear = try arguments[Options.onNear]
    onFar = try arguments[Options.onFar]
    onGone = try arguments[Options.onGone]
  }

  var isEmpty: Bool { onNear == nil && onFar == nil && onGone == nil }

  /// Starts the command for a change, if there is one, without waiting for it.
  ///
  /// - Parameter ended: Called on another thread with the option and the exit status.
  func run(
    _ change: NearTrigger.Change, _ phone: AccessoryPhone, identifier: String?, distance: Double?,
    _ environment: [String: String], ended: @escaping @Sendable (String, Int32) -> Void
  ) throws(CommandError) {
    let (option, command) =
      switch change {
      case .near: ("\(Options.onNear)", onNear)
      case .far: ("\(Options.onFar)", onFar)
      case .gone: ("\(Options.onGone)", onGone)
      }
    guard let command else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    // Our own standard output may be a stream of JSON.
    process.standardOutput = FileHandle.standardError
    var environment = environment
    environment["NEARBY_PHONE"] = "\(phone)"
    environment["NEARBY_PHONE_ID"] = identifier ?? ""
    environment["NEARBY_DISTANCE"] = distance.map { AccessoryText.metres($0) } ?? ""
    process.environment = environment
    process.terminationHandler = { ended(option, $0.terminationStatus) }
    do {
      try process.run()
    } catch {
      throw .unavailable("can't run the command of \(option): \(error.localizedDescription)")
    }
  }
}
