import NearbyBluetooth

/// What an accessory must advertise so that a picker offers it: the Bluetooth part of `ASDiscoveryDescriptor`.
package struct SetupDescriptor: Hashable, Sendable {
  /// Octets to compare at the beginning of an advertiser's data; where the mask has a 0 bit, any bit matches.
  package struct Pattern: Hashable, Sendable {
    package var octets: [UInt8]
    /// `nil` compares every bit.
    package var mask: [UInt8]?
    package init(_ octets: [UInt8], mask: [UInt8]? = nil) {
      self.octets = octets
      self.mask = mask
    }

    func matches(_ data: [UInt8]) -> Bool {
      guard data.count >= octets.count else { return false }
      return zip(data, octets).enumerated().allSatisfy { index, pair in
        let mask = mask.map { index < $0.count ? $0[index] : 0xFF } ?? 0xFF
        return (pair.0 ^ pair.1) & mask == 0
      }
    }
  }

  package var service: BluetoothUUID?
  /// A company identifier assigned by the Bluetooth SIG.
  package var company: UInt16?
  /// For the data after the company identifier.
  package var manufacturerData: Pattern?
  /// For the data of `service`.
  package var serviceData: Pattern?
  /// A part of the advertised name.
  package var nameSubstring: String?
  package var ignoresCase = false
  /// Whether the accessory must be beside the device.
  package var isImmediate = false
  /// Whether the picker pairs with the accessory.
  package var pairs = false

  package init() {}

  /// The weakest signal, in dBm, that counts as beside the device: that of a usual accessory at half a metre.
  static let immediatePower = -55

  /// Whether a picker can look for it: it names a service or a company, data patterns belong to what is named, and a
  /// mask is as long as its pattern.
  package var isValid: Bool {
    guard service != nil || company != nil else { return false }
    guard manufacturerData == nil || company != nil, serviceData == nil || service != nil else {
      return false
    }
    return [manufacturerData, serviceData].allSatisfy { pattern in
      guard let pattern, let mask = pattern.mask else { return true }
      return mask.count == pattern.octets.count
    }
  }

  /// Whether an advertisement received with this power, in dBm, fulfils all conditions.
  package func matches(_ advertisement: Advertisement, power: Int) -> Bool {
    guard isValid, !isImmediate || power >= Self.immediatePower else { return false }
    if let service {
      let offered = advertisement.services + advertisement.overflowServices
      let data = advertisement.serviceData.filter { $0.service == service }
      guard offered.contains(service) || !data.isEmpty else { return false }
      if let serviceData, !data.contains(where: { serviceData.matches($0.octets) }) { return false }
    }
    if let company {
      let data = advertisement.manufacturerData.filter { $0.company == company }
      guard !data.isEmpty else { return false }
      if let manufacturerData, !data.contains(where: { manufacturerData.matches($0.octets) }) { return false }
    }
    return matchesName(advertisement.name)
  }

  private func matchesName(_ name: String?) -> Bool {
    guard let nameSubstring, !nameSubstring.isEmpty else { return true }
    guard let name else { return false }
    return ignoresCase
      ? name.lowercased().contains(nameSubstring.lowercased()) : name.contains(nameSubstring)
  }
}

/// What an app declares in its `Info.plist` about the accessories that it sets up.
package struct SetupUsage: Hashable, Sendable {
  package var services: Set<BluetoothUUID>
  package var companies: Set<UInt16>
  package var names: Set<String>

  package init(services: Set<BluetoothUUID>, companies: Set<UInt16>, names: Set<String>) {
    self.services = services
    self.companies = companies
    self.names = names
  }

  /// Whether the app has declared everything that a descriptor uses.
  package func covers(_ descriptor: SetupDescriptor) -> Bool {
    descriptor.service.map(services.contains) != false && descriptor.company.map(companies.contains) != false
      && descriptor.nameSubstring.map(names.contains) != false
  }
}
