import Foundation
import NearbyEventLoop

/// An incoming connection that has not sent anything yet. Used on its loop's thread only.
final class SilentConnection {
  private let loop: EventLoop
  private let descriptor: Int32
  private let timeout: Duration
  private var spoke: ((Result<UInt8, NetworkError>) -> Void)?
  private var alarm: UInt64?

  /// - Parameter spoke: Called once, unless closed before, with the first octet, which remains to be read, or
  ///   with the reason for the end. From then on the caller owns the descriptor.
  init(
    loop: EventLoop, descriptor: Int32, timeout: Duration,
    spoke: @escaping (Result<UInt8, NetworkError>) -> Void
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.timeout = timeout
    self.spoke = spoke
  }

  func begin() {
    alarm = loop.schedule(after: timeout) { [weak self] in self?.end(.failure(.timedOut(.handshake))) }
    do throws(NetworkError) {
      try loop.watchSocket(descriptor, for: .readable) { [weak self] _ in self?.peek() }
    } catch {
      end(.failure(error))
    }
  }

  /// Closes the descriptor without sending anything.
  func close() {
    guard spoke != nil else { return }
    release()
    Foundation.close(descriptor)
  }

  private func peek() {
    var octet: UInt8 = 0
    let count = recv(descriptor, &octet, 1, Int32(MSG_PEEK))
    if count > 0 { return end(.success(octet)) }
    if count == 0 { return end(.failure(.closedByPeer(isClean: true))) }
    if errno != EAGAIN, errno != EINTR { end(.failure(.closedByPeer(isClean: false))) }
  }

  private func end(_ outcome: Result<UInt8, NetworkError>) {
    let spoke = spoke
    release()
    spoke?(outcome)
  }

  private func release() {
    spoke = nil
    loop.cancel(alarm)
    loop.unwatch(descriptor)
  }
}
