/// The types of a project that are views: those that inherit from or conform to a view type of a framework,
/// directly or through other types of the project.
struct ViewTypes {
  private let names: Set<String>
  private let declared: Set<String>

  init(_ files: [FileFacts]) {
    let parents = files.flatMap(\.parents)
    let declared = Set(files.flatMap { $0.exported.keys })
    var names: Set<String> = []
    // Each round adds a type, so it ends.
    while true {
      let found = parents.filter { Self.isView($0.parent, names, declared) }.map(\.type)
      let next = names.union(found)
      if next.count == names.count { break }
      names = next
    }
    self.names = names
    self.declared = declared
  }

  /// Whether a file declares a view, or a preview of one.
  func isDeclared(in facts: FileFacts) -> Bool {
    facts.parents.contains { Self.isView($0.parent, names, declared) }
      || facts.findings.contains { $0.rule == .previews }
  }

  /// A name that the project declares hides the framework's.
  private static func isView(_ name: String, _ names: Set<String>, _ declared: Set<String>) -> Bool {
    names.contains(name) || !declared.contains(name) && isFrameworkView(name)
  }

  private static let swiftUI: Set<String> = [
    "View", "App", "Scene", "Shape", "InsettableShape", "ViewModifier", "PreviewProvider", "ButtonStyle",
    "PrimitiveButtonStyle", "ToggleStyle", "LabelStyle", "TextFieldStyle", "Commands", "ToolbarContent",
    "Widget", "WidgetBundle", "Layout",
  ]
  /// Delegates without which an app with a screen does not start.
  private static let appDelegates: Set<String> = [
    "UIApplicationDelegate", "UISceneDelegate", "UIWindowSceneDelegate",
  ]

  /// Other delegates and data sources serve a view but are not views themselves.
  private static func isFrameworkView(_ name: String) -> Bool {
    if swiftUI.contains(name) || appDelegates.contains(name) { return true }
    if name.hasSuffix("Delegate") || name.hasSuffix("DataSource") { return false }
    guard let gap = KnownGaps.gap(name), gap.isView else { return false }
    return gap.framework == "UIKit" || name.hasSuffix("Representable") || name.hasSuffix("HostingController")
      || name.hasSuffix("View") || name.hasSuffix("ViewController")
  }
}
