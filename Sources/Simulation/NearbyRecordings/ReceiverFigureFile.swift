import Foundation
import NearbyEstimation

/// Reads a CSV file of receiver figures row by row, in memory that does not grow with the file.
///
/// `ReceiverColumns` shows the columns; others are ignored.
package struct ReceiverFigureFile {
  /// Octets that are read at a time, and so the length of the longest line.
  package static let blockSize = 1 << 20

  package let columns: ReceiverColumns
  /// Count of fields so far that are blank, `nan` or infinite.
  package private(set) var missingValues = 0

  private var reader: CSVReader
  private var blocks: CSVBlocks

  /// - Throws: Also if the file has no row below its header.
  package init(file: URL) throws(RecordingError) {
    blocks = try CSVBlocks(file: file, size: Self.blockSize)
    guard let first = try blocks.next() else { throw .empty(file: file.path) }
    reader = try CSVReader(file: file.path, bytes: first)
    columns = try ReceiverColumns(header: reader)
  }

  /// The figures of the next row; `nil` at the end of the file.
  package mutating func next() throws(RecordingError) -> ReceiverFigures? {
    while try !reader.next() {
      guard let block = try blocks.next() else { return nil }
      reader = CSVReader(continuing: reader, bytes: block)
    }
    let (figures, missing) = try columns.figures(reader)
    missingValues += missing
    return figures
  }
}
