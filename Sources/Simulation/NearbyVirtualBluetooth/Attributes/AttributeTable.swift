import NearbyBluetooth

/// A device's attribute table, by handle. It holds the services of all the device's clients.
struct AttributeTable: Sendable {
  struct Entry: Sendable {
    let client: Int
    /// The id that the client gave the attribute.
    let own: AttributeID
    let service: AttributeID
    var content: Content
  }

  enum Content: Sendable {
    case service
    case characteristic(GATTCharacteristic)
    case descriptor(GATTDescriptor)
    /// The client characteristic configuration of a characteristic, which the system adds.
    case configuration(of: AttributeID)
  }

  private(set) var entries: [AttributeID: Entry] = [:]
  /// The services as peers discover them: with handles as ids, without permissions or values.
  private(set) var services: [GATTService] = []
  private var handles: [Int: [AttributeID: AttributeID]] = [:]
  /// The handle ranges of the services, in ascending order. A range becomes free when its service is
  /// removed.
  private var ranges: [Range<Int>] = []
  /// Where the search for free handles begins. Freed handles are reused as late as possible, so that a
  /// central that has not learned of a change yet does not reach a different attribute by an old handle.
  private var next = Self.numbers.lowerBound
  /// The handles after those reserved for the system's own services.
  private static let numbers = 0x20..<0xFFFF

  func handle(of own: AttributeID, client: Int) -> AttributeID? { handles[client]?[own] }

  /// Adds a service. Returns its handle, or `nil` if too few handles are free.
  mutating func add(_ service: GATTService, client: Int) -> AttributeID? {
    let count = 1 + service.characteristics.reduce(0) { $0 + 3 + $1.descriptors.count }
    guard let range = reserve(count) else { return nil }
    next = range.lowerBound
    defer { next = range.upperBound }
    let id = enter(service.id, client, nil, .service)
    let characteristics = service.characteristics.map { add($0, client: client, service: id) }
    var found = GATTService(
      id: id, uuid: service.uuid, isPrimary: service.isPrimary, characteristics: characteristics)
    found.includedServices = service.includedServices.compactMap { handle(of: $0, client: client) }
    services.insert(found, at: services.firstIndex { $0.id > id } ?? services.count)
    return id
  }

  /// Reserves the first free run of `count` handles, searching from `next` and then from the beginning.
  private mutating func reserve(_ count: Int) -> Range<Int>? {
    let ends = [Self.numbers.lowerBound] + ranges.map(\.upperBound)
    let starts = ranges.map(\.lowerBound) + [Self.numbers.upperBound]
    let gaps = zip(ends, starts).map { $0..<$1 }
    let later = gaps.map { max($0.lowerBound, min(next, $0.upperBound))..<$0.upperBound }
    guard let gap = (later + gaps).first(where: { $0.count >= count }) else { return nil }
    let range = gap.lowerBound..<gap.lowerBound + count
    ranges.insert(range, at: ranges.firstIndex { $0.lowerBound > range.lowerBound } ?? ranges.count)
    return range
  }

  /// Enters a characteristic with its descriptors. One that can notify also gets a client characteristic
  /// configuration.
  private mutating func add(
    _ it: GATTCharacteristic, client: Int, service: AttributeID
  ) -> GATTCharacteristic {
    // The characteristic's declaration precedes its value and has a handle too.
    next += 1
    let id = enter(it.id, client, service, .characteristic(it))
    var descriptors = it.descriptors.map { descriptor in
      GATTDescriptor(
        id: enter(descriptor.id, client, service, .descriptor(descriptor)), uuid: descriptor.uuid)
    }
    if !it.properties.isDisjoint(with: [.notify, .indicate]) {
      let handle = AttributeID(next)
      next += 1
      entries[handle] = Entry(
        client: client, own: it.id, service: service, content: .configuration(of: id))
      descriptors.append(GATTDescriptor(id: handle, uuid: BluetoothUUID(0x2902 as UInt16)))
    }
    return GATTCharacteristic(
      id: id, uuid: it.uuid, properties: it.properties, descriptors: descriptors)
  }

  /// Assigns the next handle to an attribute.
  private mutating func enter(
    _ own: AttributeID, _ client: Int, _ service: AttributeID?, _ content: Content
  ) -> AttributeID {
    let handle = AttributeID(next)
    next += 1
    entries[handle] = Entry(client: client, own: own, service: service ?? handle, content: content)
    handles[client, default: [:]][own] = handle
    return handle
  }

  /// Removes a service.
  ///
  /// - Returns: Its handle, or `nil` if there was no such service.
  mutating func remove(_ own: AttributeID, client: Int) -> AttributeID? {
    guard let handle = handle(of: own, client: client),
      let index = services.firstIndex(where: { $0.id == handle })
    else { return nil }
    services.remove(at: index)
    ranges.removeAll { $0.contains(handle.number) }
    for (id, entry) in entries where entry.service == handle {
      entries[id] = nil
      if handles[client]?[entry.own] == id { handles[client]?[entry.own] = nil }
    }
    if handles[client]?.isEmpty == true { handles[client] = nil }
    return handle
  }

  /// The number of round trips needed to discover the whole table with a given MTU.
  ///
  /// One response holds only attributes of the same size. A list whose last range reaches the end needs no
  /// further request; otherwise an error response ends it.
  func exchangesToDiscover(mtu: Int) -> Int {
    var count = Self.answers(services.map(\.uuid), overhead: 4, mtu: mtu)
    for service in services where !service.characteristics.isEmpty {
      count += Self.answers(service.characteristics.map(\.uuid), overhead: 5, mtu: mtu)
      if service.characteristics.last?.descriptors.isEmpty == false { count += 1 }
      for characteristic in service.characteristics where !characteristic.descriptors.isEmpty {
        count += Self.answers(characteristic.descriptors.map(\.uuid), overhead: 2, mtu: mtu)
      }
    }
    return max(count, 1)
  }

  /// The number of responses needed for a list of attributes, each of which takes `overhead` octets besides
  /// its UUID.
  private static func answers(_ uuids: [BluetoothUUID], overhead: Int, mtu: Int) -> Int {
    var count = 0
    var (size, left) = (0, 0)
    for uuid in uuids {
      let needed = uuid.shortestOctets.count == 2 ? 2 : 16
      if needed != size || left < needed + overhead {
        (size, left) = (needed, mtu - 2)
        count += 1
      }
      left -= needed + overhead
    }
    return count
  }
}
