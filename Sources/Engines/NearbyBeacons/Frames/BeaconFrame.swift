import NearbyBluetooth
import NearbyOctets

/// A beacon frame from an advertising payload.
package enum BeaconFrame: Hashable, Sendable {
  case iBeacon(IBeacon)
  case altBeacon(AltBeacon)
  case eddystoneUID(Eddystone.UID)
  case eddystoneURL(EddystoneURL)
  case eddystoneTLM(Eddystone.Telemetry)
  case eddystoneEID(Eddystone.EphemeralID)

  /// Parses all beacon frames of a payload, at any place among its AD structures.
  ///
  /// AD structures with other content are skipped, including other data of companies that make beacons.
  /// Nothing is allocated.
  /// - Parameter body: Called with each frame in order, up to the first error.
  /// - Throws: The first error: a malformed beacon frame, or a structure that overruns the payload.
  @inline(__always)
  package static func forEach(
    in payload: Span<UInt8>, _ body: (BeaconFrame) -> Void
  ) throws(BeaconFrameError) {
    var failure: BeaconFrameError?
    do throws(AdvertisingStructures.Overrun) {
      try AdvertisingStructures.forEach(in: payload) { type, data in
        guard
          type == AdvertisingStructures.Kind.manufacturerData
            || type == AdvertisingStructures.Kind.serviceData16, failure == nil
        else { return }
        do throws(BeaconFrameError) {
          if let frame = try BeaconFrame(structure: type, in: payload, at: data) { body(frame) }
        } catch {
          failure = error
        }
      }
    } catch {
      if failure == nil { failure = .overrun(offset: error.offset, length: error.length, left: error.left) }
    }
    if let failure { throw failure }
  }

  /// Parses the first beacon frame of a payload; `nil` if it has none.
  ///
  /// - Throws: If a structure up to and including the first frame is malformed.
  @inline(__always)
  package static func first(in payload: Span<UInt8>) throws(BeaconFrameError) -> BeaconFrame? {
    var offset = 0
    while offset < payload.count {
      let length = Int(payload[offset])
      if length == 0 { return nil }
      guard length < payload.count - offset else {
        throw .overrun(offset: offset, length: length, left: payload.count - offset - 1)
      }
      let type = payload[offset + 1]
      if type == AdvertisingStructures.Kind.manufacturerData
        || type == AdvertisingStructures.Kind.serviceData16,
        let frame = try BeaconFrame(structure: type, in: payload, at: offset + 2..<offset + 1 + length)
      {
        return frame
      }
      offset += 1 + length
    }
    return nil
  }

  /// Parses one AD structure; `nil` if it holds something other than a beacon frame.
  @inline(__always)
  init?(structure type: UInt8, in payload: Span<UInt8>, at data: Range<Int>) throws(BeaconFrameError) {
    let start = data.lowerBound
    guard data.count >= 3 else { return nil }
    let name = payload.littleEndian(UInt16.self, at: start)
    if type == AdvertisingStructures.Kind.manufacturerData {
      guard let frame = try Self.manufacturer(name, payload, start + 2..<data.upperBound) else { return nil }
      self = frame
    } else {
      guard name == Eddystone.service else { return nil }
      self = try Self.eddystone(payload, start + 2..<data.upperBound)
    }
  }

  /// - Parameter data: Range of the octets after the company identifier.
  @inline(__always)
  static func manufacturer(
    _ company: UInt16, _ payload: Span<UInt8>, _ data: Range<Int>
  ) throws(BeaconFrameError) -> BeaconFrame? {
    guard data.count >= 2 else { return nil }
    let start = data.lowerBound
    let code = (payload[start], payload[start + 1])
    if company == IBeacon.company, code == (IBeacon.type, UInt8(IBeacon.size)) {
      let size = IBeacon.size + 2
      guard data.count == size else {
        throw .length(.iBeacon, offset: start, found: data.count, allowed: size...size)
      }
      return .iBeacon(IBeacon(payload, at: start + 2))
    }
    guard code == AltBeacon.code else { return nil }
    guard data.count == AltBeacon.size else {
      throw .length(.altBeacon, offset: start, found: data.count, allowed: AltBeacon.size...AltBeacon.size)
    }
    return .altBeacon(AltBeacon(company: company, payload, at: start))
  }
}
