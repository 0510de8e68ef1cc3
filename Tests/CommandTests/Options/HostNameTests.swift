import Testing

@testable import nearby

@Suite("Default names")
struct HostNameTests {
  @Test("A device's default name is NEARBY_DEVICE if valid, otherwise the host's name")
  func own() {
    #expect(HostName.own(["NEARBY_DEVICE": "Anna"]) == "Anna")
    for environment in [[:], ["NEARBY_DEVICE": ""], ["NEARBY_DEVICE": String(repeating: "x", count: 64)]] {
      #expect(HostName.own(environment) == HostName.short)
    }
  }
}
