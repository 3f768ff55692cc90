// `npm test`: runs all stages in order and continues after failures. Within a stage, two lanes can run in parallel on two cores.
// `npm test -- unit e2e` runs only the specified steps. `npm test -- --changed` checks the changes on the current branch, and
// `npm test -- --changed=HEAD` checks only those that are not committed.

import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, preferHeadlessShell, root, run, Stop, say, script, toolEnv } from './bootstrap.mjs'
import { changedFiles, relatedScripts } from './changedFiles.mjs'
import { readResults } from './testResults.mjs'

const results = join(root, 'test-results')

/**
 * A program to run. `report` is the JSON file to which the test runner writes its results. A step without a report counts as one
 * test.
 * @typedef {{ name: string, command: readonly string[], report?: string }} Step
 */

/**
 * The step that checks the types in all files. The compiler caches information about unchanged files for the next run.
 * @type {Step}
 */
const types = {
  name: 'types',
  command: [
    ...['node', 'node_modules/typescript-7/bin/tsc', '--noEmit', '--project', 'tsconfig.json', '--incremental'],
    ...['--tsBuildInfoFile', 'node_modules/.cache/types.json'],
  ],
}

/**
 * The stages in order. The lanes of a stage run in parallel, and the steps of a lane run in sequence. In a stage with a single
 * lane, the tests use both cores themselves.
 * @type {readonly (readonly (readonly Step[])[])[]}
 */
const stages = [
  [
    [types],
    [
      { name: 'biome', command: ['biome', 'check', '--max-diagnostics=50', '.'] },
      { name: 'knip', command: ['knip'] },
      { name: 'licences', command: ['node', 'tools/licences.mjs'] },
    ],
  ],
  [[unitTests()]],
  [
    [browserTests()],
    [
      { name: 'build', command: ['node', 'tools/build.mjs'] },
      { name: 'size', command: ['node', 'tools/size.mjs'] },
      { name: 'api', command: ['node', 'tools/apiReports.mjs', '--check'] },
    ],
  ],
  [
    [
      {
        name: 'e2e',
        command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
        report: 'e2e.json',
      },
    ],
  ],
  [[{ name: 'trace', command: ['node', 'tools/requirementCoverage.mjs', '--failing-only'] }]],
]

/**
 * Returns the stages for changed files: the types, and the tests that import one of the files. The structure test reads
 * every file, so it always runs.
 * @param {readonly string[]} changed
 * @returns {typeof stages}
 */
function stagesForChanges(changed) {
  const related = [...relatedScripts(root, changed), 'tools/architecture.test.ts']
  if (changed.some((path) => path.endsWith('.md'))) related.push('tools/readme.test.ts')
  return [
    [
      [types, browserTests(related)],
      [{ name: 'biome', command: ['biome', 'check', '--no-errors-on-unmatched', ...changed] }, unitTests(related)],
    ],
  ]
}

/** @param {readonly string[]} [related] */
function unitTests(related) {
  // One more than there are cores, because many tests wait for a process, a socket or a timer.
  const workers = availableParallelism() + 1
  const command = [...vitest('node', 'unit.json', related), `--maxWorkers=${workers}`]
  return { name: 'unit', command, report: 'unit.json' }
}

/** @param {readonly string[]} [related] */
function browserTests(related) {
  return { name: 'browser', command: vitest('browser', 'browser.json', related), report: 'browser.json' }
}

/**
 * Returns the command for all tests of a project, or for the tests that import one of the `related` files.
 * @param {string} project
 * @param {string} file
 * @param {readonly string[]} [related]
 */
function vitest(project, file, related) {
  return [
    'vitest',
    ...(related ? ['related', ...related, '--run', '--passWithNoTests'] : ['run']),
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=test-results/${file}`,
  ]
}

await script(async () => {
  const args = process.argv.slice(2)
  const changes = args.find((name) => /^--changed(=|$)/.test(name))
  const requested = args.filter((name) => name !== changes)
  const changed = changes && changedFiles(root, changes.split('=')[1])
  if (changed?.length === 0) {
    say('Nothing has changed.')
    return 0
  }
  const selected = changed ? stagesForChanges(changed) : stages
  const names = selected.flat(2).map(({ name }) => name)
  const unknown = requested.find((name) => !names.includes(name))
  if (unknown) throw new Stop(`No step "${unknown}"; use ${names.join(', ')}.`)
  const needs = (/** @type {string[]} */ ...steps) =>
    names.some((name) => steps.includes(name) && (requested.length === 0 || requested.includes(name)))
  const browsers = needs('browser', 'e2e')
  const chosenBrowser = process.env.CHROMIUM
  await ensureInstalled({ browsers, otherBrowsers: needs('e2e') && !changed, redis: needs('unit', 'e2e') })
  if (browsers) await preferHeadlessShell(chosenBrowser)
  if (requested.length === 0) rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })

  const env = toolEnv({ PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, 'e2e.json'), CI: process.env.CI ?? '1' })
  /** @type {{ name: string, seconds: number, passed: number, failed: number, note: string, again: string[] }[]} */
  const done = []
  /**
   * Runs a step and records the result.
   * @param {Step} step
   * @param {boolean} alone Whether to stream the output. Otherwise, it is printed at the end, so that the output of parallel
   * steps is not mixed.
   */
  const take = async ({ name, command, report }, alone) => {
    const title = `\n━━ ${name}: ${command.join(' ')}\n`
    if (alone) process.stderr.write(title)
    if (report) rmSync(join(results, report), { force: true })
    const started = performance.now()
    const [program = '', ...args] = command
    let text = ''
    const note = (/** @type {string} */ more) => {
      text += more
    }
    const code = await run(program, args, { env, ...(!alone && { note }) })
    if (!alone) process.stderr.write(`${title}${text}`)
    const tests = report ? readResults(join(results, report)) : []
    const failed = tests.filter((test) => test.outcome === 'failed').length
    // If a step fails without a failing test, for example because it crashed or found no tests, the step itself counts as a
    // failure.
    const broken = code !== 0 && failed === 0
    done.push({
      name,
      seconds: (performance.now() - started) / 1000,
      passed: report ? tests.filter((test) => test.outcome === 'passed').length : code === 0 ? 1 : 0,
      failed: failed + (broken ? 1 : 0),
      note: broken && report ? `exit code ${code}` : '',
      again: tests.filter((test) => test.again).map(({ title }) => title),
    })
  }
  for (const stage of selected) {
    const lanes = stage
      .map((lane) => lane.filter(({ name }) => requested.length === 0 || requested.includes(name)))
      .filter((lane) => lane.length > 0)
    await Promise.all(
      lanes.map(async (lane) => {
        for (const step of lane) await take(step, lanes.length === 1)
      }),
    )
  }

  process.stdout.write('\n')
  for (const { name, seconds, passed, failed, note } of done) {
    const mark = failed === 0 ? '✓' : '✗'
    process.stdout.write(
      `${mark} ${name.padEnd(10)} ${passed} passed, ${failed} failed  ${seconds.toFixed(1)} s ${note}\n`,
    )
  }
  for (const title of done.flatMap(({ again }) => again))
    process.stdout.write(`  passed only on the second attempt: ${title}\n`)
  const passed = done.reduce((sum, step) => sum + step.passed, 0)
  const failed = done.reduce((sum, step) => sum + step.failed, 0)
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
})
