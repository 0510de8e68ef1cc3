import Foundation

/// Names of this machine and of the device that a command is.
enum HostName {
  /// Size of the buffer for gethostname(2), octets: HOST_NAME_MAX of POSIX is 255, plus the terminator.
  private static let longest = 256
  /// Maximum length of an MCPeerID's display name, octets.
  private static let longestDisplayName = 63

  /// The default name of every command's device: NEARBY_DEVICE, or else the host's name.
  static func own(_ environment: [String: String]) -> String {
    let device = environment["NEARBY_DEVICE"].flatMap {
      (1...longestDisplayName).contains($0.utf8.count) ? $0 : nil
    }
    return device ?? short
  }

  /// The host's name, shortened to fit a display name.
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
    return short.isEmpty ? "nearby" : short
  }
}
