import Dispatch
import Foundation
import NearbyRadioLinks
import NearbyWorldProtocol
import Synchronization

/// Connections: accepting, receiving, closing. Everything runs on the server's queue.
extension WorldServer {
  func listen(_ listener: Int32, isForHosts: Bool) {
    let source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
    source.setEventHandler { [weak self] in self?.acceptWaiting(listener, isForHosts: isForHosts) }
    source.setCancelHandler { [open = sources.open] in
      close(listener)
      open.leave()
    }
    sources.open.enter()
    source.resume()
    sources.listeners.append(source)
  }

  private func acceptWaiting(_ listener: Int32, isForHosts: Bool) {
    do throws(LinkError) {
      while let descriptor = try TCPSockets.accept(from: listener) {
        welcome(descriptor, isHost: isForHosts)
      }
    } catch {
      // The listener stays readable, so retrying at once would spin.
      report(.acceptFailed(error))
      for source in sources.listeners { source.suspend() }
      queue.asyncAfter(deadline: .now() + Self.acceptPause) { [sources] in
        for source in sources.listeners { source.resume() }
      }
    }
  }

  /// Sets up an accepted connection. A UCI host joins at once; a program must send a hello in time.
  private func welcome(_ descriptor: Int32, isHost: Bool) {
    let address = PeerAddress.text(of: descriptor)
    PeerAddress.noticeLoss(on: descriptor, after: Self.lostAfter)
    let link = DescriptorLink(descriptor: descriptor, queue: queue, queueLimit: configuration.queueLimit)
    if let refusal = makeRoom(isHost: isHost, address) {
      link.close()
      return report(.dropped(refusal))
    }
    let client = state.withLock { state -> WorldClient? in
      guard !state.isStopped else { return nil }
      state.clientsMade += 1
      let client = WorldClient(number: state.clientsMade)
      state.connections[client] = WorldConnection(link: link, isHost: isHost, address: address)
      return client
    }
    guard let client else { return link.close() }
    link.start(
      onReceive: { [weak self] in self?.received($0, from: client) },
      onClose: { [weak self] in self?.ended(client, .link($0 ?? .closedByPeer)) })
    if isHost {
      turn { $0.joinHost(client) }
      reportJoin(of: client)
    } else {
      expectHello(of: client)
    }
  }

  /// Makes room for a connection, if necessary by dropping the oldest one without a hello.
  ///
  /// - Returns: Why there is no room, or `nil` if there is.
  private func makeRoom(isHost: Bool, _ address: String) -> String? {
    let limit = configuration.settings.deviceLimit + configuration.spareConnections
    let (count, hosts, oldest) = state.withLock { state in
      let hosts = isHost ? state.connections.values.count { $0.isHost && $0.address == address } : 0
      let oldest =
        state.connections.count < limit
        ? nil : sources.hellos.first { state.connections[$0.client]?.hasJoined == false }
      return (state.connections.count, hosts, oldest?.client)
    }
    guard hosts < configuration.hostsPerAddress else {
      return "a UCI host over the limit of \(configuration.hostsPerAddress) from \(address)"
    }
    guard count >= limit else { return nil }
    guard let oldest else { return "a connection over the limit of \(limit)" }
    refuse(oldest, .crowded)
    return nil
  }

  /// Uses a single timer for all connections, so that a flood of them does not create as many timers.
  private func expectHello(of client: WorldClient) {
    let isFirst = sources.hellos.isEmpty
    sources.hellos.append((client, .now + Self.helloLimit))
    if isFirst { checkHellos(in: Self.helloLimit) }
  }

  private func checkHellos(in wait: Duration) {
    queue.asyncAfter(deadline: .now() + wait / .seconds(1)) { [weak self] in
      guard let self else { return }
      let now = ContinuousClock.now
      let due = sources.hellos.prefix { $0.end <= now }
      sources.hellos.removeFirst(due.count)
      for (client, _) in due { checkHello(of: client) }
      if let next = sources.hellos.first { checkHellos(in: next.end - now) }
    }
  }

  private func checkHello(of client: WorldClient) {
    let isSilent = state.withLock { $0.connections[client].map { !$0.hasJoined } ?? false }
    if isSilent { ended(client, .silent) }
  }

  // MARK: Octets

  /// Handles octets from a client. Any violation of the protocol or its limits drops the client.
  private func received(_ octets: [UInt8], from client: WorldClient) {
    let second = second
    do throws(WorldConnection.Fault) {
      guard
        let isHost = try change(
          client,
          { (it) throws(WorldConnection.Fault) in
            try it.count(octets.count, second: second)
            if !it.isHost { it.append(octets) }
            return it.isHost
          })
      else { return }
      if isHost { return turn { $0.received(octets, fromHost: client) } }
      var messages: [DeviceMessage] = []
      var fault: WorldConnection.Fault?
      do throws(WorldConnection.Fault) {
        while let message = try change(client, { (it) throws(WorldConnection.Fault) in try it.next() }) ?? nil
        {
          messages.append(message)
        }
      } catch {
        fault = error
      }
      // Messages before the fault were valid.
      receive(messages, from: client)
      if let fault { throw fault }
    } catch {
      refuse(client, error)
    }
  }

  private func receive(_ messages: [DeviceMessage], from client: WorldClient) {
    if messages.isEmpty { return }
    let hadJoined = state.withLock { $0.connections[client]?.hasJoined ?? true }
    turn { world in
      for message in messages { world.received(message, from: client) }
    }
    if !hadJoined { reportJoin(of: client) }
  }

  private func reportJoin(of client: WorldClient) {
    let joined = state.withLock { state -> (device: String, program: String)? in
      guard let joined = state.world.holding(of: client) else { return nil }
      state.connections[client]?.hasJoined = true
      return joined
    }
    if let joined { report(.joined(device: joined.device, program: joined.program)) }
  }

  private func change<Result>(
    _ client: WorldClient, _ body: (inout WorldConnection) throws(WorldConnection.Fault) -> Result
  ) throws(WorldConnection.Fault) -> Result? {
    try state.withLock { (state) throws(WorldConnection.Fault) -> Result? in
      guard var connection = state.connections.removeValue(forKey: client) else { return nil }
      defer { state.connections[client] = connection }
      return try body(&connection)
    }
  }

  // MARK: Ends

  /// Sends the client the reason, then drops it.
  private func refuse(_ client: WorldClient, _ fault: WorldConnection.Fault) {
    let (link, time) = state.withLock { ($0.connections[client]?.link, $0.world.time) }
    if let link {
      var octets: [UInt8] = []
      WorldMessage.refused(reason: "\(fault)").frame(at: time).write(to: &octets)
      try? link.send(octets)
    }
    ended(client, fault)
  }

  /// Removes a connection whose link has ended or that was dropped, and reports it.
  func ended(_ client: WorldClient, _ fault: WorldConnection.Fault) {
    guard let connection = state.withLock({ $0.connections.removeValue(forKey: client) }) else { return }
    let held = state.withLock { $0.world.holding(of: client) }
    turn { $0.left(client) }
    switch (fault, held) {
    case (.link(.closedByPeer), let held?): report(.left(device: held.device))
    case (.link(.closedByPeer), nil): break
    case (_, let held): report(.dropped("\(held.map { "\($0.device): " } ?? "")\(fault)"))
    }
    queue.async { connection.link.close() }
  }
}
