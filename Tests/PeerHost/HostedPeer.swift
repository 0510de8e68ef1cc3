import Foundation
import NearbyPeerNetwork
import Synchronization

/// The peer that this process runs.
final class HostedPeer: Sendable {
  private let endpoint: PeerEndpoint
  private let discovery: ServiceDiscovery
  private let registration: ServiceDiscovery.Registration

  init(type: String, name: String, meets: Bool) throws {
    let identity = try PeerKey.generate()
    var configuration = PeerEndpoint.Configuration(identity: identity)
    // A process may stall for seconds while a hundred other tests run, and no test here depends on these
    // limits.
    configuration.connectTimeout = .seconds(60)
    configuration.rules.handshakeTimeout = .seconds(60)
    let endpoint = try PeerEndpoint(configuration) { Self.say($0) }
    self.endpoint = endpoint
    let port = try endpoint.listen()
    Self.say("port \(port) \(Self.hexadecimal(identity.fingerprint))")
    let met = Mutex<Set<String>>([])
    discovery = try ServiceDiscovery { event in
      Self.say(event)
      guard meets, case .found(let found) = event, found.service.name < name, !found.isOwn,
        met.withLock({ $0.insert(found.service.name).inserted })
      else { return }
      Self.dial(found.addresses, found.service.name, endpoint)
    }
    try discovery.browse(type)
    registration = try discovery.register(
      Service(name: name, type: type), text: try ServiceText(["key": "value"]), port: port)
  }

  /// Executes `connect HOST PORT` or `text VALUE`.
  func execute(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    if words.count == 3, words[0] == "connect", let port = UInt16(words[2]),
      let address = try? SocketAddress(host: words[1], port: port)
    {
      Self.dial([address], words[1], endpoint)
    } else if words.count == 2, words[0] == "text", let text = try? ServiceText(["key": words[1]]) {
      discovery.update(registration, text: text)
    } else {
      Self.say("what? \(line)")
    }
  }

  func stop() {
    endpoint.stop()
    discovery.stop()
  }

  private static func dial(_ addresses: [SocketAddress], _ name: String, _ endpoint: PeerEndpoint) {
    endpoint.connect(to: addresses) { result in
      switch result {
      case .success(let channel):
        channel.start(PeerChannel.Handlers(onReceive: { _ in }, onClose: { _ in say("closed") }))
        say("connected \(hexadecimal(channel.credentials?.fingerprint ?? [])) \(name)")
      case .failure(let error): say("failed \(name): \(error)")
      }
    }
  }

  // MARK: what is said

  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func say(_ event: PeerEndpoint.Event) {
    switch event {
    case .arrived(let channel):
      say("arrived \(hexadecimal(channel.credentials?.fingerprint ?? []))")
      channel.start(
        PeerChannel.Handlers(
          onReceive: { octets in _ = try? channel.send(octets.withUnsafeBufferPointer { Array($0) }) },
          onClose: { _ in say("closed") }))
    case .refused(_, let error): say("refused \(error)")
    case .pausedAccepting(let error): say("paused \(error)")
    }
  }

  private static func say(_ event: DiscoveryEvent) {
    switch event {
    case .serving(let way): say("serving \(way)")
    case .registered(_, let service): say("registered \(service.name)")
    case .registrationFailed(_, let error): say("failed \(error)")
    case .found(let found): say("found \(view(found))")
    case .changed(let found): say("changed \(view(found))")
    case .lost(let service): say("lost \(service.name)")
    case .browsingFailed(_, let error): say("failed \(error)")
    case .unavailable(let error): say("unavailable \(error)")
    }
  }

  private static func view(_ found: FoundService) -> String {
    let text = found.text.entries.map { entry in
      entry.key + (entry.value.map { "=" + String(decoding: $0, as: UTF8.self) } ?? "")
    }
    return
      """
      \(found.service.name) \(found.isOwn ? "own" : "other") \(found.addresses.first?.port ?? 0) \
      \(found.addresses.map(\.host).joined(separator: ",")) \(text.joined(separator: ";"))
      """
  }

  private static func hexadecimal(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
