/// A device configuration parameter (section 2).
package enum UCIDeviceParameter: Hashable, Sendable {
  /// DEVICE_STATE. Read only.
  case deviceState(UCIDeviceState)
  /// LOW_POWER_MODE. On unless set.
  case lowPowerMode(UInt8)
  /// An id without a form here, vendors' from E3 on among them.
  case unknown(id: UInt8, [UInt8])

  /// - Throws: `wrongLength` when the id asks for another length.
  package init(_ tlv: UCITLV) throws(UCIError) {
    let value = UCIParameterValue(tlv)
    switch tlv.id {
    case 0x00: self = .deviceState(try value.code())
    case 0x01: self = .lowPowerMode(try value.uint8())
    default: self = .unknown(id: tlv.id, tlv.value)
    }
  }

  package var id: UInt8 {
    switch self {
    case .deviceState: 0x00
    case .lowPowerMode: 0x01
    case .unknown(let id, _): id
    }
  }

  package var tlv: UCITLV {
    switch self {
    case .deviceState(let state): UCITLV(id: id, value: [state.rawValue])
    case .lowPowerMode(let mode): UCITLV(id: id, value: [mode])
    case .unknown(let id, let value): UCITLV(id: id, value: value)
    }
  }

  /// What a controller has where nothing was set.
  package static let defaults: [UCIDeviceParameter] = [.lowPowerMode(1)]
}
