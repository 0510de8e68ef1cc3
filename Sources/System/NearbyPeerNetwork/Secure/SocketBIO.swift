import CNearbyOpenSSL
import Foundation
import NearbyConcurrency

/// The BIO with which TLS reads from and writes to a socket.
///
/// OpenSSL's own socket BIO calls `write`, which raises SIGPIPE when the other side is gone, and thereby ends
/// a program that does not ignore this signal. This one is the same, except that it calls `send` with
/// `MSG_NOSIGNAL`.
enum SocketBIO {
  /// Created once and never changed; `nil` if there is no memory.
  private static let method = UncheckedSendable<OpaquePointer?>(makeMethod())

  /// Creates a BIO for a socket, which it does not close; `nil` if there is no memory.
  static func make(for descriptor: Int32) -> OpaquePointer? {
    guard let method = method.value, let bio = BIO_new(method) else { return nil }
    BIO_int_ctrl(bio, BIO_C_SET_FD, Int(BIO_NOCLOSE), descriptor)
    return bio
  }

  private static func makeMethod() -> OpaquePointer? {
    let socket = BIO_s_socket()
    // The 5 is BIO_TYPE_SOCKET without its flags, a macro that Swift does not import.
    guard let method = BIO_meth_new(5 | BIO_TYPE_SOURCE_SINK | BIO_TYPE_DESCRIPTOR, "socket without SIGPIPE")
    else { return nil }
    BIO_meth_set_read(method, BIO_meth_get_read(socket))
    BIO_meth_set_ctrl(method, BIO_meth_get_ctrl(socket))
    BIO_meth_set_create(method, BIO_meth_get_create(socket))
    BIO_meth_set_destroy(method, BIO_meth_get_destroy(socket))
    BIO_meth_set_write(method, writeToSocket)
    return method
  }
}

private func writeToSocket(_ bio: OpaquePointer?, _ octets: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
  var descriptor: Int32 = -1
  BIO_ctrl(bio, BIO_C_GET_FD, 0, &descriptor)
  errno = 0
  let written = send(descriptor, octets, Int(count), Int32(MSG_NOSIGNAL))
  // This is BIO_clear_retry_flags, a macro that Swift does not import.
  BIO_clear_flags(
    bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY)
  if written <= 0, BIO_sock_should_retry(Int32(clamping: written)) != 0 {
    BIO_set_flags(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
  }
  return Int32(clamping: written)
}
