import NearbyConcurrency

extension Timer {
  /// Gives the time again and again, once connected.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
  }

  /// Gives the time again and again, once connected.
  public final class TimerPublisher: ConnectablePublisher {
    /// The time.
    public typealias Output = Date
    /// It cannot fail.
    public typealias Failure = Never
    /// Seconds between.
    public let interval: TimeInterval
    /// How late it may be.
    public let tolerance: TimeInterval?
    /// Whose timer it is.
    public let runLoop: RunLoop
    /// In which mode.
    public let mode: RunLoop.Mode
    private let subject = PassthroughSubject<Date, Never>()

    /// Makes one.
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
      // The timer keeps the subject, for as long as it is connected.
      // A subject locks itself.
      let tick = UncheckedSendable { [subject] in subject.send(Date()) }
      let timer = Timer(timeInterval: interval, repeats: true) { _ in tick.value() }
      if let tolerance { timer.tolerance = tolerance }
      runLoop.add(timer, forMode: mode)
      return AnyCancellable { timer.invalidate() }
    }
  }
}

extension NotificationCenter {
  /// Gives the notifications of a name, of an object or of all.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Gives the notifications of a name.
  public struct Publisher: Combine.Publisher {
    /// The notification.
    public typealias Output = Notification
    /// It cannot fail.
    public typealias Failure = Never
    /// Whose notifications.
    public let center: NotificationCenter
    /// Which.
    public let name: Notification.Name
    /// About what; anything where `nil`.
    public let object: AnyObject?

    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Notification, S.Failure == Never {
      let subject = PassthroughSubject<Notification, Never>()
      // A subject locks itself, and so do Foundation's centre and token.
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
