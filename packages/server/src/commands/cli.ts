#!/usr/bin/env node
import { createLineBuffer } from '../monitoring/lineBuffer.ts'
import { runCommand } from './serverCommand.ts'

// The process that reads stdout or stderr can exit before the server does. Without an error listener, the next write would then
// end the server's process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const errors = createLineBuffer({ write: (text) => process.stderr.write(text) })
// Writes the buffered lines even if the exit is forced or caused by an error.
process.on('exit', errors.flush)

process.exitCode = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: errors.add,
  // A second signal of either kind ends the process immediately. An explicit exit is needed because signals have no default
  // action if the process runs as PID 1 in a container.
  stopped: () =>
    new Promise((resolve) => {
      let isStopping = false
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.on(signal, () => {
          if (isStopping) process.exit(1)
          isStopping = true
          resolve(signal)
        })
    }),
})
