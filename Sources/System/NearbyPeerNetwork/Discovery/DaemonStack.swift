import CNearbyAvahi

/// DNS-SD by the machine's Avahi daemon, over D-Bus.
final class DaemonStack: AvahiStack {
  let way = DiscoveryWay.daemon
  private let library: ClientLibrary
  private unowned let discovery: ServiceDiscovery
  private var client: OpaquePointer?
  private var groups: [UInt64: AvahiContext<UInt64>] = [:]
  private var browsers: [String: AvahiContext<String>] = [:]
  private var resolvers: [ServiceSighting: AvahiContext<ServiceSighting>] = [:]
  private(set) var isRunning = false

  /// - Throws: `.discovery` if no daemon answers.
  init(_ discovery: ServiceDiscovery, poll: UnsafePointer<AvahiPoll>?) throws(NetworkError) {
    self.discovery = discovery
    library = try ClientLibrary.shared.get()
    var code: Int32 = 0
    let context = Unmanaged.passUnretained(self).toOpaque()
    let made = library.clientNew(
      poll, AvahiClientFlags(rawValue: 0),
      { client, state, context in
        guard let context else { return }
        Unmanaged<DaemonStack>.fromOpaque(context).takeUnretainedValue().changed(client, state)
      }, context, &code)
    guard let made else { throw .discovery(call: "avahi_client_new", reason: Avahi.reason(code)) }
    client = made
  }

  private func changed(_ client: OpaquePointer?, _ state: AvahiClientState) {
    // The first call comes from `avahi_client_new` before that returns.
    self.client = client
    switch state {
    case AVAHI_CLIENT_S_RUNNING:
      isRunning = true
      discovery.stackRuns(self)
    case AVAHI_CLIENT_FAILURE:
      isRunning = false
      discovery.stackFailed(
        self, .discovery(call: "avahi_client", reason: Avahi.reason(library.clientErrno(client))))
    default:
      // The host name is being probed; services are published again once that is finished.
      isRunning = false
      for group in groups.values { _ = library.groupReset(group.object) }
    }
  }

  func addService(_ id: UInt64, _ service: Service, _ text: ServiceText, port: UInt16) -> Int32 {
    let context = groups[id] ?? AvahiContext(discovery, id)
    if context.object == nil {
      context.object = library.groupNew(
        client,
        { _, state, pointer in
          guard let context = AvahiContext<UInt64>.at(pointer) else { return }
          context.discovery.groupChanged(context.subject, state)
        }, context.pointer)
      groups[id] = context
    } else {
      _ = library.groupReset(context.object)
    }
    guard let group = context.object else { return library.clientErrno(client) }
    let code = Avahi.withList(text) { list in
      library.addService(
        group, Avahi.anyInterface, Avahi.anyProtocol, AvahiPublishFlags(rawValue: 0), service.name,
        service.type, nil, nil, port, list)
    }
    return code < 0 ? code : library.groupCommit(group)
  }

  func updateText(_ id: UInt64, _ service: Service, _ text: ServiceText) -> Int32 {
    guard let group = groups[id]?.object else { return 0 }
    return Avahi.withList(text) { list in
      library.updateText(
        group, Avahi.anyInterface, Avahi.anyProtocol, AvahiPublishFlags(rawValue: 0), service.name,
        service.type, nil, list)
    }
  }

  func removeService(_ id: UInt64) {
    guard let group = groups.removeValue(forKey: id)?.object else { return }
    _ = library.groupFree(group)
  }

  func browse(_ type: String) -> Int32 {
    let context = AvahiContext(discovery, type)
    browsers[type] = context
    context.object = library.browserNew(
      client, Avahi.anyInterface, Avahi.anyProtocol, type, nil, AvahiLookupFlags(rawValue: 0),
      { _, interface, proto, event, name, _, domain, _, pointer in
        let place = ServiceTable.Place(interface: interface, proto: proto)
        AvahiContext<String>.at(pointer)?.browsed(event, name, domain, place)
      }, context.pointer)
    return context.object == nil ? library.clientErrno(client) : 0
  }

  func stopBrowsing(_ type: String) {
    for sighting in resolvers.keys where sighting.service.type == type { stopResolving(sighting) }
    guard let browser = browsers.removeValue(forKey: type)?.object else { return }
    _ = library.browserFree(browser)
  }

  func resolve(_ sighting: ServiceSighting) -> Int32 {
    let context = AvahiContext(discovery, sighting)
    resolvers[sighting] = context
    context.object = library.resolverNew(
      client, sighting.place.interface, sighting.place.proto, sighting.service.name, sighting.service.type,
      sighting.domain, sighting.place.proto, AvahiLookupFlags(rawValue: 0),
      { _, interface, _, event, _, _, _, _, address, port, text, flags, pointer in
        let isOwn = flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue != 0
        let address = Avahi.address(address, interface: interface, port: port)
        AvahiContext<ServiceSighting>.at(pointer)?.resolved(event, address, text, isOwn: isOwn)
      }, context.pointer)
    return context.object == nil ? library.clientErrno(client) : 0
  }

  func stopResolving(_ sighting: ServiceSighting) {
    guard let resolver = resolvers.removeValue(forKey: sighting)?.object else { return }
    _ = library.resolverFree(resolver)
  }

  func close() {
    // Frees everything that belongs to it.
    if let client { library.clientFree(client) }
    client = nil
    groups = [:]
    browsers = [:]
    resolvers = [:]
  }
}
