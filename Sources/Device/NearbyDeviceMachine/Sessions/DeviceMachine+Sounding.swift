import NearbyBluetooth
import NearbyEstimation

/// Sessions that range with an accessory by Bluetooth Channel Sounding.
///
/// They need no chip. The device's Bluetooth performs the procedures while the session is in the phase `sounding`, which
/// the event `sounds` announces; its results come back as `SoundingInput`.
extension DeviceMachine {
  /// Begins Channel Sounding. The session is allowed, and its app is in the foreground.
  mutating func openSounding(
    _ index: Int, _ configuration: PeerConfiguration, with peer: BluetoothPeer, at now: Duration
  ) {
    guard capabilities.contains(.channelSounding) else { return fail(index, .unsupportedPlatform, at: now) }
    var session = SoundingSession(configuration, with: peer)
    if let user = sessions[index].camera, configuration.usesCameraAssistance {
      session.assistance = AssistedPeer(camera: user, .sounding)
    }
    sessions[index].startSounding(session)
    actions.append(.deliver(sessions[index].id, .sounds(peer)))
  }

  /// Ends Channel Sounding; without effect on a session in another phase.
  mutating func stopSounding(_ index: Int) {
    guard sessions[index].endSounding() else { return }
    actions.append(.deliver(sessions[index].id, .sounds(nil)))
  }

  /// Receives what Bluetooth reports.
  mutating func receive(_ input: SoundingInput, _ index: Int, at now: Duration) {
    guard case .sounding(let session) = sessions[index].phase else { return }
    switch input {
    case .sounded(let sounding):
      if !session.value.hasReportedRunning {
        sessions[index].updateSounding { $0.hasReportedRunning = true }
        deliver(index, .startedRunning)
        deliverConditions(index, at: now)
      }
      guard let sounding else { return }
      let view = camera.view
      let report = sessions[index].updateSounding { $0.receive(sounding, camera: view, at: now) }
      if let report = report ?? nil { deliver(index, report) }
    case .ended(let failure):
      // An accessory that was heard and left is removed when it has been silent for long.
      guard let failure, session.value.lastHeard == nil else { return }
      fail(index, SessionFailure(sounding: failure), at: now)
    }
  }

  mutating func deliver(_ index: Int, _ report: Ranging.Report) {
    if let assisted = report.assisted {
      deliver(index, .assisted(report.estimate, assisted))
    } else {
      deliver(index, .updated(report.estimate))
    }
    if let reasons = report.reasons { deliver(index, .convergence(reasons, ofPeer: true)) }
  }

  /// Removes an accessory that has been silent for long.
  mutating func checkSounding(_ index: Int, at now: Duration) {
    guard case .sounding(let session) = sessions[index].phase,
      let deadline = session.value.deadline(settings.peerTimeout), deadline <= now
    else { return }
    remove(index, .timeout, at: now)
  }

  /// The app reports whether the accessory of one of its sessions moves. What camera assistance has learnt of the place
  /// of one that moves is wrong.
  mutating func setMotion(_ isMoving: Bool, of peer: DiscoveryIdentity, _ index: Int) {
    guard sessions[index].configuration?.peer == peer else { return }
    sessions[index].updateRanging { $0.assistance?.value.isMoving = isMoving }
    sessions[index].updateSounding { $0.assistance?.isMoving = isMoving }
  }
}

extension SessionFailure {
  /// Why Channel Sounding could not be started.
  fileprivate init(sounding failure: BluetoothFailure) {
    switch failure {
    case .notConnected, .unknownPeer, .peripheralDisconnected, .connectionTimeout, .connectionFailed:
      self = .accessoryPeerDeviceUnavailable
    case .notSupported: self = .unsupportedPlatform
    case .connectionLimitReached, .operationCancelled, .pairingFailed, .encryptionTimedOut,
      .alreadyAdvertising,
      .invalidParameters, .soundingConfigurationFailed, .soundingProcedureFailed, .att:
      self = .sessionFailed
    }
  }
}
