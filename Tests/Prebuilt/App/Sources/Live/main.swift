import App
import Foundation

// A program without NearbyTesting: Tests/Prebuilt/run checks that it calls libdispatch's own functions.
let finder = Finder()
DispatchQueue.main.asyncAfter(deadline: .now()) {
  print("gave up: \(finder.hasGivenUp)")
  exit(0)
}
RunLoop.main.run()
