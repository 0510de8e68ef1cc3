import Foundation

/// What a notification says.
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

  /// Nothing.
  public override init() {
    fields = Fields()
    super.init()
  }

  init(_ fields: Fields) {
    self.fields = fields
    super.init()
  }

  /// The heading.
  open var title: String { fields.title }
  /// The second heading.
  open var subtitle: String { fields.subtitle }
  /// The text.
  open var body: String { fields.body }
  /// The number at the app's icon; 0 takes it away, `nil` leaves it.
  open var badge: NSNumber? { fields.badge }
  /// The sound.
  open var sound: UNNotificationSound? { fields.sound }
  /// Which of the app's categories it is of.
  open var categoryIdentifier: String { fields.category }
  /// What it is shown together with.
  open var threadIdentifier: String { fields.thread }
  /// Which of the app's windows it is for.
  open var targetContentIdentifier: String? { fields.target }
  /// What the app wants to know when it is answered.
  open var userInfo: [AnyHashable: Any] { fields.userInfo }
  /// How much it matters.
  open var interruptionLevel: UNNotificationInterruptionLevel { fields.level }
  /// How much it matters among the app's own, 0 to 1.
  open var relevanceScore: Double { fields.relevance }

  /// Makes one that does not change.
  open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields) }
  /// Makes one that can be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(fields) }
}

/// What a notification is to say, to be filled in.
public final class UNMutableNotificationContent: UNNotificationContent {
  /// The heading.
  public override var title: String {
    get { fields.title }
    set { fields.title = newValue }
  }
  /// The second heading.
  public override var subtitle: String {
    get { fields.subtitle }
    set { fields.subtitle = newValue }
  }
  /// The text.
  public override var body: String {
    get { fields.body }
    set { fields.body = newValue }
  }
  /// The number at the app's icon; 0 takes it away, `nil` leaves it.
  public override var badge: NSNumber? {
    get { fields.badge }
    set { fields.badge = newValue }
  }
  /// The sound.
  public override var sound: UNNotificationSound? {
    get { fields.sound }
    set { fields.sound = newValue }
  }
  /// Which of the app's categories it is of.
  public override var categoryIdentifier: String {
    get { fields.category }
    set { fields.category = newValue }
  }
  /// What it is shown together with.
  public override var threadIdentifier: String {
    get { fields.thread }
    set { fields.thread = newValue }
  }
  /// Which of the app's windows it is for.
  public override var targetContentIdentifier: String? {
    get { fields.target }
    set { fields.target = newValue }
  }
  /// What the app wants to know when it is answered.
  public override var userInfo: [AnyHashable: Any] {
    get { fields.userInfo }
    set { fields.userInfo = newValue }
  }
  /// How much it matters.
  public override var interruptionLevel: UNNotificationInterruptionLevel {
    get { fields.level }
    set { fields.level = newValue }
  }
  /// How much it matters among the app's own, 0 to 1.
  public override var relevanceScore: Double {
    get { fields.relevance }
    set { fields.relevance = newValue }
  }
}

/// The name of a sound among the app's files.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The file's name.
  public let rawValue: String
  /// Of a file's name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// Of a file's name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A sound that nobody hears.
public final class UNNotificationSound: NSObject, Sendable {
  private let name: String
  private init(name: String) {
    self.name = name
    super.init()
  }
  /// The usual one.
  public static let `default` = UNNotificationSound(name: "default")
  /// The usual one, in spite of silence.
  public static let defaultCritical = UNNotificationSound(name: "defaultCritical")
  /// The usual one of a call.
  public static let defaultRingtone = UNNotificationSound(name: "defaultRingtone")
  /// One of the app's own.
  public convenience init(named name: UNNotificationSoundName) { self.init(name: name.rawValue) }
  /// Whether both are the same sound.
  public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.name == name }
  /// Equal for equal sounds.
  public override var hash: Int { name.hashValue }
}
