import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyHome

/// Receives a geocoder's result on the main queue.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Declared for source compatibility. There is no map here, so every request fails with `CLError.network`.
open class CLGeocoder: NSObject, @unchecked Sendable {
  // Without stored properties.
  /// Receives the result on the main queue.
  public typealias CompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

  /// Creates a geocoder.
  public override init() { super.init() }

  /// Always false, because every request fails at once.
  open var isGeocoding: Bool { false }
  /// Has no effect.
  open func cancelGeocode() {}

  /// Fails with `CLError.network`.
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// Fails with `CLError.network`.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// Throws `CLError.network`.
  open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
    throw CLError(.network)
  }
  /// Throws `CLError.network`.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] { throw CLError(.network) }

  /// Fails with `CLError.network`.
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// Fails with `CLError.network`.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }
  /// Throws `CLError.network`.
  open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
    throw CLError(.network)
  }
  /// Throws `CLError.network`.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark] { throw CLError(.network) }

  /// Fails with `CLError.network`.
  @available(*, deprecated, message: "Use geocodeAddressString(_:completionHandler:)")
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CompletionHandler
  ) { fail(completionHandler) }

  private func fail(_ handler: @escaping CompletionHandler) {
    // Sendable because the handler is called once, on the main queue.
    let handler = UncheckedSendable(handler)
    let device = NearbyDevice.bound
    device.app.later { device.perform(on: nil) { handler.value(nil, CLError(.network)) } }
  }
}

/// A named place. Nothing here creates one.
open class CLPlacemark: NSObject, NSCopying, @unchecked Sendable {
  // All stored properties are immutable.
  private let place: CLLocation?

  /// Creates a copy.
  public init(placemark: CLPlacemark) {
    place = placemark.place
    super.init()
  }

  /// The place's location.
  open var location: CLLocation? { place }
  /// The region; always `nil` here, like every property below.
  open var region: CLRegion? { nil }
  /// The time zone.
  open var timeZone: TimeZone? { nil }
  /// The name.
  open var name: String? { nil }
  /// The street.
  open var thoroughfare: String? { nil }
  /// The house number.
  open var subThoroughfare: String? { nil }
  /// The town.
  open var locality: String? { nil }
  /// The district of the town.
  open var subLocality: String? { nil }
  /// The state or province.
  open var administrativeArea: String? { nil }
  /// The county.
  open var subAdministrativeArea: String? { nil }
  /// The postal code.
  open var postalCode: String? { nil }
  /// The country's ISO code.
  open var isoCountryCode: String? { nil }
  /// The country.
  open var country: String? { nil }
  /// The inland body of water at the place.
  open var inlandWater: String? { nil }
  /// The ocean at the place.
  open var ocean: String? { nil }
  /// Points of interest at the place.
  open var areasOfInterest: [String]? { nil }

  /// Returns the placemark itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
