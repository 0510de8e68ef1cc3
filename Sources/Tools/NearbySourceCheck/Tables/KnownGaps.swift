/// Frameworks and symbols that exist on Apple's systems but not on Linux with this package, and what to do
/// instead.
///
/// A name in none of these tables is an obstacle all the same; the tables only provide advice about it.
enum KnownGaps {
  struct Gap: Sendable {
    var framework: String
    /// Whether a file that uses it draws on a screen and should be left out as a whole.
    var isView: Bool
    var advice: String
  }

  private struct Row {
    var gap: Gap
    var names: String

    init(_ framework: String, isView: Bool = false, _ advice: String, _ names: String) {
      gap = Gap(framework: framework, isView: isView, advice: advice)
      self.names = names
    }
  }

  static func gap(_ name: String) -> Gap? {
    if let found = byName[name] { return found }
    for (prefix, gap) in byPrefix where name.hasPrefix(prefix) {
      // `UIKitThing` belongs to UIKit, but `Uint` and `CAnchor` belong to no framework.
      let rest = name.utf8.dropFirst(prefix.utf8.count).first ?? 0
      if rest >= UInt8(ascii: "A"), rest <= UInt8(ascii: "Z") { return gap }
    }
    return nil
  }

  private static let byName: [String: Gap] = {
    var table: [String: Gap] = [:]
    for row in rows { for name in row.names.split(separator: " ") { table[String(name)] = row.gap } }
    return table
  }()

  static let leaveOut = "leave this file out; keep what does not draw in files of its own"

  private static let rows: [Row] = [
    Row(
      "SwiftUI", isView: true, leaveOut,
      """
      View Text Button VStack HStack ZStack LazyVStack LazyHStack LazyVGrid LazyHGrid GridItem Grid GridRow List \
      ForEach NavigationView NavigationStack NavigationSplitView NavigationLink NavigationPath TabView TabItem Group \
      Section Form Spacer Divider ScrollView ScrollViewReader GeometryReader GeometryProxy Image Label Toggle Slider \
      Stepper Picker TextField TextEditor SecureField ProgressView Gauge DatePicker ColorPicker Menu Link Alert \
      ActionSheet Color Font Shape Rectangle RoundedRectangle Circle Capsule Ellipse Path Gradient LinearGradient \
      RadialGradient AngularGradient EdgeInsets Edge Alignment HorizontalAlignment VerticalAlignment Angle Animation \
      Transaction AnyTransition Transition ViewModifier ViewBuilder PreviewProvider Preview App Scene WindowGroup \
      Window Settings ImmersiveSpace State StateObject ObservedObject EnvironmentObject Environment EnvironmentValues \
      EnvironmentKey Binding Bindable AppStorage SceneStorage FocusState GestureState FetchRequest Query Namespace \
      AnyView EmptyView TupleView ButtonStyle PrimitiveButtonStyle ToggleStyle LabelStyle TextFieldStyle \
      UIViewRepresentable UIViewControllerRepresentable NSViewRepresentable UIHostingController UIViewRepresentableContext \
      UIViewControllerRepresentableContext ScenePhase PresentationMode DismissAction OpenURLAction ColorScheme \
      Gesture DragGesture TapGesture LongPressGesture MagnificationGesture RotationGesture SpatialTapGesture \
      PreferenceKey GraphicsContext Canvas TimelineView Commands CommandGroup CommandMenu ToolbarItem \
      ToolbarItemGroup ToolbarContent DynamicTypeSize HoverEffect Table TableColumn ShareLink PhotosPicker Map Marker \
      Annotation UnitPoint Material ContentUnavailableView ControlGroup DisclosureGroup OutlineGroup LabeledContent \
      Chart LineMark BarMark PointMark UIApplicationDelegateAdaptor NSApplicationDelegateAdaptor \
      WKExtensionDelegateAdaptor WKApplicationDelegateAdaptor withAnimation RealityView Model3D ViewThatFits \
      SymbolRenderingMode StrokeStyle ContentMode Axis Visibility KeyPress ScrollTarget MatchedGeometryEffect Animatable \
      AnimatablePair VectorArithmetic ProjectionTransform InsettableShape FillStyle BlendMode
      """),
    Row(
      "UIKit", isView: true, leaveOut,
      """
      UIApplicationDelegate UISceneDelegate UIWindowSceneDelegate UIResponder UIWindow UIScreen UIView UIViewController
      """),
    Row(
      "MultipeerConnectivity", isView: true,
      "a view; invite with MCNearbyServiceBrowser, or leave this file out",
      "MCBrowserViewController MCBrowserViewControllerDelegate"),
    Row(
      "ARKit", isView: true, "a view; run an ARSession without it, or leave this file out",
      """
      ARView ARSCNView ARSKView ARSCNViewDelegate ARSKViewDelegate ARCoachingOverlayView ARCoachingOverlayViewDelegate \
      RealityView
      """),
    Row(
      "Objective-C",
      "write a closure form: `Timer.scheduledTimer(withTimeInterval:repeats:block:)`, "
        + "`addObserver(forName:object:queue:using:)`",
      "Selector NSSelectorFromString NSStringFromSelector perform performSelector responds"),
    Row(
      "Objective-C", "throw, or take an `inout Error?`: these only glue to Objective-C",
      """
      NSErrorPointer AutoreleasingUnsafeMutablePointer objc_getAssociatedObject objc_setAssociatedObject \
      class_getInstanceMethod method_exchangeImplementations
      """),
    Row(
      "Objective-C", "import one of swift-nearby's modules, which have it here",
      "autoreleasepool objc_sync_enter objc_sync_exit"),
    Row(
      "Objective-C", "use a `didSet`, Combine's @Published or @Observable",
      """
      observe NSKeyValueObservation NSKeyValueObservingOptions NSKeyValueChangeKey NSKeyValueObservedChange \
      observeValue didChangeValue willChangeValue
      """),
    Row(
      "Dispatch", "import one of swift-nearby's modules, which have it here",
      "NSEC_PER_SEC NSEC_PER_MSEC NSEC_PER_USEC USEC_PER_SEC MSEC_PER_SEC"),
    Row(
      "CoreFoundation",
      "import one of swift-nearby's modules, which have it here; or use `ContinuousClock`",
      "CFAbsoluteTimeGetCurrent CACurrentMediaTime mach_absolute_time"),
    Row(
      "CoreFoundation", "use Foundation's type of the same purpose",
      "CFString CFData CFDictionary CFArray CFUUID CFRunLoop CFNotificationCenter CFURL CFTypeRef Unmanaged"),
    Row(
      "Foundation", "not in Foundation on Linux; take a type of this app's own in its place",
      """
      NSPersistentContainer UndoManager FileWrapper NSMetadataQuery NSFileCoordinator NSFilePresenter NSItemProvider \
      NSExtensionContext NSUbiquitousKeyValueStore NSUserActivity NSXPCConnection NSAppleScript NSFetchRequest \
      NSManagedObject NSManagedObjectContext
      """),
  ]

