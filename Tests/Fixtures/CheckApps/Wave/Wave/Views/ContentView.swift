import SwiftUI

struct Reading: Identifiable {
  let id = UUID()
  var metres: Float
}

struct ContentView: View {
  @EnvironmentObject var model: NearbyModel
  @State private var isShown = false
  var body: some View {
    VStack {
      Text(model.title).font(.largeTitle)
      Button("Again") { withAnimation { isShown.toggle() } }
    }
    .onAppear { model.start() }
  }
}

#Preview { ContentView() }
