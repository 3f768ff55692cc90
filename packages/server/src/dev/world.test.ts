import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFolder, strictHeaders } from './site.ts'
import { type LocalWorld, startLocalWorld } from './world.ts'

let folder: string
let world: LocalWorld
const taken = createServer()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-world-'))
  await mkdir(join(folder, 'site'))
  await writeFile(join(folder, 'site/index.html'), '<title>Shop</title>')
  await writeFile(join(folder, 'secret.txt'), 'not for visitors')
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  world = await startLocalWorld({ port, site: join(folder, 'site'), dataFolder: join(folder, 'data') })
}, 180_000)

afterAll(async () => {
  await world?.stop()
  taken.close()
  await rm(folder, { recursive: true, force: true })
})

/** Node cannot resolve `*.localhost`: the address is 127.0.0.1, and the name stands in the Host header. */
function get(host: string, path: string): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: world.port, path, headers: { host: `${host}:${world.port}` } },
      (answer) => {
        let body = ''
        answer.on('data', (chunk) => {
          body += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

test('a taken port makes way for another one', () => {
  const address = taken.address()
  expect(world.port).not.toBe(typeof address === 'object' && address ? address.port : 0)
})

test('the host name decides: the app at demo.localhost, the server everywhere else', async () => {
  const shop = await get('demo.localhost', '/order')
  expect(shop.body).toBe('<title>Shop</title>')
  expect(shop.headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(shop.headers['content-security-policy']).toContain(
    `connect-src 'self' ${world.facts.connect} http://127.0.0.1:`,
  )
  const wallets = await get(
    'connect.demo.localhost',
    '/getWallets?projectId=local&st=latchkey&sv=test&page=1&entries=1',
  )
  expect(JSON.parse(wallets.body)).toMatchObject({ data: [{ name: expect.any(String) }] })
  const facts = await get('demo.localhost', '/world.json')
  expect(JSON.parse(facts.body)).toEqual(JSON.parse(JSON.stringify(world.facts)))
})

test('each chain answers through the server as well', async () => {
  for (const { id } of world.facts.chains) {
    const answer = await fetch(`http://127.0.0.1:${world.port}/v1/?chainId=eip155:${id}&projectId=local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    })
    expect(await answer.json()).toMatchObject({ result: `0x${id.toString(16)}` })
  }
})

test('nothing outside the folder of a site is served', async () => {
  const site = serveFolder({
    folder: join(folder, 'site'),
    headers: strictHeaders({ connect: 'http://connect.test', rpc: [] }),
  })
  for (const path of ['/%2e%2e/secret.txt', '/..%2fsecret.txt', '/%00.txt', '/%E0%A4%A.txt']) {
    const answer = await site(new Request(`http://demo.test${path}`))
    expect([400, 404]).toContain(answer.status)
    expect(await answer.text()).not.toContain('visitors')
  }
})

test('a site is served however its folder is written', async () => {
  const answer = await serveFolder({ folder: `${join(folder, 'site')}/`, headers: {} })(
    new Request('http://demo.test/'),
  )
  expect(await answer.text()).toBe('<title>Shop</title>')
})

test('a world that is stopped leaves no process and no listener', async () => {
  const second = await startLocalWorld({ port: 0, dataFolder: join(folder, 'second') })
  const urls = second.facts.chains.map(({ rpcUrls }) => rpcUrls.default.http[0])
  await second.stop()
  for (const url of [...urls, `http://127.0.0.1:${second.port}`]) await expect(fetch(url)).rejects.toThrow()
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,args=', '--ppid', String(process.pid)]).catch(
    () => ({ stdout: '' }),
  )
  expect(stdout.split('\n').filter((line) => line.includes('anvil'))).toHaveLength(2)
}, 60_000)
