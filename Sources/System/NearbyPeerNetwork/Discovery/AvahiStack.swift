import CNearbyAvahi

/// One of the two ways to reach Avahi, without any policy: requests go down, callbacks go up to a
/// ``ServiceDiscovery``.
///
/// Everything happens under the lock of the discovery's poll. Results are Avahi's: 0 or more means success.
protocol AvahiStack: AnyObject {
  var way: DiscoveryWay { get }
  /// Whether services can be added now; `ServiceDiscovery.stackRuns` is called when this becomes true.
  var isRunning: Bool { get }
  func addService(_ id: UInt64, _ service: Service, _ text: ServiceText, port: UInt16) -> Int32
  func updateText(_ id: UInt64, _ service: Service, _ text: ServiceText) -> Int32
  func removeService(_ id: UInt64)
  func browse(_ type: String) -> Int32
  func stopBrowsing(_ type: String)
  func resolve(_ sighting: ServiceSighting) -> Int32
  func stopResolving(_ sighting: ServiceSighting)
  func close()
}

/// A service seen at a place.
struct ServiceSighting: Hashable {
  var service: Service
  var domain: String
  var place: ServiceTable.Place
}

/// What an Avahi callback is about; its stack keeps it for as long as Avahi may call.
final class AvahiContext<Subject> {
  unowned let discovery: ServiceDiscovery
  let subject: Subject
  /// Avahi's object.
  var object: OpaquePointer?

  init(_ discovery: ServiceDiscovery, _ subject: Subject) {
    self.discovery = discovery
    self.subject = subject
  }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func at(_ pointer: UnsafeMutableRawPointer?) -> AvahiContext? {
    pointer.map { Unmanaged<AvahiContext>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension AvahiContext<String> {
  /// Reports what a browser for the context's service type has seen.
  func browsed(
    _ event: AvahiBrowserEvent, _ name: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ place: ServiceTable.Place
  ) {
    let service = Service(name: Avahi.string(name), type: subject)
    discovery.browsed(
      event, ServiceSighting(service: service, domain: Avahi.string(domain), place: place))
  }
}

extension AvahiContext<ServiceSighting> {
  /// Reports what a resolver has found for the context's service.
  func resolved(
    _ event: AvahiResolverEvent, _ address: SocketAddress?, _ text: UnsafeMutablePointer<AvahiStringList>?,
    isOwn: Bool
  ) {
    guard event == AVAHI_RESOLVER_FOUND, let address else { return }
    discovery.resolved(
      subject, ServiceTable.Resolution(address: address, text: Avahi.text(text), isOwn: isOwn))
  }
}

/// Converts between Avahi's values and ours.
enum Avahi {
  static let anyInterface: Int32 = -1
  static let anyProtocol: Int32 = -1
  static let ipv4: Int32 = 0
  static let ipv6: Int32 = 1

  /// Calls `body` with a string list.
  static func withList<Result>(
    _ text: ServiceText, _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result
  ) -> Result {
    var list: UnsafeMutablePointer<AvahiStringList>?
    // The library prepends each string.
    for string in text.strings.reversed() {
      list = avahi_string_list_add_arbitrary(list, string, string.count)
    }
    defer { avahi_string_list_free(list) }
    return body(list)
  }

  static func text(_ list: UnsafeMutablePointer<AvahiStringList>?) -> ServiceText {
    var strings: [[UInt8]] = []
    var next = list
    while let entry = next {
      let start = avahi_string_list_get_text(entry)
      let count = avahi_string_list_get_size(entry)
      strings.append(Array(UnsafeBufferPointer(start: start, count: count)))
      next = avahi_string_list_get_next(entry)
    }
    return ServiceText(strings: strings)
  }

  static func address(
    _ address: UnsafePointer<AvahiAddress>?, interface: Int32, port: UInt16
  ) -> SocketAddress? {
    guard var address = address?.pointee else { return nil }
    let octets =
      address.proto == ipv4
      ? withUnsafeBytes(of: &address.data.ipv4.address) { Array($0) }
      : withUnsafeBytes(of: &address.data.ipv6.address) { Array($0) }
    return SocketAddress(octets: octets, scope: UInt32(clamping: interface), port: port)
  }

  static func avahiAddress(_ address: SocketAddress) -> AvahiAddress {
    var result = AvahiAddress()
    result.proto = address.isIPv6 ? ipv6 : ipv4
    if address.isIPv6 {
      withUnsafeMutableBytes(of: &result.data.ipv6.address) { $0.copyBytes(from: address.octets) }
    } else {
      withUnsafeMutableBytes(of: &result.data.ipv4.address) { $0.copyBytes(from: address.octets) }
    }
    return result
  }

  static func reason(_ code: Int32) -> String {
    avahi_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  static func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

  /// The name to try next if this one is taken, for example `Name #2`.
  static func alternative(to name: String) -> String {
    guard let text = avahi_alternative_service_name(name) else { return name }
    defer { avahi_free(text) }
    return String(cString: text)
  }

  /// Calls `work` once on the poll's thread.
  ///
  /// - Returns: The timeout, to be freed with the poll's own function.
  static func after(
    _ delay: Duration, on poll: UnsafePointer<AvahiPoll>?, _ context: UnsafeMutableRawPointer,
    _ work: @escaping AvahiTimeoutCallback
  ) -> OpaquePointer? {
    var due = timeval()
    avahi_elapse_time(&due, UInt32(clamping: Int64(delay / .milliseconds(1))), 0)
    return poll?.pointee.timeout_new?(poll, &due, work, context)
  }
}
