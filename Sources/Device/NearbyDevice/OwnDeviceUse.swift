import Synchronization

/// Lets NearbyTesting notice objects that are made outside `Phone.launch`, without live apps building
/// NearbyTesting.
package enum OwnDeviceUse {
  private static let observer = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Sets what is called with the type of each object that binds to this process's own device, on the thread
  /// on which it is created.
  package static func observe(_ body: @escaping @Sendable (_ object: String) -> Void) {
    observer.withLock { $0 = body }
  }

  /// Calls the observer, if any.
  package static func report(_ object: String) { observer.withLock { $0 }?(object) }
}
