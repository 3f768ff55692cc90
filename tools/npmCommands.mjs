// `npm run check | build | api | size | trace | shots | bench | mutate | fuzz | generate | format`: installs what is missing, and
// then runs the command.

import { ensureInstalled, root, run, Stop, script, toolEnv } from './bootstrap.mjs'

/** @type {Record<string, { needs?: Parameters<typeof ensureInstalled>[0], steps: readonly (readonly string[])[] }>} */
const commands = {
  check: {
    steps: [
      ['node', 'node_modules/typescript-7/bin/tsc', '--noEmit', '--project', 'tsconfig.json'],
      ['biome', 'check', '--max-diagnostics=100', '.'],
      ['vitest', 'run', '--project', 'node', 'tools'],
      ['node', 'tools/licences.mjs'],
      ['knip'],
    ],
  },
  build: { steps: [['node', 'tools/build.mjs']] },
  api: { steps: [['node', 'tools/apiReports.mjs']] },
  size: { steps: [['node', 'tools/size.mjs']] },
  trace: { steps: [['node', 'tools/requirementCoverage.mjs']] },
  shots: { needs: { browsers: true }, steps: [['node', 'tools/screenshots.mjs']] },
  bench: { needs: { browsers: true }, steps: [['node', 'tools/bench.mjs']] },
  mutate: { steps: [['node', 'tools/mutate.mjs']] },
  fuzz: { steps: [['node', 'tools/fuzz.mjs']] },
  generate: { steps: [['node', 'tools/generate.mjs']] },
  format: { steps: [['biome', 'check', '--write', '.']] },
}

await script(async () => {
  const [name = '', ...rest] = process.argv.slice(2)
  const command = commands[name]
  if (!command) throw new Stop(`Specify what to run: ${Object.keys(commands).join(', ')}.`)
  await ensureInstalled(command.needs)
  let code = 0
  for (const [program = '', ...args] of command.steps) {
    if (command.steps.length > 1) process.stderr.write(`\n› ${program} ${args.join(' ')}\n`)
    const last = command.steps.length === 1 ? rest : []
    code ||= await run(program, [...args, ...last], { cwd: root, env: toolEnv() })
  }
  return code
})
