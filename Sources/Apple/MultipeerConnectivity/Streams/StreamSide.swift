import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink

/// This side of a stream, whichever way it goes: what its `Stream` shows, and when its delegate hears what.
///
/// The network feeds it on the device's own thread, so that a reader who waits on the session's queue is woken.
/// Everything that changes is behind `condition`, and nothing of the app's runs under it. Unchecked, as are the two
/// subclasses, because a reader or writer waits on the condition, which a `Mutex` cannot do.
class StreamSide: @unchecked Sendable {
  let condition = NSCondition()
  let device: NearbyDevice
  let member: any PeerMember
  let key: ResourceKey

  var status = Stream.Status.notOpen
  var failure: MCError?
  /// Told once each; `hasToldReady` again after every read or write.
  var hasToldOpening = false
  var hasToldReady = false
  var hasToldEnd = false

  private weak var stream: Stream?
  private weak var delegateObject: (any StreamDelegate)?
  private var hasDelegate = false
  /// Called when nothing more comes of this side.
  private let end: @Sendable () -> Void
  private var places: [StreamPlace] = []
  private var isTurnPlanned = false

  /// Events that a turn tells at most, so that one busy stream does not have the run loop to itself.
  private static let eventsOfTurn = 16

  init(device: NearbyDevice, member: any PeerMember, key: ResourceKey, end: @escaping @Sendable () -> Void) {
    self.device = device
    self.member = member
    self.key = key
    self.end = end
  }

  // MARK: For the two ways

  /// Under the lock: whether octets can be read or written now.
  var isReady: Bool { preconditionFailure("a side goes one way") }
  /// Under the lock: what is told when they can.
  var readyEvent: Stream.Event { preconditionFailure("a side goes one way") }
  /// Under the lock: whether all was read. Never, of a side that writes.
  var isAtEnd: Bool { false }
  /// Closes: the network is told.
  func close() {}

  // MARK: Changes

  /// Changes something, wakes who waits, and tells the delegate what that brought about.
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

  func look<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  /// The other side, or the connection, is gone.
  func fail(_ error: MCError) {
    change { if failure == nil { failure = error } }
  }

  func open() {
    change { if status == .notOpen { status = .open } }
  }

  /// Under the lock: whether something may be waited for. In virtual time nobody may: time would never move.
  var mayWait: Bool { status == .open && failure == nil && !device.app.isVirtual }

  func isOver() { end() }

  func request(_ command: TransferCommand) { try? member.perform(command, with: key.peer) }

  // MARK: The stream and its delegate

  func attach(_ stream: Stream) { look { self.stream = stream } }

  var delegate: (any StreamDelegate)? {
    get { look { delegateObject } }
    set {
      change {
        delegateObject = newValue
        hasDelegate = newValue != nil
      }
    }
  }

  var shownStatus: Stream.Status {
    look {
      guard status == .open else { return status }
      if failure != nil, !isReady { return .error }
      return isAtEnd ? .atEnd : .open
    }
  }

  var shownError: MCError? { look { status == .notOpen ? nil : failure } }

  func schedule(in loop: RunLoop, mode: RunLoop.Mode) {
    let place = StreamPlace(loop: loop, mode: mode) { [weak self] in self?.takeTurn() }
    change { places.append(place) }
  }

  func remove(from loop: RunLoop, mode: RunLoop.Mode) {
    let left = look {
      let left = places.filter { $0.loop === loop && $0.mode == mode }
      places.removeAll { $0.loop === loop && $0.mode == mode }
      return left
    }
    left.forEach { $0.leave() }
  }

  /// Tells nothing more.
  func leaveRunLoops() {
    let left = look {
      defer { places = [] }
      return places
    }
    left.forEach { $0.leave() }
  }

  // MARK: Turns

  /// Under the lock: what comes next for the delegate.
  private var dueEvent: Stream.Event? {
    guard status == .open else { return nil }
    if !hasToldOpening { return .openCompleted }
    if isReady { return hasToldReady ? nil : readyEvent }
    guard !hasToldEnd else { return nil }
    if failure != nil { return .errorOccurred }
    return isAtEnd ? .endEncountered : nil
  }

  private func tell(_ event: Stream.Event) {
    switch event {
    case .openCompleted: hasToldOpening = true
    case .errorOccurred, .endEncountered: hasToldEnd = true
    default: hasToldReady = true
    }
  }

  private func planTurn() -> StreamPlace? {
    guard !isTurnPlanned, hasDelegate, dueEvent != nil, let place = places.first else { return nil }
    isTurnPlanned = true
    return place
  }

  private func begin(_ place: StreamPlace) {
    guard device.app.isVirtual else { return place.wake() }
    // Foundation locks what is woken and left from another thread.
    let crossing = UncheckedSendable(place)
    device.app.later { [self] in
      let place = crossing.value
      if place.isMain {
        device.perform(on: nil) { [self] in takeTurn() }
      } else if place.isRunElsewhere {
        place.wake()
      } else {
        takeTurn()
      }
    }
  }

  private func takeTurn() {
    look { isTurnPlanned = false }
    for _ in 0..<Self.eventsOfTurn {
      let taken = look(takeEvent)
      guard let event = taken.event, let stream = taken.stream, let delegate = taken.delegate else { return }
      delegate.stream(stream, handle: event)
    }
    change {}
  }

  /// Under the lock. The objects are given out in any case, so that none of them ends under the lock.
  private func takeEvent() -> (event: Stream.Event?, stream: Stream?, delegate: (any StreamDelegate)?) {
    let (stream, delegate) = (stream, delegateObject)
    guard !places.isEmpty, stream != nil, delegate != nil, let event = dueEvent else {
      return (nil, stream, delegate)
    }
    tell(event)
    return (event, stream, delegate)
  }
}

/// A run loop that a stream is scheduled in, and what wakes it.
struct StreamPlace {
  let loop: RunLoop
  let mode: RunLoop.Mode
  /// Keeps the loop running as Apple's stream does. Its date moves to now when there is something to tell:
  /// unlike `RunLoop.perform`, that wakes the loop.
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
  /// Whether another thread runs the loop at this moment.
  var isRunElsewhere: Bool { loop.currentMode != nil && loop !== RunLoop.current }
}
