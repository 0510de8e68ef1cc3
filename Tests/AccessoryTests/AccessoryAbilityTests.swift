import NearbyAccessoryProtocol
import NearbyDeviceMachine
import NearbyUCI
import Testing

/// The configuration data that phones receive depends on the chip and on the program's settings.
@Suite("An accessory's configuration data")
struct AccessoryAbilityTests {
  private func configuration(
    _ capabilities: [UCICapability], _ change: (inout AccessorySettings) -> Void = { _ in }
  ) throws -> AccessoryConfigurationData? {
    var settings = AccessorySettings()
    settings.version = .v2_0
    change(&settings)
    var machine = AccessoryMachine(settings: settings, address: 0xDA05)
    machine.chipReady(
      UCICapabilities(tlvs: capabilities.compactMap { $0.tlv(dialect: .v2) }, dialect: .v2), at: .zero)
    for case .serve(let octets) in machine.takeActions() { return try AccessoryConfigurationData(octets) }
    return nil
  }

  @Test("Each update rate is sent as its protocol code and as a ranging interval")
  func updateRates() throws {
    let rows: [(AccessoryUpdateRate, UInt8, UInt16)] = [
      (.automatic, 0, 120), (.infrequent, 10, 720), (.userInteractive, 20, 180),
    ]
    for (rate, octet, milliseconds) in rows {
      let data = try #require(try configuration([]) { $0.updateRate = rate })
      #expect(data.octets[4] == octet)
      #expect(data.uwb.wishes?.intervalMilliseconds == milliseconds)
    }
  }

  @Test("Slots, interval and hopping match the chip's capabilities")
  func wishes() throws {
    let slow = try #require(
      try configuration([
        .number(.minSlotRSTU, 2500, size: 4), .number(.minRangingIntervalMilliseconds, 300, size: 4),
        .number(.hopping, 1, size: 1),
      ]))
    #expect(slow.uwb.wishes?.slotDurationRSTU == 3600)
    #expect(slow.uwb.wishes?.intervalMilliseconds == 300)
    #expect(slow.uwb.wishes?.hopping == 1)
    let plain = try #require(try configuration([.number(.hopping, 0, size: 1)]))
    #expect(plain.uwb.wishes?.slotDurationRSTU == 2400)
    #expect(plain.uwb.wishes?.hopping == 0)
  }

  @Test("A minimum slot duration of over 65 535 RSTU is sent as 65 535")
  func longestSlots() throws {
    for slot in [UInt64(UInt32.max), UInt64(UInt32.max) - 1198, 65_536] {
      let data = try #require(try configuration([.number(.minSlotRSTU, slot, size: 4)]))
      #expect(data.uwb.wishes?.slotDurationRSTU == 65_535)
    }
  }

  @Test("A chip that lacks static STS or the configured role can't be used for an accessory")
  func unsuitable() throws {
    #expect(try configuration([.number(.stsConfigurations, 0x08, size: 1)]) == nil)
    #expect(try configuration([.number(.deviceRoles, 0x02, size: 2)]) == nil)
    #expect(try configuration([.number(.deviceRoles, 0x02, size: 2)]) { $0.role = .initiator } != nil)
  }

  @Test("The hopping mode depends on role, chip, protocol version and the phone's data")
  func hopping() throws {
    let rows:
      [(role: AccessoryRangingRole, mask: UInt64, version: AccessoryVersion, told: UInt8, mode: UInt8)] =
        [
          (.initiator, 3, .v1_1, 0, 2), (.initiator, 3, .v2_0, 1, 2), (.initiator, 3, .v2_0, 0, 0),
          (.initiator, 1, .v2_0, 1, 1), (.initiator, 1, .v1_1, 0, 0), (.responder, 3, .v2_0, 1, 1),
          (.responder, 3, .v1_1, 0, 0),
        ]
    for row in rows {
      var settings = AccessorySettings()
      settings.role = row.role
      settings.version = .v2_0
      var machine = AccessoryMachine(settings: settings, address: 0xDA05)
      let hopping = UCICapability.number(.hopping, row.mask, size: 1).tlv(dialect: .v2)
      machine.chipReady(UCICapabilities(tlvs: [hopping].compactMap(\.self), dialect: .v2), at: .zero)
      let phone = PhoneAtAccessory(number: 1)
      machine.connected(phone, at: .zero)
      machine.received([0x0A], from: phone, at: .zero)
      var data = ShareableConfigurationData(
        version: row.version, sessionID: 7, initialVector: [1, 2, 3, 4, 5, 6], phoneAddress: 0x7570)
      data.hopping = row.told
      machine.received([0x0B] + data.octets, from: phone, at: .zero)
      let request = machine.takeActions().compactMap { action in
        if case .open(let request) = action { request } else { nil }
      }.first
      #expect(request?.parameters.contains(.hoppingMode(row.mode)) == true, "\(row)")
    }
  }
}
