import Foundation

/// What this machine calls itself.
enum PeerNames {
  /// The host's name, as far as a display name has room for it.
  static var host: String {
    var octets = [UInt8](repeating: 0, count: 256)
    let isKnown = octets.withUnsafeMutableBytes { raw in
      guard let base = raw.bindMemory(to: CChar.self).baseAddress else { return false }
      return gethostname(base, raw.count - 1) == 0
    }
    let name = isKnown ? String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self) : ""
    var short = ""
    for character in name where short.utf8.count + character.utf8.count <= 63 { short.append(character) }
    return short.isEmpty ? "somebody" : short
  }
}
