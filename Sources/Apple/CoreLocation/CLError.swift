import Foundation
import NearbyDeviceMachine

/// The domain of `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// Why a location service failed.
///
/// Source: Apple's documentation of `CLError`.
public struct CLError: CustomNSError, Hashable, Sendable {
  /// The error codes, numbered as Apple's.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The device's location is unknown.
    case locationUnknown = 0
    /// The user denied access.
    case denied = 1
    /// The network is unavailable.
    case network = 2
    /// The heading cannot be determined.
    case headingFailure = 3
    /// The user did not allow region monitoring.
    case regionMonitoringDenied = 4
    /// The region cannot be monitored.
    case regionMonitoringFailure = 5
    /// Monitoring of the region starts with a delay.
    case regionMonitoringSetupDelayed = 6
    /// Events for the region arrive with a delay.
    case regionMonitoringResponseDelayed = 7
    /// The geocoder found nothing.
    case geocodeFoundNoResult = 8
    /// The geocoder found only a partial result.
    case geocodeFoundPartialResult = 9
    /// The geocoder request was cancelled.
    case geocodeCanceled = 10
    /// Deferred updates could not be started.
    case deferredFailed = 11
    /// Deferred updates need location updates to be running.
    case deferredNotUpdatingLocation = 12
    /// Deferred updates need a higher accuracy.
    case deferredAccuracyTooLow = 13
    /// Deferred updates need the distance filter to be off.
    case deferredDistanceFiltered = 14
    /// Deferred updates were cancelled.
    case deferredCanceled = 15
    /// Ranging is unavailable: there is no Bluetooth, it is off, or the app has reduced accuracy.
    case rangingUnavailable = 16
    /// Ranging failed.
    case rangingFailure = 17
    /// The user declined the prompt.
    case promptDeclined = 18
    /// The historical location could not be determined.
    case historicalLocationError = 19
  }

  /// The error code.
  public let code: Code

  /// Creates an error with a code.
  public init(_ code: Code) { self.code = code }

  /// The numeric value of `code`.
  public var errorCode: Int { code.rawValue }
  /// The `userInfo` of the bridged `NSError`.
  public var errorUserInfo: [String: Any] { code.userInfo() }
  /// `kCLErrorDomain`.
  public static var errorDomain: String { kCLErrorDomain }
  /// A one-sentence description of the error.
  public var localizedDescription: String { code.explanation }
  /// A region to monitor instead of the one that failed; always `nil` here.
  public var alternateRegion: CLRegion? { nil }

  init(failure: LocationFailure) { self.init(Code(rawValue: failure.rawValue) ?? .locationUnknown) }
}

extension CLError {
  /// `Code.locationUnknown`.
  public static var locationUnknown: Code { .locationUnknown }
  /// `Code.denied`.
  public static var denied: Code { .denied }
  /// `Code.network`.
  public static var network: Code { .network }
  /// `Code.headingFailure`.
  public static var headingFailure: Code { .headingFailure }
  /// `Code.regionMonitoringDenied`.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// `Code.regionMonitoringFailure`.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// `Code.regionMonitoringSetupDelayed`.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// `Code.regionMonitoringResponseDelayed`.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// `Code.geocodeFoundNoResult`.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// `Code.geocodeFoundPartialResult`.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// `Code.geocodeCanceled`.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// `Code.deferredFailed`.
  public static var deferredFailed: Code { .deferredFailed }
  /// `Code.deferredNotUpdatingLocation`.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// `Code.deferredAccuracyTooLow`.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// `Code.deferredDistanceFiltered`.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// `Code.deferredCanceled`.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// `Code.rangingUnavailable`.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// `Code.rangingFailure`.
  public static var rangingFailure: Code { .rangingFailure }
  /// `Code.promptDeclined`.
  public static var promptDeclined: Code { .promptDeclined }
  /// `Code.historicalLocationError`.
  public static var historicalLocationError: Code { .historicalLocationError }
}

extension CLError.Code: ExplainedCode {
  /// Lets `case CLError.denied` match an error of any type.
  public static func ~= (code: CLError.Code, error: any Error) -> Bool { (error as? CLError)?.code == code }

  package var explanation: String {
    switch self {
    case .locationUnknown: "It is not known where this device is."
    case .denied: "The user did not allow it."
    case .network: "The network is not there."
    case .headingFailure: "This device has no compass."
    case .regionMonitoringDenied: "The user did not allow regions to be watched."
    case .regionMonitoringFailure: "The region cannot be watched."
    case .regionMonitoringSetupDelayed: "The region is watched later."
    case .regionMonitoringResponseDelayed: "News of the region come later."
    case .geocodeFoundNoResult: "Nothing was found."
    case .geocodeFoundPartialResult: "Only a part was found."
    case .geocodeCanceled: "The search was cancelled."
    case .deferredFailed, .deferredNotUpdatingLocation, .deferredAccuracyTooLow, .deferredDistanceFiltered:
      "Updates cannot be put off."
    case .deferredCanceled: "Updates are put off no longer."
    case .rangingUnavailable: "Beacons cannot be ranged now."
    case .rangingFailure: "Ranging failed."
    case .promptDeclined: "The user was asked and did not agree."
    case .historicalLocationError: "The past is not known."
    }
  }
}
