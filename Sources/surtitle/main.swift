exit(Surtitle.run())
