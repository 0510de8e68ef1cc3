import ARKit
import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting
import TestSupport
import Testing

@testable import NearbySafeArchives

@Suite("Unarchivers that apps create themselves")
struct HandMadeUnarchiverTests {
  private let ours: [any NSObject & NSSecureCoding]

  init() throws { ours = try Specimens.all() }

  /// Archives each object under its own key, as an app does that writes several things at once.
  private static func archive(_ objects: [String: any NSObject & NSSecureCoding]) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    for (key, object) in objects.sorted(by: { $0.key < $1.key }) { archiver.encode(object, forKey: key) }
    archiver.encode(7, forKey: "count")
    archiver.finishEncoding()
    return archiver.encodedData
  }

  private static func unarchiver(_ data: Data, isSecure: Bool) throws -> NSKeyedUnarchiver {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    if isSecure { unarchiver.requiresSecureCoding = true }
    return unarchiver
  }

  @Test("Several objects and values are read by their keys", arguments: [true, false])
  func keys(isSecure: Bool) throws {
    let data = Self.archive(["token": ours[0], "peer": ours[2], "note": "hello" as NSString])
    let unarchiver = try Self.unarchiver(data, isSecure: isSecure)
    #expect(unarchiver.decodeObject(of: NIDiscoveryToken.self, forKey: "token") == ours[0])
    #expect(unarchiver.decodeInteger(forKey: "count") == 7)
    #expect(unarchiver.decodeObject(of: MCPeerID.self, forKey: "peer") == ours[2])
    let several: [AnyClass] = [NSString.self, MCPeerID.self]
    #expect(unarchiver.decodeObject(of: several, forKey: "note") as? String == "hello")
    #expect(try unarchiver.decodeTopLevelObject(of: MCPeerID.self, forKey: "peer") == ours[2])
    #expect(unarchiver.decodeObject(of: MCPeerID.self, forKey: "nobody") == nil)
    unarchiver.finishDecoding()
    #expect(unarchiver.error == nil)
  }

  @Test(
    "An object of another class gives nil or throws, and the unarchiver keeps the error",
    arguments: [true, false])
  func wrongClasses(isSecure: Bool) throws {
    for object in ours + Specimens.others(ours) {
      let data = Self.archive(["object": object])
      let isToken = object is NIDiscoveryToken
      let plain = try Self.unarchiver(data, isSecure: isSecure)
      #expect((plain.decodeObject(of: NIDiscoveryToken.self, forKey: "object") != nil) == isToken)
      #expect((plain.error == nil) == isToken)
      // After an error an unarchiver returns nothing more.
      if !isToken { #expect(plain.decodeObject(of: [type(of: object)], forKey: "object") == nil) }

      let list = try Self.unarchiver(data, isSecure: isSecure)
      let classes: [AnyClass] = [NIDiscoveryToken.self, NINearbyObject.self]
      #expect((list.decodeObject(of: classes, forKey: "object") != nil) == isToken)

      let throwing = try Self.unarchiver(data, isSecure: isSecure)
      if isToken {
        #expect(try throwing.decodeTopLevelObject(of: classes, forKey: "object") != nil)
      } else {
        #expect(throws: CocoaError.self) {
          try throwing.decodeTopLevelObject(of: NIDiscoveryToken.self, forKey: "object")
        }
      }
    }
  }

  @Test("An object of the wrong class gives nil after other values were read")
  func late() throws {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Self.archive(["peer": ours[2]]))
    unarchiver.requiresSecureCoding = true
    #expect(unarchiver.decodeInteger(forKey: "count") == 7)
    #expect(unarchiver.decodeObject(of: NIDiscoveryToken.self, forKey: "peer") == nil)
  }

  @Test("A class set for a name on the unarchiver is the one that is decoded")
  func mapped() throws {
    final class Successor: NSObject, NSSecureCoding {
      static var supportsSecureCoding: Bool { true }
      init?(coder: NSCoder) {}
      func encode(with coder: NSCoder) {}
    }
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Self.archive(["chain": Chain(nil)]))
    unarchiver.setClass(Successor.self, forClassName: NSStringFromClass(Chain.self))
    #expect(unarchiver.decodeObject(of: Successor.self, forKey: "chain") != nil)
  }

  @Test("A nested object decodes its own keys")
  func inside() throws {
    let data = Self.archive(["contact": ours[4], "peer": "not this one" as NSString])
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    let contact = unarchiver.decodeObject(of: Contact.self, forKey: "contact")
    #expect(contact?.peer == ours[2])
    #expect(contact?.token == ours[0])
  }

  @Test("The unarchiver's delegate is still called")
  func delegate() throws {
    final class Listener: NSKeyedUnarchiverDelegate {
      var finished = 0
      func unarchiver(
        _ unarchiver: NSKeyedUnarchiver, cannotDecodeObjectOfClassName name: String,
        originalClasses classNames: [String]
      ) -> AnyClass? { nil }
      func unarchiver(_ unarchiver: NSKeyedUnarchiver, didDecode object: Any?) -> Any? { object }
      func unarchiver(_ unarchiver: NSKeyedUnarchiver, willReplace object: Any, with newObject: Any) {}
      func unarchiverWillFinish(_ unarchiver: NSKeyedUnarchiver) { finished += 1 }
      func unarchiverDidFinish(_ unarchiver: NSKeyedUnarchiver) {}
    }
    let listener = Listener()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Self.archive(["token": ours[0]]))
    unarchiver.delegate = listener
    #expect(unarchiver.decodeObject(of: NIDiscoveryToken.self, forKey: "token") == ours[0])
    unarchiver.finishDecoding()
    #expect(listener.finished == 1)
  }

  @Test("Creating an unarchiver for a truncated archive throws")
  func cut() throws {
    let data = Self.archive(["token": ours[0], "peer": ours[2]])
    for count in 0..<data.count {
      #expect(throws: (any Error).self) { try NSKeyedUnarchiver(forReadingFrom: data.prefix(count)) }
    }
  }

  /// Changes names and references of an archive but keeps its format, so that Foundation can still parse it.
  private static func changed(_ archive: Data, using random: inout SeededGenerator) -> Data {
    var data = archive
    let end = data.suffix(8).reduce(0) { $0 << 8 | Int($1) }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 8..<end, using: &random)
      let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
      if data[place - 1] == 0x80, data[place] < 32 {
        data[place] = .random(in: 0..<32, using: &random)
      } else if letters.contains(data[place]) {
        data[place] = .random(in: letters, using: &random)
      }
    }
    return data
  }

  @Test("Archives with changed names and references do not trap or give a different token", arguments: 1...4)
  func changed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let classes: [AnyClass] = [
      NIDiscoveryToken.self, MCPeerID.self, Contact.self, NSString.self, NSArray.self,
    ]
    for object in ours + Specimens.others(ours) {
      let archive = Self.archive(["object": object])
      for _ in 0..<60 {
        let data = Self.changed(archive, using: &random)
        guard let unarchiver = try? Self.unarchiver(data, isSecure: seed % 2 == 0) else { continue }
        _ = unarchiver.decodeObject(of: classes, forKey: "object")
        let again = try Self.unarchiver(data, isSecure: seed % 2 == 0)
        let token = try? again.decodeTopLevelObject(of: NIDiscoveryToken.self, forKey: "object")
        #expect(token == nil || token == ours[0], "seed \(seed)")
      }
    }
  }

  @Test("Objects nested a thousand deep give nil and an error")
  func deep() throws {
    var chain = Chain(nil)
    for _ in 0..<1000 { chain = Chain(chain) }
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Self.archive(["chain": chain]))
    unarchiver.requiresSecureCoding = true
    #expect(unarchiver.decodeObject(of: Chain.self, forKey: "chain") == nil)
    #expect(unarchiver.error != nil)
  }

  @Test("A list of classes with protocol types is accepted, and other classes throw")
  func variable() throws {
    let classes: [any (NSObject & NSSecureCoding).Type] = [NIDiscoveryToken.self, NSString.self]
    let token = try NSKeyedArchiver.archivedData(withRootObject: ours[0], requiringSecureCoding: true)
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: token) as? NSObject == ours[0])
    let peer = try NSKeyedArchiver.archivedData(withRootObject: ours[2], requiringSecureCoding: true)
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: peer)
    }
  }

  @Test("Arrays and dictionaries of several classes are decoded, and other classes throw")
  func collections() throws {
    let list = try NSKeyedArchiver.archivedData(
      withRootObject: [ours[0], ours[2]] as NSArray, requiringSecureCoding: true)
    let classes: [AnyClass] = [NIDiscoveryToken.self, MCPeerID.self]
    #expect(try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClasses: classes, from: list)?.count == 2)
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClasses: [MCPeerID.self] as [AnyClass], from: list)
    }
    let table = try NSKeyedArchiver.archivedData(
      withRootObject: ["a": ours[0], "b": ours[2]] as NSDictionary, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedDictionary(
      ofKeyClasses: [NSString.self], objectClasses: classes, from: table)
    #expect(read?["b"] as? MCPeerID == ours[2])
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedDictionary(
        ofKeyClasses: [NSString.self], objectClasses: [MCPeerID.self], from: table)
    }
  }
}
