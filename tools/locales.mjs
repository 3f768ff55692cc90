// `npm run locales`: writes the lists of languages, based on the folders in `packages/i18n/src/locales`. Each folder is a
// language, and each file in it is a part: `modal`, `frame`, `mail` or `recovery`. The lists are generated in advance rather than
// at build time, because tsdown and the bundlers of host apps need explicit imports, and the types need names.
// `tools/locales.test.ts` fails if the lists are outdated.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const i18n = 'packages/i18n/src'
/** The modules in @latchkey/react for hosts that import a single language, such as `@latchkey/react/locales/de`. */
const entries = 'packages/react/src/i18n/generatedLocales'
const readme = 'packages/react/README.md'
const source = 'English'
/** How comments refer to the messages of a part. @type {Record<string, string>} */
const partNames = { modal: "modal's", frame: "key frame's", mail: 'email', recovery: "recovery page's" }
const notice = '// Generated from the folders in packages/i18n/src/locales by `npm run locales`. Do not edit.\n\n'

/**
 * Returns the language codes of the folders, starting with English.
 * @param {string} root
 */
export function languagesIn(root) {
  const folders = readdirSync(join(root, i18n, 'locales'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  const codes = folders.map(({ name }) => name).sort()
  const unknown = codes.find((code) => !/^[a-z]{2,3}$/.test(code))
  if (unknown) throw new Error(`${i18n}/locales/${unknown} is not named after a language, such as "de".`)
  return ['en', ...codes.filter((code) => code !== 'en')]
}

/**
 * Returns the generated files, keyed by path.
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function generatedFiles(root) {
  const languages = languagesIn(root)
  const others = languages.filter((code) => code !== 'en')
  return new Map([
    [`${i18n}/languages.ts`, languageList(languages)],
    [`${i18n}/modalLocales.ts`, lazyImports('modal', others)],
    [`${i18n}/frameLocales.ts`, lazyImports('frame', others)],
    [`${i18n}/mailLocales.ts`, imports('mail', languages)],
    [`${i18n}/recoveryLocales.ts`, imports('recovery', languages)],
    ...others.map((code) => /** @type {const} */ ([`${entries}/${code}.ts`, entry(code)])),
    [readme, withLanguages(readFileSync(join(root, readme), 'utf8'), languages)],
  ])
}

/**
 * Returns the paths of the generated files that are missing, outdated, or for languages that no longer exist.
 * @param {string} root
 */
export function outdatedFiles(root) {
  const files = generatedFiles(root)
  const present = existsSync(join(root, entries))
    ? readdirSync(join(root, entries)).map((name) => `${entries}/${name}`)
    : []
  return [
    ...[...files].filter(
      ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
    ),
    ...present.filter((path) => !files.has(path)).map((path) => /** @type {const} */ ([path, undefined])),
  ].map(([path]) => path)
}

/**
 * Writes the outdated files, and deletes the files for languages that no longer exist. Returns the paths of these files.
 * @param {string} root
 */
export function writeGeneratedFiles(root) {
  const files = generatedFiles(root)
  const outdated = outdatedFiles(root)
  for (const path of outdated) {
    const text = files.get(path)
    if (text === undefined) rmSync(join(root, path))
    else writeFileSync(join(root, path), text)
  }
  return outdated
}

/** @param {readonly string[]} languages */
function languageList(languages) {
  const rightToLeft = languages.filter((code) => directionOf(code) === 'rtl')
  return `${notice}/** The languages of Latchkey. */
export const languages = ${list(languages)} as const

/** A language of Latchkey. */
export type Language = (typeof languages)[number]

/** The languages that are written from right to left. */
export const rightToLeft: readonly Language[] = ${list(rightToLeft)}
`
}

/**
 * @param {string} part
 * @param {readonly string[]} languages
 */
function lazyImports(part, languages) {
  return `${notice}/** Loads the ${partNames[part]} translations. ${source} is part of the bundle. */
export const ${part}Locales = {
${languages.map((code) => `  ${code}: () => import('./locales/${code}/${part}.ts'),\n`).join('')}}
`
}

/**
 * @param {string} part
 * @param {readonly string[]} languages
 */
function imports(part, languages) {
  const sorted = languages.toSorted()
  return `${notice}${sorted.map((code) => `import { ${part} as ${code} } from './locales/${code}/${part}.ts'\n`).join('')}
/** The ${partNames[part]} messages in each language. */
export const ${part}Locales = { ${sorted.join(', ')} }
`
}

/**
 * @param {string} text
 * @param {readonly string[]} languages
 */
function withLanguages(text, languages) {
  const names = languages.map((code) => `${nameOf(code)} (\`${code}\`)`)
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return text.replace(
    /(<!-- languages -->\n)[\s\S]*?(<!-- \/languages -->)/,
    (_, before, after) => `${before}${list}.\n${after}`,
  )
}

/** @param {string} code */
function nameOf(code) {
  return new Intl.DisplayNames('en', { type: 'language' }).of(code)
}

/** @param {string} code */
function entry(code) {
  return `${notice}import { modal } from '@latchkey/i18n/locales/${code}/modal'
import type { Messages } from '../messages.ts'

/** The modal's messages in ${nameOf(code)}. */
export const ${code}: Messages = modal
`
}

/** @param {readonly string[]} codes */
function list(codes) {
  return `[${codes.map((code) => `'${code}'`).join(', ')}]`
}

/** @param {string} code */
function directionOf(code) {
  const locale =
    /** @type {Intl.Locale & { textInfo?: { direction: string }, getTextInfo?: () => { direction: string } }} */ (
      new Intl.Locale(code)
    )
  // Firefox supports neither the method nor the property, so pages cannot determine the direction themselves. Node 20 supports
  // the property, and newer versions support the method.
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of writeGeneratedFiles(dirname(import.meta.dirname))) process.stdout.write(`wrote ${path}\n`)
}
