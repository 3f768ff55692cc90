// `npm run mutate -- <what>`: StrykerJS mutates the product in one place at a time, runs the tests that cover that place, and
// prints the surviving mutants. `what` is a part that is mutated completely (keys, sign-in, relay or connections; goal 80%), a
// package, or `elsewhere`, which means all packages except those parts. For a package and for `elsewhere`, a seeded sample of
// 500 mutants is tested (goal 70%), and the browser tests run as well. Exits with code 1 if the goal is missed, or if more than
// 2% of the lines are comments that disable mutants.
//   SEED=…  selects a different sample        SAMPLE=…  sets the sample size        WORKERS=…  sets the concurrency
//   ONLY=packages/server/src/relay/limits/clientQuotas.ts,…  mutates only these files, and keeps the results for the others
//   PART=2/4  tests the second of four parts of the files, to save time; the score covers the parts that were tested
// Runs on a copy of the working tree. Results are stored in `.mutation/`, and the next run tests only what has changed.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { root, run, Stop, say, script, toolEnv } from './bootstrap.mjs'

const decoderSuites = 'packages/frame/src/decoders/**'

/**
 * The code that protects money and identity. Every mutant is tested, but only with nearby tests that are not in `slow`, so the
 * score is a lower bound. A mutant that makes a test hang is detected after `testTimeoutMs`, which is several times the duration
 * of the slowest test.
 * @type {Record<string, { folders: readonly string[], tests: readonly string[], slow?: readonly string[], testTimeoutMs: number }>}
 */
export const inFull = {
  keys: {
    folders: ['packages/vault/src'],
    tests: ['packages/{frame,vault}/src/**/*.test.ts'],
    slow: ['packages/vault/src/{operatorAttack,recordFuzz,secretsInHeap}.test.ts', decoderSuites],
    testTimeoutMs: 4_000,
  },
  'sign-in': {
    folders: [
      'packages/core/src/signIn',
      'packages/server/src/signIn',
      'packages/siwx/src/message',
      'packages/siwx/src/server',
    ],
    tests: [
      'packages/{core,server}/src/signIn/**/*.test.{ts,tsx}',
      'packages/siwx/src/{message,server}/**/*.test.ts',
      'packages/{adapters,core,react,server}/src/**/*ignIn*.test.{ts,tsx}',
    ],
    slow: ['packages/siwx/src/message/attacks.test.ts'],
    testTimeoutMs: 15_000,
  },
  relay: {
    folders: ['packages/server/src/relay'],
    tests: [
      'packages/server/src/relay/**/*.test.ts',
      'packages/server/src/**/{createServer,readConfig,inFlightBytes}.test.ts',
    ],
    slow: ['packages/server/src/relay/multipleInstances.test.ts'],
    testTimeoutMs: 3_000,
  },
  connections: {
    folders: ['packages/core/src/connections'],
    tests: ['packages/{adapters,core,react}/src/**/*.test.{ts,tsx}', 'conformance/**/*.test.ts'],
    testTimeoutMs: 6_000,
  },
}
const packages = ['adapters', 'core', 'frame', 'protocol', 'react', 'server', 'siwx', 'ui', 'vault', 'walletconnect']
/** @type {Record<string, string>} */
const folderOf = Object.fromEntries(packages.map((name) => [name, `packages/${name}/src`]))
/** The code for which only a sample of the mutants is tested. @type {Record<string, readonly string[]>} */
const sampled = {
  ...Object.fromEntries(Object.entries(folderOf).map(([name, folder]) => [name, [folder]])),
  elsewhere: Object.values(folderOf),
}
/**
 * The suites that are skipped when a sample is tested: those that run for minutes, and one that reads source files, which contain
 * the mutants at that point. The decoders' suites are not skipped, because a sample can contain mutants of the decoders.
 */
const slowSuites = [
  ...new Set(Object.values(inFull).flatMap(({ slow = [] }) => slow.filter((suite) => suite !== decoderSuites))),
  'packages/frame/src/screens/SanitizedText.test.ts',
]

/** @typedef {{ line: number, column: number }} Position */
/** @typedef {{ fileName: string, mutatorName: string, original: string, replacement: string, location: { start: Position, end: Position } }} Mutant */

const silent = new Proxy({}, { get: () => () => false })

/**
 * Resolves to all mutants for these files.
 * @param {readonly string[]} files
 * @returns {Promise<Mutant[]>}
 */
async function mutantsOf(files) {
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') }))
  const { mutants } = await new Instrumenter(/** @type {any} */ (silent)).instrument(
    sources,
    /** @type {any} */ ({ excludedMutations: [], ignorers: [], noHeader: true, plugins: null }),
  )
  const lines = new Map(sources.map(({ name, content }) => [name, content.split('\n')]))
  return /** @type {Omit<Mutant, 'original'>[]} */ (/** @type {unknown} */ (mutants)).map((mutant) => ({
    ...mutant,
    original: textAt(lines.get(mutant.fileName) ?? [], mutant.location),
  }))
}

