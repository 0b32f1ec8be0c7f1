// A file of the console as a build would leave it.
