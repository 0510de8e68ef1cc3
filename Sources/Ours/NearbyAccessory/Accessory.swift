import Dispatch
import Foundation
import NearbyAccessoryProtocol
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization

/// The accessory's side of Apple's accessory protocol. Phones connect over Bluetooth, receive the accessory's
/// configuration, and range with its ultra-wideband chip.
///
/// ```swift
/// var profile = AccessoryProfile(name: "Door")
/// profile.access = .paired
/// let accessory = Accessory(profile)
/// accessory.start()
/// for await reading in accessory.readings where reading.isAuthorized {
///   if let distance = reading.distance, distance < 1.5 { openDoor() }
/// }
/// ```
///
/// An accessory belongs to the device that is current when it is created, and uses that device's chip and
/// Bluetooth: the process's own device, or in a test the one whose code creates the accessory. Its methods
/// may be called from any thread.
public final class Accessory: Sendable {
  /// The profile that the accessory was created with.
  public let profile: AccessoryProfile
  let device: NearbyDevice
  let state = Mutex(AccessoryState())
  // Retained here because the device holds it weakly.
  private let relay: AccessoryRelay

  /// Creates an accessory, which does nothing before `start`.
  public init(_ profile: AccessoryProfile = AccessoryProfile()) {
    self.profile = profile
    device = NearbyDevice.bound(for: "Accessory")
    relay = AccessoryRelay()
    relay.attach(self)
  }

  deinit {
    let (user, isRunning) = state.withLock { state in
      state.streams.forEach { $0.finish() }
      state.readingStreams.forEach { $0.finish() }
      return (state.user, state.isRunning)
    }
    if let user { device.bluetooth.release(user) }
    if isRunning, profile.technologies.contains(.ultraWideband) { device.accessory.post(.stopAccessory) }
  }

  /// Starts the chip and Bluetooth, so that phones can find the accessory.
  ///
  /// A device is one accessory at a time: the chip stops serving an accessory that was started on it earlier.
  public func start() {
    guard state.withLock({ state in state.begin() }) else { return }
    if profile.technologies.contains(.ultraWideband) {
      device.accessory.attach(relay)
      device.accessory.post(.startAccessory(profile.settings, address: address))
    }
    if profile.channel != .program { startBluetooth(relay) }
  }

  /// Ends every session and releases Bluetooth and the chip. The accessory can be started again.
  public func stop() {
    guard let (user, phones) = state.withLock({ state in state.end() }) else { return }
    if let user { device.bluetooth.release(user) }
    if profile.technologies.contains(.ultraWideband) { device.accessory.post(.stopAccessory) }
    for phone in phones { reportLater(.disconnected(phone)) }
  }

  /// Ends the session with one phone. The phone is notified and may start again.
  public func stopRanging(with phone: AccessoryPhone) {
    device.accessory.post(.accessory(.stop(phone.phone)))
  }

  // MARK: Authorization

  /// Allows or forbids pairing by phones that never paired with this machine. Pairing needs no code, so
  /// meanwhile any phone in range can pair: allow it for a minute or so, when a person asks for it.
  public func setAcceptsPairing(_ accepts: Bool) {
    let user = state.withLock { state in
      state.acceptsPairing = accepts
      return state.user
    }
    if let user { device.bluetooth.perform(.acceptPairing(accepts), of: user) }
  }

  /// Authorizes a phone until it disconnects, for example because a person agreed or because the phone proved
  /// its identity in another way. Has no effect on a phone that is gone.
  public func authorize(_ phone: AccessoryPhone) {
    let wasRefused = state.withLock { state in
      defer {
        state.phones[phone.phone]?.isAuthorized = true
        state.phones[phone.phone]?.isRefused = false
      }
      return state.phones[phone.phone]?.isRefused == true
    }
    if wasRefused { device.accessory.post(.accessory(.connected(phone.phone))) }
  }

  /// The identifier of a phone on this machine, for `AccessoryProfile.Access.listed`. It is the same at each
  /// connection once the phone is paired; a phone that is not paired can change it at will.
  ///
  /// - Returns: `nil` for a phone that did not connect over Bluetooth, or that left long ago.
  public func identifier(of phone: AccessoryPhone) -> UUID? {
    state.withLock { $0.identifier(of: phone.phone) }
  }

  /// The short address on the radio: the profile's if it has one, otherwise random on a live device and
  /// derived from the device's name in a simulated world.
  private var address: UInt16 {
    if let address = profile.address { return address }
    return device.app.isVirtual ? device.stableNumber : UInt16.random(in: 1...0xFFFE)
  }

  // MARK: Events

  /// All events from now on, in order; finishes when the accessory is released.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    state.withLock { $0.streams.append(continuation) }
    return stream
  }

  /// The most recent reading from now on; a slow reader misses older ones. Finishes with the accessory.
  public var readings: AsyncStream<AccessoryReading> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AccessoryReading.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.readingStreams.append(continuation) }
    return stream
  }

  /// Calls `handler` with every event, one at a time, on a queue; `nil` means the main queue. In a simulated
  /// world, time waits until the handler returns.
  public func onEvent(queue: DispatchQueue? = nil, _ handler: @escaping @Sendable (Event) -> Void) {
    state.withLock { $0.handler = AccessoryHandler(queue: queue, body: handler) }
  }

  /// Reports an event to the handler and the sequences. Call it on the device's own thread.
  func report(_ event: Event) {
    let (handler, streams, readings) = state.withLock { ($0.handler, $0.streams, $0.readingStreams) }
    for stream in streams { stream.yield(event) }
    if case .measured(let reading) = event { for stream in readings { stream.yield(reading) } }
    if let handler { device.perform(on: handler.queue) { handler.body(event) } }
  }

  /// Reports an event during a call by the program, after that call has returned.
  func reportLater(_ event: Event) { device.app.later { [self] in report(event) } }

  /// Performs an action of the accessory's machine.
  func received(_ output: AccessoryOutput) {
    switch output {
    case .send(let octets, let phone): send(octets, to: phone)
    case .serve(let octets): state.withLock { $0.configuration = octets }
    case .report(let event):
      let known = state.withLock { $0.phones }
      if let event = Event(event, known: known) { report(event) }
    }
  }

  private func send(_ octets: [UInt8], to phone: PhoneAtAccessory) {
    guard let link = state.withLock({ $0.phones[phone]?.link }) else { return }
    switch link {
    case .program(let send): device.perform(on: send.queue) { send.body(Data(octets)) }
    case .bluetooth(let peer): notify(octets, to: peer, phone)
    }
  }
}

/// Forwards the device's output to an accessory without keeping the accessory alive.
final class AccessoryRelay: AccessorySink {
  private let accessory = Mutex(WeakBox<Accessory>())

  func attach(_ accessory: Accessory) { self.accessory.withLock { $0 = WeakBox(accessory) } }

  var current: Accessory? { accessory.withLock { $0 }.object }

  func received(_ output: AccessoryOutput) { current?.received(output) }
}

struct AccessoryHandler: Sendable {
  let queue: DispatchQueue?
  let body: @Sendable (Accessory.Event) -> Void
}
