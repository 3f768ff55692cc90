import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer as createTcpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/readConfig.ts'
import { startServer } from '../startServer.ts'
import { runCommand } from './serverCommand.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-command-'))
})

afterAll(() => rm(folder, { recursive: true }))

async function run(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' }
  const code = await runCommand({
    args,
    env: { DATA_DIR: folder, PORT: '0', ...env },
    out: (text) => {
      output.out += text
    },
    err: (text) => {
      output.err += text
    },
    stopped: async () => {},
  })
  return { code, ...output }
}

describe('the command line', { timeout: 60_000 }, () => {
  test.each([[['--help']], [['projects', '--help']], [['projects', 'add', 'shop', '-h']]])(
    '%j lists the variables',
    async (args) => {
      const { code, out } = await run(args)
      expect(code).toBe(0)
      for (const name of ['DATABASE_URL', 'RPC_URLS', 'METRICS_TOKEN', 'projects add']) expect(out).toContain(name)
    },
  )

  test.each([
    [['frob'], {}, /^Unknown command "frob"\. .*\n$/],
    [[], { PORT: 'x' }, /^PORT must be a whole number.*\n$/],
    [['projects'], {}, /requires list, add or remove/],
    [['projects', 'add'], {}, /^A project ID must have/],
    [['projects', 'add', 'a b'], {}, /^A project ID must have/],
    [['projects', 'add', 'a', 'b'], {}, /^Unexpected argument "b"\./],
    [['projects', 'add', 'a', '--origin', 'https://a.example/path'], {}, /is not an origin pattern/],
    [['projects', 'add', 'a', '--colour', 'red'], {}, /^Unknown option '--colour'\. See/],
    [
      ['projects', 'add', 'a', '--feature', 'swaps'],
      {},
      /^"swaps" is not a feature\. The features are social_login, swap,/,
    ],
    [
      ['projects', 'add', 'a', '--feature', 'social_login=myspace'],
      {},
      /^"myspace" is not a valid value for social_login/,
    ],
    [['projects', 'add', 'a', '--feature', 'activity=all'], {}, /^activity takes no values/],
  ])(
    'if the arguments are %j and the variables are %j, the command exits with 2 and prints one sentence',
    async (args, env, sentence) => {
      const { code, out, err } = await run(args, env)
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(sentence)
      expect(err.trim().split('\n')).toHaveLength(1)
    },
  )

  test('a project’s features are listed with the project', async () => {
    await run(['projects', 'add', 'shop', '--feature', 'social_login=google,email', '--feature', 'swap=1inch'])
    expect((await run(['projects', 'list'])).out).toContain('social_login=google,email swap=1inch')
    await run(['projects', 'remove', 'shop', '--yes'])
  })

  test('a project can be added, changed, listed and removed', async () => {
    expect((await run(['projects', 'list'])).out).toContain('all project IDs are accepted')
    expect(await run(['projects', 'add', 'shop', '--name', 'Shop'])).toEqual({
      code: 0,
      out: `Project shop is registered in ${folder}.\n`,
      err: '',
    })
    await run([
      'projects',
      'add',
      'shop',
      '--name',
      'Shop',
      '--origin',
      '*.shop.example',
      '--origin',
      'https://b.example:8443',
      '--no-analytics',
    ])
    expect((await run(['projects', 'list'])).out).toBe(
      'shop  Shop  *.shop.example https://b.example:8443  no analytics\n',
    )
    // Removing the last project would allow every page, and a cleanup script must not do that by accident.
    const refused = await run(['projects', 'remove', 'shop'])
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toMatch(/^shop is the last project\. .* --yes\. .*\n$/)
    expect((await run(['projects', 'list'])).out).toContain('shop')
    expect(await run(['projects', 'remove', 'shop', '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('all project IDs are accepted'),
    })
    expect((await run(['projects', 'remove', 'shop'])).code).toBe(1)
  })

  test.each([[['add', 'shop']], [['list']], [['remove', 'shop']]])(
    'if the database does not exist yet, "projects" with %j warns that it may not be the database of the server',
    async (args) => {
      const nowhere = await mkdtemp(join(folder, 'nowhere-'))
      const database = join(nowhere, 'data')
      const first = await run(['projects', ...args], { DATA_DIR: database })
      expect(first.out).toContain(`in ${database}`)
      expect(first.err).toMatch(/ did not exist and was created\. .*DATABASE_URL or DATA_DIR\.\n$/)
      expect((await run(['projects', ...args], { DATA_DIR: database })).err).toBe('')
    },
  )

  test('the server prints a short table, logs one JSON object per line and exits with 0', async () => {
    const { code, out, err } = await run([])
    expect(code).toBe(0)
    expect(out).toMatch(/^Latchkey server {2,}http:\/\/127\.0\.0\.1:\d+\n/)
    expect(out.trim().split('\n').length).toBeLessThan(10)
    expect(
      err
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { message: string }).message),
    ).toEqual(['stopping', 'stopped'])
  })

  const wallet = {
    KEYS_URL: 'http://keys.shop.localhost:4100',
    SMTP_URL: 'smtp://wallet:hunter2@mail.shop.example:587',
    MAIL_FROM: 'Shop <wallet@shop.example>',
  }

  test('if an embedded wallet is configured, the table includes its origin and the mail server but no secrets', async () => {
    await mkdir(join(folder, 'frame'), { recursive: true })
    const { code, out, err } = await run([], {
      ...wallet,
      FRAME_DIR: join(folder, 'frame'),
      METRICS_TOKEN: 'open sesame',
      RPC_URLS: 'eip155:1=https://node.example/key-4711',
    })
    expect(code).toBe(0)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? ''
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(/ {2,}(.*)/).slice(0, 2)),
    ).toEqual([
      ['Latchkey server', url],
      ['Wallets', `${url}/getWallets`],
      ['Health', `${url}/health  /ready  /metrics`],
      ['Relay', url.replace('http', 'ws')],
      ['Chains', 'eip155:1'],
      ['Keys', `http://keys.shop.localhost:4100 (point this name at ${url})`],
      ['Mail', 'mail.shop.example:587'],
      ['Data', folder],
      ['Stop', 'Ctrl-C'],
    ])
    for (const secret of ['hunter2', 'open sesame', 'key-4711']) expect(out + err).not.toContain(secret)
  })

  test.each([
    [{ SMTP_URL: '' }, 'SMTP_URL must be set if KEYS_URL is set.'],
    [{ MAIL_FROM: '' }, 'MAIL_FROM must be set if KEYS_URL is set.'],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:9/a' },
      'AUTH_SECRET must be set if DATABASE_URL and KEYS_URL are set. Generate one with `openssl rand -base64 32`.',
    ],
    [{ KEYS_URL: 'http://keys.shop.example' }, /^KEYS_URL must be [^\n]+\./],
    [{ KEYS_URL: 'https://keys.shop.example/frame' }, /^KEYS_URL must be [^\n]+\./],
    [{ SMTP_URL: 'https://hunter2@mail.example' }, /^SMTP_URL must be [^\n]+\./],
    [{ MAIL_FROM: 'Shop\nBcc: <eve@evil.example>' }, /^MAIL_FROM must be [^\n]+\./],
  ])(
    'a server whose embedded wallet is configured with %j does not start, and prints one sentence that explains why',
    async (env, sentence) => {
      const { code, out, err } = await run([], { ...wallet, ...env })
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(sentence)
      expect(err.trim().split('\n')).toHaveLength(1)
      expect(err).not.toContain('hunter2')
    },
  )

  test.each(['FRAME_DIR', 'WALLET_IMAGES_DIR'])('reports a missing %s', async (setting) => {
    const { code, out, err } = await run([], { ...wallet, [setting]: join(folder, 'nowhere') })
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`${setting} is ${join(folder, 'nowhere')}, but that folder does not exist`)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('an invalid wallet list exits with 1 and prints one sentence', async () => {
    const { code, err } = await run([], { WALLETS_FILE: join(folder, 'none.json') })
    expect(code).toBe(1)
    expect(err).toMatch(/none\.json/)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

describe('a running server', { timeout: 60_000 }, () => {
  const log = () => {}
  const config = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: folder, PORT: '0', ...env })

  async function takePort(): Promise<{ port: number; free: () => Promise<void> }> {
    const listener = createTcpServer()
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return {
      port: (listener.address() as AddressInfo).port,
      free: () => new Promise((resolve) => listener.close(() => resolve())),
    }
  }

  test.each([
    [
      { WALLETS_FILE: '/nonexistent/wallets.json' },
      /^The wallet list \/nonexistent\/wallets.json cannot be read \(ENOENT\): check WALLETS_FILE\.$/,
    ],
    [{ WALLETS_FILE: fileURLToPath(import.meta.url) }, /^The wallet list .*serverCommand.test.ts is not valid JSON: /],
    [{ HOST: '203.0.113.9' }, /^HOST is 203\.0\.113\.9, which is not an address of this machine \(EADDRNOTAVAIL\)/],
  ])('starting the server with %j fails with a sentence that mentions the setting', async (env, sentence) => {
    const { code, err } = await run([], env)
    expect(code).toBe(1)
    expect(err.trim()).toMatch(sentence)
  })

  test('a port that is in use is skipped, or rejected if it was set explicitly', async () => {
    const { port, free } = await takePort()
    const running = await startServer({ config: { ...config(), port, portIsFixed: false }, log })
    expect(running.port).not.toBe(port)
    expect((await fetch(`${running.url}/health`)).status).toBe(200)
    await running.stop()
    await expect(startServer({ config: config({ PORT: String(port) }), log })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is already in use.`,
    )
    await free()
  })

  test('a running request finishes before the server stops, and new requests are refused', async () => {
    const upstream = createTcpServer()
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const answers: (() => void)[] = []
    upstream.on('request', (_, answer) => {
      const end = (): void => void answer.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
      // The first request asks the node for its chain.
      if (answers.push(end) === 1) end()
    })
    const incoming = expect.poll(() => answers.length).toBe(2)
    const running = await startServer({
      config: config({ RPC_URLS: `eip155:1=http://127.0.0.1:${(upstream.address() as AddressInfo).port}` }),
      log,
    })
    const call = fetch(`${running.url}/v1/?chainId=eip155:1`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    })
    await incoming
    const stopping = running.stop()
    await expect(fetch(`${running.url}/health`)).rejects.toThrow()
    answers[1]?.()
    const answer = await call
    expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x1' }])
    expect(await stopping).toEqual({ clean: true })
    upstream.closeAllConnections()
    await new Promise((resolve) => upstream.close(resolve))
  })

  test('before the server stops, it reports for a while that it is shutting down and still serves requests', async () => {
    const running = await startServer({ config: config({ DRAIN_DELAY_MS: '1000' }), log })
    const stopping = running.stop({ drains: true })
    const [ready, health] = await Promise.all(['/ready', '/health'].map((path) => fetch(`${running.url}${path}`)))
    expect([ready?.status, await ready?.json()]).toMatchObject([503, { status: 'draining' }])
    expect(health?.status).toBe(200)
    expect(await stopping).toEqual({ clean: true })
    await expect(fetch(`${running.url}/health`)).rejects.toThrow()
  })

  test('aborts a request that does not finish before the timeout', async () => {
    const upstream = createTcpServer()
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const incoming = new Promise((resolve) => upstream.once('request', resolve))
    const env = {
      RPC_URLS: `eip155:1=http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      STOP_TIMEOUT_MS: '50',
    }
    const running = await startServer({ config: config(env), log })
    const call = fetch(`${running.url}/v1/?chainId=eip155:1`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    })
    const failed = expect(call).rejects.toThrow()
    await incoming
    expect(await running.stop()).toEqual({ clean: false })
    await failed
    upstream.closeAllConnections()
    await new Promise((resolve) => upstream.close(resolve))
  })

  test('writes pending events before the server stops', async () => {
    const first = await startServer({ config: config(), log })
    const event = { eventId: crypto.randomUUID(), timestamp: Date.now(), props: { event: 'MODAL_OPEN' } }
    await fetch(`${first.url}/e?projectId=kept`, { method: 'POST', body: JSON.stringify(event) })
    await first.stop()
    const { openConnection } = await import('../storage/openConnection.ts')
    const { databaseAnalyticsEvents } = await import('../storage/databaseAnalyticsEvents.ts')
    const connection = await openConnection({ config: config(), log })
    expect(await databaseAnalyticsEvents(connection).count('kept')).toBe(1)
    await connection.close()
  })

  test('a project that another process registers takes effect without a restart [R6.2]', async () => {
    const running = await startServer({ config: config(), log })
    await run(['projects', 'add', 'outside', '--origin', 'shop.example'])
    const listWallets = (origin: string) =>
      fetch(`${running.url}/getWallets?projectId=outside`, { headers: { origin } })
    await expect
      .poll(async () => (await listWallets('https://evil.example')).status, { timeout: 15_000, interval: 500 })
      .toBe(401)
    expect((await listWallets('https://shop.example')).status).toBe(200)
    await running.stop()
    await run(['projects', 'remove', 'outside'])
  })
})
