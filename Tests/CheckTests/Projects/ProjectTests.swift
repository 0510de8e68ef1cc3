import Testing

@testable import NearbySourceCheck

@Suite("Xcode projects and package manifests")
struct ProjectTests {
  private static let project = """
    // !$*UTF8*$!
    {
      archiveVersion = 1; objectVersion = 77;
      objects = {
        /* Begin PBXBuildFile section */
        B1 /* A.swift in Sources */ = {isa = PBXBuildFile; fileRef = F1 /* A.swift */; };
        B2 = {isa = PBXBuildFile; fileRef = F2; };
        B3 = {isa = PBXBuildFile; fileRef = F3; };
        F1 = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
        F2 = {isa = PBXFileReference; path = "../Shared/B \\"b\\".swift"; sourceTree = "<group>"; };
        F3 = {isa = PBXFileReference; path = Main.storyboard; sourceTree = "<group>"; };
        G0 = {isa = PBXGroup; children = (G1, S1, ); sourceTree = "<group>"; };
        G1 = {isa = PBXGroup; children = (F1, F2, F3, G0); path = App; sourceTree = "<group>"; };
        S1 = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (E1,); path = New; sourceTree = "<group>"; };
        E1 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Info.plist, Old.swift, );
          target = T2; };
        P1 = {isa = PBXSourcesBuildPhase; files = (B1, B2, B3, B9, ); };
        P2 = {isa = PBXSourcesBuildPhase; files = (); };
        L1 = {isa = XCConfigurationList; buildConfigurations = (C1, C2, ); };
        C1 = {isa = XCBuildConfiguration; buildSettings = {PRODUCT_NAME = "$(TARGET_NAME)"; }; };
        C2 = {isa = XCBuildConfiguration; buildSettings = {PRODUCT_NAME = AppKit; }; };
        T1 = {isa = PBXNativeTarget; name = App; buildConfigurationList = L1; buildPhases = (P1, );
          productType = "com.apple.product-type.application"; };
        T2 = {isa = PBXNativeTarget; name = NewTests; buildPhases = (P2, ); fileSystemSynchronizedGroups = (S1, );
          productType = "com.apple.product-type.bundle.unit-test"; };
        R = {isa = PBXProject; mainGroup = G0; targets = (T1, T2, T3, ); };
      };
      rootObject = R /* Project object */;
    }
    """

  @Test("Targets have the files of their build phases and their synchronized folders")
  func targets() throws {
    let project = try XcodeProject(parsing: Array(Self.project.utf8))
    #expect(
      project.targets == [
        .init(
          name: "App", moduleName: "AppKit", isTest: false, files: ["App/A.swift", "Shared/B \"b\".swift"],
          folders: []),
        .init(
          name: "NewTests", moduleName: "NewTests", isTest: true, files: [],
          folders: [.init(path: "New", exceptions: ["Info.plist", "Old.swift"])]),
      ])
  }

  @Test("A truncated project is refused")
  func prefixes() {
    let octets = Array(Self.project.utf8)
    for end in stride(from: 0, to: octets.count, by: 7) {
      #expect(throws: PropertyList.Failure.self) { try XcodeProject(parsing: Array(octets[..<end])) }
    }
  }

  @Test(
    "A file that is not a property list is refused, with its line",
    arguments: [
      ("", PropertyList.Failure.unexpected(line: 1)), ("{\n a = ; }", .unexpected(line: 2)),
      ("{ a = 1 }", .unexpected(line: 1)), ("(1 2)", .unexpected(line: 1)), ("{} x", .unexpected(line: 1)),
      ("\"a", .unexpected(line: 1)), ("<?xml version", .unexpected(line: 1)),
      (String(repeating: "(", count: 100_000), .tooDeep(line: 1)),
    ])
  func refused(text: String, expected: PropertyList.Failure) {
    #expect(throws: expected) { try PropertyList(parsing: Array(text.utf8)) }
  }

  @Test("A manifest's targets are found with their folders, exclusions and sources")
  func manifest() {
    let text = """
      let package = Package(name: "App", products: [.library(name: "Core", targets: ["Core"])],
        targets: [
          .target(name: "Core", dependencies: [.product(name: "X", package: "Y")], path: "Code",
            exclude: ["Views", "Main.swift"], sources: ["Model"]),
          .executableTarget(name: "Tool", dependencies: ["Core"]), // .target(name: "No")
          .testTarget(name: "CoreTests", dependencies: ["Core"]),
        ])
      """
    #expect(
      PackageManifest(parsing: Array(text.utf8)).targets == [
        .init(
          name: "Core", isTest: false, path: "Code", excluded: ["Views", "Main.swift"], sources: ["Model"]),
        .init(name: "Tool", isTest: false, path: nil, excluded: [], sources: []),
        .init(name: "CoreTests", isTest: true, path: nil, excluded: [], sources: []),
      ])
  }
}
