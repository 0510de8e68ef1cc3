import NearbyConcurrency

/// A property whose changes can be listened to: `$property` is a publisher of its values.
///
/// In an `ObservableObject` the object's `objectWillChange` tells before each change too. Only for properties of
/// classes.
@propertyWrapper
public struct Published<Value> {
  private let storage: PublishedStorage<Value>

  /// Makes a property with its first value.
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }
  /// Makes a property with its first value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// Not to be used: the property belongs to a class.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { storage.subject.value }
    set { storage.subject.set(newValue) }
  }

  /// Gives the property's value, then every new one, before the property has it.
  public var projectedValue: Publisher {
    get { Publisher(subject: storage.subject) }
    set { newValue.subject.forward(to: storage.subject) }
  }

  /// How the property of an object is read and written.
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.subject.value }
    set {
      let storage = object[keyPath: storageKeyPath].storage
      storage.objectWillChange.withLock { $0 }?.send()
      storage.subject.set(newValue)
    }
  }

  /// Gives a published property's values.
  public struct Publisher: Combine.Publisher {
    /// The property's.
    public typealias Output = Value
    /// It cannot fail.
    public typealias Failure = Never
    let subject: PublishedSubject<Value>

    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Value == S.Input, S.Failure == Never {
      subject.values.receive(subscriber: subscriber)
    }
  }
}

extension Publisher where Failure == Never {
  /// Writes each value to a published property, for as long as that lives.
  public func assign(to published: inout Published<Output>.Publisher) {
    let subject = published.subject
    let sink = Subscribers.Sink<Output, Never>(
      receiveCompletion: { _ in }, receiveValue: { [weak subject] in subject?.set($0) })
    subscribe(sink)
    subject.keep(AnyCancellable(sink))
  }
}

extension Published: Sendable where Value: Sendable {}
extension Published.Publisher: Sendable where Value: Sendable {}
extension PublishedSubject: Sendable where Value: Sendable {}
extension PublishedStorage: Sendable where Value: Sendable {}

/// A property's value and those who listen to it. They are told before the property has the new value.
final class PublishedSubject<Value> {
  let values: CurrentValueSubject<Value, Never>
  private let stored: Guarded<Value>
  private let kept = Guarded<[AnyCancellable]>([])

  init(_ value: Value) {
    values = CurrentValueSubject(value)
    stored = Guarded(unchecked: value)
  }

  var value: Value { stored.withLock { $0 } }

  func set(_ value: Value) {
    values.send(value)
    stored.withLock { $0 = value }
  }

  func keep(_ cancellable: AnyCancellable) { kept.withLock { $0.append(cancellable) } }

  /// `$one = $other`: from now on one follows the other.
  func forward(to other: PublishedSubject) {
    guard other !== self else { return }
    other.keep(values.sink { [weak other] in other?.set($0) })
  }
}

/// What a property wrapper's copies share.
final class PublishedStorage<Value> {
  let subject: PublishedSubject<Value>
  /// The object's, once somebody has asked for it.
  let objectWillChange = Guarded<ObservableObjectPublisher?>(nil)

  init(_ value: Value) { subject = PublishedSubject(value) }
}

/// A published property, whatever its value is.
private protocol AnyPublished {
  var objectWillChange: Guarded<ObservableObjectPublisher?> { get }
}

extension Published: AnyPublished {
  fileprivate var objectWillChange: Guarded<ObservableObjectPublisher?> { storage.objectWillChange }
}

/// Finds the published properties of an object, which keep its `objectWillChange`.
enum PublishedProperties {
  /// Those of the class and of the classes it is derived from, as places for their object's publisher.
  static func places(in object: AnyObject) -> [Guarded<ObservableObjectPublisher?>] {
    sequence(first: Mirror(reflecting: object), next: \.superclassMirror).flatMap { mirror in
      mirror.children.compactMap { ($0.value as? any AnyPublished)?.objectWillChange }
    }
  }
}
