import Testing

@testable import nearby

@Suite("Default names")
struct HostNameTests {
  @Test("Every command's device is called NEARBY_DEVICE, or else like the host")
  func own() {
    #expect(HostName.own(["NEARBY_DEVICE": "Anna"]) == "Anna")
    for environment in [[:], ["NEARBY_DEVICE": ""], ["NEARBY_DEVICE": String(repeating: "x", count: 64)]] {
      #expect(HostName.own(environment) == HostName.short)
    }
  }
}
