import Foundation

/// The antennas of several bodies, from `antennas.csv`.
struct BodyAntennas {
  struct Body {
    var names: [String] = []
    /// Along the body's axes, metres.
    var places: [SIMD3<Double>] = []
  }
  private var bodies: [String: Body] = [:]

  init(file: URL) throws(RecordingError) {
    guard var reader = try Recording.reader(file) else { throw .missingFile(file: file.path) }
    let body = try reader.requiredColumn("agent")
    let antenna = try reader.requiredColumn("antenna")
    let place = try VectorColumns("bx_m", "by_m", "bz_m", in: reader)
    while try reader.next() {
      let name = try reader.name(antenna)
      var known = bodies[try reader.name(body)] ?? Body()
      guard !known.names.contains(name) else {
        throw .duplicateName(
          file: reader.file, line: reader.line, column: "antenna", found: String(name.prefix(40)))
      }
      known.names.append(name)
      known.places.append(try place.vector(reader, in: Recording.placeBounds))
      bodies[try reader.name(body)] = known
    }
    guard !bodies.isEmpty else { throw .empty(file: file.path) }
  }

  subscript(_ name: String) -> Body? { bodies[name] }
}
