import CNearbyAvahi

/// DNS-SD by Avahi inside this process, for machines and containers without a daemon.
///
/// Several such processes share one machine's addresses. So each has a random host name of its own, and
/// publishes no reverse records, of which an address can have only one.
final class EmbeddedStack: AvahiStack {
  let way = DiscoveryWay.embedded
  private struct Host: Hashable {
    var interface: Int32
    var address: SocketAddress
  }

  private unowned let discovery: ServiceDiscovery
  private let hostName: String
  private var server: OpaquePointer?
  private var groups: [UInt64: AvahiContext<UInt64>] = [:]
  private var browsers: [String: AvahiContext<String>] = [:]
  private var resolvers: [ServiceSighting: AvahiContext<ServiceSighting>] = [:]
  /// Address records, each in a group of its own, so that adding one does not withdraw the others.
  private var hosts: [Host: OpaquePointer] = [:]
  private var interfaces: InterfaceWatch?
  private(set) var isRunning = false

  init(_ discovery: ServiceDiscovery, poll: UnsafePointer<AvahiPoll>?) throws(NetworkError) {
    self.discovery = discovery
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    hostName = "nearby-" + String(repeating: "0", count: 16 - number.count) + number
    // The library reports errors as results; its log does not belong on the app's terminal.
    avahi_set_log_function { _, _ in }
    var configuration = AvahiServerConfig()
    avahi_server_config_init(&configuration)
    defer { avahi_server_config_free(&configuration) }
    avahi_free(configuration.host_name)
    configuration.host_name = avahi_strdup(hostName)
    configuration.publish_addresses = 0
    configuration.publish_hinfo = 0
    configuration.publish_workstation = 0
    configuration.publish_domain = 0
    configuration.enable_wide_area = 0
    configuration.disallow_other_stacks = 0
    var code: Int32 = 0
    let context = Unmanaged.passUnretained(self).toOpaque()
    let made = avahi_server_new(
      poll, &configuration,
      { server, state, context in
        guard let context else { return }
        Unmanaged<EmbeddedStack>.fromOpaque(context).takeUnretainedValue().changed(server, state)
      }, context, &code)
    guard let made else { throw .discovery(call: "avahi_server_new", reason: Avahi.reason(code)) }
    server = made
    interfaces = InterfaceWatch(poll: poll) { [unowned self] in updateHosts() }
    updateHosts()
  }

  private func changed(_ server: OpaquePointer?, _ state: AvahiServerState) {
    // The first call comes from `avahi_server_new` before that returns.
    self.server = server
    isRunning = state == AVAHI_SERVER_RUNNING
    if state == AVAHI_SERVER_RUNNING {
      updateHosts()
      discovery.stackRuns(self)
    } else if state == AVAHI_SERVER_FAILURE {
      discovery.stackFailed(
        self, .discovery(call: "avahi_server", reason: Avahi.reason(avahi_server_errno(server))))
    }
  }

  // MARK: Addresses of the host

  private var qualifiedHostName: String { "\(hostName).local" }

  /// Updates the address records from the interfaces.
  private func updateHosts() {
    guard isRunning, let server else { return }
    let found = LocalAddresses.byInterface()
    for (host, group) in hosts where found[host.interface]?.contains(host.address) != true {
      avahi_s_entry_group_free(group)
      hosts[host] = nil
    }
    for (interface, addresses) in found.sorted(by: { $0.key < $1.key }) {
      for address in addresses { addHost(Host(interface: interface, address: address), to: server) }
    }
  }

  private func addHost(_ host: Host, to server: OpaquePointer) {
    guard hosts[host] == nil, let group = avahi_s_entry_group_new(server, { _, _, _, _ in }, nil) else {
      return
    }
    var address = Avahi.avahiAddress(host.address)
    avahi_server_add_address(
      server, group, host.interface, Avahi.anyProtocol, AVAHI_PUBLISH_NO_REVERSE, qualifiedHostName, &address)
    avahi_s_entry_group_commit(group)
    hosts[host] = group
  }

