import Foundation
import NearbyFiles

/// Messages that wait on disk for a broker, oldest first.
///
/// The folder holds files of at most `segmentSize`, each with one message a line. When all files together exceed the
/// limit, the oldest one goes, and its messages are counted. A file goes when all its messages were removed; if the
/// process is killed before, its messages are read again at the next start, and receivers drop the repeated ones by their
/// numbers. Octets are handed to the system at once, but not forced to the disk: they survive the process, not a power cut
/// of the last seconds.
///
/// **Invariants:** `count` is the number of messages that `next` has yet to return or that were not removed; the files'
/// sizes add up to at most the limit and one message.
package final class MessageStore {
  /// A message with the number of readings in it.
  package struct Message: Equatable, Sendable {
    package var topic: String
    package var payload: String
    package var readings: Int

    package init(topic: String, payload: String, readings: Int) {
      self.topic = topic
      self.payload = payload
      self.readings = readings
    }
  }

  private struct Segment {
    var number: Int
    var octets: Int
    var messages: Int
    var readings: Int
  }

  private let folder: String
  private let limit: Int
  private let segmentSize: Int
  private let lock: FileLock
  /// Oldest first; new messages go into the last one while `output` is open.
  private var segments: [Segment] = []
  private var output: Int32 = -1
  /// Messages of the oldest segment in memory: all of it, what was returned and what was removed.
  private var loaded: [Message] = []
  private var loadedNumber = -1
  private var returned = 0
  private var removed = 0
  /// Readings that were dropped because the store was full, or a line was damaged.
  package private(set) var dropped = 0

  /// Opens a folder, and makes it if needed.
  ///
  /// - Parameter limit: Octets, at least 64 KiB.
  /// - Throws: Why the folder cannot be used, for example because another process has it.
  package init(folder: String, limit: Int) throws(FileFailure) {
    self.folder = folder
    self.limit = max(limit, 64 << 10)
    segmentSize = min(1 << 20, self.limit / 8)
    try DurableFile.makeFolder(folder)
    guard let lock = try FileLock.hold(folder + "/lock") else {
      throw FileFailure(call: "flock", path: folder + "/lock", number: EWOULDBLOCK)
    }
    self.lock = lock
    for number in Self.numbers(in: folder) {
      let octets = [UInt8](try DurableFile.read(path(number), limit: self.limit) ?? Data())
      let messages = octets.split(separator: 0x0A).map(Self.message)
      let readings = messages.reduce(0) { $0 + ($1?.readings ?? 0) }
      segments.append(
        Segment(number: number, octets: octets.count, messages: messages.count, readings: readings))
    }
  }

  deinit { if output >= 0 { close(output) } }

  private static func numbers(in folder: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { $0.hasSuffix(".messages") ? Int($0.dropLast(9)) : nil }.filter {
      $0 >= 0 && $0 < Int.max
    }
    .sorted()
  }

  private func path(_ number: Int) -> String { "\(folder)/\(number).messages" }

  /// Messages that are stored.
  package var count: Int { segments.reduce(0) { $0 + $1.messages } - removed }
  /// Readings that are stored, with those of the oldest file that were sent already.
  package var readings: Int { segments.reduce(0) { $0 + $1.readings } }
  /// Octets on disk.
  package var octets: Int { segments.reduce(0) { $0 + $1.octets } }

  // MARK: Adding

  /// Stores a message. Its topic and payload must be without line feeds and tabs.
  package func append(_ message: Message) throws(FileFailure) {
    let line = Array("\(message.readings)\t\(message.topic)\t\(message.payload)\n".utf8)
    if output < 0 || (segments.last?.octets ?? 0) >= segmentSize { try beginSegment() }
    var start = 0
    while start < line.count {
      let written = line[start...].withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        let failure = fail("write")
        removeCutLine()
        throw failure
      }
      start += written
    }
    segments[segments.count - 1].octets += line.count
    segments[segments.count - 1].messages += 1
    segments[segments.count - 1].readings += message.readings
    while octets > limit, segments.count > 1 { dropOldest() }
  }

  /// Removes what was written of a line, so that the next one does not continue it; if that fails, the next one begins
  /// another file.
  private func removeCutLine() {
    guard ftruncate(output, off_t(segments.last?.octets ?? 0)) != 0 else { return }
    close(output)
    output = -1
  }

  private func fail(_ call: String) -> FileFailure {
    FileFailure(call: call, path: folder, number: errno)
  }

  private func beginSegment() throws(FileFailure) {
    if output >= 0 { close(output) }
    let number = (segments.last?.number ?? 0) + 1
    output = open(path(number), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw fail("open") }
    segments.append(Segment(number: number, octets: 0, messages: 0, readings: 0))
  }

  private func dropOldest() {
    let oldest = segments[0]
    dropped += oldest.readings
    if loadedNumber == oldest.number {
      dropped -= loaded.prefix(removed).reduce(0) { $0 + $1.readings }
      forgetLoaded()
    }
    segments.removeFirst()
    unlink(path(oldest.number))
  }

  private func forgetLoaded() {
    loaded = []
    (loadedNumber, returned, removed) = (-1, 0, 0)
  }

  // MARK: Taking

  /// The oldest message that was not returned yet; `nil` if there is none, or if the oldest file's messages were all
  /// returned and wait for `removeOldest`.
  package func next() -> Message? {
    while let oldest = segments.first {
      if loadedNumber != oldest.number { load(oldest) }
      // A file without a single message that can be read is gone; the next one is the oldest.
      guard loadedNumber == oldest.number else { continue }
      // The file that is being written has grown since.
      if returned == loaded.count, loaded.count < oldest.messages { reload(oldest) }
      guard returned < loaded.count else { return nil }
      returned += 1
      return loaded[returned - 1]
    }
    return nil
  }

  private func load(_ segment: Segment) {
    forgetLoaded()
    loadedNumber = segment.number
    loaded = read(segment)
    let lost = segment.messages - loaded.count
    if lost > 0 {
      segments[0].messages = loaded.count
      dropped += lost
    }
    if loaded.isEmpty { removeSegment() }
  }

  private func reload(_ segment: Segment) {
    let all = read(segment)
    if all.count > loaded.count { loaded = all } else { segments[0].messages = loaded.count }
  }

  private func read(_ segment: Segment) -> [Message] {
    guard let data = try? DurableFile.read(path(segment.number), limit: limit + segmentSize) else {
      return []
    }
    return [UInt8](data).split(separator: 0x0A).compactMap(Self.message)
  }

  /// Removes the oldest messages, which were returned and arrived.
  package func removeOldest(_ count: Int) {
    removed = min(removed + max(count, 0), returned)
    guard let oldest = segments.first, loadedNumber == oldest.number, removed == oldest.messages else {
      return
    }
    removeSegment()
  }

  private func removeSegment() {
    let oldest = segments.removeFirst()
    if segments.isEmpty, output >= 0 {
      close(output)
      output = -1
    }
    unlink(path(oldest.number))
    forgetLoaded()
  }

  /// Returns messages that were returned but not removed again, for example after a lost connection.
  package func rewind() { returned = removed }

  private static func message(_ line: ArraySlice<UInt8>) -> Message? {
    guard let text = String(validating: line, as: UTF8.self) else { return nil }
    let parts = text.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let readings = Int(parts[0]), (0...1_000_000).contains(readings) else {
      return nil
    }
    return Message(topic: String(parts[1]), payload: String(parts[2]), readings: readings)
  }
}
