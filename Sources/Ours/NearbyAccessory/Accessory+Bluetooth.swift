import Foundation
import NearbyBluetooth
import NearbyDevice
import NearbyDeviceMachine
import Synchronization

/// The attributes of the accessory's Bluetooth services.
enum AccessoryAttributes {
  static let channel = AttributeID(1)
  static let receive = AttributeID(2)
  static let transmit = AttributeID(3)
  static let secure = AttributeID(4)
  static let nearbyInteraction = AttributeID(5)
  static let configuration = AttributeID(6)
}

/// The accessory's Bluetooth side: a data channel for apps, and the Nearby Interaction service for iOS.
extension Accessory {
  /// The longest write accepted, in octets; messages of phones are far shorter.
  private static let longestWrite = 512
  /// The most messages queued for a phone that does not accept them.
  private static let longestOutbox = 16

  private var channel: AccessoryUUIDs.Channel { profile.channel == .qorvo ? .qorvo : .nordicUART }

  func startBluetooth(_ relay: AccessoryRelay) {
    let user = device.bluetooth.makeUser(relay, role: .peripheral(restoring: nil))
    state.withLock { $0.user = user }
    device.app.later { [weak self] in self?.heard(nil) }
    if device.bluetooth.currentState == .unsupported {
      report(.bluetoothUnavailable("\(BluetoothState.unsupported)"))
    }
  }

  private var services: [GATTService] {
    // A characteristic with a descriptor must not come last: the phone would send one more request behind it.
    var characteristics = [
      GATTCharacteristic(
        id: AccessoryAttributes.transmit, uuid: channel.transmit, properties: .notify, permissions: .readable),
      GATTCharacteristic(
        id: AccessoryAttributes.receive, uuid: channel.receive, properties: [.write, .writeWithoutResponse],
        permissions: profile.needsPairing ? .writeEncryptionRequired : .writeable),
    ]
    if let secure = channel.secure {
      characteristics.append(
        GATTCharacteristic(
          id: AccessoryAttributes.secure, uuid: secure, properties: .read,
          permissions: .readEncryptionRequired, value: [0]))
    }
    let data = GATTService(
      id: AccessoryAttributes.channel, uuid: channel.service, characteristics: characteristics)
    guard profile.technologies.contains(.ultraWideband) else { return [data] }
    return [
      data,
      GATTService(
        id: AccessoryAttributes.nearbyInteraction, uuid: AccessoryUUIDs.service,
        characteristics: [
          GATTCharacteristic(
            id: AccessoryAttributes.configuration, uuid: AccessoryUUIDs.configuration, properties: .read,
            permissions: .readEncryptionRequired)
        ]),
    ]
  }

  /// Handles a Bluetooth event on the device's own thread.
  ///
  /// - Parameter event: `nil` handles only the events that arrived before the Bluetooth user was known.
  func heard(_ event: BluetoothEvent?) {
    guard let (user, events) = state.withLock({ $0.hear(event) }) else { return }
    for event in events { heard(event, user) }
  }

  private func heard(_ event: BluetoothEvent, _ user: BluetoothUser) {
    switch event {
    case .state(let bluetooth): stateChanged(bluetooth, user)
    case .subscribed(let peer, AccessoryAttributes.transmit, let maximum):
      // Subscribing needs no pairing, so an unproven subscriber must not take a phone's place.
      guard !profile.needsPairing || state.withLock({ $0.phoneOfPeer[peer] }) != nil else {
        return state.withLock { $0.remember(subscriber: peer, maximumUpdate: maximum) }
      }
      let phone = phone(of: peer)
      state.withLock { $0.phones[phone]?.maximumUpdate = maximum }
      flush()
    case .readRequest(let request, _, let attribute, let offset):
      device.bluetooth.perform(.respond(request, read(attribute, from: offset)), of: user)
    case .writeRequest(let request, let peer, let writes): receive(writes, request, of: peer, user)
    case .readyToUpdate: flush()
    case .centralGone(let peer): gone(peer)
    case .advertising(let failure?), .added(_, let failure?): report(.bluetoothUnavailable("\(failure)"))
    case _: break
    }
  }

  private func stateChanged(_ bluetooth: BluetoothState, _ user: BluetoothUser) {
    guard bluetooth == .poweredOn else {
      state.withLock { $0.subscribers = [:] }
      for peer in state.withLock({ $0.phoneOfPeer.keys.sorted() }) { gone(peer) }
      return report(.bluetoothUnavailable("\(bluetooth)"))
    }
    device.bluetooth.perform(
      .acceptPairing(state.withLock { $0.acceptsPairing } ?? profile.takesPairing), of: user)
    if profile.technologies.contains(.channelSounding) {
      if !device.bluetooth.supportsSounding { report(.bluetoothUnavailable("no Channel Sounding")) }
      device.bluetooth.perform(.offerSounding(true), of: user)
    }
    device.bluetooth.perform(.removeAll, of: user)
    for service in services { device.bluetooth.perform(.add(service), of: user) }
    var advertisement = Advertisement()
    advertisement.name = profile.name
    advertisement.services = [channel.service]
    advertisement.isConnectable = true
    device.bluetooth.perform(.advertise(BluetoothAdvertising(advertisement)), of: user)
  }

