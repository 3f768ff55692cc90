import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ownBuildFolder } from './buildFolder.mjs'

const parent = mkdtempSync(join(tmpdir(), 'latchkey-builds-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('a second start uses a separate folder, and removes only the folders of exited processes', () => {
  const first = ownBuildFolder(parent, { pid: 101, isAlive: () => true })
  writeFileSync(join(first.folder, 'index.html'), 'first')
  mkdirSync(join(parent, '99'))
  mkdirSync(join(parent, 'not-ours'))
  const second = ownBuildFolder(parent, { pid: 102, isAlive: (pid) => pid === 101 })
  expect(existsSync(join(first.folder, 'index.html'))).toBe(true)
  expect(readdirSync(parent).sort()).toEqual(['101', '102', 'not-ours'])
  second.remove()
  expect(readdirSync(parent).sort()).toEqual(['101', 'not-ours'])
})

test('a process that reuses the ID of an exited process starts with an empty folder', () => {
  const before = ownBuildFolder(parent, { pid: 103, isAlive: () => true })
  writeFileSync(join(before.folder, 'old.js'), '')
  expect(readdirSync(ownBuildFolder(parent, { pid: 103, isAlive: () => true }).folder)).toEqual([])
})
