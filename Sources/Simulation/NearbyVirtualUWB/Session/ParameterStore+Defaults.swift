extension ParameterStore {
  /// The parameters of a session before its host sets any. The mandatory parameters have no default.
  static let defaults: ParameterStore = {
    var store = ParameterStore()
    let octets: [(UInt8, UInt8)] = [
      (0x02, 0), (0x04, 9), (0x05, 1), (0x0B, 0), (0x0C, 3), (0x0D, 1), (0x0E, 1), (0x12, 3), (0x13, 0),
      (0x14, 10), (0x15, 2), (0x16, 0), (0x17, 1), (0x18, 0), (0x19, 0), (0x1A, 1), (0x1B, 25), (0x1C, 0),
      (0x1E, 1),
      (0x1F, 0), (0x21, 0), (0x23, 0), (0x24, 0), (0x25, 50), (0x26, 0), (0x2C, 0), (0x2D, 0), (0x2E, 1),
      (0x2F, 1),
      (0x31, 0), (0x35, 1), (0x36, 0), (0x47, 0),
    ]
    for (id, value) in octets { store.set(id, [value]) }
    store.set(ParameterID.slotDuration, [0x60, 0x09])
    store.set(ParameterID.rangingDuration, [200, 0, 0, 0])
    store.set(0x0A, [0, 0, 0, 0])
    store.set(ParameterID.nearProximity, [0, 0])
    store.set(ParameterID.farProximity, [0x20, 0x4E])
    store.set(ParameterID.maximumRoundRetries, [0, 0])
    store.set(ParameterID.maximumMeasurements, [0, 0])
    return store
  }()
}