  private func read(_ attribute: AttributeID, from offset: Int) -> Result<[UInt8], ATTError> {
    guard attribute == AccessoryAttributes.configuration else { return .failure(.readNotPermitted) }
    // The value is empty until the chip is ready.
    let value = state.withLock { $0.configuration } ?? []
    guard offset <= value.count else { return .failure(.invalidOffset) }
    return .success(Array(value[offset...]))
  }

  private func receive(
    _ writes: [BluetoothWrite], _ request: BluetoothRequestID, of peer: BluetoothPeer, _ user: BluetoothUser
  ) {
    var message: [UInt8] = []
    for write in writes {
      guard write.attribute == AccessoryAttributes.receive else {
        return device.bluetooth.perform(.respond(request, .failure(.writeNotPermitted)), of: user)
      }
      guard write.offset == message.count else {
        return device.bluetooth.perform(.respond(request, .failure(.invalidOffset)), of: user)
      }
      guard message.count + write.value.count <= Self.longestWrite else {
        return device.bluetooth.perform(.respond(request, .failure(.invalidAttributeValueLength)), of: user)
      }
      message += write.value
    }
    device.bluetooth.perform(.respond(request, .success([])), of: user)
    let phone = phone(of: peer)
    guard state.withLock({ $0.phones[phone]?.isRefused }) == false else { return }
    device.accessory.post(.accessory(.message(message, from: phone)))
  }

  /// Returns the phone of a Bluetooth peer, and registers it at its first action. If the profile requires
  /// pairing, that action is a write, which proves that the phone has its keys because writes are accepted
  /// only on an encrypted link.
  private func phone(of peer: BluetoothPeer) -> PhoneAtAccessory {
    let (isAuthorized, isRefused) = admission(of: peer)
    let (phone, isNew) = state.withLock { state in
      if let phone = state.phoneOfPeer[peer] { return (phone, false) }
      let phone = state.add(.bluetooth(peer), isAuthorized: isAuthorized)
      state.phones[phone]?.isRefused = isRefused
      state.phones[phone]?.maximumUpdate = state.subscribers.removeValue(forKey: peer)
      state.phoneOfPeer[peer] = phone
      return (phone, true)
    }
    guard isNew else { return phone }
    if !isRefused { device.accessory.post(.accessory(.connected(phone))) }
    report(.connected(AccessoryPhone(phone: phone)))
    if isRefused { report(.refused(AccessoryPhone(phone: phone), .notAuthorized)) }
    return phone
  }

  private func admission(of peer: BluetoothPeer) -> (isAuthorized: Bool, isRefused: Bool) {
    switch profile.access {
    case .everyone: (false, false)
    case .paired: (true, false)
    case .listed(let identifiers): identifiers.contains(peer.uuid) ? (true, false) : (false, true)
    }
  }

  private func gone(_ peer: BluetoothPeer) {
    let phone = state.withLock { state in
      state.subscribers[peer] = nil
      let phone = state.phoneOfPeer.removeValue(forKey: peer)
      if let phone { state.phones[phone] = nil }
      return phone
    }
    guard let phone else { return }
    device.accessory.post(.accessory(.disconnected(phone)))
    // Later, so that the machine's `stopped` comes before `disconnected`.
    reportLater(.disconnected(AccessoryPhone(phone: phone)))
  }

  // MARK: Notifying

  func notify(_ octets: [UInt8], to peer: BluetoothPeer, _ phone: PhoneAtAccessory) {
    let isTooLong = state.withLock { state in
      if let maximum = state.phones[phone]?.maximumUpdate, octets.count > maximum { return true }
      if let count = state.phones[phone]?.outbox.count, count < Self.longestOutbox {
        state.phones[phone]?.outbox.append(octets)
      }
      return false
    }
    if isTooLong { return report(.refused(AccessoryPhone(phone: phone), .linkTooNarrow)) }
    flush()
  }

  /// Sends queued notifications until Bluetooth accepts no more.
  private func flush() {
    guard let user = state.withLock({ $0.user }) else { return }
    for (phone, peer) in state.withLock({ $0.reachable }) {
      while let octets = state.withLock({ $0.phones[phone]?.outbox.first }) {
        guard
          device.bluetooth.update(AccessoryAttributes.transmit, octets, centrals: [peer], of: user)
        else { return }
        state.withLock { state in
          if state.phones[phone]?.outbox.isEmpty == false { state.phones[phone]?.outbox.removeFirst() }
        }
      }
    }
  }
}

extension AccessoryState {
  /// Subscribed phones with queued notifications, in the order in which they connected.
  fileprivate var reachable: [(PhoneAtAccessory, BluetoothPeer)] {
    phones.keys.sorted().compactMap { phone in
      guard let linked = phones[phone], linked.maximumUpdate != nil, !linked.outbox.isEmpty,
        case .bluetooth(let peer) = linked.link
      else { return nil }
      return (phone, peer)
    }
  }
}

extension AccessoryRelay: BluetoothSink {
  func received(_ event: BluetoothEvent) { current?.heard(event) }
}
