import Foundation

/// The content of a notification.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
  struct Fields {
    var title = ""
    var subtitle = ""
    var body = ""
    var badge: NSNumber?
    var sound: UNNotificationSound?
    var category = ""
    var thread = ""
    var target: String?
    var userInfo: [AnyHashable: Any] = [:]
    var level = UNNotificationInterruptionLevel.active
    var relevance = 0.0
  }

  var fields: Fields

  /// Creates empty content.
  public override init() {
    fields = Fields()
    super.init()
  }

  init(_ fields: Fields) {
    self.fields = fields
    super.init()
  }

  /// The title.
  open var title: String { fields.title }
  /// The subtitle.
  open var subtitle: String { fields.subtitle }
  /// The body text.
  open var body: String { fields.body }
  /// The number on the app's icon; 0 removes it, `nil` leaves it unchanged.
  open var badge: NSNumber? { fields.badge }
  /// The sound.
  open var sound: UNNotificationSound? { fields.sound }
  /// The identifier of the category.
  open var categoryIdentifier: String { fields.category }
  /// Groups related notifications.
  open var threadIdentifier: String { fields.thread }
  /// Identifies the window to bring forward.
  open var targetContentIdentifier: String? { fields.target }
  /// The app's own data.
  open var userInfo: [AnyHashable: Any] { fields.userInfo }
  /// The urgency.
  open var interruptionLevel: UNNotificationInterruptionLevel { fields.level }
  /// The relevance among the app's notifications, 0 to 1.
  open var relevanceScore: Double { fields.relevance }

  /// Returns an immutable copy.
  open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields) }
  /// Returns a mutable copy.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(fields) }
}

/// The content of a notification, editable.
public final class UNMutableNotificationContent: UNNotificationContent {
  /// The title.
  public override var title: String {
    get { fields.title }
    set { fields.title = newValue }
  }
  /// The subtitle.
  public override var subtitle: String {
    get { fields.subtitle }
    set { fields.subtitle = newValue }
  }
  /// The body text.
  public override var body: String {
    get { fields.body }
    set { fields.body = newValue }
  }
  /// The number on the app's icon; 0 removes it, `nil` leaves it unchanged.
  public override var badge: NSNumber? {
    get { fields.badge }
    set { fields.badge = newValue }
  }
  /// The sound.
  public override var sound: UNNotificationSound? {
    get { fields.sound }
    set { fields.sound = newValue }
  }
  /// The identifier of the category.
  public override var categoryIdentifier: String {
    get { fields.category }
    set { fields.category = newValue }
  }
  /// Groups related notifications.
  public override var threadIdentifier: String {
    get { fields.thread }
    set { fields.thread = newValue }
  }
  /// Identifies the window to bring forward.
  public override var targetContentIdentifier: String? {
    get { fields.target }
    set { fields.target = newValue }
  }
  /// The app's own data.
  public override var userInfo: [AnyHashable: Any] {
    get { fields.userInfo }
    set { fields.userInfo = newValue }
  }
  /// The urgency.
  public override var interruptionLevel: UNNotificationInterruptionLevel {
    get { fields.level }
    set { fields.level = newValue }
  }
  /// The relevance among the app's notifications, 0 to 1.
  public override var relevanceScore: Double {
    get { fields.relevance }
    set { fields.relevance = newValue }
  }
}

/// The file name of a sound in the app's bundle.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The file name.
  public let rawValue: String
  /// Creates a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// Creates a name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A notification's sound. It is never played here.
public final class UNNotificationSound: NSObject, Sendable {
  private let name: String
  private init(name: String) {
    self.name = name
    super.init()
  }
  /// The default sound.
  public static let `default` = UNNotificationSound(name: "default")
  /// The default sound of critical alerts.
  public static let defaultCritical = UNNotificationSound(name: "defaultCritical")
  /// The default ringtone.
  public static let defaultRingtone = UNNotificationSound(name: "defaultRingtone")
  /// A sound of the app's own.
  public convenience init(named name: UNNotificationSoundName) { self.init(name: name.rawValue) }
  /// Whether both are the same sound.
  public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.name == name }
  /// A hash value consistent with `isEqual(_:)`.
  public override var hash: Int { name.hashValue }
}
