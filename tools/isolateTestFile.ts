// Runs before each test file in the project `node`. The files that a worker runs share a process, so that Node, Vitest and the
// dependencies are loaded only once. The modules of this repository are not shared: each file evaluates them again. A file that
// changes the process itself must undo its changes, or it fails.

import { afterAll, expect, vi } from 'vitest'

vi.resetModules()
const before = stateOfProcess()

// Registered first, so it runs after the hooks in the file.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  expect(stateOfProcess(), 'the process after the last test of this file').toEqual(before)
})

function stateOfProcess(): object {
  const events = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM']
  return {
    folder: process.cwd(),
    variables: { ...process.env },
    // Some dependencies have globals, whose names start with underscores.
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__')),
    functions: [fetch, setTimeout, setInterval, queueMicrotask, Date, Math.random, process.stdout.write],
    listeners: events.map((event) => process.rawListeners(event)),
  }
}
