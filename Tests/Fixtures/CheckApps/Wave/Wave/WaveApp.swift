import SwiftUI

@main
struct WaveApp: App {
  @StateObject private var model = NearbyModel()
  var body: some Scene {
    WindowGroup { ContentView().environmentObject(model) }
  }
}
