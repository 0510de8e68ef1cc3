/// Needs a constant that is declared in a view's file.
func isClose(_ distance: Float?) -> Bool { distance.map { $0 < closeDistance } ?? false }
