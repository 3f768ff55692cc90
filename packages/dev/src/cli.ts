#!/usr/bin/env node
import { runDev } from './devCommand.ts'

// The reader of stdout or stderr can exit before the environment does. Without an error listener, the next write would then end
// the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await runDev({
  args: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  // A second signal of either kind ends the process immediately.
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
}).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The local environment could not start.'}\n`)
  return 1
})
