#!/usr/bin/env node
import { runCommand } from './serverCommand.ts'

// Whoever reads the output or the log may end before the server does: without a listener the next line would end it, too.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  // A second signal of either kind ends the process at once; as the first process of a container it has no default action.
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
