import { expect, test } from 'vitest'
import { runDev } from './devCommand.ts'

/** Runs an environment that cannot start because its data folder cannot be created, and collects the output. */
function run(stopped: () => Promise<void>): { said: string[]; ended: Promise<number> } {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  return { said, ended: runDev({ args: ['--port', '0', '--data', '/dev/null/data'], out: say, err: say, stopped }) }
}

test('stopping during startup prints no error', { timeout: 30_000 }, async () => {
  const { said, ended } = run(() => Promise.resolve())
  expect(await ended).toBe(0)
  expect(said.join('')).not.toMatch(/error|Ctrl-C/i)
})

test('a failed startup prints the reason', { timeout: 30_000 }, async () => {
  const { ended } = run(() => new Promise(() => undefined))
  await expect(ended).rejects.toThrow('/dev/null')
})
