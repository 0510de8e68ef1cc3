// Nothing. Where a file imports Testing and UIKit, the compiler looks for a module of this name, in which Apple's
// systems have attachments of images.
