import Foundation
import NearbyFiles

/// One file of the page.
package struct WebFile: Equatable, Sendable {
  let type: String
  let octets: [UInt8]

  package init(type: String, octets: [UInt8]) {
    self.type = type
    self.octets = octets
  }
}

/// The page's files, by URL path.
package struct WebFiles: Sendable {
  let files: [String: WebFile]

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
  ]

  package init(files: [String: WebFile]) { self.files = files }

  /// Reads a folder, ignoring files of other types.
  init(folder: URL) {
    var files: [String: WebFile] = [:]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names {
      let url = folder.appendingPathComponent(name)
      guard let type = Self.types[url.pathExtension], let data = try? Data(contentsOf: url) else { continue }
      files["/" + name] = WebFile(type: type, octets: [UInt8](data))
    }
    files["/"] = files["/index.html"]
    self.files = files
  }

  /// Reads the page of `nearby site`.
  package static func site() throws(ResourceFolder.Missing) -> WebFiles {
    var files = try bundled().files
    files["/"] = files["/site.html"]
    return WebFiles(files: files.filter { ["/", "/site.js", "/site.css", "/favicon.svg"].contains($0.key) })
  }

  /// Reads the page of this package.
  static func bundled() throws(ResourceFolder.Missing) -> WebFiles {
    WebFiles(folder: try ResourceFolder.find("NearbyWorld").appendingPathComponent("Page"))
  }
}
