import Foundation

/// A pair of connected terminals: what is written to one side is read from the other.
package final class PseudoTerminal: Sendable {
  /// The side on which a test plays the device. This object closes it.
  package let controller: Int32
  /// The path of the side that a program opens.
  package let device: String

  package struct Unavailable: Error { package let errno: Int32 }

  /// Whether this system provides pseudo-terminals; a minimal container may have no /dev/pts.
  package static let isAvailable: Bool = {
    guard let terminal = try? PseudoTerminal() else { return false }
    terminal.unplug()
    return true
  }()

  package init() throws {
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard controller >= 0 else { throw Unavailable(errno: errno) }
    var unlocked: Int32 = 0
    var number: Int32 = 0
    // TIOCSPTLCK and TIOCGPTN. The C functions that wrap them are not visible in Swift.
    guard ioctl(controller, 0x4004_5431, &unlocked) == 0, ioctl(controller, 0x8004_5430, &number) == 0
    else { throw Unavailable(errno: errno) }
    device = "/dev/pts/\(number)"
  }

  /// Ends the terminal as an unplugged device would.
  package func unplug() { close(controller) }

  package func write(_ octets: [UInt8]) {
    _ = octets.withUnsafeBytes { Foundation.write(controller, $0.baseAddress, $0.count) }
  }

  /// Blocks until `count` octets have arrived.
  package func read(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: count)
    while result.count < count {
      let got = Foundation.read(controller, &buffer, count - result.count)
      guard got > 0 else { return result }
      result += buffer[..<got]
    }
    return result
  }
}
