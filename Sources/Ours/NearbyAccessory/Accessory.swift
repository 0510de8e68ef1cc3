import Dispatch
import Foundation
import NearbyAccessoryProtocol
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization

/// The accessory's side of Apple's accessory protocol: phones come over Bluetooth, are told what this accessory
/// is, and are ranged with on its ultra-wideband chip.
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
/// An accessory belongs to the device that is current when it is made, whose chip and Bluetooth it uses: the
/// process's own, or in a test the one whose code makes it. Its methods may be called from any thread.
public final class Accessory: Sendable {
  /// What the accessory is, as it was made.
  public let profile: AccessoryProfile
  let device: NearbyDevice
  let state = Mutex(AccessoryState())
  // Held here, for the device does not keep it.
  private let relay: AccessoryRelay

  /// Makes an accessory that does nothing before `start`.
  public init(_ profile: AccessoryProfile = AccessoryProfile()) {
    self.profile = profile
    device = NearbyDevice.bound
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
    if isRunning { device.accessory.post(.stopAccessory) }
  }

  /// Brings the chip and Bluetooth into it: phones find the accessory from now on. A device is one accessory at a
  /// time; one that was started before hears nothing more.
  public func start() {
    guard state.withLock({ state in state.begin() }) else { return }
    device.accessory.attach(relay)
    device.accessory.post(.startAccessory(profile.settings, address: address))
    if profile.channel != .program { startBluetooth(relay) }
  }

  /// Ends every session and lets go of Bluetooth and the chip. `start` begins again.
  public func stop() {
    guard let (user, phones) = state.withLock({ state in state.end() }) else { return }
    if let user { device.bluetooth.release(user) }
    device.accessory.post(.stopAccessory)
    for phone in phones { tellLater(.disconnected(phone)) }
  }

  /// Ends the session with one phone, which is told so; it may begin anew.
  public func stopRanging(with phone: AccessoryPhone) {
    device.accessory.post(.accessory(.stop(phone.phone)))
  }

  // MARK: Who may

  /// Lets phones that never paired with this machine pair now, or no more. They pair without a code, so any phone in
  /// range may meanwhile: let it be on for a minute, at a person's word.
  public func setAcceptsPairing(_ accepts: Bool) {
    let user = state.withLock { state in
      state.acceptsPairing = accepts
      return state.user
    }
    if let user { device.bluetooth.perform(.acceptPairing(accepts), of: user) }
  }

  /// Makes a phone one that may have something done, until it is gone: a person said yes to it, or it proved otherwise
  /// who it is. Has no effect on a phone that is gone.
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

  /// What a phone is called for good on this machine, for `AccessoryProfile.Access.listed`: the same each time it
  /// comes, once it is paired. One that is not paired changes it at will.
  ///
  /// - Returns: `nil` for a phone that did not come over Bluetooth, or was gone long ago.
  public func identifier(of phone: AccessoryPhone) -> UUID? {
    state.withLock { $0.identifier(of: phone.phone) }
  }

  /// Two octets; where the profile gives none, random in a program's own device, and in a world the same for
  /// each name.
  private var address: UInt16 {
    if let address = profile.address { return address }
    return device.app.isVirtual ? device.stableNumber : UInt16.random(in: 1...0xFFFE)
  }

  // MARK: Events

  /// Every event from now on, in order; ends with the accessory.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    state.withLock { $0.streams.append(continuation) }
    return stream
  }

  /// The newest reading from now on; a slow reader misses old ones. Ends with the accessory.
  public var readings: AsyncStream<AccessoryReading> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AccessoryReading.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.readingStreams.append(continuation) }
    return stream
  }

  /// Calls `handler` with every event, one at a time, on a queue; the main queue when `nil`. In a simulated world
  /// time waits until it returns.
  public func onEvent(queue: DispatchQueue? = nil, _ handler: @escaping @Sendable (Event) -> Void) {
    state.withLock { $0.handler = AccessoryHandler(queue: queue, body: handler) }
  }

  /// On the device's own thread.
  func tell(_ event: Event) {
    let (handler, streams, readings) = state.withLock { ($0.handler, $0.streams, $0.readingStreams) }
    for stream in streams { stream.yield(event) }
    if case .measured(let reading) = event { for stream in readings { stream.yield(reading) } }
    if let handler { device.perform(on: handler.queue) { handler.body(event) } }
  }

  /// The same, from a call of the program's: never inside it.
  func tellLater(_ event: Event) { device.app.later { [self] in tell(event) } }

  /// Takes what the accessory's machine wants done.
  func received(_ output: AccessoryOutput) {
    switch output {
    case .send(let octets, let phone): send(octets, to: phone)
    case .serve(let octets): state.withLock { $0.configuration = octets }
    case .report(let event):
      let known = state.withLock { $0.phones }
      if let event = Event(event, known: known) { tell(event) }
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

/// Stands between a device and an accessory, so that the device does not keep the accessory alive.
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
