/// A system call of the loop failed.
package struct EventLoopError: Error, Equatable, Sendable {
  package let call: String
  package let errno: Int32
}
