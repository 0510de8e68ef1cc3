import NearbyConcurrency

extension Timer {
  /// Publishes the current date at a fixed interval, once connected.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
  }

  /// Publishes the current date at a fixed interval, once connected.
  public final class TimerPublisher: ConnectablePublisher {
    /// The date at which the timer fired.
    public typealias Output = Date
    /// It cannot fail.
    public typealias Failure = Never
    /// The interval, in seconds.
    public let interval: TimeInterval
    /// The permitted delay, in seconds.
    public let tolerance: TimeInterval?
    /// The run loop that runs the timer.
    public let runLoop: RunLoop
    /// The mode in which the timer fires.
    public let mode: RunLoop.Mode
    private let subject = PassthroughSubject<Date, Never>()

    /// Creates a publisher.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
    }

    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Date, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }

    /// Starts the timer.
    public func connect() -> any Cancellable {
      // The timer retains the subject while it is connected. Unchecked because a subject has its own lock.
      let tick = UncheckedSendable { [subject] in subject.send(Date()) }
      // On Linux, `Timer(timeInterval:repeats:)` also fires at once.
      let timer = Timer(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true) { _ in
        tick.value()
      }
      if let tolerance { timer.tolerance = tolerance }
      runLoop.add(timer, forMode: mode)
      return AnyCancellable { timer.invalidate() }
    }
  }
}

extension NotificationCenter {
  /// Publishes the notifications with a name, posted by `object` or, for `nil`, by any object.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Publishes the notifications with a name.
  public struct Publisher: Combine.Publisher {
    /// The type of the values.
    public typealias Output = Notification
    /// It cannot fail.
    public typealias Failure = Never
    /// The notification centre to observe.
    public let center: NotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The posting object; `nil` means any object.
    public let object: AnyObject?

    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Notification, S.Failure == Never {
      let subject = PassthroughSubject<Notification, Never>()
      // Unchecked because a subject, Foundation's notification centre and its tokens are all thread-safe.
      let send = UncheckedSendable { [subject] (notification: Notification) in subject.send(notification) }
      let token = UncheckedSendable(
        center.addObserver(forName: name, object: object, queue: nil) { send.value($0) })
      let center = UncheckedSendable(center)
      let stop = { center.value.removeObserver(token.value) }
      subject.receive(
        subscriber: OperatorLink<Notification, Never, S>(
          subscriber, onValue: { .value($0) }, onEnd: { (nil, $0) }, onCancel: stop))
    }
  }
}
