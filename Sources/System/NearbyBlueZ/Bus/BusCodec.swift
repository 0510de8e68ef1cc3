import CNearbySystemd
import Glibc

/// Converts message bodies to and from `BusValue`.
///
/// Swift cannot call sd-bus's variadic readers and writers. Those for a single value, a container and an
/// array of octets are not variadic and suffice.
enum BusCodec {
  /// Reads all remaining values of a message, whatever their types.
  ///
  /// sd-bus checks each value against its signature and the message's length, and rejects nesting beyond the
  /// bus's limit.
  static func readAll(_ message: OpaquePointer) throws(BusError) -> [BusValue] {
    var values: [BusValue] = []
    while let value = try readNext(message) { values.append(value) }
    return values
  }

  private static func readNext(_ message: OpaquePointer) throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let isThere = sd_bus_message_peek_type(message, &type, &contents)
    guard isThere >= 0 else { throw .malformed }
    guard isThere > 0 else { return nil }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "a"):
      return try readArray(message, type, contents)
    case UInt8(ascii: "v"):
      let inner = try readInside(message, type, contents)
      guard inner.count == 1 else { throw .malformed }
      return .variant(inner[0])
    case UInt8(ascii: "r"), UInt8(ascii: "e"):
      return .structure(try readInside(message, type, contents))
    case let basic:
      return try readBasic(message, basic)
    }
  }

  private static func readInside(
    _ message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?
  ) throws(BusError) -> [BusValue] {
    guard sd_bus_message_enter_container(message, type, contents) > 0 else { throw .malformed }
    let values = try readAll(message)
    guard sd_bus_message_exit_container(message) >= 0 else { throw .malformed }
    return values
  }

  private static func readArray(
    _ message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?
  ) throws(BusError) -> BusValue {
    let element = contents.map { String(cString: $0) } ?? ""
    if element == "y" {
      var start: UnsafeRawPointer?
      var count = 0
      let status = sd_bus_message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &start, &count)
      guard status >= 0 else { throw .malformed }
      return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    }
    let items = try readInside(message, type, contents)
    guard element.hasPrefix("{"), element.utf8.count > 3 else { return .array(of: element, items) }
    var entries: [BusEntry] = []
    entries.reserveCapacity(items.count)
    for item in items {
      guard case .structure(let pair) = item, pair.count == 2 else { throw .malformed }
      entries.append(BusEntry(pair[0], pair[1]))
    }
    let types = element.dropFirst().dropLast()
    return .dictionary(key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
  }

  private static func readBasic(_ message: OpaquePointer, _ type: UInt8) throws(BusError) -> BusValue {
    func read<T: BitwiseCopyable>(_ initial: T) throws(BusError) -> T {
      var value = initial
      guard sd_bus_message_read_basic(message, CChar(bitPattern: type), &value) > 0 else { throw .malformed }
      return value
    }
    func takeText() throws(BusError) -> String {
      let text: UnsafePointer<CChar>? = try read(nil)
      guard let text else { throw .malformed }
      return String(cString: text)
    }
    switch type {
    case UInt8(ascii: "y"): return .byte(try read(0))
    // sd-bus represents a Boolean as a C int.
    case UInt8(ascii: "b"): return .bool(try read(Int32(0)) != 0)
    case UInt8(ascii: "n"): return .int16(try read(0))
    case UInt8(ascii: "q"): return .uint16(try read(0))
    case UInt8(ascii: "i"): return .int32(try read(0))
    case UInt8(ascii: "u"): return .uint32(try read(0))
    case UInt8(ascii: "x"): return .int64(try read(0))
    case UInt8(ascii: "t"): return .uint64(try read(0))
    case UInt8(ascii: "d"): return .double(try read(0))
    case UInt8(ascii: "s"): return .string(try takeText())
    case UInt8(ascii: "o"): return .path(try takeText())
    case UInt8(ascii: "g"): return .signature(try takeText())
    case UInt8(ascii: "h"):
      // The message keeps ownership of its descriptor, so duplicate it.
      let copy = fcntl(try read(Int32(-1)), F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw .system(call: "fcntl", errno: errno) }
      return .descriptor(BusDescriptor(owning: copy))
    default: throw .malformed
    }
  }

  // MARK: Writing

  static func append(_ value: BusValue, to message: OpaquePointer) throws(BusError) {
    func put<T: BitwiseCopyable>(_ type: Unicode.Scalar, _ value: T) throws(BusError) {
      var value = value
      try check(sd_bus_message_append_basic(message, character(type), &value))
    }
    func put(_ type: Unicode.Scalar, text: String) throws(BusError) {
      try check(text.withCString { sd_bus_message_append_basic(message, character(type), $0) })
    }
    switch value {
    case .byte(let value): try put("y", value)
    case .bool(let value): try put("b", Int32(value ? 1 : 0))
    case .int16(let value): try put("n", value)
    case .uint16(let value): try put("q", value)
    case .int32(let value): try put("i", value)
    case .uint32(let value): try put("u", value)
    case .int64(let value): try put("x", value)
    case .uint64(let value): try put("t", value)
    case .double(let value): try put("d", value)
    case .descriptor(let value): try put("h", value.number)
    case .string(let text): try put("s", text: text)
    case .path(let text): try put("o", text: text)
    case .signature(let text): try put("g", text: text)
    case .bytes(let octets):
      try check(
        octets.withUnsafeBytes {
          sd_bus_message_append_array(message, character("y"), $0.baseAddress, $0.count)
        })
    case .variant(let inner): try appendContainer("v", inner.signature, [inner], to: message)
    case .array(let element, let items): try appendContainer("a", element, items, to: message)
    case .structure(let fields):
      // sd-bus accepts an empty structure, but D-Bus does not allow one.
      guard !fields.isEmpty else { throw .unencodable }
      try appendContainer("r", fields.map(\.signature).joined(), fields, to: message)
    case .dictionary(let key, let value, let entries):
      try open("a", "{" + key + value + "}", in: message)
      for entry in entries { try appendContainer("e", key + value, [entry.key, entry.value], to: message) }
      try check(sd_bus_message_close_container(message))
    }
  }

  private static func appendContainer(
    _ kind: Unicode.Scalar, _ contents: String, _ items: [BusValue], to message: OpaquePointer
  ) throws(BusError) {
    try open(kind, contents, in: message)
    for item in items { try append(item, to: message) }
    try check(sd_bus_message_close_container(message))
  }

  private static func open(
    _ kind: Unicode.Scalar, _ contents: String, in message: OpaquePointer
  ) throws(BusError) {
    try check(contents.withCString { sd_bus_message_open_container(message, character(kind), $0) })
  }

  private static func character(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

  private static func check(_ status: Int32) throws(BusError) {
    guard status >= 0 else { throw .unencodable }
  }
}
