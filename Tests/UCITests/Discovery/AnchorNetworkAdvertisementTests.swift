import NearbyUCI
import Testing

/// The octets are those of the tests of Android's `DlTdoaRangingParams`.
@Suite("Advertisements of anchor networks") struct AnchorNetworkAdvertisementTests {
  static let full =
    "5f19 0200 06022008 14010c 27020807 2806cac8a6f76f08 08026009 1b010a 0904e8030000 9f0467452301"

  @Test("Bluetooth service data gives the session and its parameters")
  func bluetooth() throws {
    let advertisement = try AnchorNetworkAdvertisement(octets: hex(Self.full))
    #expect(advertisement.networkIdentifier == 0x0123_4567)
    #expect(
      try advertisement.appParameters() == [
        .deviceAddress(.short(0x0820)), .preambleCodeIndex(12), .vendorID(0x0708),
        .staticSTSIV([0xCA, 0xC8, 0xA6, 0xF7, 0x6F, 0x08]), .slotDuration(rstu: 2400), .slotsPerRound(10),
        .rangingDuration(milliseconds: 1000), .channel(.nine),
      ])
    #expect(advertisement.octets == hex(Self.full))
  }

  @Test("The smallest advertisement is a session id, and the rest has default values")
  func smallest() throws {
    let advertisement = try AnchorNetworkAdvertisement(octets: hex("58 0200 9f0467452301"))
    #expect(advertisement == AnchorNetworkAdvertisement(networkIdentifier: 0x0123_4567))
    #expect(try advertisement.appParameters() == AnchorNetworkAdvertisement.defaults)
    #expect(advertisement.rounds.isEmpty)
  }

  @Test("Rounds come from the initiator's list and from the time synchronisation")
  func rounds() throws {
    let listed = try AnchorNetworkAdvertisement(octets: hex("5b 0200 9f0467452301 520105"))
    #expect(listed.rounds == [5])
    let octets = hex("5c 0200 06021122 9f0467452301 bf00 01 03 aabb 00000000 0000 07 01 ccdd 08")
    let timed = try AnchorNetworkAdvertisement(octets: octets)
    #expect(timed.rounds == [7, 8])
    #expect(
      timed.timeSync
        == AnchorTimeSync(
          address: .short(0xBBAA), offset: .init(time: 0, uncertainty: 0), round: 7,
          initiators: [.init(address: .short(0xDDCC), round: 8)]))
    #expect(timed.octets == octets)
  }

  @Test("The order of the parameters doesn't matter")
  func order() throws {
    let octets = hex("5c 0200 9f0467452301 06021122 bf00 01 03 aabb 00000000 0000 07 01 ccdd 08")
    let other = hex("5c 0200 06021122 9f0467452301 bf00 01 03 aabb 00000000 0000 07 01 ccdd 08")
    #expect(
      try AnchorNetworkAdvertisement(octets: octets) == AnchorNetworkAdvertisement(octets: other))
  }

  @Test("Service data in two parts is the advertisement split in two")
  func parts() throws {
    let whole = hex(Self.full)
    let first = AnchorAdvertisementPart(serviceData: hex("f4") + whole.prefix(15))
    let second = AnchorAdvertisementPart(serviceData: hex("f5") + whole.dropFirst(15))
    #expect(first == .first(Array(whole.prefix(15))))
    #expect(second == .second(Array(whole.dropFirst(15))))
    #expect(AnchorAdvertisementPart(serviceData: whole) == .whole(whole))
    #expect(AnchorAdvertisementPart(serviceData: [0xF0] + whole) == .whole(whole))
    let advertisement = try AnchorNetworkAdvertisement(octets: whole)
    #expect(advertisement.parts(capacity: 16) == [first, second])
    #expect(advertisement.parts(capacity: 255) == [.whole(whole)])
    #expect(first.serviceData == [0xF4] + whole.prefix(15))
  }

  @Test(
    "Long elements have a length of two or three octets", arguments: [14, 15, 16, 254, 269, 270, 271, 500])
  func lengths(count: Int) throws {
    var advertisement = AnchorNetworkAdvertisement(networkIdentifier: 7)
    // The head and the session id take 8 octets, each parameter 2 more than its value.
    var left = count - 8
    while left >= 2 {
      let size = min(left - 2, 200)
      advertisement.parameters.append(UCITLV(id: 0xF0, value: [UInt8](repeating: 1, count: size)))
      left -= size + 2
    }
    let octets = advertisement.octets
    #expect(octets.count == count - left + (count - left < 15 ? 1 : count - left < 270 ? 2 : 3))
    #expect(try AnchorNetworkAdvertisement(octets: octets) == advertisement)
  }

  @Test("A cut advertisement, one without a session id and one of another profile are refused")
  func malformed() throws {
    let octets = hex("5c 0200 9f0467452301 06021122 bf00 01 03 aabb 00000000 0000 07 01 ccdd 08")
    for count in octets.indices where count != 13 {
      #expect(throws: UCIError.self) { try AnchorNetworkAdvertisement(octets: Array(octets.prefix(count))) }
    }
    // The first 13 octets are a whole advertisement without time synchronisation.
    #expect(try AnchorNetworkAdvertisement(octets: Array(octets.prefix(13))).timeSync == nil)
    #expect(throws: UCIError.leftover(.sessionID, count: 6)) {
      try AnchorNetworkAdvertisement(octets: hex("55 0200 520105"))
    }
    #expect(throws: UCIError.unsupported(.version, value: 3)) {
      try AnchorNetworkAdvertisement(octets: hex("58 0300 9f0467452301"))
    }
    #expect(throws: UCIError.wrongLength(parameter: 0x9F, found: 2)) {
      try AnchorNetworkAdvertisement(octets: hex("56 0200 9f026745"))
    }
  }
}
