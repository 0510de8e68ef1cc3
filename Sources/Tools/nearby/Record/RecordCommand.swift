import Foundation
import NearbyCommandLine
import NearbyLive
import NearbyRadioLinks
import NearbyRecordings
import NearbyTextForms

/// `nearby record`.
struct RecordCommand {
  private let world: String?
  private let device: String?
  private let token: String?
  private let folder: OutputFolder
  private let duration: Duration?

  init(_ arguments: CommandArguments) throws(UsageError) {
    world = try arguments[Options.world]
    device = try arguments[Options.device]
    token = try arguments[Options.token]
    folder = try OutputFolder(arguments)
    duration = try arguments[Options.seconds]
  }

  /// Records, then writes the folder.
  func run(in context: CommandContext) throws {
    let world = try found(world, "NEARBY_WORLD", Options.world, context)
    let device = try found(device, "NEARBY_DEVICE", Options.device, context)
    let token = token ?? context.environment["NEARBY_TOKEN"] ?? ""
    let address: (host: String, port: UInt16)
    do throws(LinkError) {
      address = try RadioAddress.hostAndPort(world, allowsPortZero: false)
    } catch {
      throw UsageError.invalidValue(
        option: "\(Options.world)", found: world, expected: "HOST:PORT such as 127.0.0.1:7100")
    }
    try folder.check()
    let recording: Recording
    do throws(WorldRecorder.Failure) {
      var recorder = try WorldRecorder(host: address.host, port: address.port, device: device, token: token)
      context.errors.line("recording \(device)")
      recording = try recorder.run(for: duration) { context.interrupt.isRaised }
    } catch {
      throw CommandError.unavailable("\(error)")
    }
    guard !recording.ranges.isEmpty else {
      throw CommandError.badData("\(device) measured no range; nothing was written")
    }
    try folder.write(recording)
    let seconds = (recording.ranges.last?.time ?? .zero) / .seconds(1)
    context.errors.line(
      "\(folder.path): \(recording.ranges.count) ranges in \(NumberFormat.fixed(seconds, 1)) s")
  }

  /// The option's value, else the environment variable's.
  private func found(
    _ given: String?, _ variable: String, _ option: some DeclaredOption, _ context: CommandContext
  ) throws(UsageError) -> String {
    guard let text = given ?? context.environment[variable], !text.isEmpty else { throw .missing(option) }
    return text
  }
}
