import Foundation

/// Opens a serial device in raw mode, 8N1, at any baud rate.
package enum SerialPort {
  /// Opens a device.
  ///
  /// - Parameters:
  ///   - device: Path of the device.
  ///   - baud: Bits per second; not limited to the standard rates.
  /// - Returns: A descriptor that the caller owns, locked against other programs.
  package static func open(device: String, baud: UInt32) throws(LinkError) -> Int32 {
    // O_NOCTTY: the radio must not become the controlling terminal, because its hang-up would end the
    // process.
    let descriptor = Foundation.open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == EBUSY ? .busy(device: device) : .system(call: "open", errno: errno)
    }
    do throws(LinkError) {
      guard isatty(descriptor) == 1 else { throw .notATerminal(device: device) }
      try lock(descriptor, device: device)
      try configure(descriptor, baud: baud)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The device's current speed, in bits per second.
  package static func baud(of descriptor: Int32) throws(LinkError) -> UInt32 {
    try LinuxTermios(of: descriptor).outputSpeed
  }

  /// `flock` excludes programs that use it too; the terminal's exclusive mode excludes all others except
  /// root's.
  private static func lock(_ descriptor: Int32, device: String) throws(LinkError) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? .busy(device: device) : .system(call: "flock", errno: errno)
    }
    var unused: Int32 = 0
    guard ioctl(descriptor, UInt(TIOCEXCL), &unused) == 0 else {
      throw .system(call: "ioctl TIOCEXCL", errno: errno)
    }
  }

  private static func configure(_ descriptor: Int32, baud: UInt32) throws(LinkError) {
    var settings = try LinuxTermios(of: descriptor)
    settings.makeRaw(baud: baud)
    try settings.apply(to: descriptor)
    let got = try LinuxTermios(of: descriptor).outputSpeed
    // Drivers round to what their divisor allows; a UART tolerates an error of 2 %.
    guard abs(Int64(got) - Int64(baud)) * 50 <= Int64(baud) else {
      throw .baudNotSupported(asked: baud, got: got)
    }
    tcflush(descriptor, TCIOFLUSH)
  }
}

/// Linux's `struct termios2`, which holds any speed as a number. The C library's `termios` supports only a
/// table of speeds.
///
/// Layout, in 32-bit words:
///
///     0      input modes
///     1      output modes
///     2      control modes
///     3      local modes
///     4…8    line discipline (octet 16) and 19 control characters (octets 17…35)
///     9      input speed
///     10     output speed
///
/// Source: the Linux kernel's asm-generic/termbits.h and ioctls.h.
private struct LinuxTermios {
  private static let getRequest: UInt = 0x802C_542A  // TCGETS2
  private static let setRequest: UInt = 0x402C_542B  // TCSETS2
  private static let otherBaud: UInt32 = 0x1000  // BOTHER: the speed is in the speed words
  private static let baudMask: UInt32 = 0x100F
  private static let inputBaudShift: UInt32 = 16
  private static let hardwareFlow: UInt32 = 0x8000_0000  // CRTSCTS
  private static let eightBits: UInt32 = 0x30  // CS8
  private static let minimumCharacter = 6
  private static let timeCharacter = 5

  private var words = [UInt32](repeating: 0, count: 11)

  init(of descriptor: Int32) throws(LinkError) {
    let result = words.withUnsafeMutableBytes { raw in
      raw.baseAddress.map { ioctl(descriptor, Self.getRequest, $0) } ?? -1
    }
    guard result == 0 else { throw .system(call: "ioctl TCGETS2", errno: errno) }
  }

  func apply(to descriptor: Int32) throws(LinkError) {
    var copy = words
    let result = copy.withUnsafeMutableBytes { raw in
      raw.baseAddress.map { ioctl(descriptor, Self.setRequest, $0) } ?? -1
    }
    guard result == 0 else { throw .system(call: "ioctl TCSETS2", errno: errno) }
  }

  var outputSpeed: UInt32 { words[10] }

  /// Disables translation, echo, signals, parity and flow control; sets eight data bits and one stop bit.
  mutating func makeRaw(baud: UInt32) {
    let dropped = UInt32(CSIZE) | UInt32(PARENB) | UInt32(CSTOPB) | Self.hardwareFlow
    words[0] = 0
    words[1] = 0
    words[2] &= ~(dropped | Self.baudMask | Self.baudMask << Self.inputBaudShift)
    words[2] |= Self.eightBits | UInt32(CREAD) | UInt32(CLOCAL) | Self.otherBaud
    words[3] = 0
    setCharacter(Self.minimumCharacter, to: 1)
    setCharacter(Self.timeCharacter, to: 0)
    words[9] = baud
    words[10] = baud
  }

  private mutating func setCharacter(_ index: Int, to value: UInt8) {
    words.withUnsafeMutableBytes { $0[17 + index] = value }
  }
}
