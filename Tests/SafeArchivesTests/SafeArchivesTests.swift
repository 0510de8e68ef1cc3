import ARKit
import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting
import TestSupport
import Testing

@testable import NearbySafeArchives

@Suite("Archives from peers")
struct SafeArchivesTests {
  private let ours: [any NSObject & NSSecureCoding]

  init() throws { ours = try Specimens.all() }

  private static func archive(_ object: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  /// The call with which every app reads an object, for each class of ours.
  private static let readers: [(String, @Sendable (Data) throws -> NSObject?)] = [
    (
      "NIDiscoveryToken", { try NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: $0) }
    ),
    (
      "NINearbyPeerConfiguration",
      { try NSKeyedUnarchiver.unarchivedObject(ofClass: NINearbyPeerConfiguration.self, from: $0) }
    ),
    ("MCPeerID", { try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: $0) }),
    ("ARAnchor", { try NSKeyedUnarchiver.unarchivedObject(ofClass: ARAnchor.self, from: $0) }),
    ("Contact", { try NSKeyedUnarchiver.unarchivedObject(ofClass: Contact.self, from: $0) }),
    ("NINearbyObject", { try NSKeyedUnarchiver.unarchivedObject(ofClass: NINearbyObject.self, from: $0) }),
    (
      "NIAlgorithmConvergence",
      { try NSKeyedUnarchiver.unarchivedObject(ofClass: NIAlgorithmConvergence.self, from: $0) }
    ),
    ("ARWorldMap", { try NSKeyedUnarchiver.unarchivedObject(ofClass: ARWorldMap.self, from: $0) }),
  ]

  @Test("Each class decodes its own archives and throws for those of any other class")
  func classes() throws {
    let archives = try (ours + Specimens.others(ours)).map { try Self.archive($0) }
    for (reader, read) in Self.readers.enumerated() {
      for (index, archive) in archives.enumerated() {
        if index == reader, reader < ours.count {
          #expect(try read.1(archive) != nil, "\(read.0)")
        } else {
          #expect(throws: CocoaError.self, "\(read.0) of \(index)") { try read.1(archive) }
        }
      }
    }
  }

  @Test("Decoded objects equal the archived ones")
  func roundTrips() throws {
    for (index, object) in ours.prefix(3).enumerated() {
      #expect(try Self.readers[index].1(try Self.archive(object))?.isEqual(object) == true)
    }
    let contact = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: Contact.self, from: try Self.archive(ours[4]))
    #expect(contact?.note == "ünïcødé 🐙")
    #expect(contact?.peer == ours[2])
    #expect(contact?.token == ours[0])
    #expect(contact?.numbers == [1, 2, 3])
    #expect(contact?.weight == 1.5)
    let anchor = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: ARAnchor.self, from: try Self.archive(ours[3]))
    #expect(anchor?.transform == matrix_identity_float4x4)
    #expect(anchor?.name == "here")
    // Read as the base class of all configurations.
    let any = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NIConfiguration.self, from: try Self.archive(ours[1]))
    #expect(any == ours[1] as? NIConfiguration)
  }

  @Test("Foundation's objects survive archiving")
  func foundation() throws {
    for object in Specimens.others(ours) {
      let data = try Self.archive(object)
      let read = try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: [
          NSString.self, NSNumber.self, NSData.self, NSDate.self, NSUUID.self, NSURL.self, NSNull.self,
          NSArray.self, NSSet.self, NSDictionary.self, NSOrderedSet.self, NIDiscoveryToken.self,
          NINearbyPeerConfiguration.self, MCPeerID.self, ARAnchor.self, Contact.self,
        ], from: data)
      let again = try #require(read as? NSObject, "\(type(of: object))")
      // Anchors and contacts are equal only to themselves.
      if object !== Specimens.others(ours).last, (object as? NSArray)?.count != 5 {
        #expect(again.isEqual(object), "\(type(of: object)) \(again)")
      }
    }
  }

  @Test("With several allowed classes any of them is decoded, and any other throws")
  func several() throws {
    let token = try Self.archive(ours[0])
    let peer = try Self.archive(ours[2])
    for data in [token, peer] {
      let read = try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: [NIDiscoveryToken.self, MCPeerID.self], from: data)
      #expect(read is NIDiscoveryToken || read is MCPeerID)
    }
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NIDiscoveryToken.self, NSString.self], from: peer)
    }
    let list = try Self.archive([ours[2], ours[2]] as NSArray)
    #expect(try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: MCPeerID.self, from: list)?.count == 2)
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NIDiscoveryToken.self, from: list)
    }
    let table = try Self.archive(["ann": ours[2]] as NSDictionary)
    let read = try NSKeyedUnarchiver.unarchivedDictionary(
      ofKeyClass: NSString.self, objectClass: MCPeerID.self, from: table)
    #expect(read?["ann"] == ours[2] as? MCPeerID)
  }

  @Test("Every truncated archive throws")
  func cut() throws {
    for object in ours + Specimens.others(ours) {
      let data = try Self.archive(object)
      for count in 0..<data.count {
        for (name, read) in Self.readers.prefix(2) {
          #expect(throws: (any Error).self, "\(name), \(count)") { try read(data.prefix(count)) }
        }
      }
    }
  }

  @Test("Archives with changed octets throw or give an object of the requested class", arguments: 1...4)
  func changed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let archives = try (ours + Specimens.others(ours)).map { try Self.archive($0) }
    for archive in archives {
      for _ in 0..<150 {
        var data = archive
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          data[Int.random(in: 0..<data.count, using: &random)] =
            Bool.random(using: &random)
            ? .random(in: 0...255, using: &random)
            : [0xA1, 0xC1, 0xD1, 0x81, 0x1F, 0x80].randomElement(using: &random) ?? 0
        }
        for (_, read) in Self.readers { _ = try? read(data) }
        if let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data) {
          #expect(token == ours[0], "seed \(seed)")
        }
      }
    }
  }

  @Test("Archives whose class names were changed throw")
  func swappedNames() throws {
    // The same octets under another class name, as a peer may write them.
    var data = try Self.archive(ours[0])
    for (from, to) in [("NIDiscoveryToken", "NINearbyObjectXY"), ("NIDiscoveryToken", "NIDiscoveryTokem")] {
      var changed = data
      while let place = changed.range(of: Data(from.utf8)) {
        changed.replaceSubrange(place, with: Data(to.utf8))
      }
      for (_, read) in Self.readers { #expect(throws: (any Error).self) { try read(changed) } }
    }
    data = try Self.archive(ours[4])
    while let place = data.range(of: Data("NIDiscoveryToken".utf8)) {
      data.replaceSubrange(place, with: Data("NIDiscoveryTokem".utf8))
    }
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClass: Contact.self, from: data)
    }
  }

  @Test("Equal objects have equal archives, and Foundation can decode them")
  func settled() throws {
    for object in ours {
      let archives = try (0..<20).map { _ in
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
      }
      #expect(Set(archives).count == 1)
    }
    let peers = try ours.map { try Self.archive($0) }
    #expect(Set(peers).count == ours.count)
    guard let contact = ours[4] as? Contact else { return }
    let data = try NSKeyedArchiver.archivedData(withRootObject: contact, requiringSecureCoding: true)
    let classes: [AnyClass] = [Contact.self]
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? Contact
    #expect(read?.note == contact.note)
    #expect(read?.numbers == [1, 2, 3])
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: Contact.self, from: data)?.token == contact.token)
    let long = try NSKeyedArchiver.archivedData(
      withRootObject: Array(0..<400) as NSArray, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NSArray.self, from: long) == Array(0..<400) as NSArray)
  }

  @Test("Objects nested a thousand deep throw instead of exhausting the stack")
  func deep() throws {
    var chain = Chain(nil)
    for _ in 0..<1000 { chain = Chain(chain) }
    let data = try Self.archive(chain)
    for (_, read) in Self.readers { #expect(throws: CocoaError.self) { try read(data) } }
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClass: Chain.self, from: data)
    }
    let short = try Self.archive(Chain(Chain(nil)))
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: Chain.self, from: short)?.next != nil)
  }
}
