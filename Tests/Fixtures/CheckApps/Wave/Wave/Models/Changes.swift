import Foundation

func watchDefaults() async {
  for await note in NotificationCenter.default.notifications(named: UserDefaults.didChangeNotification) {
    print(note)
  }
}
