import Synchronization

/// Lets NearbyTesting notice objects that are made outside `Phone.launch`, without live apps building
/// NearbyTesting.
package enum OwnDeviceUse {
  private static let observer = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets what is called whenever something binds to this process's own device, on the thread on which it does.
  package static func observe(_ body: @escaping @Sendable () -> Void) { observer.withLock { $0 = body } }

  /// Calls the observer, if any.
  package static func report() { observer.withLock { $0 }?() }
}
