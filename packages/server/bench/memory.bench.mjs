// Starts the server twice in the same folder, which is empty at first. Measures the resident size of the server and its children
// 60 seconds after each start, and the peak up to then. Uses the build, including the prebuilt database. `AFTER_S=10` shortens
// the wait to 10 seconds.

import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const goalMb = 400
const afterMs = Number(process.env.AFTER_S ?? 60) * 1000
const cli = fileURLToPath(new URL('../dist/commands/cli.js', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'latchkey-memory-'))

try {
  const first = await boot('first')
  const second = await boot('second')
  const good = Math.max(first.peak, second.peak) <= goalMb
  console.log(`${good ? 'met' : 'NOT met'}: at most ${goalMb} MB at any moment of the first and the second start`)
  process.exitCode = good ? 0 : 1
} finally {
  await rm(folder, { recursive: true })
}

async function boot(name) {
  const child = spawn(process.execPath, [cli], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const started = performance.now()
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}`)))
  })
  const readyMs = performance.now() - started
  await pause(afterMs)
  const mb = await residentMb(child.pid)
  const peak = await peakMb(child.pid)
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  console.log(
    `${name} start: ready after ${readyMs.toFixed(0)} ms, ${mb.toFixed(0)} MB resident ${afterMs / 1000} s later, ${peak.toFixed(0)} MB at most`,
  )
  return { mb, peak }
}

// Returns the peak resident size of the server process, which has no children.
async function peakMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1000
}

async function residentMb(root) {
  const sizes = new Map()
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    sizes.set(Number(pid), {
      parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]),
      kb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0),
    })
  }
  const isOurs = (pid) => pid === root || (sizes.get(pid)?.parent > 1 && isOurs(sizes.get(pid).parent))
  return [...sizes].filter(([pid]) => isOurs(pid)).reduce((sum, [, { kb }]) => sum + kb, 0) / 1000
}
