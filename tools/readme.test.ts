import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { variables } from '../packages/server/src/config/readConfig.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const readme = textOf('README.md')
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const settings = textOf('docs/settings.md')
const snippets = [
  ...[readme, ...docs.map((name) => textOf(`docs/${name}`)), ...packageReadmes()].flatMap((page) =>
    [...page.matchAll(/```(tsx?)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({ kind, text })),
  ),
  // This is the only example in a doc comment that is a complete program.
  { kind: 'ts', text: exampleIn('packages/vault/src/createVault.ts') },
]

/** Returns the text of the first `@example` in a file. */
function exampleIn(path: string): string {
  const [, lines = ''] = / \* @example\n((?: \*(?: .*)?\n)+)/.exec(textOf(path)) ?? []
  return lines.replace(/^ \* ?/gm, '')
}

function packageReadmes(): string[] {
  const paths = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'README.md'))
  return paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'))
}

/** Compiles `files` as if they were in `e2e/`, whose package.json lists their dependencies, and returns the compiler errors. */
function complaints(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(
    // These options match those of a consumer's project, which has no bundler types but has Vite's default check for unused
    // names.
    {
      ...config.compilerOptions,
      types: [],
      noUnusedLocals: true,
      isolatedDeclarations: false,
      declaration: false,
      // Import paths that end in `.ts` are an error (TS5097), as in Next's and Vite's templates.
      allowImportingTsExtensions: false,
    },
    root,
  )
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => files.has(path) || fileExists(path)
  host.readFile = (path) => files.get(path) ?? readFile(path)
  host.getSourceFile = (path, target) => {
    const text = files.get(path)
    return text === undefined ? getSourceFile(path, target) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host })
  return [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${path.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
}

test('each snippet in the README, docs/ and the packages’ READMEs compiles', { timeout: 120_000 }, () => {
  expect(snippets.length).toBeGreaterThanOrEqual(9)
  expect(snippets.at(-1)?.text).toContain('createVault({')
  // The sign-in recipes import each other.
  const pathOf = (text: string, name: string) => {
    // If the path of a file matters, its first line contains the path.
    const [, path] = /^\/\/ (app\/\S+)\n/.exec(text) ?? []
    return join('e2e/recipes', path ?? (text.includes("'./signIn.js'") ? name : join('..', name)))
  }
  const files = new Map(snippets.map(({ kind, text }, at) => [join(root, pathOf(text, `readme-${at}.${kind}`)), text]))
  // Two snippets with the same path would replace each other.
  expect(files.size).toBe(snippets.length)
  files.set(
    join(root, 'e2e/next.d.ts'),
    `declare module "next/headers" { export function headers(): Promise<Headers> }
     declare module "next/server" { export function connection(): Promise<void> }
     declare module "next/navigation" { export function useRouter(): { refresh(): void } }\n`,
  )
  const planted = join(root, 'e2e/readme-planted.tsx')
  files.set(planted, `import { Latchkeyy } from '@latchkey/react/quick'\nexport const page = <Latchkeyy />\n`)
  expect(complaints(files)).toEqual([expect.stringMatching(/readme-planted.*Latchkeyy/)])
})

test('the settings page lists every environment variable of the server, with its default and meaning', () => {
  for (const { name, fallback, meaning } of variables) {
    expect(settings).toContain(`| \`${name}\` | ${fallback === '' ? '–' : `\`${fallback}\``} | ${meaning} |`)
  }
  const named = [...settings.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect(named).toEqual(variables.map(({ name }) => name))
})

test('the README has at most 250 lines, and links to every page in docs/', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(250)
  for (const name of docs) expect(readme).toContain(`(docs/${name}`)
})

test('the README, docs/ and the packages’ READMEs have no broken links', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)]
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`)
  const anchorsOf = (path: string) =>
    [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    )
  const broken = [...pages, ...packages.filter((path) => existsSync(join(root, path)))].flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path)
      const isThere = existsSync(join(root, target)) && (!anchor || anchorsOf(target).includes(anchor))
      return isThere ? [] : [`${page}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})

test('CONTRIBUTING lists every command in package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const name of Object.keys(scripts)) {
    expect(textOf('CONTRIBUTING.md')).toContain(
      name === 'start' || name === 'test' ? `| \`npm ${name}\` |` : `| \`npm run ${name}\` |`,
    )
  }
})

