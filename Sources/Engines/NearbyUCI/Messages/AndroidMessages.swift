/// The radio's activity since power-on or reset: the answer to ANDROID_GET_POWER_STATS.
package struct UCIPowerStatistics: Hashable, Sendable {
  package var idleMilliseconds: UInt32
  package var transmitMilliseconds: UInt32
  package var receiveMilliseconds: UInt32
  package var wakes: UInt32

  package init(
    idleMilliseconds: UInt32, transmitMilliseconds: UInt32, receiveMilliseconds: UInt32, wakes: UInt32
  ) {
    self.idleMilliseconds = idleMilliseconds
    self.transmitMilliseconds = transmitMilliseconds
    self.receiveMilliseconds = receiveMilliseconds
    self.wakes = wakes
  }
}

/// ANDROID_FIRA_RANGE_DIAGNOSTICS_NTF: how the frames of one round were received.
///
/// Source: `AndroidRangeDiagnosticsNtf` of AOSP's `uci_packets.pdl`.
package struct UCIRangeDiagnostics: Hashable, Sendable {
  package var token: UCISessionToken
  /// The sequence number of the round's SESSION_INFO_NTF.
  package var sequence: UInt32
  /// At most 255.
  package var reports: [UCIFrameReport]

  package init(token: UCISessionToken, sequence: UInt32, reports: [UCIFrameReport]) {
    self.token = token
    self.sequence = sequence
    self.reports = reports
  }
}

/// Diagnostics of one frame of a round.
package struct UCIFrameReport: Hashable, Sendable {
  package var messageID: UCIFrameMessage
  /// 0 if the frame was received, 1 if it was sent.
  package var action: UInt8
  package var antennaSet: UInt8
  /// At most 255.
  package var fields: [UCIFrameField]

  package init(
    messageID: UCIFrameMessage, action: UInt8 = 0, antennaSet: UInt8 = 0, fields: [UCIFrameField]
  ) {
    self.messageID = messageID
    self.action = action
    self.antennaSet = antennaSet
    self.fields = fields
  }
}

/// The kind of frame that a report describes.
package struct UCIFrameMessage: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let poll = UCIFrameMessage(rawValue: 0)
  package static let response = UCIFrameMessage(rawValue: 1)
  package static let final = UCIFrameMessage(rawValue: 2)
  package static let control = UCIFrameMessage(rawValue: 3)
  package static let names: [(UCIFrameMessage, String)] = [
    (.poll, "RANGING_INITIATION"), (.response, "RANGING_RESPONSE"), (.final, "RANGING_FINAL"),
    (.control, "CONTROL"),
  ]
}

/// One measured property of a frame.
package enum UCIFrameField: Hashable, Sendable {
  /// Type 0: one unsigned Q7.1 value for each receiver, the signal strength in dBm × −2.
  case rssi([UInt8])
  /// Type 1: the angles of arrival.
  case angles([UCIFrameAngle])
  /// Channel impulse responses, segment metrics and unknown types, as raw octets.
  case other(type: UInt8, [UInt8])
}

/// A frame's angle of arrival at one antenna pair.
package struct UCIFrameAngle: Hashable, Sendable {
  /// Time difference of arrival, in the chip's own unit.
  package var timeDifference: UInt16
  /// Phase difference of arrival, radians in signed Q5.11.
  package var phaseDifference: UInt16
  /// Degrees in Q9.7, with a figure of merit in percent.
  package var angle: UCIAngle
  /// 0 azimuth, 1 elevation.
  package var axis: UInt8

  package init(
    timeDifference: UInt16 = 0, phaseDifference: UInt16 = 0, angle: UCIAngle, axis: UInt8
  ) {
    self.timeDifference = timeDifference
    self.phaseDifference = phaseDifference
    self.angle = angle
    self.axis = axis
  }
}
