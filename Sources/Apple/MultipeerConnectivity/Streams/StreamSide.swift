import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink

/// One end of a stream in either direction: it holds the state that its `Stream` shows and notifies the
/// delegate.
///
/// The network calls it on the device's own thread, so that a reader waiting on the session's queue wakes up.
/// `condition` guards all mutable state, and no code of the app runs while it is held. This class and its two
/// subclasses are `@unchecked Sendable` because readers and writers wait on the condition, which a `Mutex`
/// does not support.
class StreamSide: @unchecked Sendable {
  let condition = NSCondition()
  let device: NearbyDevice
  let member: any PeerMember
  let key: ResourceKey

  var status = Stream.Status.notOpen
  var failure: MCError?
  /// Each event is reported once; every read and write resets `hasReportedReady`.
  var hasReportedOpening = false
  var hasReportedReady = false
  var hasReportedEnd = false

  private weak var stream: Stream?
  private weak var delegateObject: (any StreamDelegate)?
  private var hasDelegate = false
  /// Called once this side is finished.
  private let end: @Sendable () -> Void
  private var places: [StreamPlace] = []
  private var isTurnPlanned = false

  /// The most events reported in one turn, so that a busy stream does not monopolise the run loop.
  private static let eventsOfTurn = 16

  init(device: NearbyDevice, member: any PeerMember, key: ResourceKey, end: @escaping @Sendable () -> Void) {
    self.device = device
    self.member = member
    self.key = key
    self.end = end
  }

  // MARK: For subclasses

  /// Whether octets can be read or written now. Call with the lock held.
  var isReady: Bool { preconditionFailure("subclasses must override this") }
  /// The event that reports `isReady`. Call with the lock held.
  var readyEvent: Stream.Event { preconditionFailure("subclasses must override this") }
  /// Whether everything was read; always false for a writing side. Call with the lock held.
  var isAtEnd: Bool { false }
  /// Closes this side and notifies the network.
  func close() {}

  // MARK: Changes

  /// Changes state, wakes waiting readers and writers, and schedules a turn if an event is due.
  @discardableResult
  func change<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    let result = body()
    condition.broadcast()
    let place = planTurn()
    condition.unlock()
    if let place { begin(place) }
    return result
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  /// The other side or the connection is gone.
  func fail(_ error: MCError) {
    change { if failure == nil { failure = error } }
  }

  func open() {
    change { if status == .notOpen { status = .open } }
  }

  /// Whether waiting is possible: not in virtual time, which would not advance. Call with the lock held.
  var mayWait: Bool { status == .open && failure == nil && !device.app.isVirtual }

  func isOver() { end() }

  func request(_ command: TransferCommand) { try? member.perform(command, with: key.peer) }

  // MARK: The stream and its delegate

  func attach(_ stream: Stream) { locked { self.stream = stream } }

  var delegate: (any StreamDelegate)? {
    get { locked { delegateObject } }
    set {
      change {
        delegateObject = newValue
        hasDelegate = newValue != nil
      }
    }
  }

  var shownStatus: Stream.Status {
    locked {
      guard status == .open else { return status }
      if failure != nil, !isReady { return .error }
      return isAtEnd ? .atEnd : .open
    }
  }

  var shownError: MCError? { locked { status == .notOpen ? nil : failure } }

  func schedule(in loop: RunLoop, mode: RunLoop.Mode) {
    let place = StreamPlace(loop: loop, mode: mode) { [weak self] in self?.deliverEvents() }
    change { places.append(place) }
  }

  func remove(from loop: RunLoop, mode: RunLoop.Mode) {
    let left = locked {
      let left = places.filter { $0.loop === loop && $0.mode == mode }
      places.removeAll { $0.loop === loop && $0.mode == mode }
      return left
    }
    left.forEach { $0.leave() }
  }

  /// Leaves all run loops, so that the delegate gets no more events.
  func leaveRunLoops() {
    let left = locked {
      defer { places = [] }
      return places
    }
    left.forEach { $0.leave() }
  }

  // MARK: Turns

  /// The next event for the delegate. Call with the lock held.
  private var dueEvent: Stream.Event? {
    guard status == .open else { return nil }
    if !hasReportedOpening { return .openCompleted }
    if isReady { return hasReportedReady ? nil : readyEvent }
    guard !hasReportedEnd else { return nil }
    if failure != nil { return .errorOccurred }
    return isAtEnd ? .endEncountered : nil
  }

  private func markReported(_ event: Stream.Event) {
    switch event {
    case .openCompleted: hasReportedOpening = true
    case .errorOccurred, .endEncountered: hasReportedEnd = true
    default: hasReportedReady = true
    }
  }

  private func planTurn() -> StreamPlace? {
    guard !isTurnPlanned, hasDelegate, dueEvent != nil, let place = places.first else { return nil }
    isTurnPlanned = true
    return place
  }

  private func begin(_ place: StreamPlace) {
    guard device.app.isVirtual else { return place.wake() }
    // Foundation locks timers and run loops, so `wake` and `leave` may be called from any thread.
    let crossing = UncheckedSendable(place)
    device.app.later { [self] in
      let place = crossing.value
      if place.isMain {
        device.perform(on: nil) { [self] in deliverEvents() }
      } else if place.isRunElsewhere {
        place.wake()
      } else {
        deliverEvents()
      }
    }
  }

  private func deliverEvents() {
    locked { isTurnPlanned = false }
    for _ in 0..<Self.eventsOfTurn {
      let taken = locked(nextEvent)
      guard let event = taken.event, let stream = taken.stream, let delegate = taken.delegate else { return }
      delegate.stream(stream, handle: event)
    }
    // Schedule another turn if more events are due.
    change {}
  }

  /// Takes the next event. Call with the lock held. It always returns both objects, so that neither can be
  /// released for the last time under the lock.
  private func nextEvent() -> (event: Stream.Event?, stream: Stream?, delegate: (any StreamDelegate)?) {
    let (stream, delegate) = (stream, delegateObject)
    guard !places.isEmpty, stream != nil, delegate != nil, let event = dueEvent else {
      return (nil, stream, delegate)
    }
    markReported(event)
    return (event, stream, delegate)
  }
}

/// A run loop in which a stream is scheduled, and the timer that wakes it.
struct StreamPlace {
  let loop: RunLoop
  let mode: RunLoop.Mode
  /// Keeps the loop running, as Apple's streams do. Setting its fire date to now wakes the loop, which
  /// `RunLoop.perform` would not.
  private let timer: Timer

  init(loop: RunLoop, mode: RunLoop.Mode, turn: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.mode = mode
    timer = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in turn() }
    loop.add(timer, forMode: mode)
  }

  func wake() { timer.fireDate = Date() }
  func leave() { timer.invalidate() }

  var isMain: Bool { loop === RunLoop.main }
  /// Whether another thread is running the loop at this moment.
  var isRunElsewhere: Bool { loop.currentMode != nil && loop !== RunLoop.current }
}