  /// Families of names by prefix, longer prefixes before shorter ones.
  private static let byPrefix: [(String, Gap)] = [
    ("UIViewController", Gap(framework: "UIKit", isView: true, advice: leaveOut)),
    (
      "UN",
      Gap(framework: "UserNotifications", isView: false, advice: "swift-nearby does not have it: Docs/api")
    ),
    (
      "UIImpactFeedback", Gap(framework: "UIKit", isView: false, advice: "put the feedback behind a closure")
    ),
    ("UI", Gap(framework: "UIKit", isView: true, advice: leaveOut)),
    ("NSLayout", Gap(framework: "UIKit", isView: true, advice: leaveOut)),
    ("SCN", Gap(framework: "SceneKit", isView: true, advice: leaveOut)),
    ("SK", Gap(framework: "SpriteKit or StoreKit", isView: true, advice: leaveOut)),
    ("MK", Gap(framework: "MapKit", isView: true, advice: leaveOut)),
    ("MTK", Gap(framework: "MetalKit", isView: true, advice: leaveOut)),
    ("MTL", Gap(framework: "Metal", isView: true, advice: leaveOut)),
    ("WK", Gap(framework: "WatchKit or WebKit", isView: true, advice: leaveOut)),
    (
      "AV",
      Gap(
        framework: "AVFoundation", isView: false,
        advice: "put sound and video behind a protocol of the app's own")
    ),
    ("AK", Gap(framework: "AudioKit", isView: false, advice: "put sound behind a protocol of the app's own")),
    (
      "CHHaptic",
      Gap(framework: "CoreHaptics", isView: false, advice: "put haptics behind a protocol of the app's own")
    ),
    (
      "CM",
      Gap(framework: "CoreMotion", isView: false, advice: "put motion behind a protocol of the app's own")
    ),
    ("CG", Gap(framework: "CoreGraphics", isView: true, advice: leaveOut)),
    ("CA", Gap(framework: "QuartzCore", isView: true, advice: leaveOut)),
    ("CI", Gap(framework: "CoreImage", isView: true, advice: leaveOut)),
    ("HM", Gap(framework: "HomeKit", isView: false, advice: "put it behind a protocol of the app's own")),
    ("HK", Gap(framework: "HealthKit", isView: false, advice: "put it behind a protocol of the app's own")),
    (
      "NW",
      Gap(
        framework: "Network", isView: false,
        advice: "not on Linux; use a socket or SwiftNIO behind a protocol")
    ),
    ("VN", Gap(framework: "Vision", isView: false, advice: "put it behind a protocol of the app's own")),
    ("ML", Gap(framework: "CoreML", isView: false, advice: "put it behind a protocol of the app's own")),
    ("GK", Gap(framework: "GameKit", isView: true, advice: leaveOut)),
    ("PH", Gap(framework: "Photos", isView: true, advice: leaveOut)),
    (
      "WC",
      Gap(framework: "WatchConnectivity", isView: false, advice: "put it behind a protocol of the app's own")
    ),
    (
      "BG",
      Gap(framework: "BackgroundTasks", isView: false, advice: "put it behind a protocol of the app's own")
    ),
    ("CN", Gap(framework: "Contacts", isView: false, advice: "put it behind a protocol of the app's own")),
    ("EK", Gap(framework: "EventKit", isView: false, advice: "put it behind a protocol of the app's own")),
    (
      "LA",
      Gap(
        framework: "LocalAuthentication", isView: false, advice: "put it behind a protocol of the app's own")
    ),
    (
      "NI",
      Gap(framework: "NearbyInteraction", isView: false, advice: "swift-nearby does not have it: Docs/api")
    ),
    (
      "MC",
      Gap(
        framework: "MultipeerConnectivity", isView: false, advice: "swift-nearby does not have it: Docs/api")
    ),
    ("CL", Gap(framework: "CoreLocation", isView: false, advice: "swift-nearby does not have it: Docs/api")),
    ("kCL", Gap(framework: "CoreLocation", isView: false, advice: "swift-nearby does not have it: Docs/api")),
    ("CB", Gap(framework: "CoreBluetooth", isView: false, advice: "swift-nearby does not have it: Docs/api")),
    ("AR", Gap(framework: "ARKit", isView: false, advice: "swift-nearby does not have it: Docs/api")),
    (
      "kSec",
      Gap(
        framework: "Security", isView: false, advice: "put the key chain behind a protocol of the app's own")
    ),
    (
      "Sec",
      Gap(
        framework: "Security", isView: false, advice: "put the key chain behind a protocol of the app's own")
    ),
  ]

