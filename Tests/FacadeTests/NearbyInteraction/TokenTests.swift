import Foundation
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Discovery tokens")
struct TokenTests {
  static func token(seed: UInt64 = 1) -> NIDiscoveryToken? {
    World(seed: seed).addPhone("Ann").launch { NISession().discoveryToken }
  }

  static func archive(_ object: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  @Test("An archived token is equal to the original, also as a key")
  func roundTrip() throws {
    let token = try #require(Self.token())
    let data = try Self.archive(token)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data))
    #expect(read == token)
    #expect(read !== token)
    #expect(read.hash == token.hash)
    #expect([token: "Ann"][read] == "Ann")
    #expect(read.deviceCapabilities.supportsPreciseDistanceMeasurement)
    #expect(String(data: data, encoding: .utf8) == nil, "apps distinguish tokens from names by this")
  }

  @Test("Each session has its own token")
  func unique() throws {
    let phone = World(seed: 1).addPhone("Ann")
    let sessions = phone.launch { (0..<20).map { _ in NISession() } }
    let tokens = sessions.compactMap(\.discoveryToken)
    #expect(Set(tokens).count == 20)
  }

  @Test("A well-formed archive of another class throws")
  func otherClass() throws {
    for object in ["text" as NSString, ["a": "b"] as NSDictionary, NSDate(), NSNumber(value: 3)] {
      let data = try Self.archive(object)
      #expect(throws: CocoaError.self) {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
      }
    }
    let world = World(seed: 1)
    let recorder = world.addPhone("Ann").launch { Recorder() }
    let token = try #require(recorder.token)
    let nested = try Self.archive([token, "text" as NSString] as NSArray)
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: nested)
    }
  }

  @Test("Octets that are not an archive throw")
  func garbage() throws {
    let data = try Self.archive(try #require(Self.token()))
    let listed = try PropertyListSerialization.data(
      fromPropertyList: ["$archiver": "NSKeyedArchiver"], format: .xml, options: 0)
    for wrong in [Data(), Data([1, 2, 3]), Data("{}".utf8), data.prefix(data.count - 7), listed] {
      #expect(throws: (any Error).self) {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: wrong)
      }
    }
  }

  @Test("An archive with a changed octet gives the original token or throws, and never traps")
  func changedOctets() throws {
    let token = try #require(Self.token())
    let data = try Self.archive(token)
    for index in data.indices {
      // The last values turn other objects of the archive into sets, dictionaries, arrays and references.
      for value: UInt8 in [
        data[index] ^ 0x01, data[index] ^ 0x80, ~data[index], 0xC1, 0xD1, 0xA1, 0x81, 0x1F,
      ] {
        var changed = data
        changed[index] = value
        let read = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: changed)
        #expect(read == nil || read == token)
      }
    }
  }

  @Test("Configurations keep their values through archiving and copying")
  func configuration() throws {
    let token = try #require(Self.token())
    let configuration = NINearbyPeerConfiguration(peerToken: token)
    #expect(!configuration.isCameraAssistanceEnabled)
    #expect(!configuration.isExtendedDistanceMeasurementEnabled)
    configuration.isExtendedDistanceMeasurementEnabled = true
    let copy = try #require(configuration.copy() as? NINearbyPeerConfiguration)
    configuration.isExtendedDistanceMeasurementEnabled = false
    #expect(copy.isExtendedDistanceMeasurementEnabled)
    #expect(copy.peerDiscoveryToken == token)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(
        ofClass: NINearbyPeerConfiguration.self, from: try Self.archive(copy)))
    #expect(read == copy)
    #expect(read != configuration)
  }
}

@Suite("Errors")
struct ErrorTests {
  @Test("All common ways to match an error work")
  func matching() {
    let error: any Error = NIError(.userDidNotAllow)
    var isMatched = false
    if case NIError.userDidNotAllow = error { isMatched = true }
    #expect(isMatched)
    switch error {
    case NIError.invalidConfiguration: Issue.record("matched the wrong code")
    case NIError.userDidNotAllow: break
    default: Issue.record("matched nothing")
    }
    #expect((error as? NIError)?.code == .userDidNotAllow)
    #expect((error as NSError).code == -5884)
    #expect((error as NSError).domain == NIErrorDomain)
    #expect(!error.localizedDescription.isEmpty)
  }

  @Test("Every code has Apple's number")
  func numbers() {
    #expect(NIError.Code.allCases.map(\.rawValue) == Array(-5889...(-5880)))
  }
}
