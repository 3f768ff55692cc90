#!/usr/bin/env node
import { runCommand } from './serverCommand.ts'

// The reader of stdout or stderr can exit before the server does. Without an error listener, the next write would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  // A second signal of either kind ends the process immediately. As PID 1 of a container, the process has no default action for
  // signals.
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