  // MARK: Services

  func addService(_ id: UInt64, _ service: Service, _ text: ServiceText, port: UInt16) -> Int32 {
    let context = groups[id] ?? AvahiContext(discovery, id)
    if context.object == nil {
      context.object = avahi_s_entry_group_new(
        server,
        { _, _, state, pointer in
          guard let context = AvahiContext<UInt64>.at(pointer) else { return }
          context.discovery.groupChanged(context.subject, state)
        }, context.pointer)
      groups[id] = context
    } else {
      avahi_s_entry_group_reset(context.object)
    }
    guard let server, let group = context.object else { return -1 }
    let code = Avahi.withList(text) { list in
      avahi_server_add_service_strlst(
        server, group, Avahi.anyInterface, Avahi.anyProtocol, AvahiPublishFlags(rawValue: 0), service.name,
        service.type, nil, qualifiedHostName, port, list)
    }
    return code < 0 ? code : avahi_s_entry_group_commit(group)
  }

  func updateText(_ id: UInt64, _ service: Service, _ text: ServiceText) -> Int32 {
    guard let server, let group = groups[id]?.object else { return 0 }
    return Avahi.withList(text) { list in
      avahi_server_update_service_txt_strlst(
        server, group, Avahi.anyInterface, Avahi.anyProtocol, AvahiPublishFlags(rawValue: 0), service.name,
        service.type, nil, list)
    }
  }

  func removeService(_ id: UInt64) {
    guard let group = groups.removeValue(forKey: id)?.object else { return }
    avahi_s_entry_group_free(group)
  }

  func browse(_ type: String) -> Int32 {
    guard let server else { return -1 }
    let context = AvahiContext(discovery, type)
    browsers[type] = context
    context.object = avahi_s_service_browser_new(
      server, Avahi.anyInterface, Avahi.anyProtocol, type, nil, AvahiLookupFlags(rawValue: 0),
      { _, interface, proto, event, name, _, domain, _, pointer in
        let place = ServiceTable.Place(interface: interface, proto: proto)
        AvahiContext<String>.at(pointer)?.browsed(event, name, domain, place)
      }, context.pointer)
    return context.object == nil ? avahi_server_errno(server) : 0
  }

  func stopBrowsing(_ type: String) {
    for sighting in resolvers.keys where sighting.service.type == type { stopResolving(sighting) }
    guard let browser = browsers.removeValue(forKey: type)?.object else { return }
    avahi_s_service_browser_free(browser)
  }

  func resolve(_ sighting: ServiceSighting) -> Int32 {
    guard let server else { return -1 }
    let context = AvahiContext(discovery, sighting)
    resolvers[sighting] = context
    context.object = avahi_s_service_resolver_new(
      server, sighting.place.interface, sighting.place.proto, sighting.service.name, sighting.service.type,
      sighting.domain, sighting.place.proto, AvahiLookupFlags(rawValue: 0),
      { _, interface, _, event, _, _, _, _, address, port, text, flags, pointer in
        // Only this process uses this server, so a record that is local to it is our own.
        let isOwn = flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0
        let address = Avahi.address(address, interface: interface, port: port)
        AvahiContext<ServiceSighting>.at(pointer)?.resolved(event, address, text, isOwn: isOwn)
      }, context.pointer)
    return context.object == nil ? avahi_server_errno(server) : 0
  }

  func stopResolving(_ sighting: ServiceSighting) {
    guard let resolver = resolvers.removeValue(forKey: sighting)?.object else { return }
    avahi_s_service_resolver_free(resolver)
  }

  func close() {
    interfaces?.close()
    interfaces = nil
    isRunning = false
    // Frees everything that belongs to it, and sends goodbyes to the network.
    if let server { avahi_server_free(server) }
    server = nil
    hosts = [:]
    groups = [:]
    browsers = [:]
    resolvers = [:]
  }
}
