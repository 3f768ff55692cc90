import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changedFiles, relatedScripts } from './changedFiles.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-changed-'))
  git('init', '--quiet', '--initial-branch=main')
  write('a.ts', "import './a.css'")
  write('a.css', '')
  write('b.ts', '')
  commit()
})
afterEach(() => rmSync(folder, { recursive: true }))

function git(...args: string[]): void {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.example', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'ignore' })
}
function commit(): void {
  git('add', '.')
  git('commit', '--quiet', '--message', 'a change')
}
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

test('on main, uncommitted and new files are returned', () => {
  expect(changedFiles(folder)).toEqual([])
  write('b.ts', '// edited')
  write('new.ts', '')
  rmSync(join(folder, 'a.css'))
  expect(changedFiles(folder)).toEqual(['b.ts', 'new.ts'])
})

test('on a branch, files in its commits are also returned, but not files that have only changed on main since', () => {
  git('checkout', '--quiet', '-b', 'topic')
  write('committed.ts', '')
  commit()
  git('checkout', '--quiet', 'main')
  write('b.ts', '// edited on main')
  commit()
  git('checkout', '--quiet', 'topic')
  write('a.ts', '// edited')
  expect(changedFiles(folder)).toEqual(['a.ts', 'committed.ts'])
  expect(changedFiles(folder, 'HEAD')).toEqual(['a.ts'])
  expect(() => changedFiles(folder, 'nothing')).toThrow('nothing is not a commit.')
})

test('the scripts that contain the name of a changed style sheet are related to it', () => {
  expect(relatedScripts(folder, ['a.css', 'b.ts'])).toEqual(['a.css', 'a.ts', 'b.ts'])
  expect(relatedScripts(folder, ['package.json'])).toEqual(['package.json'])
})
