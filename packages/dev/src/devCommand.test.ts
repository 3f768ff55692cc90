import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runDev } from './devCommand.ts'

/** Runs an environment that cannot start because its data folder cannot be created, and collects the output. */
function run(
  stopped: () => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): { printed: string[]; ended: Promise<number> } {
  const printed: string[] = []
  const say = (text: string) => void printed.push(text)
  const args = ['--port', '0', '--data', '/dev/null/data']
  return { printed, ended: runDev({ args, out: say, err: say, stopped, env }) }
}

test('nothing is started with NODE_ENV=production, and the reason is printed', async () => {
  const { printed, ended } = run(() => new Promise(() => undefined), { NODE_ENV: 'production' })
  expect(await ended).toBe(1)
  expect(printed.join('')).toMatch(/NODE_ENV=production.*\n.*latchkey-server/)
})

test('stopping during startup prints no error', { timeout: 30_000 }, async () => {
  const { printed, ended } = run(() => Promise.resolve())
  expect(await ended).toBe(0)
  expect(printed.join('')).not.toMatch(/error|Ctrl-C/i)
})

test('a failed startup prints the reason', { timeout: 30_000 }, async () => {
  const { ended } = run(() => new Promise(() => undefined))
  await expect(ended).rejects.toThrow('/dev/null')
})

test('the variables for an app’s .env file are printed with the prefix that the app’s bundler requires', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-dev-'))
  let stop = (): void => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  let printed = ''
  const out = (text: string): void => {
    printed += text
    if (text.includes('same site')) stop()
  }
  const args = ['--port', '0', '--data', join(folder, 'data'), '--env-prefix', 'VITE_']
  try {
    expect(await runDev({ args, out, err: () => {}, stopped: () => stopped })).toBe(0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const server = /^Server +(\S+)$/m.exec(printed)?.[1]
  const keys = /^Key frame +(\S+)$/m.exec(printed)?.[1]
  expect(printed).toContain(`\nVITE_LATCHKEY_SERVER=${server}\nVITE_LATCHKEY_PROJECT_ID=local\n`)
  expect(printed).toContain(`\nVITE_LATCHKEY_KEYS_URL=${keys}\n`)
})

test.each(['shop.test', 'https://shop.test/page', 'file:///shop', '*'])(
  '%s is rejected as an origin',
  async (origin) => {
    let complaint = ''
    const err = (text: string): void => {
      complaint += text
    }
    const code = await runDev({ args: ['--origin', origin], out: () => {}, err, stopped: async () => {} })
    expect(code).toBe(2)
    expect(complaint).toContain('--origin <origin>')
  },
)
