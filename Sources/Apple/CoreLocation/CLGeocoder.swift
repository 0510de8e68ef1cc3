import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyHome

/// Would know places by their names. There is no map here: each question fails with `CLError.network`.
public final class CLGeocoder: NSObject, Sendable {
  /// Takes what was found, on the main queue.
  public typealias CompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

  /// Makes one.
  public override init() { super.init() }

  /// Never: a question is answered at once.
  public var isGeocoding: Bool { false }
  /// Nothing to cancel.
  public func cancelGeocode() {}

  /// What is at a place.
  public func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// What is at a place, in a language.
  public func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// What is at a place.
  public func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
    throw CLError(.network)
  }
  /// What is at a place, in a language.
  public func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] { throw CLError(.network) }

  /// Where an address is.
  public func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// Where an address is, in a region.
  public func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// Where an address is.
  public func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
    throw CLError(.network)
  }
  /// Where an address is, in a region.
  public func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark] { throw CLError(.network) }

  private func fail(_ handler: @escaping CompletionHandler) {
    // Called once, on the main queue.
    let handler = UncheckedSendable(handler)
    let device = NearbyDevice.bound
    device.app.later { device.perform(on: nil) { handler.value(nil, CLError(.network)) } }
  }
}

/// A place with a name. Nothing here finds one.
open class CLPlacemark: NSObject, NSCopying, @unchecked Sendable {
  // Immutable.
  private let place: CLLocation?

  /// The same place again.
  public init(placemark: CLPlacemark) {
    place = placemark.place
    super.init()
  }

  /// Where it is.
  open var location: CLLocation? { place }
  /// Not known here, as everything below.
  open var region: CLRegion? { nil }
  /// In which zone of time.
  open var timeZone: TimeZone? { nil }
  /// Its name.
  open var name: String? { nil }
  /// Its street.
  open var thoroughfare: String? { nil }
  /// Its house number.
  open var subThoroughfare: String? { nil }
  /// Its town.
  open var locality: String? { nil }
  /// Its part of the town.
  open var subLocality: String? { nil }
  /// Its state or province.
  open var administrativeArea: String? { nil }
  /// Its county.
  open var subAdministrativeArea: String? { nil }
  /// Its postal code.
  open var postalCode: String? { nil }
  /// Its country's code.
  open var isoCountryCode: String? { nil }
  /// Its country.
  open var country: String? { nil }
  /// The water inland that it lies at.
  open var inlandWater: String? { nil }
  /// The sea that it lies at.
  open var ocean: String? { nil }
  /// What there is to see.
  open var areasOfInterest: [String]? { nil }

  /// Returns the place itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
