/// Builds one JSON array from left to right.
package struct JSONArray {
  package private(set) var text = "["

  package init() {}

  private mutating func next() { if text.utf8.count > 1 { text += "," } }

  package mutating func add(json value: String) {
    next()
    text += value
  }

  package mutating func add(_ value: Double?, decimals: Int = 3) {
    next()
    text += value.flatMap { $0.isFinite ? NumberFormat.fixed($0, decimals) : nil } ?? "null"
  }

  /// Writes the shortest text that parses to the same number.
  package mutating func add(exactly value: Double) {
    next()
    text += value.isFinite ? "\(value)" : "null"
  }

  package func closed() -> String { text + "]" }

  package static func of(_ values: [String]) -> String {
    "[" + values.map(JSONLine.quoted).joined(separator: ",") + "]"
  }

  package static func of(_ vector: SIMD3<Double>, decimals: Int = 3) -> String {
    var array = JSONArray()
    for index in 0..<3 { array.add(vector[index], decimals: decimals) }
    return array.closed()
  }

  package static func of(_ point: SIMD2<Double>) -> String {
    var array = JSONArray()
    array.add(point.x)
    array.add(point.y)
    return array.closed()
  }

  package static func of(_ quaternion: SIMD4<Double>) -> String {
    var array = JSONArray()
    for index in 0..<4 { array.add(quaternion[index], decimals: 4) }
    return array.closed()
  }
}
