import Foundation
import Synchronization

// Settings that are stored but have no effect here.
extension CLLocationManager {
  /// Whether to deliver locations while the app is in the background.
  public var allowsBackgroundLocationUpdates: Bool {
    get { contents.withLock { $0.settings.allowsBackground } }
    set { contents.withLock { $0.settings.allowsBackground = newValue } }
  }

  /// Whether the system may pause location updates.
  public var pausesLocationUpdatesAutomatically: Bool {
    get { contents.withLock { $0.settings.pauses } }
    set { contents.withLock { $0.settings.pauses = newValue } }
  }

  /// Whether the system shows an indicator for background location updates.
  public var showsBackgroundLocationIndicator: Bool {
    get { contents.withLock { $0.settings.showsIndicator } }
    set { contents.withLock { $0.settings.showsIndicator = newValue } }
  }

  /// The desired accuracy, in metres or as one of the constants.
  public var desiredAccuracy: CLLocationAccuracy {
    get { contents.withLock { $0.settings.accuracy } }
    set { contents.withLock { $0.settings.accuracy = newValue } }
  }

  /// The minimum distance between location updates, in metres.
  public var distanceFilter: CLLocationDistance {
    get { contents.withLock { $0.settings.distanceFilter } }
    set { contents.withLock { $0.settings.distanceFilter = newValue } }
  }

  /// The minimum change between heading updates, in degrees.
  public var headingFilter: CLLocationDegrees {
    get { contents.withLock { $0.settings.headingFilter } }
    set { contents.withLock { $0.settings.headingFilter = newValue } }
  }

  /// The orientation for which headings are computed.
  public var headingOrientation: CLDeviceOrientation {
    get { contents.withLock { $0.settings.headingOrientation } }
    set { contents.withLock { $0.settings.headingOrientation = newValue } }
  }

  /// The kind of movement the app expects.
  public var activityType: CLActivityType {
    get { contents.withLock { $0.settings.activity } }
    set { contents.withLock { $0.settings.activity = newValue } }
  }
}