/**
 * Returns up to `count` items from `all`, which `seed` selects deterministically. The order depends only on the items' own keys,
 * so moving code does not change the selection, adding or removing a little code hardly changes it, and scores of different
 * commits are comparable.
 * @template Item
 * @param {readonly Item[]} all
 * @param {number} count
 * @param {number} seed
 * @param {(item: Item) => string} keyOf
 * @returns {Item[]}
 */
export function draw(all, count, seed, keyOf) {
  /** @type {Map<string, number>} */
  const copies = new Map()
  return all
    .map((item) => {
      const key = keyOf(item)
      const copy = copies.get(key) ?? 0
      copies.set(key, copy + 1)
      return {
        item,
        order: createHash('sha256')
          .update(JSON.stringify([seed, key, copy]))
          .digest('hex'),
      }
    })
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ item }) => item)
}

/**
 * Returns a key that identifies a mutant regardless of its line and folder.
 * @param {Mutant} mutant
 */
function mutantKey({ fileName, mutatorName, original, replacement }) {
  return JSON.stringify([basename(fileName), mutatorName, original, replacement])
}

/**
 * Returns the places to mutate for a sample of at least `count` mutants, which `seed` selects. Stryker mutates everything inside
 * a place, so a selected mutant that contains others adds them to the sample.
 * @param {readonly Mutant[]} all
 * @param {number} count
 * @param {number} seed
 */
export function samplePlaces(all, count, seed) {
  const places = []
  const sample = new Set()
  for (const place of draw(all, count, seed, mutantKey)) {
    if (sample.size >= count) break
    places.push(place)
    for (const mutant of all) if (isInside(mutant, place)) sample.add(mutant)
  }
  return { places, count: sample.size }
}

/**
 * @param {readonly string[]} lines
 * @param {Mutant['location']} location
 */
function textAt(lines, { start, end }) {
  const [first = '', ...others] = lines.slice(start.line, end.line + 1)
  const last = others.at(-1)
  if (last === undefined) return first.slice(start.column, end.column)
  return [first.slice(start.column), ...others.slice(0, -1), last.slice(0, end.column)].join('\n')
}

/**
 * @param {Pick<Mutant, 'fileName' | 'location'>} mutant
 * @param {Pick<Mutant, 'fileName' | 'location'>} place
 */
function isInside({ fileName, location: { start, end } }, place) {
  const { start: from, end: to } = place.location
  const isAfter = start.line > from.line || (start.line === from.line && start.column >= from.column)
  const isBefore = end.line < to.line || (end.line === to.line && end.column <= to.column)
  return fileName === place.fileName && isAfter && isBefore
}

/**
 * Returns the files in the working tree, whether they are committed or not.
 * @param {readonly string[]} folders
 */
function filesIn(folders) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((name) => name !== '' && existsSync(join(root, name)))
}

/** @param {readonly string[]} folders */
function sourcesIn(folders) {
  return filesIn(folders)
    .filter(
      (name) => /\.tsx?$/.test(name) && !/\.(test|test-d|d)\.tsx?$/.test(name) && !/\/(testing|languages)\//.test(name),
    )
    .sort()
}

/**
 * Copies the working tree to `folder`, so that an interrupted run does not change the original files.
 * @param {string} folder
 */
async function copyTo(folder) {
  rmSync(folder, { recursive: true, force: true })
  for (const name of filesIn([])) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(root, name), join(folder, name))
  }
  if (existsSync(join(root, '.tools'))) symlinkSync(join(root, '.tools'), join(folder, '.tools'))
  const installs = `import(${JSON.stringify(join(folder, 'tools/bootstrap.mjs'))}).then((it) => it.ensureInstalled())`
  if ((await run('node', ['-e', installs], { cwd: folder, quiet: true })) !== 0)
    throw new Stop('The copy could not be installed.')
  // The tests for the server and the frame need the build.
  if ((await run('node', ['tools/build.mjs'], { cwd: folder, env: toolEnv(), quiet: true })) !== 0)
    throw new Stop('The copy could not be built.')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await script(mutate)

