import Foundation
import NearbyMQTT
import Synchronization
import TestSupport
import Testing

/// A real MQTT broker on a free port of the loopback address.
final class MosquittoBroker {
  let port: UInt16
  private let configuration: String
  private var process: Process?

  /// - Parameter lines: Of the broker's configuration.
  init(in folder: TemporaryFolder, _ lines: String = "allow_anonymous true") throws {
    port = try FreePort.number()
    configuration = try folder.write(
      "listener \(port) 127.0.0.1\n\(lines)\nuser root\nmax_queued_messages 100000\n",
      to: "mosquitto-\(port).conf")
    try start()
  }

  deinit { kill() }

  var url: String { "mqtt://127.0.0.1:\(port)" }

  func start() throws {
    let broker = Process()
    broker.executableURL = URL(fileURLWithPath: InstalledTool.mosquitto.path ?? "/usr/sbin/mosquitto")
    broker.arguments = ["-c", configuration]
    broker.standardOutput = FileHandle.nullDevice
    broker.standardError = FileHandle.nullDevice
    try Spawning.run(broker)
    process = broker
  }

  /// As by `kill -9`.
  func kill() {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// A client that receives all messages.
  func listener() throws -> MQTTListener { try MQTTListener(port) }
}

/// Receives everything that a broker has.
final class MQTTListener: Sendable {
  private struct State {
    var messages: [MQTTMessage] = []
    var connection: MQTTConnection?
  }

  private let state = Mutex(State())
  private let changes = NSCondition()

  init(_ port: UInt16) throws {
    let options = MQTTConnection.Options(
      host: "127.0.0.1", port: port, client: "listener-\(UUID().uuidString)")
    let connection = try MQTTConnection(options) { [weak self] event in self?.received(event) }
    state.withLock { $0.connection = connection }
    connection.begin()
  }

  private func received(_ event: MQTTEvent) {
    switch event {
    case .connected: try? state.withLock { $0.connection }?.subscribe("#", quality: 1)
    case .message(let message):
      state.withLock { $0.messages.append(message) }
      changes.lock()
      changes.broadcast()
      changes.unlock()
    case .refused, .disconnected, .acknowledged: break
    }
  }

  var all: [MQTTMessage] { state.withLock { $0.messages } }

  /// Blocks until a message arrives.
  ///
  /// - Parameter part: A part of the payload.
  /// - Returns: The payload; `nil` after 60 s.
  func message(_ topic: String, _ part: String = "") -> String? {
    let end = Date(timeIntervalSinceNow: 60)
    changes.lock()
    defer { changes.unlock() }
    while true {
      for message in all.reversed() where message.topic == topic {
        let text = String(decoding: message.payload, as: UTF8.self)
        if part.isEmpty || text.contains(part) { return text }
      }
      guard changes.wait(until: end) else { return nil }
    }
  }

  func publish(_ topic: String, _ payload: String) throws {
    let connection = try #require(state.withLock { $0.connection })
    try connection.publish(MQTTMessage(topic: topic, payload: Array(payload.utf8), quality: 1))
  }

  func end() { state.withLock { $0.connection }?.end() }
}
