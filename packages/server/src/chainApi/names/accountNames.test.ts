import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coinTypeOf, everyEvmChain, registrationMessage } from '@latchkey/protocol/accountNames'
import type { NameSuggestion, Profile } from '@latchkey/protocol/http/chainApi'
import { erc6492SignatureValidatorByteCode, hashMessage, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemoryDependencies } from '../../inMemoryDependencies.ts'
import type { RpcProxy } from '../../serverDependencies.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import { pgliteConnection } from '../../storage/pglite.ts'
import { postgresConnection } from '../../storage/postgres.ts'
import { createTestServer } from '../../testing/declaredErrors.ts'
import { startPostgres } from '../../testing/postgres.ts'
import { accountNamesFromConfig } from './accountNamesFromConfig.ts'

const zone = 'shop.example'
const wallet = '0x00000000000000000000000000000000000ec127'
const time = { now: Date.UTC(2026, 10, 24) }
const seconds = () => Math.floor(time.now / 1000)
const account = () => privateKeyToAccount(generatePrivateKey())

// A node on which one contract accepts the signature 0x1271 for any message, and whose ERC-6492 checks succeed.
const node: RpcProxy = {
  supported: () => ['eip155:1', 'eip155:137', 'eip155:10'],
  send: async (chain, body) => {
    if (chain === 'eip155:10') return { kind: 'unavailable' }
    const [{ to, data }] = (JSON.parse(body) as { params: [{ to?: string; data: string }] }).params
    const accepts = to?.toLowerCase() === wallet && data.endsWith(`1271${'0'.repeat(60)}`)
    const undeployed = data.startsWith(erc6492SignatureValidatorByteCode)
    const noCode = `0x${'0'.repeat(64)}`
    const result = undeployed ? '0x01' : accepts ? `0x1626ba7e${'0'.repeat(56)}` : noCode
    return { kind: 'answered', body: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) }
  },
}

interface Place {
  send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<{ status: number; json: unknown }>
  end(): Promise<void>
}

