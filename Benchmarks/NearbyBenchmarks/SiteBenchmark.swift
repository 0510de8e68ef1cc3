import Foundation
import NearbyBeacons
import NearbyBluetooth
import NearbyReadings
import NearbySchedule
import NearbySite

/// The cost of a reading in a site, for several numbers of tags, and the memory of a tag.
func siteBenchmark() throws -> [Figure] {
  // First, before other measurements leave free memory behind, which would hide what the tags need.
  let memory = try tagMemory()
  let thousand = try siteCost(tags: 1000, readings: 400_000, usesLoudness: false)
  let ten = try siteCost(tags: 10, readings: 400_000, usesLoudness: false)
  let tenThousand = try siteCost(tags: 10_000, readings: 1_000_000, usesLoudness: false)
  let loudness = try siteCost(tags: 1000, readings: 200_000, usesLoudness: true)
  return [
    Figure(
      name: "ranges fused on a core, 1000 tags", value: 1e-3 / thousand, unit: "k/s", target: .atLeast(100)),
    Figure(
      name: "RSSI fused on a core, 1000 tags", value: 1e-3 / loudness, unit: "k/s", target: .atLeast(100)),
    Figure(
      name: "a range with 10,000 tags against 10", value: tenThousand / ten, unit: "x",
      target: .under(1.5)),
    Figure(
      name: "memory of a tag with ranges and RSSI", value: memory, unit: "KiB", target: .under(16)),
    Figure(
      name: "advertisements through a gateway on a core", value: 1e-3 / gatewayCost(), unit: "k/s",
      target: .atLeast(80)),
  ]
}

private func sitePlan(tags: Int) -> SitePlan {
  var plan = SitePlan(name: "bench")
  for index in 0..<12 {
    let (x, y) = (Double(index % 4) * 10, Double(index / 4) * 8)
    let height = index % 2 == 0 ? 2.5 : 0.5
    plan.receivers.append(SitePlan.Receiver(id: "a\(index)", position: SIMD3(x, y, height), floor: 0))
  }
  for index in 0..<6 {
    let (x, y) = (Double(index % 3) * 10, Double(index / 3) * 8)
    let corners = [SIMD2(x, y), SIMD2(x + 10, y), SIMD2(x + 10, y + 8), SIMD2(x, y + 8)]
    guard let outline = SiteOutline(corners: corners) else { continue }
    plan.rooms.append(SitePlan.Room(id: "r\(index)", name: "Room \(index)", floor: 0, outline: outline))
  }
  if let circle = SiteOutline(circleAround: SIMD2(5, 4), radius: 2) {
    plan.fences = [SitePlan.Fence(id: "f", name: "Fence", floor: 0, outline: circle, dwell: 5)]
  }
  plan.tags = (0..<tags).map { SitePlan.Tag(id: "t\($0)", name: "Tag \($0)") }
  return plan
}

/// One reading of each tag in turn; a tag has forty a second, from one receiver after another.
private struct SiteSource {
  let plan: SitePlan
  let usesLoudness: Bool
  var noise = NoiseStream(seed: 1)
  private let start: Double
  private var step = 0

  init(_ plan: SitePlan, usesLoudness: Bool, start: Double = 1_000_000) {
    self.plan = plan
    self.usesLoudness = usesLoudness
    self.start = start
  }

  mutating func next() -> SiteReading {
    defer { step += 1 }
    let (round, tag) = step.quotientAndRemainder(dividingBy: plan.tags.count)
    let time = start + Double(round) / 40
    let receiver = (round &+ tag) % plan.receivers.count
    let angle = 0.1 * (time - start) + Double(tag)
    let across = SIMD3(15 + 8 * cos(angle), 8 + 5 * sin(angle), 1.3) - plan.receivers[receiver].position
    let metres = (across * across).sum().squareRoot()
    let value: SiteReading.Value =
      usesLoudness
      ? .loudness(rssi: -59 - 20 * log10(metres) + 4 * noise.normal(), power: -59)
      : .range(metres: metres + 0.1 * noise.normal(), sigma: nil)
    return SiteReading(tag: tag, receiver: receiver, value: value, time: time)
  }
}

/// Seconds for one reading, when every tag has a position.
private func siteCost(tags: Int, readings: Int, usesLoudness: Bool) throws -> Double {
  let plan = sitePlan(tags: tags)
  var source = SiteSource(plan, usesLoudness: usesLoudness)
  var fusion = try SiteFusion(plan)
  var outputs: [SiteOutput] = []
  for _ in 0..<(40 * tags) {
    let reading = source.next()
    fusion.add(reading, now: reading.time, &outputs)
  }
  outputs.removeAll(keepingCapacity: true)
  let prepared = (0..<readings).map { _ in source.next() }
  let clock = ContinuousClock()
  var least = Double.infinity
  // In five parts, of which the fastest counts: this machine has other work too.
  for part in 0..<5 {
    let share = prepared.count / 5
    let slice = prepared[(part * share)..<((part + 1) * share)]
    let time = clock.measure {
      for reading in slice { fusion.add(reading, now: reading.time, &outputs) }
    }
    outputs.removeAll(keepingCapacity: true)
    least = min(least, time / .seconds(1) / Double(share))
  }
  guard fusion.counts.rejected * 20 < fusion.counts.used else { return .nan }
  return least
}

/// Seconds for one advertisement in a gateway: from the octets to an acknowledged message.
private func gatewayCost() -> Double {
  let count = 200_000
  let queue = GatewayQueue(site: "bench", device: "a1", firstNumber: 1, store: nil)
  let payloads = (0..<1000).map { number -> [UInt8] in
    let octets = [UInt8](repeating: 0x5A, count: 16)
    let (high, low) = (UInt8(number >> 8), UInt8(number & 0xFF))
    return [26, 0xFF, 0x4C, 0, 2, 21] + octets + [0, 1, high, low, 0xC5]
  }
  var number: Int32 = 0
  let time = ContinuousClock().measure {
    for index in 0..<count {
      let payload = payloads[index % 1000]
      guard let frame = try? BeaconFrame.first(in: payload.span), let beacon = BeaconID.text(frame) else {
        continue
      }
      queue.add(
        GatewayReading(
          time: 1_000_000 + Double(index) * 5e-5, uncertainty: 0.005, peer: beacon.id,
          value: .advertisement(rssi: -60, power: beacon.power)))
      // 20 times a second.
      guard index % 1000 == 999 else { continue }
      let first = number
      queue.flush { _ in
        number += 1
        return number
      }
      for sent in (first + 1)...number { queue.acknowledged(sent) }
    }
  }
  return queue.delivered == count ? time / .seconds(1) / Double(count) : .nan
}

/// Resident memory that 4000 tags add, each with both estimators, KiB for one.
private func tagMemory() throws -> Double {
  let count = 4000
  let plan = sitePlan(tags: count)
  let before = residentKiB()
  var fusion = try SiteFusion(plan)
  var outputs: [SiteOutput] = []
  for usesLoudness in [false, true] {
    var source = SiteSource(plan, usesLoudness: usesLoudness, start: usesLoudness ? 1_000_001 : 1_000_000)
    for _ in 0..<(20 * count) {
      let reading = source.next()
      fusion.add(reading, now: reading.time, &outputs)
      outputs.removeAll(keepingCapacity: true)
    }
  }
  let added = residentKiB() - before
  return fusion.presentCount == count ? added / Double(count) : .nan
}

private func residentKiB() -> Double {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
}
