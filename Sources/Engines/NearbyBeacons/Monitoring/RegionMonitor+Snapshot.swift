import NearbyBluetooth
import NearbyOctets
import NearbySchedule

// What survives a restart of the program: regions, states, and how much silence each region has left.
//
// A snapshot is a header and then an entry for each region, in the order of identifiers. Numbers are
// big-endian; an absent major or minor is 0.
//
//     size
//       4   mark: "NBRM"
//       1   version: 1
//       1   count of entries, at most 20
//
//       4   length of the identifier
//       n   identifier, UTF-8
//      16   UUID
//       1   flags, from bit 0: has major, has minor, notifies on entry, on exit, on display
//       2   major
//       2   minor
//       1   state: 0 unknown, 1 inside, 2 outside
//       4   remaining silence in milliseconds, at most a day; 0 if outside
extension RegionMonitor {
  private static let mark: [UInt8] = Array("NBRM".utf8)
  private static let version: UInt8 = 1
  /// A day in milliseconds. Chosen: far longer than any exit delay, so that a larger number shows a damaged snapshot.
  private static let longestDelay: UInt32 = 86_400_000

  /// The regions and their states as octets; deterministic.
  package var snapshot: [UInt8] {
    var octets = Self.mark + [Self.version, UInt8(entries.count)]
    for entry in entries { write(entry, to: &octets) }
    return octets
  }

  private func write(_ entry: Entry, to octets: inout [UInt8]) {
    let (region, constraint) = (entry.region, entry.region.constraint)
    let name = Array(region.identifier.utf8)
    octets.append(bigEndian: UInt32(clamping: name.count))
    octets += name
    octets.append(bigEndian: constraint.uuid.high)
    octets.append(bigEndian: constraint.uuid.low)
    let flags = [
      constraint.major != nil, constraint.minor != nil, region.notifiesOnEntry, region.notifiesOnExit,
      region.notifiesOnDisplay,
    ]
    octets.append(flags.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 })
    octets.append(bigEndian: constraint.major ?? 0)
    octets.append(bigEndian: constraint.minor ?? 0)
    octets.append(UInt8(entry.state.rawValue))
    let remaining = entry.state == .outside ? .zero : entry.deadline - listenedSoFar
    octets.append(bigEndian: Self.milliseconds(remaining))
  }

  /// Rounds up, because a silence that is cut short would be an exit too early.
  private static func milliseconds(_ duration: Duration) -> UInt32 {
    UInt32(clamping: min(duration.inMillisecondsRoundedUp, Int64(longestDelay)))
  }

  /// Resumes from a snapshot: states stay as they are, and silence counts from now on.
  ///
  /// - Throws: `SnapshotError` if the octets are not a valid snapshot.
  package init(snapshot: [UInt8], exitRule: ExitRule = .usual, at time: Duration) throws(SnapshotError) {
    self.init(exitRule: exitRule)
    _ = timePassed(at: time)
    var reader = SnapshotCursor(snapshot.span)
    for octet in Self.mark {
      let offset = reader.offset
      guard try reader.takeUInt8(.mark) == octet else { throw .invalid(.mark, offset: offset) }
    }
    let version = try reader.takeUInt8(.version)
    guard version == Self.version else { throw .unknownVersion(version) }
    let count = try reader.takeUInt8(.count)
    guard count <= Self.limit else { throw .invalid(.count, offset: reader.offset - 1) }
    for _ in 0..<count {
      let offset = reader.offset
      let entry = try reader.takeEntry(longestDelay: Self.longestDelay)
      if let before = entries.last?.region.identifier, before >= entry.region.identifier {
        throw .invalid(.identifier, offset: offset)
      }
      entries.append(entry)
    }
    guard reader.isEmpty else { throw .leftover(offset: reader.offset, count: reader.left) }
  }
}

private typealias SnapshotCursor = OctetCursor<SnapshotError>

extension SnapshotError: OctetCursorFailure {
  package init(truncated field: Part, at offset: Int, needed: Int, left: Int) {
    self = .truncated(field, offset: offset, needed: needed, left: left)
  }
}

extension SnapshotCursor {
  private mutating func takeUUID() throws(SnapshotError) -> BluetoothUUID {
    try require(16, .uuid)
    return BluetoothUUID(high: try takeBigEndian(.uuid), low: try takeBigEndian(.uuid))
  }

  private mutating func takeIdentifier() throws(SnapshotError) -> String {
    let count = Int(try takeBigEndian(.identifier, as: UInt32.self))
    let start = offset
    guard let text = String(validating: try takeOctets(count, .identifier), as: UTF8.self) else {
      throw .invalid(.identifier, offset: start)
    }
    return text
  }

  /// Reads a number that must be 0 if its flag says that it is absent.
  private mutating func takeNumber(
    _ field: SnapshotError.Part, isThere: Bool
  ) throws(SnapshotError) -> UInt16? {
    let number = try takeBigEndian(field, as: UInt16.self)
    guard isThere || number == 0 else { throw .invalid(field, offset: offset - 2) }
    return isThere ? number : nil
  }

  fileprivate mutating func takeEntry(longestDelay: UInt32) throws(SnapshotError) -> RegionMonitor.Entry {
    let identifier = try takeIdentifier()
    let uuid = try takeUUID()
    let flags = try takeUInt8(.flags)
    guard flags < 1 << 5 else { throw .invalid(.flags, offset: offset - 1) }
    let major = try takeNumber(.major, isThere: flags & 1 != 0)
    let minor = try takeNumber(.minor, isThere: flags & 2 != 0)
    guard let state = RegionState(rawValue: Int(try takeUInt8(.state))) else {
      throw .invalid(.state, offset: offset - 1)
    }
    let remaining = try takeBigEndian(.remaining, as: UInt32.self)
    guard remaining <= (state == .outside ? 0 : longestDelay) else {
      throw .invalid(.remaining, offset: offset - 4)
    }
    let region = MonitoredRegion(
      identifier: identifier, constraint: BeaconConstraint(uuid: uuid, major: major, minor: minor),
      notifiesOnEntry: flags & 4 != 0, notifiesOnExit: flags & 8 != 0, notifiesOnDisplay: flags & 16 != 0)
    return RegionMonitor.Entry(region: region, state: state, deadline: .milliseconds(Int64(remaining)))
  }
}