function place(connections: readonly Connection[], end: () => Promise<void>): Place {
  const config = { zone, reserved: ['admin'], maxPerAccount: 3, signingSeconds: 300 }
  const instances = connections.map((connection) =>
    createTestServer(
      inMemoryDependencies({
        chain: node,
        chainApi: { names: accountNamesFromConfig({ config, connection, chain: node, now: () => time.now }) },
      }),
    ),
  )
  let turn = 0
  return {
    // Each request goes to the next instance.
    async send(method, path, body) {
      const instance = instances[turn++ % instances.length]
      const request = new Request(new URL(path, 'http://connect.shop.example/v1/profile/'), {
        method,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const response = await (instance as NonNullable<typeof instance>)(request)
      return { status: response.status, json: await response.json() }
    },
    end,
  }
}

async function onPglite(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-names-'))
  const connection = pgliteConnection({ folder })
  return place([connection], () => connection.close().then(() => rm(folder, { recursive: true })))
}

async function onPostgres(): Promise<Place> {
  const postgres = await startPostgres()
  const connect = () => postgresConnection({ url: postgres.url, log: () => {} })
  const connections = [await connect(), await connect()]
  return place(connections, async () => {
    for (const connection of connections) await connection.close()
    await postgres.stop()
  })
}

async function signed(message: string, by: PrivateKeyAccount, fields: Record<string, unknown> = {}) {
  return {
    message,
    signature: await by.signMessage({ message }),
    coin_type: coinTypeOf(1),
    address: by.address,
    ...fields,
  }
}

const reasonOf = ({ status, json }: { status: number; json: unknown }) => {
  const { reasons } = json as { reasons?: [{ field: string; description: string }] }
  return reasons ? `${status} ${reasons[0].field}` : String(status)
}

describe.each([
  ['on PGlite', onPglite],
  ['on two servers with PostgreSQL', onPostgres],
])('account names %s', (_, open) => {
  let at: Place
  beforeAll(async () => {
    at = await open()
  })
  afterAll(() => at.end())

  async function register(name: string, by = account(), fields: Record<string, unknown> = {}) {
    return at.send('POST', 'account', await signed(registrationMessage({ name, timestamp: seconds() }), by, fields))
  }

  test('a registered name resolves to its address, and the address to the name', async () => {
    const alice = account()
    const created = await register(`alice.${zone}`, alice)
    const profile: Profile = {
      name: `alice.${zone}`,
      registered_at: new Date(time.now).toISOString(),
      updated_at: null,
      attributes: {},
      addresses: {
        60: { address: alice.address, created_at: new Date(time.now).toISOString() },
        [everyEvmChain]: { address: alice.address, created_at: new Date(time.now).toISOString() },
      },
    }
    expect(created).toEqual({ status: 200, json: profile })
    for (const path of [`account/alice.${zone}`, `account/Alice.${zone}?apiVersion=2`])
      expect(await at.send('GET', path)).toEqual({ status: 200, json: profile })
    for (const address of [alice.address, alice.address.toLowerCase()])
      expect(await at.send('GET', `reverse/${address}`)).toEqual({ status: 200, json: [profile] })
  })

  test('the response for a name that is not registered is 404, or an empty list with apiVersion=2', async () => {
    for (const path of [
      `account/nobody.${zone}`,
      `reverse/${account().address}`,
      'reverse/8q9yXcUEPUuk',
      'account/!',
    ]) {
      expect(reasonOf(await at.send('GET', path)), path).toBe('404 name')
      expect(await at.send('GET', `${path}?apiVersion=2`), path).toEqual({ status: 200, json: [] })
    }
  })

  test('invalid names are rejected', async () => {
    const names = [
      `ab.${zone}`,
      `${'a'.repeat(65)}.${zone}`,
      `!abc.${zone}`,
      `ab_c.${zone}`,
      `Abcd.${zone}`,
      `аlice.${zone}`,
      `xn--80ak6aa92e.${zone}`,
      `-abc.${zone}`,
      `abc-.${zone}`,
      `sub.abcd.${zone}`,
      `abcd`,
      `abcd.other.example`,
      `admin.${zone}`,
      '',
    ]
    for (const name of names) expect(reasonOf(await register(name)), name).toBe('400 name')
  })

  test('a name can only be registered once, whichever coin type is requested', async () => {
    expect((await register(`once.${zone}`)).status).toBe(200)
    expect(reasonOf(await register(`once.${zone}`))).toBe('400 name')
    expect(reasonOf(await register(`once.${zone}`, account(), { coin_type: coinTypeOf(137) }))).toBe('400 name')
  })

  test('if ten accounts register a name at the same time, only one of them gets it', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => register(`race.${zone}`)))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(outcomes.filter((item) => reasonOf(item) === '400 name')).toHaveLength(9)
  })

  test('concurrent registrations do not exceed an account’s limit', async () => {
    const bob = account()
    const bodies = await Promise.all(
      Array.from({ length: 6 }, (_, item) =>
        signed(registrationMessage({ name: `many${item}.${zone}`, timestamp: seconds() - 6 + item }), bob),
      ),
    )
    await Promise.all(bodies.map((body) => at.send('POST', 'account', body)))
    const { json } = await at.send('GET', `reverse/${bob.address}?apiVersion=2`)
    expect((json as Profile[]).length).toBeLessThanOrEqual(3)
    for (const round of [1, 2, 3]) {
      time.now += 2000
      await register(`more${round}.${zone}`, bob)
    }
    time.now += 2000
    expect(reasonOf(await register(`toomany.${zone}`, bob))).toBe('400 address')
    // The failed registration did not take the name.
    expect((await register(`toomany.${zone}`)).status).toBe(200)
  })

  test('a name that an EOA registers for another EVM chain also resolves on Ethereum and all other EVM chains', async () => {
    const { json } = await register(`poly.${zone}`, account(), { coin_type: coinTypeOf(137) })
    expect(Object.keys((json as Profile).addresses)).toEqual(['60', String(everyEvmChain), String(coinTypeOf(137))])
    expect((await register(`main.${zone}`, account(), { coin_type: 60 })).status).toBe(200)
    for (const coinType of [0, 501, coinTypeOf(42161)])
      expect(reasonOf(await register(`coin.${zone}`, account(), { coin_type: coinType }))).toBe('400 coin_type')
  })

  test('a signed message that is too old or from the future is rejected', async () => {
    for (const shift of [-301, 11]) {
      const message = registrationMessage({ name: `late.${zone}`, timestamp: seconds() + shift })
      expect(reasonOf(await at.send('POST', 'account', await signed(message, account())))).toBe('400 timestamp')
    }
  })

  test('the only attribute is a short bio of letters, digits and punctuation', async () => {
    const attempts: Record<string, string>[] = [
      { avatar: 'x' },
      { bio: 'a'.repeat(256) },
      { bio: '<b>' },
      { bio: 'a\u202eb' },
      { bio: 'a\nb' },
    ]
    for (const attributes of attempts) {
      const message = registrationMessage({ name: `attr.${zone}`, attributes, timestamp: seconds() })
      expect(reasonOf(await at.send('POST', 'account', await signed(message, account())))).toBe('400 attributes')
    }
    const message = registrationMessage({
      name: `attr.${zone}`,
      attributes: { bio: 'Größe, 日本 & مرحبا!' },
      timestamp: seconds(),
    })
    expect((await at.send('POST', 'account', await signed(message, account()))).status).toBe(200)
  })

  test('a signature is rejected if another account signed, or if the message was changed', async () => {
    const carol = account()
    const body = await signed(registrationMessage({ name: `carol.${zone}`, timestamp: seconds() }), carol)
    const attempts = [
      { ...body, address: account().address },
      { ...body, message: body.message.replace('carol', 'karol') },
      { ...body, signature: '0x' },
    ]
    for (const attempt of attempts) expect(reasonOf(await at.send('POST', 'account', attempt))).toBe('401 signature')
    expect((await at.send('POST', 'account', body)).status).toBe(200)
  })

  test('malformed bodies are rejected', async () => {
    const dora = account()
    const body = await signed(registrationMessage({ name: `dora.${zone}`, timestamp: seconds() }), dora)
    const badChecksum = `0x${dora.address.slice(2).replace(/[a-f]/gi, (sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))}`
    const attempts: [unknown, string][] = [
      ['{', '400 body'],
      [{}, '422 message'],
      [{ ...body, coin_type: '60' }, '422 coin_type'],
      [{ ...body, address: 'a b' }, '422 address'],
      [{ ...body, message: 'hello' }, '400 message'],
      [{ ...body, message: `${'['.repeat(2000)}` }, '400 message'],
      [{ ...body, message: 'null' }, '400 message'],
      [{ ...body, message: '{"name":1}' }, '400 name'],
      [{ ...body, message: `{"name":"dora.${zone}","timestamp":"now"}` }, '400 timestamp'],
      [{ ...body, address: '0x12' }, '400 address'],
      [{ ...body, address: badChecksum }, '400 address'],
    ]
    for (const [attempt, reason] of attempts)
      expect(reasonOf(await at.send('POST', 'account', attempt)), JSON.stringify(attempt)).toBe(reason)
  })

  test('deployed and undeployed contracts can register names, and an unavailable node is not reported as an invalid signature', async () => {
    const message = (name: string) => registrationMessage({ name: `${name}.${zone}`, timestamp: seconds() })
    const contract = { signature: '0x1271', coin_type: coinTypeOf(137), address: wallet }
    const safe = await at.send('POST', 'account', { ...contract, message: message('safe') })
    // The name only resolves on the contract's own chain, because funds sent to its address on other chains could be lost.
    expect(Object.keys((safe.json as Profile).addresses)).toEqual([String(coinTypeOf(137))])
    const wrong = { ...contract, signature: '0x1272', message: message('safe2') }
    expect(reasonOf(await at.send('POST', 'account', wrong))).toBe('401 signature')
    const undeployed = serializeErc6492Signature({ address: wallet, data: '0x', signature: hashMessage('any') })
    const counterfactual = {
      ...contract,
      address: account().address,
      signature: undeployed,
      message: message('safe3'),
    }
    const registered = await at.send('POST', 'account', counterfactual)
    expect(Object.keys((registered.json as Profile).addresses)).toEqual([String(coinTypeOf(137))])
    const away = { ...contract, coin_type: coinTypeOf(10), message: message('safe4') }
    expect(reasonOf(await at.send('POST', 'account', away))).toBe('503 signature')
  })

  test('only the owner can change attributes and addresses', async () => {
    const [erin, mallory] = [account(), account()]
    await register(`erin.${zone}`, erin)
    time.now += 1000
    const attributes = JSON.stringify({ attributes: { bio: 'hi' }, timestamp: seconds() })
    const change = (path: string, body: unknown) => at.send('POST', `account/erin.${zone}/${path}`, body)
    expect(reasonOf(await change('attributes', await signed(attributes, mallory)))).toBe('401 signature')
    // The owner's address is not enough without the owner's signature.
    const forged = await signed(attributes, mallory, { address: erin.address })
    expect(reasonOf(await change('attributes', forged))).toBe('401 signature')
    expect(await change('attributes', await signed(attributes, erin))).toEqual({ status: 200, json: { bio: 'hi' } })

    time.now += 1000
    const other = account().address
    const address = JSON.stringify({ coin_type: coinTypeOf(137), address: other, timestamp: seconds() })
    expect(reasonOf(await change('address', await signed(address, mallory)))).toBe('401 signature')
    const { status, json } = await change('address', await signed(address, erin))
    expect(status).toBe(200)
    expect(json).toMatchObject({ 60: { address: erin.address }, [coinTypeOf(137)]: { address: other } })
    const { json: profile } = await at.send('GET', `account/erin.${zone}`)
    expect(profile).toMatchObject({ attributes: { bio: 'hi' }, updated_at: new Date(time.now).toISOString() })

    const missing = await at.send('POST', `account/ghost.${zone}/attributes`, await signed(attributes, erin))
    expect(reasonOf(missing)).toBe('404 name')
  })

  test('a signed message is accepted once, for one name, and never after a newer one', async () => {
    const frank = account()
    await register(`frank.${zone}`, frank)
    time.now += 1000
    await register(`frank2.${zone}`, frank)
    const change = (name: string, body: unknown) => at.send('POST', `account/${name}.${zone}/attributes`, body)
    time.now += 1000
    const older = await signed(JSON.stringify({ attributes: { bio: 'older' }, timestamp: seconds() }), frank)
    time.now += 1000
    const newer = await signed(JSON.stringify({ attributes: { bio: 'newer' }, timestamp: seconds() }), frank)
    expect((await change('frank', newer)).status).toBe(200)
    for (const [name, body] of [
      ['frank', newer],
      ['frank', older],
      ['frank2', newer],
      ['frank2', older],
    ] as const)
      expect(reasonOf(await change(name, body))).toBe('400 timestamp')
    expect((await at.send('GET', `account/frank.${zone}`)).json).toMatchObject({ attributes: { bio: 'newer' } })
    expect((await at.send('GET', `account/frank2.${zone}`)).json).toMatchObject({ attributes: {} })
  })

  test('changing the address on Ethereum removes the address for all EVM chains', async () => {
    const henry = account()
    await register(`henry.${zone}`, henry)
    time.now += 1000
    const message = JSON.stringify({ coin_type: 60, address: account().address, timestamp: seconds() })
    const { json } = await at.send('POST', `account/henry.${zone}/address`, await signed(message, henry))
    expect(Object.keys(json as Profile['addresses'])).toEqual(['60'])
  })

  test('a reverse lookup only returns names that the address registered and that still resolve to it', async () => {
    const [grace, victim] = [account(), account()]
    await register(`grace.${zone}`, grace)
    time.now += 1000
    const message = JSON.stringify({ coin_type: 60, address: victim.address, timestamp: seconds() })
    expect((await at.send('POST', `account/grace.${zone}/address`, await signed(message, grace))).status).toBe(200)
    for (const { address } of [grace, victim])
      expect(await at.send('GET', `reverse/${address}?apiVersion=2`)).toEqual({ status: 200, json: [] })
  })

  test('pages learn the zone from the project settings', async () => {
    expect((await at.send('GET', '/projects/v1/origins')).json).toEqual({ allowedOrigins: [], namesZone: zone })
  })

  test('suggestions begin with the requested name, followed by at most four available ones', async () => {
    await register(`abandon.${zone}`)
    const suggestions = async (path: string) => {
      const { status, json } = await at.send('GET', `suggestions/${path}`)
      expect(status, path).toBe(200)
      return (json as { suggestions: NameSuggestion[] }).suggestions
    }
    const [first, ...rest] = await suggestions(`aba?zone=${zone}`)
    expect(first).toEqual({ name: `aba.${zone}`, registered: false })
    expect(rest).toHaveLength(4)
    expect(rest.every(({ name, registered }) => name.startsWith('aba') && !registered)).toBe(true)
    expect(rest.map(({ name }) => name)).not.toContain(`abandon.${zone}`)
    expect((await suggestions('abi'))[1]?.name).toBe(`ability.${zone}`)
    expect((await suggestions('abandon'))[0]).toEqual({ name: `abandon.${zone}`, registered: true })
    expect((await suggestions('admin'))[0]).toEqual({ name: `admin.${zone}`, registered: true })
    for (const path of ['ab', 'a_b', '-abc', 'a'.repeat(65)])
      expect(reasonOf(await at.send('GET', `suggestions/${path}`)), path).toBe('400 name')
    expect(reasonOf(await at.send('GET', 'suggestions/alice?zone=other.example'))).toBe('400 zone')
  })
})
