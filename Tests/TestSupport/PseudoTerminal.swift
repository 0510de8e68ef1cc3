import Foundation

/// A pair of connected terminals: what one side writes the other reads.
package final class PseudoTerminal: Sendable {
  /// The side a test plays the device on; owned.
  package let controller: Int32
  /// The path of the side a program opens.
  package let device: String

  package struct Unavailable: Error { package let errno: Int32 }

  /// Whether this system gives any out; a bare container may have no /dev/pts.
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
    // TIOCSPTLCK and TIOCGPTN; the C functions around them are hidden from Swift.
    guard ioctl(controller, 0x4004_5431, &unlocked) == 0, ioctl(controller, 0x8004_5430, &number) == 0
    else { throw Unavailable(errno: errno) }
    device = "/dev/pts/\(number)"
  }

  /// Ends the terminal as an unplugged device would.
  package func unplug() { close(controller) }

  package func write(_ octets: [UInt8]) {
    _ = octets.withUnsafeBytes { Foundation.write(controller, $0.baseAddress, $0.count) }
  }

  /// Blocks until `count` octets came.
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
