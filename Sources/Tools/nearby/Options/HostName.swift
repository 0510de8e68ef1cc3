import Foundation

/// What this machine calls itself.
enum HostName {
  /// Octets that gethostname(2) may write: HOST_NAME_MAX of POSIX is 255, and the end.
  private static let longest = 256
  /// Octets of an MCPeerID's display name.
  private static let longestDisplayName = 63

  /// The host's name, as far as a display name has room for it.
  static var short: String {
    var octets = [UInt8](repeating: 0, count: longest)
    let isKnown = octets.withUnsafeMutableBytes { raw in
      guard let base = raw.bindMemory(to: CChar.self).baseAddress else { return false }
      return gethostname(base, raw.count - 1) == 0
    }
    let name = isKnown ? String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self) : ""
    var short = ""
    for character in name where short.utf8.count + character.utf8.count <= longestDisplayName {
      short.append(character)
    }
    return short.isEmpty ? "somebody" : short
  }
}
