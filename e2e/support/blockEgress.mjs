import { Socket } from 'node:net'

/**
 * Blocks connections from this process to other machines and records the attempts. Everything that the test run starts, such as
 * servers and chains, runs on this machine.
 * @returns {{ readonly tried: readonly string[] }}
 */
export function closeEgress() {
  /** @type {string[]} */
  const tried = []
  const connect = Socket.prototype.connect
  /** @this {Socket} @param {any[]} args */
  Socket.prototype.connect = function (...args) {
    const [first, second] = Array.isArray(args[0]) ? args[0] : args
    const host = typeof first === 'object' ? first.host : typeof second === 'string' ? second : undefined
    if (host !== undefined && !/^(localhost|.+\.localhost|127(\.\d+){3}|::1|0\.0\.0\.0)$/.test(host)) {
      tried.push(host)
      return this.destroy(new Error(`Nothing leaves this machine: ${host}`))
    }
    return Reflect.apply(connect, this, args)
  }
  return { tried }
}
