import NearbyConcurrency

/// A property whose changes can be observed: `$property` is a publisher of its values.
///
/// In an `ObservableObject`, `objectWillChange` emits before each change. Only properties of classes can be
/// published.
@propertyWrapper
public struct Published<Value> {
  private let storage: PublishedStorage<Value>

  /// Creates a property with an initial value.
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }
  /// Creates a property with an initial value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// Unavailable, because the property must belong to a class.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { storage.subject.value }
    set { storage.subject.set(newValue) }
  }

  /// Emits the property's current value, then each new value just before the property is set to it.
  public var projectedValue: Publisher {
    get { Publisher(subject: storage.subject) }
    set { newValue.subject.forward(to: storage.subject) }
  }

  /// Reads and writes the property of an object.
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

  /// Emits the values of a published property.
  public struct Publisher: Combine.Publisher {
    /// The type of the property.
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
  /// Assigns each value to a published property for as long as that property exists.
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

/// A property's value and its subscribers, which receive a new value before the property is set to it.
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

  /// Implements `$other = $self`: assigns every value of this property to `other`.
  func forward(to other: PublishedSubject) {
    guard other !== self else { return }
    other.keep(values.sink { [weak other] in other?.set($0) })
  }
}

/// The state shared by all copies of a property wrapper.
final class PublishedStorage<Value> {
  let subject: PublishedSubject<Value>
  /// The enclosing object's publisher, once it has been requested.
  let objectWillChange = Guarded<ObservableObjectPublisher?>(nil)

  init(_ value: Value) { subject = PublishedSubject(value) }
}

/// A published property with its type of value erased.
private protocol AnyPublished {
  var objectWillChange: Guarded<ObservableObjectPublisher?> { get }
}

extension Published: AnyPublished {
  fileprivate var objectWillChange: Guarded<ObservableObjectPublisher?> { storage.objectWillChange }
}

/// Finds an object's published properties, in which its `objectWillChange` is stored.
enum PublishedProperties {
  /// The storage in every published property of the class and its superclasses.
  static func places(in object: AnyObject) -> [Guarded<ObservableObjectPublisher?>] {
    sequence(first: Mirror(reflecting: object), next: \.superclassMirror).flatMap { mirror in
      mirror.children.compactMap { ($0.value as? any AnyPublished)?.objectWillChange }
    }
  }
}
