import Foundation
import Glibc
import NearbyBluetooth
import TestSupport
import Testing

@testable import NearbyBlueZ

/// Round trips of values over a bus, and invalid messages.
@Suite("D-Bus messages", .needs(.dbusDaemon), .timeLimit(.minutes(3)), .ownThreads)
struct CodecTests {
  private static let values: [BusValue] = [
    .byte(255), .bool(true), .bool(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
    .int64(.min), .uint64(.max), .double(-0.5), .string(""), .string("größer als ∅"), .path("/"),
    .signature("a{sv}"),
    .bytes([]), .bytes([0, 1, 255]), .array(of: "o", []), .array(of: "i", [.int32(1), .int32(-1)]),
    .array(of: "(ss)", [.structure([.string("a"), .string("b")])]), .options(),
    .options(["a": .byte(1), "b": .variant(.strings(["x"]))]),
    .dictionary(key: "q", value: "v", [BusEntry(.uint16(0x4C), .variant(.bytes([2, 0x15])))]),
    .dictionary(key: "o", value: "a{sa{sv}}", []),
    .structure([.byte(1), .structure([.uint64(2), .array(of: "ay", [.bytes([3])])])]),
    .variant(.variant(.variant(.string("deep")))),
  ]

  @Test("Every type of value survives a round trip over the bus")
  func roundTrip() throws {
    let bus = try PrivateBus()
    let echo = try FakeBlueZ(on: bus, name: "org.example.Echo")
    echo.on("Echo") { call, answer in answer.give(call.body) }
    let caller = try FakeBlueZ(on: bus, name: nil)
    for value in Self.values {
      let result = try caller.call("/", "org.example.Echo", "Echo", [value], at: "org.example.Echo")
      #expect(result == .success([value]), "\(value.signature)")
    }
    let all = try caller.call("/", "org.example.Echo", "Echo", Self.values, at: "org.example.Echo")
    #expect(all == .success(Self.values))
  }

  @Test("A descriptor received over the bus is another descriptor of the same file")
  func descriptors() throws {
    let bus = try PrivateBus()
    let giver = try FakeBlueZ(on: bus, name: "org.example.Giver")
    let (near, far) = try BusDescriptor.packetPair()
    giver.on("Give") { _, answer in answer.give([.descriptor(far), .uint16(23)]) }
    let caller = try FakeBlueZ(on: bus, name: nil)
    let body = try caller.call("/", "org.example.Giver", "Give", [], at: "org.example.Giver").get()
    let given = try #require(body.first?.descriptorValue)
    #expect(given.number != far.number)
    #expect(write(near.number, "abc", 3) == 3)
    var octets = [UInt8](repeating: 0, count: 8)
    #expect(read(given.number, &octets, 8) == 3)
  }

  @Test("Calls and answers are released once they are handled, with everything in them")
  func released() throws {
    let bus = try PrivateBus()
    let echo = try FakeBlueZ(on: bus, name: "org.example.Echo")
    echo.on("Echo") { call, answer in answer.give(call.body) }
    let caller = try FakeBlueZ(on: bus, name: nil)
    let near = try Self.sendDescriptors(to: echo, from: caller)
    // The end of file comes when the last copy of the other end is closed, thus when all values are released.
    var events = pollfd(fd: near.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&events, 1, 60_000) == 1)
    var octet: UInt8 = 0
    #expect(read(near.number, &octet, 1) == 0)
    withExtendedLifetime((bus, echo, caller)) {}
  }

  /// Exchanges messages whose values of all kinds contain one end of a pair.
  ///
  /// - Returns: The other end.
  private static func sendDescriptors(to echo: FakeBlueZ, from caller: FakeBlueZ) throws -> BusDescriptor {
    let (near, far) = try BusDescriptor.packetPair()
    let end = BusValue.descriptor(far)
    let body: [BusValue] = [
      end, .variant(end), .array(of: "h", [end]), .structure([.string("end"), end]), .options(["end": end]),
    ]
    for _ in 0..<3 {
      let answer = try caller.call("/", "org.example.Echo", "Echo", body, at: "org.example.Echo").get()
      #expect(answer.count == body.count)
      _ = try echo.called("Echo")
    }
    return near
  }

  @Test("A call with a value that can't be encoded fails, and the connection remains usable")
  func unencodable() throws {
    let bus = try PrivateBus()
    let echo = try FakeBlueZ(on: bus, name: "org.example.Echo")
    echo.on("Echo") { call, answer in answer.give(call.body) }
    let caller = try FakeBlueZ(on: bus, name: nil)
    let bad: [BusValue] = [
      .path("no path"), .path(""), .signature("a"), .array(of: "i", [.string("x")]), .array(of: "zz", []),
      .dictionary(key: "v", value: "s", []), .structure([]),
    ]
    for value in bad {
      let result = try caller.call("/", "org.example.Echo", "Echo", [value], at: "org.example.Echo")
      #expect(result == .failure(.unencodable), "\(value)")
    }
    let good = try caller.call("/", "org.example.Echo", "Echo", [.byte(1)], at: "org.example.Echo")
    #expect(good == .success([.byte(1)]))
    let nobody = try caller.call("/", "org.example.Echo", "Echo", [], at: "org.example.Nobody")
    #expect((try? nobody.get()) == nil)
  }

  /// A listener that accepts connections in place of a bus and sends arbitrary octets.
  private static func impostor(_ folder: URL, _ speak: @escaping @Sendable (Int32) -> Void) throws -> Int32 {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(folder.appendingPathComponent("bus").path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listener, 8) == 0 else { throw BusError.system(call: "bind", errno: errno) }
    Thread.detachNewThread {
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        speak(descriptor)
        close(descriptor)
      }
    }
    return listener
  }

  @Test("A bus that sends random octets is rejected, and a working one is used afterwards")
  func nonsense() throws {
    let folder = try PrivateBus.makeFolder()
    let rounds = Inbox<Int>()
    let listener = try Self.impostor(folder) { descriptor in
      var generator = SeededGenerator(seed: 7)
      for round in 0... {
        var octets = [UInt8](repeating: 0, count: 512)
        // Sometimes complete the authentication, so that the random octets are parsed as a message.
        guard read(descriptor, &octets, octets.count) > 0 else { return rounds.put(round) }
        var words: [UInt8] = Array("OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8)
        if Bool.random(using: &generator) { words = [] }
        words += [UInt8(ascii: "l"), UInt8.random(in: 0...5, using: &generator), 0, 1]
        words += (0..<Int.random(in: 0...200, using: &generator)).map { _ in
          UInt8.random(in: .min ... .max, using: &generator)
        }
        _ = send(descriptor, words, words.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
      }
    }
    let client = Client(PrivateBus.address(in: folder))
    #expect(try client.listener.nextState() == .unsupported)
    for _ in 0..<20 { _ = try rounds.next() }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    unlink(folder.appendingPathComponent("bus").path)
    let bus = try PrivateBus(in: folder)
    let daemon = try FakeBlueZ(on: bus)
    try client.listener.state(.poweredOn)
    withExtendedLifetime(daemon) {}
  }
}
