import Foundation

/// A component of the magnetic field, in microteslas.
public typealias CLHeadingComponentValue = Double

/// The direction a device points to. Nothing here determines one: tests subclass it.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private struct Values: Sendable {
    var magnetic: CLLocationDirection = 0
    var truth: CLLocationDirection = 0
    var accuracy: CLLocationDirection = 0
    var timestamp = Date(timeIntervalSinceReferenceDate: 0)
  }

  // Immutable.
  private let values: Values

  /// Creates a heading whose values are all zero.
  public override init() { values = Values() }

  /// Degrees clockwise from magnetic north.
  open var magneticHeading: CLLocationDirection { values.magnetic }
  /// Degrees clockwise from true north; negative if unknown.
  open var trueHeading: CLLocationDirection { values.truth }
  /// Uncertainty in degrees; negative if the heading is invalid.
  open var headingAccuracy: CLLocationDirection { values.accuracy }
  /// The magnetic field along the device's x axis; always 0.
  open var x: CLHeadingComponentValue { 0 }
  /// The magnetic field along the device's y axis; always 0.
  open var y: CLHeadingComponentValue { 0 }
  /// The magnetic field along the device's z axis; always 0.
  open var z: CLHeadingComponentValue { 0 }
  /// When the heading was determined.
  open var timestamp: Date { values.timestamp }

  /// Returns the heading itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived heading.
  public required init?(coder: NSCoder) {
    values = Values(
      magnetic: coder.decodeDouble(forKey: "magneticHeading"),
      truth: coder.decodeDouble(forKey: "trueHeading"),
      accuracy: coder.decodeDouble(forKey: "headingAccuracy"),
      timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")))
    super.init()
  }

  /// Encodes the heading.
  open func encode(with coder: NSCoder) {
    coder.encode(magneticHeading, forKey: "magneticHeading")
    coder.encode(trueHeading, forKey: "trueHeading")
    coder.encode(headingAccuracy, forKey: "headingAccuracy")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }
}
