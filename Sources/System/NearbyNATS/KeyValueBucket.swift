import CNearbyNATS
import NearbySchedule

/// Values by key, which the server keeps on its disk.
///
/// `@unchecked Sendable`: the client's bucket locks itself, and lives as long as this.
package final class KeyValueBucket: @unchecked Sendable {
  private let bucket: OpaquePointer
  /// Must outlive the bucket.
  private let connection: NATSConnection

  /// Opens a bucket, and makes it if it does not exist.
  ///
  /// - Parameters:
  ///   - age: Values that are older are removed; used when the bucket is made.
  ///   - replicas: Servers of a cluster that keep it; used when the bucket is made.
  package init(
    _ connection: NATSConnection, _ name: String, age: Duration, replicas: Int = 1
  ) throws(NATSFailure) {
    var found: OpaquePointer?
    if js_KeyValue(&found, connection.stream, name) != NATS_OK {
      let status = name.withCString { name in
        var configuration = kvConfig()
        kvConfig_Init(&configuration)
        configuration.Bucket = name
        configuration.History = 1
        configuration.TTL = age.inNanoseconds
        configuration.StorageType = js_FileStorage
        configuration.Replicas = Int32(replicas)
        return js_CreateKeyValue(&found, connection.stream, &configuration)
      }
      try NATSConnection.check(status, "make the bucket \(name)")
    }
    guard let found else { throw NATSFailure("open the bucket \(name)", NATS_ERR) }
    bucket = found
    self.connection = connection
  }

  deinit { kvStore_Destroy(bucket) }

  package func set(_ key: String, to octets: [UInt8]) throws(NATSFailure) {
    try NATSConnection.check(
      kvStore_Put(nil, bucket, key, octets, Int32(clamping: octets.count)), "store a value")
  }

  /// - Returns: `nil` if there is no value.
  package func value(of key: String) throws(NATSFailure) -> [UInt8]? {
    var entry: OpaquePointer?
    let status = kvStore_Get(&entry, bucket, key)
    if status == NATS_NOT_FOUND { return nil }
    try NATSConnection.check(status, "read a value")
    defer { kvEntry_Destroy(entry) }
    guard let data = kvEntry_Value(entry) else { return [] }
    let count = max(0, Int(kvEntry_ValueLen(entry)))
    return data.withMemoryRebound(to: UInt8.self, capacity: max(1, count)) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// A value with the number of its revision.
  ///
  /// - Returns: `nil` if there is no value.
  package func entry(of key: String) throws(NATSFailure) -> (octets: [UInt8], revision: UInt64)? {
    var entry: OpaquePointer?
    let status = kvStore_Get(&entry, bucket, key)
    if status == NATS_NOT_FOUND { return nil }
    try NATSConnection.check(status, "read a value")
    defer { kvEntry_Destroy(entry) }
    let count = max(0, Int(kvEntry_ValueLen(entry)))
    let octets = Array(UnsafeRawBufferPointer(start: kvEntry_Value(entry), count: count))
    return (octets, kvEntry_Revision(entry))
  }

  /// Replaces a value only if nobody has replaced it since.
  ///
  /// - Parameter revision: Of the value to replace; `nil` if there must be none.
  /// - Returns: The new revision; `nil` if somebody else was faster.
  package func replace(
    _ key: String, by octets: [UInt8], revision: UInt64?
  ) throws(NATSFailure) -> UInt64? {
    var next: UInt64 = 0
    let count = Int32(clamping: octets.count)
    let status =
      if let revision {
        kvStore_Update(&next, bucket, key, octets, count, revision)
      } else {
        kvStore_Create(&next, bucket, key, octets, count)
      }
    // The client has no other status for a wrong revision.
    if status == NATS_ERR { return nil }
    try NATSConnection.check(status, "store a value")
    return next
  }

  package func remove(_ key: String) throws(NATSFailure) {
    try NATSConnection.check(kvStore_Purge(bucket, key, nil), "remove a value")
  }
}
