/// A D-Bus value, independent of alignment and byte order.
///
/// Arrays and dictionaries store the signature of their elements, because even an empty one has a type.
package indirect enum BusValue: Equatable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case path(String)
  case signature(String)
  case descriptor(BusDescriptor)
  /// An array of octets, `ay`.
  case bytes([UInt8])
  case array(of: String, [BusValue])
  case dictionary(key: String, value: String, [BusEntry])
  case structure([BusValue])
  case variant(BusValue)
}

/// A dictionary entry; entries keep the message's order.
package struct BusEntry: Equatable, Sendable {
  package var key: BusValue
  package var value: BusValue
  package init(_ key: BusValue, _ value: BusValue) {
    self.key = key
    self.value = value
  }
}

extension BusValue {
  /// A dictionary from names to variants, `a{sv}`, as used for options and properties.
  package static func options(_ entries: KeyValuePairs<String, BusValue> = [:]) -> BusValue {
    options(entries.map { ($0.key, $0.value) })
  }

  package static func options(_ entries: [(String, BusValue)]) -> BusValue {
    .dictionary(key: "s", value: "v", entries.map { BusEntry(.string($0.0), .variant($0.1)) })
  }

  package static func strings(_ strings: [String]) -> BusValue {
    .array(of: "s", strings.map(BusValue.string))
  }

  package var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let key, let value, _): "a{" + key + value + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }
}

// MARK: Reading a value of an expected type; `nil` for any other type.

extension BusValue {
  /// The value inside any number of nested variants.
  package var unwrapped: BusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  package var boolValue: Bool? { if case .bool(let value) = unwrapped { value } else { nil } }
  package var uint16Value: UInt16? { if case .uint16(let value) = unwrapped { value } else { nil } }
  package var int16Value: Int16? { if case .int16(let value) = unwrapped { value } else { nil } }
  package var stringValue: String? { if case .string(let value) = unwrapped { value } else { nil } }
  package var pathValue: String? { if case .path(let value) = unwrapped { value } else { nil } }
  package var bytesValue: [UInt8]? { if case .bytes(let value) = unwrapped { value } else { nil } }
  package var descriptorValue: BusDescriptor? {
    if case .descriptor(let value) = unwrapped { value } else { nil }
  }
  package var entries: [BusEntry]? {
    if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
  }
  package var elements: [BusValue]? { if case .array(_, let elements) = unwrapped { elements } else { nil } }
  package var strings: [String]? { elements.map { $0.compactMap(\.stringValue) } }

  /// The value for a name; the last one if the name occurs twice.
  package subscript(name: String) -> BusValue? {
    entries?.last { $0.key.stringValue == name }.map(\.value.unwrapped)
  }
}