  // MARK: Modules

  /// Advice for an import of a module that Linux lacks. Files that import a view framework should be left
  /// out.
  static func module(_ name: String) -> Gap {
    if let gap = modules[name] { return gap }
    if views.contains(name) { return Gap(framework: name, isView: true, advice: leaveOut) }
    if apples.contains(name) {
      return Gap(
        framework: name, isView: false, advice: "put what needs it behind a protocol of the app's own")
    }
    return Gap(
      framework: name, isView: false,
      advice: "if it is a package that builds on Linux add it to the Package.swift, else "
        + "put it behind a protocol of the app's own")
  }

  private static let views: Set<String> = [
    "AppKit", "Cocoa", "SceneKit", "SpriteKit", "RealityKit", "RealityKitContent", "MapKit", "Metal",
    "MetalKit",
    "QuartzCore", "CoreImage", "PhotosUI", "AVKit", "WatchKit", "WidgetKit", "ActivityKit", "AppIntents",
    "Charts",
    "WebKit", "SafariServices", "MessageUI", "PencilKit", "QuickLook", "StoreKit", "TipKit", "ClockKit",
    "ContactsUI",
    "GameKit", "PlaygroundSupport", "ARKitUI", "UniformTypeIdentifiers", "FocusEntity", "Lottie", "SnapKit",
    "CoreImage.CIFilterBuiltins",
  ]

  private static let modules: [String: Gap] = [
    "Darwin": Gap(
      framework: "Darwin", isView: false, advice: "import Foundation, which brings the C library"),
    "ObjectiveC": Gap(
      framework: "Objective-C", isView: false, advice: "remove the import: NSObject is Foundation's"),
    "CryptoKit": Gap(
      framework: "CryptoKit", isView: false,
      advice: "add the package swift-crypto and `#if canImport(CryptoKit)`, else `import Crypto`"),
    "CommonCrypto": Gap(framework: "CommonCrypto", isView: false, advice: "add the package swift-crypto"),
  ]
}

extension KnownGaps {
  /// Whether a module is Apple's, and not part of a package that may exist for Linux.
  static func isKnown(_ module: String) -> Bool { apples.contains(module) }

  private static let apples: Set<String> = [
    "Accelerate", "ActivityKit", "AudioToolbox", "AVFoundation", "AVFAudio", "CoreAudio", "CoreData",
    "CoreHaptics", "CoreMedia", "CoreML", "CoreMotion", "CoreNFC", "CoreTelephony", "CoreText", "CoreVideo",
    "CryptoKit", "Darwin", "ExternalAccessory", "GameplayKit", "HealthKit", "HomeKit", "LocalAuthentication",
    "MediaPlayer", "Network", "NetworkExtension", "ObjectiveC", "Photos", "Security", "ServiceManagement",
    "Speech",
    "SwiftData", "SystemConfiguration", "Vision", "WatchConnectivity", "BackgroundTasks",
    "Intents", "Contacts", "EventKit", "LinkPresentation", "NaturalLanguage", "SoundAnalysis", "VideoToolbox",
    "DeviceCheck", "AdSupport", "AppTrackingTransparency", "CloudKit", "AuthenticationServices", "IOKit",
    "IOBluetooth",
  ]
}
