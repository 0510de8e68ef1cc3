import Foundation

// Objects that Apple's systems make felt or seen, and that have nothing to show for it here.

/// Would be felt.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
  /// Makes one.
  public override init() { super.init() }
  /// Nothing to prepare.
  open func prepare() {}
}

/// Would be felt as a knock.
@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  /// How it would feel.
  public enum FeedbackStyle: Int, Sendable {
    /// Light.
    case light = 0
    /// Between.
    case medium = 1
    /// Heavy.
    case heavy = 2
    /// Soft.
    case soft = 3
    /// Rigid.
    case rigid = 4
  }
  /// Makes one.
  public init(style: FeedbackStyle) { super.init() }
  /// Makes one.
  public override init() { super.init() }
  /// Is not felt.
  open func impactOccurred() {}
  /// Is not felt.
  open func impactOccurred(intensity: CGFloat) {}
}

/// Would be felt as news.
@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  /// What kind of news.
  public enum FeedbackType: Int, Sendable {
    /// Good.
    case success = 0
    /// Doubtful.
    case warning = 1
    /// Bad.
    case error = 2
  }
  /// Is not felt.
  open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// Would be felt as a step.
@preconcurrency @MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  /// Is not felt.
  open func selectionChanged() {}
}

/// What was copied last. It is this process's own.
@preconcurrency @MainActor
public final class UIPasteboard: NSObject {
  /// The one.
  public static let general = UIPasteboard()
  /// Text.
  public var string: String?
  /// Texts.
  public var strings: [String]? {
    get { string.map { [$0] } }
    set { string = newValue?.first }
  }
  /// Whether there is text.
  public var hasStrings: Bool { string != nil }
}

/// Would have a view. It keeps what it presents, so that code which shows a framework's controller works.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
  /// What it presents.
  public private(set) var presentedViewController: UIViewController?
  /// What presents it.
  public private(set) weak var presentingViewController: UIViewController?
  /// A heading.
  open var title: String?

  /// Makes one.
  public override init() { super.init() }

  /// Keeps the other one and tells it that it would be seen.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    viewControllerToPresent.viewDidAppear(flag)
    completion?()
  }

  /// Lets go what it presents; where that is nothing, it is let go itself.
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

  /// It would be seen now.
  open func viewDidAppear(_ animated: Bool) {}
  /// It would not be seen any more.
  open func viewDidDisappear(_ animated: Bool) {}
}
