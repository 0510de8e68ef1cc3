import NearbyCommandLine
import NearbyMQTT
import NearbyNATS
import NearbySchedule
import NearbySite
import Synchronization

/// What a process of a shared site tells others: positions and events on NATS, beats to the other processes, and
/// everything on an MQTT broker if the configuration names one. Any thread may call.
final class SharedSiteOutput: Sendable {
  private let plan: SitePlan
  /// Messages and octets of a subject that wait for this process; more are dropped.
  private static let waiting: (messages: Int32, octets: Int32) = (1024, 1 << 20)

  private let beatSubject: String
  private let viewSubject: String
  private let bus: NATSBus
  private let subscriptions = Mutex<[NATSSubscription]>([])
  private let broker = Mutex<MQTTConnection?>(nil)
  private let errors: any TextOutput

  init(_ plan: SitePlan, _ sharing: SiteSharing, errors: any TextOutput) throws(CommandError) {
    self.plan = plan
    self.errors = errors
    beatSubject = "nearby.\(plan.name).process"
    viewSubject = "nearby.\(plan.name).process.view"
    let options = NATSConnection.Options(
      url: sharing.url, name: "nearby site \(plan.name)", credentials: sharing.credentials,
      certificates: sharing.authorities)
    do throws(NATSFailure) {
      bus = try NATSBus(options) { _ in }
    } catch {
      throw error.cause == .refused ? .unavailable("\(error)") : .noInput("\(error)")
    }
  }

  /// - Parameters:
  ///   - birth: Returns what is published whenever the MQTT broker is reached.
  ///   - view: Receives the octets of this and the other processes' views.
  ///   - beat: Receives the other processes' beats.
  ///   - reading: Receives each reading as it is published, even while no stream stores it.
  func begin(
    birth: @escaping @Sendable () -> [SiteMessage], view: @escaping @Sendable ([UInt8]) -> Void,
    beat: @escaping @Sendable (SiteMembers.Beat) -> Void,
    reading: @escaping @Sendable (borrowing NATSBus.Message) -> Void
  ) {
    subscribe(beatSubject) { message in
      guard let heard = SiteMembers.Beat(parsing: message.octets) else { return }
      beat(heard)
    }
    subscribe(viewSubject) { view($0.octets) }
    for subject in SharedSiteStore.readingSubjects(plan) {
      subscribe(subject, reading)
    }
    guard plan.hasBroker else { return }
    openBroker(birth)
  }

  private func subscribe(
    _ subject: String, _ receive: @escaping @Sendable (borrowing NATSBus.Message) -> Void
  ) {
    guard let made = try? bus.subscribe(subject, waiting: Self.waiting, receive) else { return }
    subscriptions.withLock { $0.append(made) }
  }

  private func openBroker(_ birth: @escaping @Sendable () -> [SiteMessage]) {
    let trouble = BrokerTrouble("\(plan.broker.host):\(plan.broker.port)", errors)
    do throws(CommandError) {
      let options = try BrokerOptions.connection(
        plan.broker, client: "nearby-site-\(plan.name)-\(UInt32.random(in: 0 ... .max))", will: nil)
      do throws(MQTTFailure) {
        let connection = try MQTTConnection(options) { [weak self] event in
          switch event {
          case .connected:
            trouble.connected()
            self?.publish(birth())
          case .refused(let failure): trouble.tell("\(failure); trying again")
          case .disconnected(let failure): trouble.disconnected(failure, "trying again")
          case .message, .acknowledged: break
          }
        }
        broker.withLock { $0 = connection }
        connection.begin()
      } catch {
        throw BrokerOptions.commandError(error)
      }
    } catch {
      trouble.tell("\(error)")
    }
  }

  func publish(_ view: SiteView) { try? bus.publish(view.octets, to: viewSubject) }

  func beat(_ beat: SiteMembers.Beat) { try? bus.publish(beat.octets, to: beatSubject) }

  func publish(_ output: SiteEngine.Output) {
    for message in output.messages where message.isPosition {
      try? bus.publish(Array(message.payload.utf8), to: NATSTopics.subject(message.topic))
    }
    for event in output.tagLines where NATSTopics.isPart(plan.tags[event.tag].id) {
      let line = event.line
      // Taking tags over repeats some events, with the same words: the server drops them by this id.
      let id = String(StableHash.of(line), radix: 16) + "-\(line.utf8.count)"
      try? bus.publish(
        Array(line.utf8), to: "nearby.\(plan.name).\(plan.tags[event.tag].id).event", id: id, reply: nil)
    }
    publish(output.messages)
  }

  private func publish(_ messages: [SiteMessage]) {
    guard !messages.isEmpty, let broker = broker.withLock({ $0 }), broker.isConnected else { return }
    for message in messages { _ = try? broker.publish(BrokerOptions.message(message)) }
  }

  func end() {
    bus.flush()
    broker.withLock { $0 }?.end()
  }
}
