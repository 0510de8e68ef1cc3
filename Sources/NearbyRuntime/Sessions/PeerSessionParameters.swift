import UCI

/// The chip's parameters for ranging with one peer.
///
/// DS-TWR deferred, unicast, on channel 9 with a provisioned key; six slots hold the control message, the
/// three ranging frames and the two reports. Source: `facts/uci.md`, sections 3 and 9.
struct PeerSessionParameters {
  let agreement: PairAgreement
  let settings: DeviceSettings

  var request: UCISessionRequest {
    UCISessionRequest(
      sessionID: agreement.sessionID, type: .rangingWithInBandData, parameters: parameters,
      startsRanging: true)
  }
}
