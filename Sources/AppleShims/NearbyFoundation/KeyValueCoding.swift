// Key-value coding of Apple's user defaults, which apps use as another spelling of `set` and `object`.

extension UserDefaults {
  /// Sets the value of a key; `nil` removes it.
  ///
  /// - Parameters:
  ///   - value: A property-list value, as for `set(_:forKey:)`.
  ///   - key: The key.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

  /// Sets the value of a key; `nil` removes it.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) { set(value, forKey: keyPath) }

  /// The value of a key, as `object(forKey:)` returns it.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// The value of a key, as `object(forKey:)` returns it.
  public func value(forKeyPath keyPath: String) -> Any? { object(forKey: keyPath) }
}

// iCloud's documents. This platform has no iCloud account.
extension FileManager {
  /// Identifies the iCloud account. Always `nil`, as on a device without an iCloud account.
  public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? { nil }

  /// Always `nil`, as for an app without the entitlement for the group.
  public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }

  /// Returns the folder of an iCloud container. Always `nil`, as on a device without an iCloud account.
  public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? { nil }
}
