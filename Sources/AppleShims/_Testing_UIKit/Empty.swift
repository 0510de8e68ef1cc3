// Intentionally empty. If a file imports both Testing and UIKit, the compiler looks for a module of this
// name, which on Apple's systems adds image attachments.
