import NearbyConcurrency

/// An object that announces its changes before they happen.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher that announces changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never
  /// Emits before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// The object's publisher, created on first use; the object's `@Published` properties send through it.
  public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher.of(self) }
}

/// A publisher that emits before an object changes.
public final class ObservableObjectPublisher: Publisher, Sendable {
  /// The values carry no information.
  public typealias Output = Void
  /// It cannot fail.
  public typealias Failure = Never
  private let subject = PassthroughSubject<Void, Never>()

  /// Creates a publisher.
  public init() {}

  /// Announces a change.
  public func send() { subject.send() }

  /// Adds a subscriber.
  public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Void {
    subject.receive(subscriber: subscriber)
  }

  /// The publishers of living objects without published properties, by object.
  private static let known = Guarded<[ObjectIdentifier: Entry]>([:])

  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  /// The object's publisher. Its published properties store it, so that they can send through it.
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
