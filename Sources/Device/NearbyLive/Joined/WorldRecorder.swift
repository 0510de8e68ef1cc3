import Foundation
import NearbyRadioLinks
import NearbyRecordings
import NearbyWorldProtocol

/// Records one device of a running world: its chip's measurements, its true pose and its tracked pose.
package struct WorldRecorder {
  /// Why recording failed.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  private let joined: WorldDial.Joined
  private var reader: WorldFrameReader
  private var observed: ObservedRecording

  /// Joins as an observer. Blocks.
  package init(host: String, port: UInt16, device: String, token: String) throws(Failure) {
    var hello = DeviceHello(token: token, device: device, program: "record")
    hello.role = .observer
    do throws(WorldDial.Failure) {
      joined = try WorldDial(host: host, port: port, hello: hello).join()
    } catch {
      throw Failure(description: "\(host):\(port): \(error)")
    }
    reader = joined.reader
    observed = ObservedRecording(device: device, seed: joined.welcome.seed, from: joined.time)
  }

  /// Listens until `duration` of the world's time has passed, the world is gone, or `isCancelled` returns `true`.
  ///
  /// Ends the connection. Call once.
  package mutating func run(for duration: Duration?, isCancelled: () -> Bool) throws(Failure) -> Recording {
    defer { close(joined.descriptor) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isCancelled() {
      do throws(WorldProtocolError) {
        while let frame = try reader.next() {
          if let duration, frame.time - joined.time > duration { return observed.recording() }
          if case .observed(let observation) = try WorldMessage(frame) {
            observed.record(observation, at: frame.time)
          }
        }
      } catch {
        throw Failure(description: "bad frame: \(error)")
      }
      var waiting = pollfd(fd: joined.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 100) > 0 else { continue }
      let count = recv(joined.descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { break }
      reader.append(Array(buffer[..<count]))
    }
    return observed.recording()
  }
}

/// A recording in progress.
struct ObservedRecording {
  private let start: Duration
  private var ranges: [(row: RecordedRange, observed: ObservedRange)] = []
  private var truePath: [RecordedPose] = []
  private var trackedPath: [RecordedPose] = []
  /// The first position of each object, and whether it stayed there.
  private var places: [(name: String, place: SIMD3<Double>, isResting: Bool)] = []
  private let meta: [String: RecordedMeta]

  init(device: String, seed: UInt64, from start: Duration) {
    self.start = start
    meta = [
      "source": .text("a served world"), "device": .text(device), "seed": .text("\(seed)"),
      "ranges": .text("as the virtual chip reported them over UCI"),
    ]
  }

  mutating func record(_ observation: WorldObservation, at time: Duration) {
    let time = time - start
    switch observation {
    case .range(let range):
      let row = RecordedRange(
        time: time, tag: "0", object: range.object, range: range.range, trueRange: range.trueRange)
      ranges.append((row, range))
      note(range.object, range.place)
    case .pose(let pose):
      truePath.append(
        RecordedPose(time: time, position: pose.inWorld.position, orientation: pose.inWorld.attitude))
      if let inTrack = pose.inTrack {
        trackedPath.append(
          RecordedPose(time: time, position: inTrack.position, orientation: inTrack.attitude))
      }
    }
  }

  private mutating func note(_ name: String, _ place: SIMD3<Double>) {
    guard let index = places.firstIndex(where: { $0.name == name }) else {
      return places.append((name, place, true))
    }
    let way = place - places[index].place
    if (way * way).sum() > 1e-6 { places[index].isResting = false }
  }

  func recording() -> Recording {
    func column(_ name: String, _ value: (ObservedRange) -> Double?) -> RecordedColumn {
      RecordedColumn(name: name, values: .numbers(ranges.map { value($0.observed) ?? .nan }))
    }
    return Recording(
      ranges: ranges.map(\.row),
      extraColumns: [
        column("rx_dbm", \.rssi), column("los") { $0.isLineOfSight ? 1 : 0 },
        column("looks_nlos") { $0.looksNonLineOfSight ? 1 : 0 }, column("azimuth_deg", \.azimuth),
        column("elevation_deg", \.elevation),
      ],
      truePath: truePath, trackedPath: trackedPath,
      objects: places.filter(\.isResting).map { RecordedPoint(name: $0.name, position: $0.place) },
      tags: [RecordedPoint(name: "0", position: .zero)], meta: meta)
  }
}
