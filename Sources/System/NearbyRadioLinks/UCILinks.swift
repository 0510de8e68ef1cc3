import Dispatch

/// Opens the link for an address.
package enum UCILinks {
  /// Opens a link, blocking until it is established; for TCP at most `timeout`.
  ///
  /// - Parameter queue: The serial queue for the link's calls; `nil` creates one.
  package static func open(_ address: RadioAddress, timeout: Duration, queue: DispatchQueue? = nil)
    throws(LinkError) -> any UCILink
  {
    let descriptor =
      switch address {
      case .tcp(let host, let port): try TCPSockets.connect(host: host, port: port, timeout: timeout)
      case .serial(let device, let baud): try SerialPort.open(device: device, baud: baud)
      }
    return DescriptorLink(descriptor: descriptor, queue: queue)
  }
}
