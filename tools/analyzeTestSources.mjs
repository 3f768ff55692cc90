// Analyzes the source code of tests to determine what they cover. A test that uses only constants, or functions that the product
// never calls, proves nothing about behavior.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

/** @typedef {any} Node */
/** @typedef {{ title: string, rows: readonly string[], acts: boolean }} SourceTest `title` contains an ellipsis for each inserted value. */

const isTest = (/** @type {string} */ path) => /\.(test|spec)\.tsx?$/.test(path)
const neutral = /^(vitest|node:)/

/**
 * Returns every source file below `folder`, including tests.
 * @param {string} folder
 * @returns {string[]}
 */
export function sourcesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|test-results)$|^\./.test(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourcesIn(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

/**
 * Creates an analyzer that determines what the tests in a file cover.
 * @param {string} root
 */
export function createProof(root) {
  /** @type {Map<string, Node>} */
  const parsed = new Map()
  const programOf = (/** @type {string} */ path) => {
    const known = parsed.get(path) ?? parseSync(path, readFileSync(path, 'utf8')).program
    parsed.set(path, known)
    return known
  }
  /** @type {Map<string, Set<string>> | undefined} */
  let readers
  /** Returns the product files that contain the name as a word. A false positive counts in favor of the test. */
  const filesNaming = (/** @type {string} */ name) => {
    if (!readers) {
      readers = new Map()
      const product = ['packages', 'apps'].flatMap((folder) => sourcesIn(join(root, folder)))
      for (const path of product.filter(isProduct)) {
        for (const word of new Set(readFileSync(path, 'utf8').match(/[\w$]+/g))) {
          const files = readers.get(word) ?? new Set()
          readers.set(word, files.add(path))
        }
      }
    }
    return readers.get(name) ?? new Set()
  }

  const isProduct = (/** @type {string} */ path) =>
    /^(packages|apps)\//.test(relative(root, path)) && !isTest(path) && !/\/testing\/|\/packages\/testing\//.test(path)

  /** Returns the path of an imported file, or `undefined` for an external package. */
  const resolved = (/** @type {string} */ from, /** @type {string} */ path) => {
    const own = /^@latchkey\/([\w-]+)(?:\/(.+))?$/.exec(from)
    const base = own
      ? join(root, 'packages', own[1] ?? '', 'src', own[2] ?? 'index')
      : from.startsWith('.')
        ? resolve(dirname(path), from)
        : undefined
    if (base === undefined) return undefined
    return [base, `${base}.ts`, `${base}.tsx`, join(base, 'index.ts')].find(
      (file) => /\.tsx?$/.test(file) && existsSync(file),
    )
  }

  /** Whether the export `name` of the file at `path` is treated as behavior, that is, as code that the product uses. */
  const acts = (/** @type {string} */ path, /** @type {string} */ name) => {
    for (const { type, declaration, specifiers, source } of programOf(path).body) {
      if (type !== 'ExportNamedDeclaration') continue
      for (const declarator of declaration?.type === 'VariableDeclaration' ? declaration.declarations : [])
        if (declarator.id.name === name && isConstant(declarator.init)) return false
      const passed = (specifiers ?? []).find(
        (/** @type {Node} */ specifier) => (specifier.exported.name ?? specifier.exported.value) === name,
      )
      const next = passed && source && resolved(source.value, path)
      if (next) return acts(next, passed.local.name ?? passed.local.value)
    }
    // Shared test code is treated as behavior, because it sets up the product.
    if (!isProduct(path)) return true
    const files = filesNaming(name)
    const text = readFileSync(path, 'utf8')
    const isUsedHere = (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1
    // Hosts use the exports of a package's index.
    return isUsedHere || [...files].some((file) => file !== path)
  }

  return {
    /**
     * Returns the tests in a file.
     * @param {string} path
     * @returns {readonly SourceTest[]}
     */
    testsOf(path) {
      const program = programOf(path)
      const isReal = /(^|\/)e2e\//.test(relative(root, path)) || /\.browser\.test\./.test(path)
      /** @type {Map<string, { from: string, name: string }>} */
      const imports = new Map()
      /** @type {Map<string, Node[]>} */
      const declared = new Map()
      /** @type {Node[]} */
      const calls = []
      walk(program, (node) => {
        if (node.type === 'ImportDeclaration' && node.importKind !== 'type')
          for (const specifier of node.specifiers)
            if (specifier.importKind !== 'type')
              imports.set(specifier.local.name, { from: node.source.value, name: specifier.imported?.name ?? '*' })
        if (node.type === 'VariableDeclarator') for (const name of namesOf(node.id)) declare(declared, name, node.init)
        if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier')
          declare(declared, node.left.name, node.right)
        if (node.type === 'FunctionDeclaration') declare(declared, node.id?.name, node)
        if (node.type === 'CallExpression' && isTestCall(node)) calls.push(node)
      })

      /** Whether any identifier in a node refers to behavior, either directly or through a declaration in the file. */
      const nodeActs = (/** @type {Node} */ node, seen = new Set()) => {
        let found = false
        walk(node, (child) => {
          if (found) return
          if (child.type === 'ImportExpression') found = true
          if (child.type !== 'Identifier' || seen.has(child.name)) return
          seen.add(child.name)
          const from = imports.get(child.name)
          if (from && !neutral.test(from.from)) {
            const file = resolved(from.from, path)
            if (!file || from.name === '*' || acts(file, from.name)) found = true
          }
          for (const body of declared.get(child.name) ?? []) if (body && nodeActs(body, seen)) found = true
        })
        return found
      }
      return calls.map((call) => {
        const [title, ...rest] = call.arguments
        const text = titleText(title)
        // The callee contains the table for `each`. If the file defines `test` itself, the callee also contains the fixtures.
        return {
          title: text,
          rows: rowsOf(text),
          acts: isReal || [...rest, call.callee].some((node) => nodeActs(node)),
        }
      })
    },
  }
}

/**
 * Returns the requirement IDs in a title, such as `R2.5` and `R2.6` in `… [R2.5, R2.6]`.
 * @param {string} title
 * @returns {string[]}
 */
export function rowsOf(title) {
  return [...title.matchAll(/\[(R\d+\.\d+(?:[\s,]+R\d+\.\d+)*)\]/g)].flatMap(([, list = '']) => list.split(/[\s,]+/))
}

/** Whether a call is `test('…')`, `test.each(…)('…')` or `it('…')` with a title. @param {Node} call */
function isTestCall({ callee, arguments: args }) {
  let root = callee
  if (root.type === 'CallExpression') root = root.callee
  while (root.type === 'MemberExpression') root = root.object
  return root.type === 'Identifier' && /^(test|it)$/.test(root.name) && titleText(args[0]) !== ''
}

/** @param {Node | undefined} node @returns {string} */
function titleText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral')
    return node.quasis.map((/** @type {Node} */ quasi) => quasi.value.cooked).join('…')
  return ''
}

/** Whether a node contains only values, without calls or computed values. @param {Node | null} node @returns {boolean} */
function isConstant(node) {
  if (!node) return false
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
      return true
    case 'TemplateLiteral':
      return node.expressions.every(isConstant)
    case 'UnaryExpression':
    case 'SpreadElement':
      return isConstant(node.argument)
    case 'BinaryExpression':
      return isConstant(node.left) && isConstant(node.right)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isConstant(node.expression)
    case 'ArrayExpression':
      return node.elements.every(isConstant)
    case 'ObjectExpression':
      return node.properties.every((/** @type {Node} */ property) =>
        isConstant(property.type === 'Property' ? property.value : property),
      )
    default:
      return false
  }
}

/** @param {Map<string, Node[]>} declared @param {string | undefined} name @param {Node | null} node */
function declare(declared, name, node) {
  if (name !== undefined && node) declared.set(name, [...(declared.get(name) ?? []), node])
}

/** Returns the names that a pattern binds. @param {Node} pattern @returns {string[]} */
function namesOf(pattern) {
  /** @type {string[]} */
  const names = []
  walk(pattern, (child) => {
    if (child.type === 'Identifier') names.push(child.name)
  })
  return names
}

/** @param {Node} node @param {(node: Node) => void} visit */
function walk(node, visit) {
  if (!node || typeof node !== 'object') return
  if (typeof node.type === 'string') visit(node)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) walk(item, visit)
    else if (value && typeof value === 'object' && 'type' in value) walk(value, visit)
  }
}
