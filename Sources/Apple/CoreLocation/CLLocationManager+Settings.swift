import Foundation
import Synchronization

// What apps set. It is kept, and nothing here hangs on it.
extension CLLocationManager {
  /// Whether locations come in the background.
  public var allowsBackgroundLocationUpdates: Bool {
    get { contents.withLock { $0.settings.allowsBackground } }
    set { contents.withLock { $0.settings.allowsBackground = newValue } }
  }

  /// Whether locations may pause.
  public var pausesLocationUpdatesAutomatically: Bool {
    get { contents.withLock { $0.settings.pauses } }
    set { contents.withLock { $0.settings.pauses = newValue } }
  }

  /// Whether the system shows that locations come in the background.
  public var showsBackgroundLocationIndicator: Bool {
    get { contents.withLock { $0.settings.showsIndicator } }
    set { contents.withLock { $0.settings.showsIndicator = newValue } }
  }

  /// How exact locations should be, metres or a constant.
  public var desiredAccuracy: CLLocationAccuracy {
    get { contents.withLock { $0.settings.accuracy } }
    set { contents.withLock { $0.settings.accuracy = newValue } }
  }

  /// How far it has to be to the next location, metres.
  public var distanceFilter: CLLocationDistance {
    get { contents.withLock { $0.settings.distanceFilter } }
    set { contents.withLock { $0.settings.distanceFilter = newValue } }
  }

  /// How much has to be turned for the next heading, degrees.
  public var headingFilter: CLLocationDegrees {
    get { contents.withLock { $0.settings.headingFilter } }
    set { contents.withLock { $0.settings.headingFilter = newValue } }
  }

  /// How the device is held.
  public var headingOrientation: CLDeviceOrientation {
    get { contents.withLock { $0.settings.headingOrientation } }
    set { contents.withLock { $0.settings.headingOrientation = newValue } }
  }

  /// What locations are for.
  public var activityType: CLActivityType {
    get { contents.withLock { $0.settings.activity } }
    set { contents.withLock { $0.settings.activity = newValue } }
  }
}
