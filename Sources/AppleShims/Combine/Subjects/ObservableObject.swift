import NearbyConcurrency

/// An object that tells before it changes.
public protocol ObservableObject: AnyObject {
  /// What it tells by.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never
  /// Gives a signal before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// One for each object, made at the first use; the object's `@Published` properties send by it.
  public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher.of(self) }
}

/// Gives a signal before an object changes.
public final class ObservableObjectPublisher: Publisher, Sendable {
  /// A signal says no more than that.
  public typealias Output = Void
  /// It cannot fail.
  public typealias Failure = Never
  private let subject = PassthroughSubject<Void, Never>()

  /// Makes one.
  public init() {}

  /// Tells.
  public func send() { subject.send() }

  /// Adds a subscriber.
  public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Void {
    subject.receive(subscriber: subscriber)
  }

  /// Those of objects without published properties, by the object, for as long as that lives.
  private static let known = Guarded<[ObjectIdentifier: Entry]>([:])

  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  /// The object's one, which its published properties keep and send by.
  static func of(_ object: AnyObject) -> ObservableObjectPublisher {
    known.withLock { known in
      let places = PublishedProperties.places(in: object)
      if let publisher = places.lazy.compactMap({ $0.withLock { $0 } }).first { return publisher }
      let key = ObjectIdentifier(object)
      if let entry = known[key], entry.object === object { return entry.publisher }
      let publisher = ObservableObjectPublisher()
      for place in places { place.withLock { $0 = publisher } }
      if places.isEmpty {
        known = known.filter { $0.value.object != nil }
        known[key] = Entry(object: object, publisher: publisher)
      }
      return publisher
    }
  }
}
