import Foundation
import NearbyCommandLine
import NearbyPosition

/// A file of learned biases: what `nearby position --learn` writes and `--bias` reads.
struct BiasFile: Codable {
  struct Anchor: Codable {
    var id: Int
    /// Metres.
    var position: [Double]
    /// As in `AnchorBias.Entry`, metres.
    var terms: [Double]
  }

  static let currentVersion = 1
  /// Octets of a file at most.
  private static let mostOctets = 4_000_000

  var version = currentVersion
  var anchors: [Anchor]

  init(_ bias: AnchorBias) {
    anchors = bias.entries.map {
      Anchor(id: $0.id, position: [$0.position.x, $0.position.y, $0.position.z], terms: $0.terms)
    }
  }

  static func read(_ path: String) throws(CommandError) -> AnchorBias {
    let file: BiasFile
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
      guard data.count <= mostOctets else {
        throw CommandError.badData("\(path): too large for a file of learned biases")
      }
      file = try JSONDecoder().decode(BiasFile.self, from: data)
    } catch let error as CommandError {
      throw error
    } catch is DecodingError {
      throw .badData("\(path): expected a file that 'nearby position --learn' wrote")
    } catch {
      throw .noInput("\(path): can't be read: \(FileTrouble.reason(error))")
    }
    guard file.version == currentVersion else {
      throw .badData("\(path): version \(file.version); expected \(currentVersion)")
    }
    let entries = file.anchors.compactMap { anchor in
      anchor.position.count == 3
        ? AnchorBias.Entry(
          savedID: anchor.id, position: SIMD3(anchor.position[0], anchor.position[1], anchor.position[2]),
          terms: anchor.terms) : nil
    }
    guard entries.count == file.anchors.count, let bias = AnchorBias(entries: entries) else {
      throw .badData(
        "\(path): expected three coordinates and \(AnchorBias.termCount) terms for each anchor, and each once"
      )
    }
    return bias
  }

  func write(to path: String) throws(CommandError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .inputOutput("\(path): can't be written: \(FileTrouble.reason(error))")
    }
  }
}
