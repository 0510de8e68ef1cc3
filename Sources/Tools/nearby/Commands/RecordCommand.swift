import Foundation
import NearbyLive
import NearbyRadioLinks
import NearbyRecordings
import NearbyTextForms

/// `nearby record`.
struct RecordCommand {
  private let arguments: Arguments
  private let folder: OutputFolder
  private let duration: Duration?

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    folder = OutputFolder(path: try arguments.required("out"), mayOverwrite: arguments.has("force"))
    duration = try arguments.value("seconds", as: .duration)
  }

  /// Listens, then writes.
  func run(in context: CommandContext) throws {
    let world = try named("world", "NEARBY_WORLD", context)
    let device = try named("device", "NEARBY_DEVICE", context)
    let token = arguments.text("token") ?? context.environment["NEARBY_TOKEN"] ?? ""
    let address: (host: String, port: UInt16)
    do throws(LinkError) {
      address = try RadioAddress.hostAndPort(world, allowsPortZero: false)
    } catch {
      throw UsageError.invalidValue(
        option: "--world", found: world, expected: "HOST:PORT such as 127.0.0.1:7100")
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
      throw CommandError.badData("\(device) measured no range; nothing is written")
    }
    try folder.write(recording)
    let seconds = (recording.ranges.last?.time ?? .zero) / .seconds(1)
    context.errors.line(
      "\(folder.path): \(recording.ranges.count) ranges in \(NumberFormat.fixed(seconds, 1)) s")
  }

  private func named(_ option: String, _ variable: String, _ context: CommandContext) throws -> String {
    if let text = arguments.text(option) ?? context.environment[variable], !text.isEmpty { return text }
    throw UsageError.missingOption(option, placeholder: option == "world" ? "HOST:PORT" : "NAME")
  }
}
