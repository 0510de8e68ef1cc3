import Foundation

// UIKit classes with haptic or visible effects, declared for source compatibility. None has such an effect
// here.

/// The base class of haptic feedback. Has no effect here.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
  /// Creates a generator.
  public override init() { super.init() }
  /// Has no effect.
  open func prepare() {}
}

/// Haptic feedback for an impact. Has no effect here.
@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  /// The character of the impact.
  public enum FeedbackStyle: Int, Sendable {
    /// A light impact.
    case light = 0
    /// A medium impact.
    case medium = 1
    /// A heavy impact.
    case heavy = 2
    /// A soft impact.
    case soft = 3
    /// A rigid impact.
    case rigid = 4
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }
  /// Creates a generator.
  public init(style: FeedbackStyle) { super.init() }
  /// Creates a generator.
  public override init() { super.init() }
  /// Has no effect.
  open func impactOccurred() {}
  /// Has no effect.
  open func impactOccurred(intensity: CGFloat) {}
}

/// Haptic feedback for the outcome of a task. Has no effect here.
@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  /// The outcome.
  public enum FeedbackType: Int, Sendable {
    /// The task succeeded.
    case success = 0
    /// The task produced a warning.
    case warning = 1
    /// The task failed.
    case error = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }
  /// Has no effect.
  open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// Haptic feedback for a change of selection. Has no effect here.
@preconcurrency @MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  /// Has no effect.
  open func selectionChanged() {}
}

/// A pasteboard, private to this process.
@preconcurrency @MainActor
public final class UIPasteboard: NSObject {
  /// The shared pasteboard.
  public static let general = UIPasteboard()
  /// The string on the pasteboard.
  public var string: String?
  /// The strings on the pasteboard; only the first is kept.
  public var strings: [String]? {
    get { string.map { [$0] } }
    set { string = newValue?.first }
  }
  /// Whether the pasteboard holds a string.
  public var hasStrings: Bool { string != nil }
}

/// A view controller without a view. It keeps track of presentation, so that code that presents a framework's
/// controller works.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
  /// The controller this one presents.
  public private(set) var presentedViewController: UIViewController?
  /// The controller that presents this one.
  public private(set) weak var presentingViewController: UIViewController?
  /// The title.
  open var title: String?

  /// Creates a controller.
  public override init() { super.init() }

  /// Stores the presented controller and calls its `viewDidAppear(_:)`.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    viewControllerToPresent.viewDidAppear(flag)
    completion?()
  }

  /// Dismisses the presented controller, or this one if it presents none.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    if let presented = presentedViewController {
      presentedViewController = nil
      presented.presentingViewController = nil
      presented.viewDidDisappear(flag)
      completion?()
    } else if let presenting = presentingViewController {
      presenting.dismiss(animated: flag, completion: completion)
    } else {
      completion?()
    }
  }

  /// Called when the view would have appeared.
  open func viewDidAppear(_ animated: Bool) {}
  /// Called when the view would have disappeared.
  open func viewDidDisappear(_ animated: Bool) {}
}
