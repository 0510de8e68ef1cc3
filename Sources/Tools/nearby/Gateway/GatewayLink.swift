import Foundation
import NearbyCommandLine
import NearbyMQTT
import NearbyReadings
import NearbySite
import Synchronization

/// A gateway's way to its site. Called on the command's thread.
protocol GatewayRoute: AnyObject {
  /// Connects, now or later.
  func begin()
  var isConnected: Bool { get }
  /// Messages that may wait for the acknowledgement.
  var mostInFlight: Int { get }
  /// Takes news and new readings, and sends what can be sent.
  func move(_ inbox: GatewayInbox?, _ queue: GatewayQueue)
  /// Says goodbye and disconnects.
  func end()
}

/// A gateway's connection to its MQTT broker.
final class GatewayLink: GatewayRoute, Sendable {
  private let events = Mutex<[MQTTEvent]>([])
  private let connection: MQTTConnection
  private let status: (online: MQTTMessage, offline: MQTTMessage)
  private let trouble: BrokerTrouble

  init(
    _ broker: SiteBroker, site: String, device: String, errors: any TextOutput
  ) throws(CommandError) {
    let topic = "nearby/\(site)/\(device)/status"
    let offline = SiteMessage(topic: topic, payload: "offline", isRetained: true, quality: 1)
    let online = SiteMessage(topic: topic, payload: "online", isRetained: true, quality: 1)
    status = (BrokerOptions.message(online), BrokerOptions.message(offline))
    trouble = BrokerTrouble("\(broker.host):\(broker.port)", errors)
    let options = try BrokerOptions.connection(
      broker, client: "nearby-gateway-\(site)-\(device)", will: offline)
    let events = WeakEvents()
    do throws(MQTTFailure) {
      connection = try MQTTConnection(options) { event in events.link.withLock { $0.value }?.received(event) }
    } catch {
      throw BrokerOptions.commandError(error)
    }
    events.link.withLock { $0.value = self }
  }

  private final class WeakEvents: Sendable {
    struct Box { weak var value: GatewayLink? }
    let link = Mutex(Box())
  }

  func begin() { connection.begin() }

  var isConnected: Bool { connection.isConnected }
  var mostInFlight: Int { GatewayQueue.mostInFlight }

  private func received(_ event: MQTTEvent) {
    if case .connected = event { _ = try? connection.publish(status.online) }
    events.withLock { $0.append(event) }
  }

  /// Takes events and new readings, and sends what can be sent. Called on the command's thread.
  func move(_ inbox: GatewayInbox?, _ queue: GatewayQueue) {
    let events = events.withLock { events in
      defer { events = [] }
      return events
    }
    trouble.advance()
    for event in events {
      switch event {
      case .connected: trouble.connected()
      case .refused(let failure): trouble.tell("\(failure); readings are stored")
      case .disconnected(let failure):
        queue.disconnected()
        trouble.disconnected(failure, "readings are stored")
      case .acknowledged(let number): queue.acknowledged(number)
      case .message: break
      }
    }
    for reading in inbox?.take() ?? [] { queue.add(reading) }
    queue.flush { message in
      try? connection.publish(
        MQTTMessage(topic: message.topic, payload: Array(message.payload.utf8), quality: 1))
    }
  }

  /// Says goodbye and disconnects.
  func end() {
    _ = try? connection.publish(status.offline)
    connection.end()
  }
}
