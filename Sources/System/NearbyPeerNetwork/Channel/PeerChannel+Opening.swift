import Foundation
import NearbyEventLoop
import Synchronization

/// From a connected socket to a channel that both sides have accepted. On the loop's thread.
extension PeerChannel {
  /// Takes over the socket and starts the handshake.
  ///
  /// - Parameters:
  ///   - context: For TLS; `nil` for plain text.
  ///   - own: Fingerprint of this side's key; a peer with the same one is refused.
  ///   - opened: Called once, with the channel or the reason why it failed.
  func begin(
    _ context: TLSContext?, own: [UInt8], decide: @escaping CertificateDecision,
    opened: @escaping (Result<PeerChannel, NetworkError>) -> Void
  ) {
    self.opened = opened
    do throws(NetworkError) {
      try loop.watchSocket(descriptor, for: .readable) { [weak self] in self?.ready($0) }
      limit(rules.handshakeTimeout, .handshake)
      decision = { [weak self] credentials in self?.ask(decide, credentials, own: own) }
      guard let context else {
        stream = .plain(descriptor)
        return ask(decide, nil, own: own)
      }
      let secure = try TLSStream(context, descriptor: descriptor, isClient: role == .initiator)
      stream = .secure(secure)
      shakeHands()
    } catch {
      finish(error)
    }
  }

  /// Handles readiness of the socket.
  func ready(_ readiness: EventLoop.Readiness) {
    switch phase {
    case .closed: break
    case .handshaking: shakeHands()
    case .deciding:
      if !records.isEmpty { flush() }
      if theirs == nil {
        readPreamble()
      } else if readiness.contains(.broken) {
        finish(.closedByPeer(isClean: false))
      }
    case .open:
      if !records.isEmpty || encryptedLeft != nil { flush() }
      if !isReadingPaused, handlers != nil {
        readAvailable()
      } else if readiness.contains(.broken) {
        finish(.closedByPeer(isClean: false))
      }
    case .closing:
      flush()
      discardUntilEnd()
    }
  }

  private func shakeHands() {
    guard case .secure(let secure)? = stream else { return }
    switch secure.handshake() {
    case .done:
      do throws(NetworkError) {
        guard secure.isOurProtocol else { throw .refused(.otherProtocol) }
        let credentials = try secure.credentials()
        setCredentials(credentials)
        decision?(credentials)
      } catch {
        refuse(error)
      }
    case .wantsRead: want(.readable)
    case .wantsWrite: want([.readable, .writable])
    case .ended(let isClean): finish(.closedByPeer(isClean: isClean))
    case .failed(let error): finish(error)
    }
  }

  /// Asks for this side's decision, and reads the other side's preamble in the meantime.
  private func ask(_ decide: CertificateDecision, _ credentials: PeerCredentials?, own: [UInt8]) {
    phase = .deciding
    want(.readable)
    guard credentials?.fingerprint != own else { return refuse(.refused(.ownKey)) }
    limit(rules.decisionTimeout, .decision)
    decide(credentials, remote) { [self] isAccepted in
      // A decision that is made at once needs no turn of the loop.
      if loop.isCurrent {
        decided(isAccepted)
      } else {
        loop.perform { [self] in decided(isAccepted) }
      }
    }
    // TLS may already have read the other side's preamble.
    if phase == .deciding, theirs == nil { readPreamble() }
  }

  /// Sends this side's decision, with the port for datagrams.
  private func decided(_ isAccepted: Bool) {
    guard phase == .deciding, !hasAccepted else { return }
    guard isAccepted else { return refuse(.refused(.certificate)) }
    hasAccepted = true
    if rules.carriesDatagrams { datagrams = makeAssociation() }
    say(ChannelPreamble(.accepted, datagramPort: datagrams?.port ?? 0))
    guard phase == .deciding else { return }
    // The other side may take its time to decide.
    limit(rules.decisionTimeout + rules.handshakeTimeout, .otherSide)
    openIfAgreed()
  }

  /// Sends the reason to the other side, if it can still receive it, and ends.
  func refuse(_ error: NetworkError) {
    if case .refused(let reason) = error {
      say(ChannelPreamble(.refused(reason)))
      if phase != .closed { stream?.shutDown(descriptor) }
    }
    finish(error)
  }

  private func say(_ preamble: ChannelPreamble) {
    var octets: [UInt8] = []
    preamble.write(to: &octets)
    records.append([octets])
    flush()
  }

  private func readPreamble() {
    guard let stream else { return }
    while preambleOctets.count < ChannelPreamble.count {
      // Do not read beyond the preamble: the rest is for the channel's user.
      let left = ChannelPreamble.count - preambleOctets.count
      let room = UnsafeMutableRawBufferPointer(rebasing: scratch.octets[..<left])
      let (count, progress) = stream.read(into: room)
      preambleOctets += room[..<count]
      switch progress {
      case .done: continue
      case .wantsRead, .wantsWrite: return
      case .ended(let isClean): return finish(.closedByPeer(isClean: isClean))
      case .failed(let error): return finish(error)
      }
    }
    takePreamble()
  }

  /// Handles the other side's decision.
  private func takePreamble() {
    do throws(NetworkError) {
      let preamble = try ChannelPreamble(parsing: preambleOctets.span)
      if case .refused(let reason) = preamble.verdict { throw .refusedByPeer(reason) }
      theirs = preamble
      // Nothing more is read until the channel is open.
      updateReadiness()
      openIfAgreed()
    } catch {
      refuse(error)
    }
  }

  /// Opens the channel once both sides have accepted.
  private func openIfAgreed() {
    guard phase == .deciding, hasAccepted, let theirs else { return }
    phase = .open
    loop.cancel(alarm)
    alarm = nil
    decision = nil
    sending.withLock { $0.accepts = true }
    openDatagrams(theirs.datagramPort)
    updateReadiness()
    let opened = opened
    self.opened = nil
    opened?(.success(self))
  }

  // MARK: Datagrams

  /// Opens a socket for datagrams, with a key exported from the channel.
  private func makeAssociation() -> DatagramAssociation? {
    guard let local = Sockets.localAddress(of: descriptor), let stream else { return nil }
    do throws(NetworkError) {
      let key: [UInt8]? =
        switch stream {
        case .secure(let secure):
          try secure.exportKey(
            label: DatagramAssociation.keyLabel, count: DatagramAssociation.keyCount)
        case .plain: nil
        }
      return try DatagramAssociation(
        loop: loop, local: local, isClient: role == .initiator, key: key,
        opened: { [weak self] in self?.handlers?.onDatagramsOpen($0) },
        receive: { [weak self] in self?.handlers?.onDatagram($0) })
    } catch {
      // Without datagrams, the channel still carries everything reliable.
      return nil
    }
  }

  private func openDatagrams(_ port: UInt16) {
    guard let datagrams else { return }
    var place = remote
    place.port = port
    guard port != 0, (try? datagrams.open(to: place)) != nil else {
      datagrams.close()
      self.datagrams = nil
      return
    }
  }

  // MARK: Time limits

  /// Replaces the time limit of the previous phase.
  private func limit(_ time: Duration, _ what: NetworkError.Phase) {
    loop.cancel(alarm)
    alarm = loop.schedule(after: time) { [weak self] in
      guard let self else { return }
      if what == .decision { refuse(.refused(.undecided)) } else { finish(.timedOut(what)) }
    }
  }
}
