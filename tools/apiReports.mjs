// `npm run api`: writes the public types of each published entry point to `api/<package>/<entry>.md`, so that changes to the
// types are visible in review. With `--check`, as in `npm test`, compares the reports instead, and exits with code 1 if a
// committed report is outdated or a member has no doc comment. The types are read from the built declarations.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { root, Stop, script } from './bootstrap.mjs'

const reports = join(root, 'api')

/** @typedef {{ name: string, package: string, folder: string, declaration: string, report: string }} Entry */

/**
 * Returns every published entry point that has types, except the translations, which all have the same types.
 * @returns {Entry[]}
 */
export function publicEntries() {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = join(root, 'packages', name)
    if (!existsSync(join(folder, 'package.json'))) return []
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (manifest.private) return []
    return Object.entries(/** @type {Record<string, { types?: string }>} */ (manifest.exports ?? {}))
      .filter(([entry, { types }]) => types?.endsWith('.d.ts') && !/^\.\/(locales|styles)\b/.test(entry))
      .map(([entry, { types = '' }]) => ({
        name: manifest.name + entry.slice(1),
        package: manifest.name,
        folder,
        declaration: join(folder, types),
        report: join(reports, name, `${entry === '.' ? 'index' : entry.slice(2)}.md`),
      }))
  })
}

/**
 * Returns the configuration for one entry point. All entry points are compiled together, as `declarations`.
 * @param {Entry} entry
 * @param {{ declarations: readonly string[], temporary: string }} options
 */
function configOf({ name, folder, declaration }, { declarations, temporary }) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declaration,
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          // The repository's source condition is omitted, so that packages resolve as they do for users who install them.
          compilerOptions: {
            target: 'es2022',
            module: 'nodenext',
            moduleResolution: 'nodenext',
            lib: ['es2023', 'dom', 'dom.iterable'],
            types: ['node', 'react'],
            skipLibCheck: true,
            strict: true,
            jsx: 'react-jsx',
          },
          files: declarations,
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: name.replace(/\W+/g, '-'),
        reportFolder: temporary,
        reportTempFolder: join(temporary, 'compared'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  })
}

/**
 * Returns the text of each entry point's report.
 * @param {readonly Entry[]} entries
 */
function extract(entries) {
  const temporary = mkdtempSync(join(tmpdir(), 'latchkey-api-'))
  const declarations = entries.map(({ declaration }) => declaration)
  const missing = declarations.find((declaration) => !existsSync(declaration))
  if (missing) throw new Stop(`${relative(root, missing)} is missing: run \`npm run build\` first.`)
  try {
    const configs = entries.map((entry) => configOf(entry, { declarations, temporary }))
    const [first] = configs
    if (!first) return []
    const compilerState = CompilerState.create(first, { additionalEntryPoints: declarations })
    return configs.map((config, at) => {
      Extractor.invoke(config, {
        localBuild: true,
        compilerState,
        messageCallback: (message) => {
          message.handled = true
        },
      })
      const text = readFileSync(config.reportFilePath, 'utf8')
      // The original title contains only the package name.
      return text.replace(
        /^## [\s\S]*?\n```ts\n/,
        `# \`${entries[at]?.name}\`\n\nWritten by \`npm run api\`.\n\n\`\`\`ts\n`,
      )
    })
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** @param {string} folder */
const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(folder, name))
    : []

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await script(async () => {
    const isCheck = process.argv.includes('--check')
    const entries = publicEntries()
    const texts = extract(entries)
    const unknown = filesIn(reports).filter((file) => !entries.some(({ report }) => report === file))
    const changed = entries.filter(
      ({ report }, at) => !existsSync(report) || readFileSync(report, 'utf8') !== texts[at],
    )
    if (isCheck) {
      for (const file of [...unknown, ...changed.map(({ report }) => report)])
        process.stderr.write(`✗ ${relative(root, file)} is outdated\n`)
      const undocumented = entries.filter((_, at) => texts[at]?.includes('(undocumented)'))
      for (const { report } of undocumented)
        process.stderr.write(`✗ ${relative(root, report)} has undocumented members\n`)
      if (unknown.length + changed.length + undocumented.length === 0) return 0
      process.stderr.write('Run `npm run api` after a build, and review the changes of the public API.\n')
      return 1
    }
    for (const file of unknown) rmSync(file)
    for (const [at, { report }] of entries.entries()) {
      mkdirSync(dirname(report), { recursive: true })
      writeFileSync(report, texts[at] ?? '')
    }
    process.stdout.write(`${entries.length} reports in api/, ${changed.length} changed\n`)
    return 0
  })