async function mutate() {
  const [what = ''] = process.argv.slice(2)
  const seed = Number(process.env.SEED ?? 1)
  const isFull = what in inFull
  if (!isFull && !(what in sampled))
    throw new Stop(`Specify what to mutate: ${[...Object.keys(inFull), ...Object.keys(sampled)].join(', ')}.`)
  const full = Object.values(inFull).flatMap(({ folders }) => folders)
  const folders = inFull[what]?.folders ?? sampled[what] ?? []
  const [part = 1, parts = 1] = (process.env.PART ?? '1/1').split('/').map(Number)
  const named = parts === 1 ? what : `${what}.${part}of${parts}`
  const files = sourcesIn(folders)
    .filter((name) => isFull || !full.some((folder) => name.startsWith(`${folder}/`)))
    .filter((_, at) => at % parts === part - 1)
  const only = process.env.ONLY?.split(',')
  const all = await mutantsOf(files)
  const sample = isFull ? undefined : samplePlaces(all, Number(process.env.SAMPLE ?? 500), seed)
  const ranges = sample
    ? sample.places.map(
        ({ fileName, location: { start, end } }) =>
          // Stryker expects lines to start at 1 and columns at 0.
          `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
      )
    : files.filter((name) => only?.includes(name) ?? true)
  say(`${what}: ${sample?.count ?? all.length} of ${all.length} mutants${sample ? `, seed ${seed}` : ''}`)

  const cache = join(root, '.mutation')
  const work = join(cache, `work.${named}`)
  mkdirSync(cache, { recursive: true })
  await copyTo(work)
  const report = join(cache, `${named}.json`)
  writeFileSync(
    join(work, 'stryker.config.json'),
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      // Coverage determines which tests run for a mutant, so looking for related files would only take time.
      vitest: { configFile: 'tools/mutate.vitest.config.mjs', related: false },
      mutate: ranges,
      inPlace: true,
      // Tests compare the recipes in the source with the documentation, so the recipes must not be changed.
      disableTypeChecks: false,
      ignoreStatic: true,
      incremental: true,
      incrementalFile: join(cache, `${named}.incremental.json`),
      concurrency: Number(process.env.WORKERS) || Math.max(1, availableParallelism()),
      dryRunTimeoutMinutes: 30,
      // Long enough that other load on the machine does not count as a detected change.
      timeoutMS: 30_000,
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      allowEmpty: true,
      tempDirName: join(cache, `temp.${named}`),
    }),
  )
  const { tests = [], slow = slowSuites, testTimeoutMs = 15_000 } = inFull[what] ?? {}
  const env = {
    ...toolEnv(),
    MUTATE_TESTS: JSON.stringify({ tests, slow, testTimeoutMs, browser: !isFull }),
    // The first run reports which tests reach each mutant. This report does not fit into the default heap.
    NODE_OPTIONS: '--max-old-space-size=8192',
  }
  if ((await run('stryker', ['run', 'stryker.config.json'], { cwd: work, env })) !== 0) return 1
  rmSync(work, { recursive: true, force: true })
  const reports = Array.from({ length: parts }, (_, at) => join(cache, `${what}.${at + 1}of${parts}.json`))
  return verdict(what, parts === 1 ? [report] : reports.filter(existsSync), isFull ? 80 : 70)
}

/**
 * Prints the survivors and the score, and returns the exit code.
 * @param {string} what
 * @param {readonly string[]} reports
 * @param {number} goal
 */
function verdict(what, reports, goal) {
  /** @type {Record<string, { source: string, mutants: { status: string, static?: boolean, mutatorName: string, replacement?: string, location: { start: Position } }[] }>} */
  const files = Object.assign({}, ...reports.map((report) => JSON.parse(readFileSync(report, 'utf8')).files))
  /** @type {Record<string, number>} */
  const counts = {}
  let lines = 0
  let off = 0
  for (const [name, { source, mutants }] of Object.entries(files)) {
    lines += source.split('\n').length
    off += source.split('\n').filter((line) => line.includes('Stryker disable')).length
    for (const { status, mutatorName, replacement = '', location } of mutants) {
      counts[status] = (counts[status] ?? 0) + 1
      if (status === 'Survived' || status === 'NoCoverage')
        process.stdout.write(
          `${status === 'Survived' ? 'survived' : 'no test '}  ${name}:${location.start.line}:${location.start.column}  ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 80)}\n`,
        )
    }
  }
  const count = (/** @type {string} */ status) => counts[status] ?? 0
  const found = count('Killed') + count('Timeout')
  const valid = found + count('Survived') + count('NoCoverage')
  const score = valid === 0 ? 100 : (100 * found) / valid
  const share = lines === 0 ? 0 : (100 * off) / lines
  process.stdout.write(
    `\n${what}: ${score.toFixed(1)} % of ${valid} (goal ${goal} %) · ${count('Survived')} survived, ${count('NoCoverage')} reached by no test, ` +
      `${count('Ignored')} static ones left out, ${share.toFixed(1)}% of the lines switched off (at most 2%)\n`,
  )
  return score >= goal && share <= 2 ? 0 : 1
}
