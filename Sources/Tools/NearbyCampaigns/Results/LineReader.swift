import Foundation
import NearbyFiles

/// Reads a file line by line, in bounded memory.
package final class LineReader {
  package struct Line {
    /// Without the line feed; of a line that is too long, its beginning.
    package let octets: [UInt8]
    /// Whether the line ends with a line feed and is not too long.
    package let isWhole: Bool
  }

  private static let blockSize = 1 << 18

  private let descriptor: Int32
  private let path: String
  private var block: [UInt8] = []
  private var place = 0
  private var offset = 0
  private var isAtEnd = false

  /// - Parameter descriptor: Stays open, and belongs to the caller.
  package init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// The next line; `nil` at the end.
  package func next() throws(FileFailure) -> Line? {
    var line: [UInt8] = []
    while true {
      if place >= block.count {
        try fill()
        if block.isEmpty { return line.isEmpty ? nil : Line(octets: line, isWhole: false) }
      }
      if let end = block[place...].firstIndex(of: UInt8(ascii: "\n")) {
        line += block[place..<end]
        place = end + 1
        return Line(octets: line, isWhole: line.count <= JobResult.longestLine)
      }
      // Beyond the limit the rest of the line is read and dropped.
      if line.count <= JobResult.longestLine { line += block[place...] }
      place = block.count
    }
  }

  private func fill() throws(FileFailure) {
    block = []
    place = 0
    guard !isAtEnd else { return }
    var octets = [UInt8](repeating: 0, count: Self.blockSize)
    var count = -1
    repeat {
      count = octets.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw FileFailure(call: "read", path: path, number: errno) }
    isAtEnd = count == 0
    offset += count
    octets.removeLast(octets.count - count)
    block = octets
  }
}
