import surtitle

// The program. Everything else is the module `surtitle`, because no fuzzer can import a program.
exit(Surtitle.run())
