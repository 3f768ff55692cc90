// Starts the processes that the benchmarks measure. If `taskset` is available and there are at least two cores, the measured
// server gets the first core for itself, and its clients and stores share the others, so that clients do not take time from the
// server.

import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The command of the measured server. `CLI=…` measures another build with the same benchmarks. */
const cli = process.env.CLI ?? fileURLToPath(new URL('../dist/commands/cli.js', import.meta.url))
const canPin = availableParallelism() > 1 && hasTaskset()

/** Returns the command that runs `args` with Node on the cores of the measured server or on those of its clients. */
function pinned(side, args) {
  if (!canPin) return [process.execPath, args]
  const cores = side === 'server' ? '0' : `1-${availableParallelism() - 1}`
  return ['taskset', ['-c', cores, process.execPath, ...args]]
}

/** Starts a script of this folder as a child process that exchanges messages with this one. */
export function startChild({ side, file, args = [], execArgv = [] }) {
  const [command, commandArgs] = pinned(side, [...execArgv, file, ...args])
  const child = spawn(command, commandArgs, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    pid: child.pid,
    ask: (what, given = {}) =>
      new Promise((resolve, reject) => {
        const failed = (code) => reject(new Error(`${file} exited with ${code}`))
        child.once('exit', failed)
        child.once('message', (answer) => {
          child.off('exit', failed)
          resolve(answer)
        })
        child.send({ what, ...given })
      }),
    stop: () => end(child, 'SIGKILL'),
  }
}

/** Starts the server with its command, as an operator would. Its log has the default level and is discarded. */
export async function startServer({ folder, env = {}, execArgv = [] }) {
  const [command, args] = pinned('server', [...execArgv, cli])
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const port = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const url = /http:\/\/127\.0\.0\.1:(\d+)/.exec(text)
      if (url) resolve(Number(url[1]))
    })
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}`)))
  })
  child.removeAllListeners('exit')
  return { pid: child.pid, port, stop: () => end(child, 'SIGINT') }
}

function end(child, signal) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', resolve)
    child.kill(signal)
  })
}

/** Returns the processor time that a process has used so far, in milliseconds. Only on Linux. */
export function processorMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    // User and system time, in ticks of 10 ms.
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

function hasTaskset() {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
