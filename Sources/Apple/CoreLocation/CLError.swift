import Foundation
import NearbyDeviceMachine

/// The domain of `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// Why something about places failed.
///
/// Source: `facts/corelocation.md`, section 1.
public struct CLError: CustomNSError, Hashable, Sendable {
  /// Apple's codes with Apple's numbers.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// It is not known where the device is.
    case locationUnknown = 0
    /// The user does not allow it.
    case denied = 1
    /// The network is not there.
    case network = 2
    /// The heading cannot be known.
    case headingFailure = 3
    /// The user does not allow regions to be watched.
    case regionMonitoringDenied = 4
    /// A region cannot be watched.
    case regionMonitoringFailure = 5
    /// Watching a region begins later.
    case regionMonitoringSetupDelayed = 6
    /// News of a region come later.
    case regionMonitoringResponseDelayed = 7
    /// Nothing of that name.
    case geocodeFoundNoResult = 8
    /// Only a part.
    case geocodeFoundPartialResult = 9
    /// Cancelled.
    case geocodeCanceled = 10
    /// Could not be put off.
    case deferredFailed = 11
    /// Could not be put off: nothing is updated.
    case deferredNotUpdatingLocation = 12
    /// Could not be put off: too rough.
    case deferredAccuracyTooLow = 13
    /// Could not be put off: there is a filter.
    case deferredDistanceFiltered = 14
    /// Put off no longer.
    case deferredCanceled = 15
    /// Beacons cannot be ranged: no Bluetooth, or it is off, or accuracy is reduced.
    case rangingUnavailable = 16
    /// Ranging failed.
    case rangingFailure = 17
    /// The user was asked and did not agree.
    case promptDeclined = 18
    /// The past is not known.
    case historicalLocationError = 19
  }

  /// What went wrong.
  public let code: Code

  /// Makes an error of a code.
  public init(_ code: Code) { self.code = code }

  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// What `NSError` carries beside the code.
  public var errorUserInfo: [String: Any] { code.userInfo() }
  /// `kCLErrorDomain`.
  public static var errorDomain: String { kCLErrorDomain }
  /// What went wrong, in a sentence.
  public var localizedDescription: String { code.explanation }
  /// A region that could be watched in place of the one that cannot: never one here.
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
  /// Lets `case CLError.denied` match any error.
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
