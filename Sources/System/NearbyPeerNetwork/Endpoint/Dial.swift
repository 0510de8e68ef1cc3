import Foundation
import NearbyEventLoop

/// Tries a peer's addresses, each a moment after the previous one, until one answers (RFC 8305, section 5).
///
/// Used on its loop's thread only.
final class Dial {
  private let loop: EventLoop
  private var addresses: [SocketAddress]
  /// Addresses to try again, because this machine was not ready for them.
  private var later: [SocketAddress] = []
  private let stagger: Duration
  private let timeout: Duration
  private var completion: ((Result<(Int32, SocketAddress), NetworkError>) -> Void)?
  /// Connection attempts in progress.
  private var begun: [Int32: SocketAddress] = [:]
  private var failure = NetworkError.noAddress
  private var next: UInt64?
  private var alarm: UInt64?

  init(
    loop: EventLoop, addresses: [SocketAddress], stagger: Duration, timeout: Duration,
    completion: @escaping (Result<(Int32, SocketAddress), NetworkError>) -> Void
  ) {
    self.loop = loop
    self.addresses = addresses.reversed()
    self.stagger = stagger
    self.timeout = timeout
    self.completion = completion
  }

  func begin() {
    alarm = loop.schedule(after: timeout) { [weak self] in self?.end(.failure(.timedOut(.connecting))) }
    tryNext()
  }

  func cancel() { end(.failure(.notOpen)) }

  /// Starts an attempt at the next address, and schedules the one after it.
  private func tryNext() {
    loop.cancel(next)
    next = nil
    while completion != nil, let address = addresses.popLast() {
      do throws(NetworkError) {
        let descriptor = try Sockets.connect(to: address)
        begun[descriptor] = address
        try loop.watchSocket(descriptor, for: .writable) { [weak self] _ in self?.connectionEnded(descriptor)
        }
        if !addresses.isEmpty {
          next = loop.schedule(after: stagger) { [weak self] in self?.tryNext() }
        }
        return
      } catch {
        note(error)
        // An interface that has just come up gets its address within moments.
        if error == .system(call: "connect", errno: EADDRNOTAVAIL) { later.append(address) }
      }
    }
    if !later.isEmpty, completion != nil {
      addresses = later.reversed()
      later = []
      next = loop.schedule(after: stagger) { [weak self] in self?.tryNext() }
      return
    }
    if begun.isEmpty { end(.failure(failure)) }
  }

  /// Keeps `.nobodyListens` only if it is the result for every address.
  private func note(_ error: NetworkError) {
    if failure == .noAddress || failure == .nobodyListens { failure = error }
  }

  private func connectionEnded(_ descriptor: Int32) {
    guard let address = begun.removeValue(forKey: descriptor) else { return }
    loop.unwatch(descriptor)
    guard let error = Sockets.failure(of: descriptor) else {
      return end(.success((descriptor, address)))
    }
    close(descriptor)
    note(error)
    // A failure means that the next address need not wait for its turn.
    tryNext()
  }

  private func end(_ result: Result<(Int32, SocketAddress), NetworkError>) {
    guard let completion else { return }
    self.completion = nil
    loop.cancel(alarm)
    loop.cancel(next)
    for descriptor in begun.keys.sorted() {
      loop.unwatch(descriptor)
      close(descriptor)
    }
    begun = [:]
    completion(result)
  }
}
