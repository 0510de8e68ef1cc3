import NearbyRecordings
import NearbySimulator
import Testing

@testable import NearbyScenarios

@Suite("Recordings repeated in the simulated world")
struct SimulatedRecordingTests {
  /// A device with two antennas that walks 6 m past two objects, ten ranges a second and pair for 6 s; one pair misses
  /// the ranges of one second.
  private static func recording(material: String = "") -> Recording {
    var ranges: [RecordedRange] = []
    for step in 0..<60 {
      for tag in ["left", "right"] {
        for object in ["post", "pole"] {
          if tag == "left", object == "post", (20..<30).contains(step) { continue }
          ranges.append(
            RecordedRange(time: .milliseconds(100 * step), tag: tag, object: object, range: 3))
        }
      }
    }
    let path = (0...60).map { step in
      RecordedPose(time: .milliseconds(100 * step), position: SIMD3(0.1 * Double(step), 0, 1))
    }
    let column = RecordedColumn(
      name: "material", values: .text([String](repeating: material, count: ranges.count)))
    return Recording(
      ranges: ranges, extraColumns: material.isEmpty ? [] : [column], truePath: path,
      objects: [
        RecordedPoint(name: "post", position: SIMD3(2, 4, 1)),
        RecordedPoint(name: "pole", position: SIMD3(5, 3, 2)),
      ],
      tags: [
        RecordedPoint(name: "left", position: SIMD3(-0.1, 0, 0)),
        RecordedPoint(name: "right", position: SIMD3(0.1, 0, 0)),
      ])
  }

  private static func repeated(
    _ recording: Recording, _ options: SimulatedRecording.Options = SimulatedRecording.Options()
  ) throws -> Recording {
    var simulation = try #require(SimulatedRecording(recording, options: options))
    return simulation.run()
  }

  @Test("Ranges follow the recording's path, for every pair and also where one missed some")
  func path() throws {
    var options = SimulatedRecording.Options()
    options.radio.outlierChance = 0
    options.radio.frameLoss = 0
    let recording = Self.recording()
    let result = try Self.repeated(recording, options)
    #expect(result.ranges.count == 240)
    #expect(result.truePath == recording.truePath)
    #expect(zip(result.ranges, result.ranges.dropFirst()).allSatisfy { $0.time <= $1.time })
    for range in result.ranges {
      let truth = try #require(range.trueRange)
      #expect(abs(range.range - truth) < 0.6)
    }
    let last = try #require(result.ranges.last { $0.object == "pole" && $0.tag == "right" })
    // At 5.9 s the antenna is at (6, 0, 1), and the pole at (5, 3, 2).
    #expect(abs((last.trueRange ?? 0) - 11.0.squareRoot()) < 1e-6)
  }

  @Test("The same seed gives the same recording, and another seed another place")
  func seeds() throws {
    let recording = Self.recording()
    #expect(try Self.repeated(recording) == Self.repeated(recording))
    let other = try Self.repeated(recording, SimulatedRecording.Options(seed: 2))
    #expect(try Self.repeated(recording).ranges != other.ranges)
  }

  @Test("The radios' constant delay is added to every range")
  func offset() throws {
    let recording = Self.recording()
    let plain = try Self.repeated(recording)
    let shifted = try Self.repeated(recording, SimulatedRecording.Options(rangeOffset: 0.25))
    #expect(plain.ranges.count == shifted.ranges.count)
    #expect(zip(plain.ranges, shifted.ranges).allSatisfy { abs($1.range - $0.range - 0.25) < 1e-9 })
  }

  @Test("Named materials lengthen the paths of their rows")
  func materials() throws {
    func mean(_ recording: Recording) throws -> Double {
      let ranges = try (UInt64(1)...20).flatMap { seed in
        try Self.repeated(recording, SimulatedRecording.Options(seed: seed)).ranges
      }
      let errors = ranges.map { $0.range - ($0.trueRange ?? 0) }.sorted()
      return errors[errors.count / 2]
    }
    let clear = try mean(Self.recording())
    let blocked = try mean(Self.recording(material: "concrete+body"))
    #expect(blocked - clear > 0.3, "\(clear), \(blocked)")
  }

  @Test("As Bluetooth, each row has a signal strength and the true distance")
  func lowEnergy() throws {
    var simulation = try #require(SimulatedRecording(Self.recording(), options: SimulatedRecording.Options()))
    let result = simulation.runLowEnergy()
    let powers = try #require(result.numbers("rssi_dbm"))
    #expect(powers.count == result.ranges.count)
    #expect(result.ranges.count > 200)
    #expect(powers.allSatisfy { (-100 ... -40).contains($0) })
    #expect(result.ranges.allSatisfy { $0.range == $0.trueRange })
  }

  @Test("A recording without a path or without objects can't be repeated")
  func incomplete() {
    var recording = Self.recording()
    recording.truePath = []
    #expect(SimulatedRecording(recording, options: SimulatedRecording.Options()) == nil)
    recording = Self.recording()
    recording.objects = []
    #expect(SimulatedRecording(recording, options: SimulatedRecording.Options()) == nil)
  }
}