test('the README of the React package lists every option, feature, theme variable, hook and view, and nothing else', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const page = read('packages/react/README.md')
  const options = read('packages/core/src/options.ts')
  const namesIn = (name: string) => {
    const [, body = ''] = new RegExp(`interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(options) ?? []
    return [...body.matchAll(/^ {2}(?:\/\*\*[^\n]*\*\/ )?readonly (\w+)\??:/gm)].map(([, found = '']) => found)
  }
  const rowsOf = (heading: string) => {
    const [, table = ''] = page.split(`| ${heading} |`)
    const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2)
    return rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)/g)].map(([, found = '']) => found))
  }
  expect(rowsOf('option | default').toSorted()).toEqual(namesIn('LatchkeyOptions').toSorted())
  expect(rowsOf('feature | default').toSorted()).toEqual(namesIn('Features').toSorted())
  const exported = [...read('packages/react/src/index.ts').matchAll(/\b(use[A-Z]\w+)/g)].map(([, found = '']) => found)
  expect(new Set(rowsOf('hook'))).toEqual(new Set(exported))
  const listed = (from: string, to: string) => {
    const [, after = ''] = page.split(from)
    return [...(after.split(to)[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, found = '']) => found).toSorted()
  }
  const built = [...read('packages/core/src/modal/implementedViews.ts').matchAll(/^ {2}'(\w+)',/gm)].map(
    ([, found = '']) => found,
  )
  expect(listed('generated: views', '.\n')).toEqual(built.toSorted())
  const tokens = [...read('packages/ui/src/designTokens.css').matchAll(/var\(\s*--latchkey-([a-z-]+)/g)].map(
    ([, found = '']) => found,
  )
  expect(listed('The names:', '. `useLatchkey')).toEqual([...new Set(tokens)].toSorted())
})

/** Returns the repository's files with a short name: `core/modal/router.ts` stands for `packages/core/src/modal/router.ts`. */
function filesNamed(name: string, files: readonly string[]): string[] {
  const [braces, list = ''] = /\{([^}]*)\}/.exec(name) ?? []
  if (braces) return list.split(',').flatMap((item) => filesNamed(name.replace(braces, item), files))
  return files.filter(
    (file) =>
      `/${file.replace('packages/', '').replace('/src/', '/')}`.endsWith(`/${name}`) || `/${file}`.endsWith(`/${name}`),
  )
}

function listFiles(): string[] {
  const found = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  return found.split('\n').filter((file) => existsSync(join(root, file)))
}

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])('every file that %s names exists', (page) => {
  const files = listFiles()
  const names = [...textOf(page).matchAll(/`([\w/][\w./{},-]*\.(?:tsx?|mjs))`/g)].flatMap(([, name = '']) => {
    const [braces, list = ''] = /\{([^}]*)\}/.exec(name) ?? []
    return braces ? list.split(',').map((item) => name.replace(braces, item)) : [name]
  })
  const examples = ['utils.ts', 'x.test.ts', 'x.browser.test.tsx']
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !examples.includes(name) && filesNamed(name, files).length === 0)).toEqual([])
})

test('every test title that SECURITY.md quotes is in the named file', () => {
  const files = listFiles()
  const plain = (text: string): string => text.replace(/\\?[’']/g, "'").toLowerCase()
  // A cell such as: `a.test.ts`: first title; a title with … in it (two); `b.spec.ts`: another title
  const quoted = [...textOf('SECURITY.md').matchAll(/^\|.*\| (.*) \|$/gm)].flatMap(([, cell = '']) => {
    const [, ...parts] = cell.split(/`([\w./{},-]+\.(?:test|spec)\.tsx?)`/)
    return parts.flatMap((name, at) => {
      const titles = at % 2 === 0 ? /^: ([^.]*)/.exec(parts[at + 1] ?? '')?.[1] : undefined
      return (titles?.split('; ') ?? []).map((title) => ({ name, title: title.replace(/;? *$| \(\w+\)$/g, '') }))
    })
  })
  const missing = quoted.filter(({ name, title }) => {
    const sources = filesNamed(name, files).map((file) => plain(textOf(file)))
    return !sources.some((source) => title.split('…').every((part) => source.includes(plain(part).trim())))
  })
  expect(quoted.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})
