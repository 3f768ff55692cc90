// Preloaded into the server. SIGUSR2 sets this process's wall clock back by a minute, as a wrong time server would. Monotonic
// clocks are not affected.

const RealDate = Date
let shiftMs = 0

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs)
    else super(...args)
  }
  static now() {
    return RealDate.now() + shiftMs
  }
}

process.on('SIGUSR2', () => {
  shiftMs -= 60_000
})
