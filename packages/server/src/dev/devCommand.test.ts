import { expect, test } from 'vitest'
import { runDev } from './devCommand.ts'

/** A world that cannot come up, for its data has nowhere to be; and everything that is said on the way. */
function run(stopped: () => Promise<void>): { said: string[]; ended: Promise<number> } {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  return { said, ended: runDev({ args: ['--port', '0', '--data', '/dev/null/data'], out: say, err: say, stopped }) }
}

test('whoever leaves while the world comes up reads no error', { timeout: 30_000 }, async () => {
  const { said, ended } = run(() => Promise.resolve())
  expect(await ended).toBe(0)
  expect(said.join('')).not.toMatch(/error|Ctrl-C/i)
})

test('a world that cannot come up says why', { timeout: 30_000 }, async () => {
  const { ended } = run(() => new Promise(() => undefined))
  await expect(ended).rejects.toThrow('/dev/null')
})
