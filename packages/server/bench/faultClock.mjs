// Loaded before the server: SIGUSR2 sets the wall clock of this process back by a minute, as a wrong time server does. What is monotonic stays.

const RealDate = Date
let shiftMs = 0

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    else super(...given)
  }
  static now() {
    return RealDate.now() + shiftMs
  }
}

process.on('SIGUSR2', () => {
  shiftMs -= 60_000
})
