/// A call of the system that the loop needs failed.
package struct EventLoopError: Error, Equatable, Sendable {
  package let call: String
  package let errno: Int32
}
