import NearbyBluetooth

extension Advertisement {
  /// Creates an advertisement from the properties of a `Device1`.
  ///
  /// The daemon keeps the last value of each kind of data forever, so a device that alternates between frames
  /// appears to send all of them at once. Data in the signal itself therefore take precedence.
  ///
  /// - Parameters:
  ///   - told: The properties in the signal that reported the advertisement.
  ///   - known: All properties of the device.
  package init(told: BlueZTree.Properties, known: BlueZTree.Properties) {
    self.init()
    let hasData = told["ManufacturerData"] != nil || told["ServiceData"] != nil
    let source = hasData ? told : known
    manufacturerData = (source["ManufacturerData"]?.entries ?? []).compactMap { entry in
      guard let company = entry.key.uint16Value, let octets = entry.value.bytesValue else { return nil }
      return ManufacturerData(company: company, octets: octets)
    }
    manufacturerData.sort { $0.company < $1.company }
    serviceData = (source["ServiceData"]?.entries ?? []).compactMap { entry in
      guard let service = entry.key.stringValue.flatMap({ BluetoothUUID($0) }),
        let octets = entry.value.bytesValue
      else { return nil }
      return ServiceData(service: service, octets: octets)
    }
    serviceData.sort { $0.service < $1.service }
    name = known["Name"]?.stringValue
    services = (known["UUIDs"]?.strings ?? []).compactMap { BluetoothUUID($0) }.sorted()
    flags = known["AdvertisingFlags"]?.bytesValue?.first
    transmitPower = known["TxPower"]?.int16Value.flatMap { Int8(exactly: $0) }
    isConnectable = !Self.isForNobody(known)
  }

  /// Whether the address is a non-resolvable private one, which is assumed to belong to a device that only
  /// broadcasts: the daemon does not report the type of an advertisement.
  private static func isForNobody(_ known: BlueZTree.Properties) -> Bool {
    guard known["AddressType"]?.stringValue == "random",
      let first = known["Address"]?.stringValue?.prefix(2), let octet = UInt8(first, radix: 16)
    else { return false }
    return octet >> 6 == 0
  }

  /// The properties of the `LEAdvertisement1` object for this advertisement.
  func properties(interval: Duration) -> [(String, BusValue)] {
    var properties: [(String, BusValue)] = [("Type", .string(isConnectable ? "peripheral" : "broadcast"))]
    if isConnectable { properties.append(("Discoverable", .bool(true))) }
    if !manufacturerData.isEmpty {
      let entries = manufacturerData.map { BusEntry(.uint16($0.company), .variant(.bytes($0.octets))) }
      properties.append(("ManufacturerData", .dictionary(key: "q", value: "v", entries)))
    }
    if !services.isEmpty { properties.append(("ServiceUUIDs", .strings(services.map(\.fullText)))) }
    if !solicitedServices.isEmpty {
      properties.append(("SolicitUUIDs", .strings(solicitedServices.map(\.fullText))))
    }
    if !serviceData.isEmpty {
      properties.append(
        ("ServiceData", .options(serviceData.map { ($0.service.fullText, .bytes($0.octets)) })))
    }
    if let name { properties.append(("LocalName", .string(name))) }
    if transmitPower != nil { properties.append(("Includes", .strings(["tx-power"]))) }
    // The daemon accepts 20 ms to 10.485 s.
    let milliseconds = UInt32(min(max(interval / .milliseconds(1), 20), 10485))
    properties += [("MinInterval", .uint32(milliseconds)), ("MaxInterval", .uint32(milliseconds))]
    return properties
  }
}

extension BluetoothUUID {
  /// The 36-character form, which the daemon uses for all UUIDs.
  var fullText: String {
    let digits = octets.map { octet in
      (octet < 16 ? "0" : "") + String(octet, radix: 16)
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}
