import Dispatch
import Foundation
import NearbySimulator
import NearbyWorldProtocol

/// What a device tells the object an app holds for a session.
package protocol SessionSink: AnyObject, Sendable {
  /// Called in order, one at a time, on the device's own thread; hand over to the app's queue with
  /// `NearbyDevice.perform`.
  ///
  /// - Parameter peer: The peer that the session ran with when the event came about. By the time the app's queue
  ///   gets to it the app may have asked for another, to whom the event then means nothing.
  func received(_ event: SessionEvent, peer: DiscoveryIdentity?)
}

/// What runs a device: a world in virtual time, or a live loop on a real radio.
package protocol DeviceDriver: PeerNetworkDriver, BluetoothDriver, LocationHost {
  func makeSession(device: Int) -> (id: SessionID, identity: DiscoveryIdentity)
  /// Says who hears a session's events from now on. It is not kept alive.
  func attach(_ sink: any SessionSink, to session: SessionID, device: Int)
  /// Takes effect after the caller has returned, never inside the call.
  func post(_ command: DeviceMachine.Command, device: Int)
  func capabilities(device: Int) -> DeviceCapabilities
  /// Says who hears the accessory that the device is, from now on; it is not kept alive.
  func attachAccessory(_ sink: any AccessorySink, device: Int)
  /// Runs `body` on the device's own thread after the caller has returned, never inside the call.
  func later(device: Int, _ body: @escaping @Sendable () -> Void)
  /// Makes a user of the device's camera; the driver does not keep the sink alive by itself for longer than the
  /// user, see `releaseCamera`.
  func makeCameraUser(_ sink: any CameraSink, device: Int) -> CameraUser
  /// The user is gone: its sink hears nothing more.
  func releaseCamera(_ user: CameraUser, device: Int)
  /// The pose at this time, if the user has the camera.
  func cameraFrame(of user: CameraUser, device: Int) -> CameraFrame?
  /// Whether time stands still while an app's code runs, so that code must not wait for the network.
  var isVirtual: Bool { get }
  /// Asks the person at the device, and returns at once.
  func ask(_ question: PersonQuestion, device: Int)
  /// As `later`, once this much of the device's time has passed.
  func later(device: Int, after delay: Duration, _ body: @escaping @Sendable () -> Void)
  /// The user's answer, as far as it is known.
  func permission(device: Int) -> Permission
  /// Whether the device's app is in front.
  func life(device: Int) -> AppLife
  /// Runs an app's code on its queue, `nil` meaning the main queue, keeping the order of the calls.
  func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void)
  func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void)
}

extension DeviceDriver {
  package var isVirtual: Bool { false }
  package func ask(_ question: PersonQuestion, device: Int) { TerminalQuestions.shared.ask(question) }
}

/// One device, as facades hold it. They bind to the one that is current when they are made.
package final class NearbyDevice: Sendable {
  package let name: String
  let driver: any DeviceDriver
  let index: Int

  package init(name: String, driver: any DeviceDriver, index: Int) {
    self.name = name
    self.driver = driver
    self.index = index
  }

  /// Set around an app's code that a simulated world runs.
  @TaskLocal package static var current: NearbyDevice?

  /// The device that facades made here and now belong to.
  package static var bound: NearbyDevice { current ?? MainQueueTurn.deviceHere ?? ProcessDevice.shared }

  package func makeSession() -> (id: SessionID, identity: DiscoveryIdentity) {
    driver.makeSession(device: index)
  }

  package func attach(_ sink: any SessionSink, to session: SessionID) {
    driver.attach(sink, to: session, device: index)
  }

  package func attachAccessory(_ sink: any AccessorySink) { driver.attachAccessory(sink, device: index) }

  package func post(_ command: DeviceMachine.Command) { driver.post(command, device: index) }

  /// Runs `body` soon, never inside this call; hand over to the app's queue with `perform`.
  package func later(_ body: @escaping @Sendable () -> Void) { driver.later(device: index, body) }

  /// Runs `body` once this much of the device's time has passed.
  package func later(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    driver.later(device: index, after: delay, body)
  }

  /// Whether the user lets the app find devices.
  package var permission: Permission { driver.permission(device: index) }

  package func makeCameraUser(_ sink: any CameraSink) -> CameraUser {
    driver.makeCameraUser(sink, device: index)
  }

  package func releaseCamera(_ user: CameraUser) { driver.releaseCamera(user, device: index) }

  package func cameraFrame(of user: CameraUser) -> CameraFrame? {
    driver.cameraFrame(of: user, device: index)
  }

  /// Of the device's name: 1 to 0xFFFE, the same in every run.
  package var stableNumber: UInt16 { UInt16(truncatingIfNeeded: StableHash.of(name) % 0xFFFE) + 1 }

  package var isVirtual: Bool { driver.isVirtual }

  package func ask(_ question: PersonQuestion) { driver.ask(question, device: index) }

  /// Of the world that a process joined, when the last frame from there was made; zero elsewhere.
  package var lastWorldTime: Duration { (driver as? LiveDriver)?.lastWorldTime ?? .zero }

  /// Tells who watches the world that a process joined what its app shows; elsewhere nobody.
  package func show(_ display: AppDisplay) { (driver as? LiveDriver)?.show(display) }

  package var capabilities: DeviceCapabilities { driver.capabilities(device: index) }

  /// Runs an app's code on its queue, as code of this device.
  package func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
    driver.perform(on: queue) { Self.$current.withValue(self, operation: body) }
  }

  /// The same on a queue of the library's own.
  package func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void) {
    driver.perform(on: queue) { Self.$current.withValue(self, operation: body) }
  }
}
