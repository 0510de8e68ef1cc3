import Foundation
import NearbyDeviceMachine
import simd

/// The coordinate system in which an anchor states its position.
public enum NIDLTDOACoordinatesType: Int, Sendable {
  /// Latitude, longitude and altitude.
  case geodetic = 0
  /// x, y and z in metres.
  case relative = 1
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// The kind of message that was measured.
public enum NIDLTDOAMeasurementType: Int, Sendable {
  /// The initiator's first message.
  case poll = 0
  /// A responder's message.
  case response = 1
  /// The initiator's last message.
  case final = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// The measurement of one message from one anchor.
///
/// Source: Apple's header `NIDLTDOAMeasurement.h` of iOS 27.
public final class NIDLTDOAMeasurement: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// An anchor's height, relative to a floor.
  public final class FloorElevation: NSObject, NSCopying, Sendable {
    /// The number of the floor.
    public let floorNumber: Int
    /// Metres above the floor.
    public let height: Double

    init(floorNumber: Int, height: Double) {
      self.floorNumber = floorNumber
      self.height = height
      super.init()
    }

    /// Returns the elevation itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
  }

  /// The anchor's address.
  public let address: Int
  /// The address of the initiator of the anchor's cluster.
  public let clusterInitiatorAddress: Int
  /// The kind of message that was measured.
  public let measurementType: NIDLTDOAMeasurementType
  /// Time of transmission, in seconds on the clock of the cluster's initiator, or on the anchor's own if it does
  /// not know that one.
  public let transmitTime: Double
  /// Time of reception, in seconds on this device's clock.
  public let receiveTime: Double
  /// `transmitTime` in ticks of 15.65 ps.
  public let rawTransmitTime: UInt64
  /// `receiveTime` in ticks of 15.65 ps.
  public let rawReceiveTime: UInt64
  /// Received signal strength in dBm; NaN if the chip does not report it.
  public let signalStrength: Double
  /// How much higher the anchor's carrier is than this device's, as a ratio.
  public let carrierFrequencyOffset: Double
  /// The clock offset of a responder from the initiator, as a ratio; positive if the responder counts fewer
  /// cycles. Only present for a responder's message, and if the anchor sends it.
  public let responderClockFrequencyOffset: Double?
  /// The coordinate system of `coordinates`.
  public let coordinatesType: NIDLTDOACoordinatesType
  /// The anchor's position: degrees and metres of altitude, or metres in the frame of the network. NaN if the
  /// anchor does not say it.
  public let coordinates: simd_double3
  /// The anchor's floor and height, in place of the third coordinate.
  public let floorElevation: FloorElevation?

  init(_ reading: AnchorReading) {
    address = Int(truncatingIfNeeded: reading.address)
    clusterInitiatorAddress = Int(truncatingIfNeeded: reading.clusterInitiator)
    measurementType =
      switch reading.kind {
      case .poll: .poll
      case .response: .response
      case .final: .final
      }
    rawTransmitTime = reading.transmitted
    rawReceiveTime = reading.received
    transmitTime = Double(reading.transmitted) / Self.ticksPerSecond
    receiveTime = Double(reading.received) / Self.ticksPerSecond
    signalStrength = reading.signalStrength ?? .nan
    carrierFrequencyOffset = reading.clockOffset
    responderClockFrequencyOffset = reading.responderOffset.map { -$0 }
    (coordinatesType, coordinates) = Self.coordinates(reading.place)
    floorElevation = nil
    super.init()
  }

  /// 128 × 499.2 MHz.
  private static let ticksPerSecond = 63_897_600_000.0

  private static func coordinates(
    _ place: AnchorReading.Place?
  ) -> (NIDLTDOACoordinatesType, simd_double3) {
    switch place {
    case .relative(let place): (.relative, place)
    case .geodetic(let latitude, let longitude, let altitude):
      (.geodetic, simd_double3(latitude, longitude, altitude))
    case nil: (.relative, simd_double3(repeating: .nan))
    }
  }

  /// Returns the measurement itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  /// Reads an archived measurement; returns `nil` if its types are unknown or it has no address.
  public required init?(coder: NSCoder) {
    guard
      let type = NIDLTDOAMeasurementType(rawValue: coder.decodeInteger(forKey: "measurementType")),
      let coordinatesType = NIDLTDOACoordinatesType(rawValue: coder.decodeInteger(forKey: "coordinatesType")),
      coder.containsValue(forKey: "address")
    else { return nil }
    address = coder.decodeInteger(forKey: "address")
    clusterInitiatorAddress = coder.decodeInteger(forKey: "clusterInitiatorAddress")
    measurementType = type
    transmitTime = coder.decodeDouble(forKey: "transmitTime")
    receiveTime = coder.decodeDouble(forKey: "receiveTime")
    rawTransmitTime = UInt64(bitPattern: coder.decodeInt64(forKey: "rawTransmitTime"))
    rawReceiveTime = UInt64(bitPattern: coder.decodeInt64(forKey: "rawReceiveTime"))
    signalStrength = coder.decodeDouble(forKey: "signalStrength")
    carrierFrequencyOffset = coder.decodeDouble(forKey: "carrierFrequencyOffset")
    responderClockFrequencyOffset =
      coder.containsValue(forKey: "responderClockFrequencyOffset")
      ? coder.decodeDouble(forKey: "responderClockFrequencyOffset") : nil
    self.coordinatesType = coordinatesType
    coordinates = simd_double3(
      coder.decodeDouble(forKey: "x"), coder.decodeDouble(forKey: "y"), coder.decodeDouble(forKey: "z"))
    floorElevation =
      coder.containsValue(forKey: "floorNumber")
      ? FloorElevation(
        floorNumber: coder.decodeInteger(forKey: "floorNumber"), height: coder.decodeDouble(forKey: "height"))
      : nil
    super.init()
  }

  /// Writes the measurement.
  public func encode(with coder: NSCoder) {
    coder.encode(address, forKey: "address")
    coder.encode(clusterInitiatorAddress, forKey: "clusterInitiatorAddress")
    coder.encode(measurementType.rawValue, forKey: "measurementType")
    coder.encode(transmitTime, forKey: "transmitTime")
    coder.encode(receiveTime, forKey: "receiveTime")
    coder.encode(Int64(bitPattern: rawTransmitTime), forKey: "rawTransmitTime")
    coder.encode(Int64(bitPattern: rawReceiveTime), forKey: "rawReceiveTime")
    coder.encode(signalStrength, forKey: "signalStrength")
    coder.encode(carrierFrequencyOffset, forKey: "carrierFrequencyOffset")
    if let offset = responderClockFrequencyOffset {
      coder.encode(offset, forKey: "responderClockFrequencyOffset")
    }
    coder.encode(coordinatesType.rawValue, forKey: "coordinatesType")
    for (key, value) in zip(["x", "y", "z"], [coordinates.x, coordinates.y, coordinates.z]) {
      coder.encode(value, forKey: key)
    }
    if let floorElevation {
      coder.encode(floorElevation.floorNumber, forKey: "floorNumber")
      coder.encode(floorElevation.height, forKey: "height")
    }
  }
}
