import { parsePairingUri } from '@latchkey/walletconnect'
import {
  chainId,
  connected,
  expect,
  granted,
  next,
  optionalNamespaces,
  ownPageController,
  pairings,
  test,
} from './support/referenceClient.ts'

// Tests sessions between our client and the last official client under Apache-2.0, in both roles and over our relay.

for (const way of pairings) {
  test(`${way}: connects, pings, emits, updates and extends, then the wallet ends the session`, async ({
    officialClient,
    ours,
    signers,
  }) => {
    const [signer, other] = signers
    const { page, wallet, client } = await connected(
      way,
      { officialClient, ours },
      { namespaces: granted(signer.address) },
    )
    await page.ping()
    await wallet.ping()
    const event = page.nextEvent('event')
    await wallet.emit(chainId, { name: 'chainChanged', data: 31337 })
    expect(JSON.stringify(await event)).toContain('"chainChanged"')
    const updated = page.nextEvent('updated')
    await wallet.update(granted(signer.address, other.address))
    expect(JSON.stringify(await updated)).toContain(other.address)
    const extended = page.nextEvent('extended')
    await wallet.extend()
    await extended
    const ended = page.nextEvent('ended')
    await wallet.end({ code: 6000, message: 'Bye' })
    await ended
    expect(client.sessions.all()).toEqual([])
  })

  test(`${way}: the page ends the session`, async ({ officialClient, ours, signers: [signer] }) => {
    const { page, wallet, client, them } = await connected(
      way,
      { officialClient, ours },
      { namespaces: granted(signer.address) },
    )
    const ended = wallet.ended()
    await page.end()
    await ended
    expect(client.sessions.all()).toEqual([])
    expect(them.session.getAll()).toEqual([])
  })

  test(`${way}: a request expires when the page specifies, or after five minutes by default`, async ({
    officialClient,
    ours,
    signers: [signer],
  }) => {
    const { page, wallet } = await connected(way, { officialClient, ours }, { namespaces: granted(signer.address) })
    const lives: number[] = []
    wallet.answer(async ({ expiry = 0 }) => {
      lives.push(expiry - Date.now() / 1000)
      return { result: '0x' }
    })
    for (const life of [undefined, 900])
      await page.request({ chainId, method: 'personal_sign', params: [], ...(life ? { life } : {}) })
    expect(lives[0]).toBeGreaterThan(290)
    expect(lives[0]).toBeLessThanOrEqual(301)
    expect(lives[1]).toBeGreaterThan(890)
    expect(lives[1]).toBeLessThanOrEqual(901)
  })

  test(`${way}: concurrent requests receive their own responses, and large ones arrive complete`, async ({
    officialClient,
    ours,
    signers: [signer],
  }) => {
    const { page, wallet } = await connected(way, { officialClient, ours }, { namespaces: granted(signer.address) })
    wallet.answer(async ({ params }) => ({ result: params }))
    const all = ['a', 'b', 'c', 'ü'.repeat(100_000)].map((text) => [text])
    const answers = await Promise.all(all.map((params) => page.request({ chainId, method: 'personal_sign', params })))
    expect(answers).toEqual(all)
  })

  test(`${way}: the page receives an update that the wallet sent while the page was offline`, async ({
    officialClient,
    ours,
    signers: [signer, other],
  }) => {
    const { page, wallet, client, them } = await connected(
      way,
      { officialClient, ours },
      { namespaces: granted(signer.address) },
    )
    await wallet.ping()
    const isOurs = way === 'our page and their wallet'
    if (isOurs) client.close()
    else await them.core.relayer.transportClose()
    // Do not wait for the update yet, because it resolves with the page's response.
    const update = wallet.update(granted(signer.address, other.address))
    if (isOurs) {
      const again = await ours({ records: client.rpc.storage })
      const { namespaces } = await next(again, 'updated')
      expect(namespaces).toEqual(granted(signer.address, other.address))
    } else {
      const updated = page.nextEvent('updated')
      await them.core.relayer.transportOpen()
      expect(JSON.stringify(await updated)).toContain(other.address)
    }
    await update
  })
}

test('their wallet and ours can ping a pairing before approval', async ({ officialClient, ours }) => {
  const [client, them] = [await ours(), await officialClient()]
  const offer = await client.proposer.propose({ optionalNamespaces })
  const proposed = new Promise((resolve) => them.once('session_proposal', resolve))
  await them.core.pairing.pair({ uri: offer.uri })
  await proposed
  const topic = parsePairingUri(offer.uri)?.topic ?? ''
  await them.core.pairing.ping({ topic })
  expect(await client.rpc.request({ topic, method: 'wc_pairingPing', params: {} })).toMatchObject({ result: true })

  const { uri = '' } = await them.connect({ optionalNamespaces })
  const proposalEvent = new Promise((resolve) => client.responder.on('proposal', resolve))
  await client.responder.pair(uri)
  await proposalEvent
  const theirs = parsePairingUri(uri)?.topic ?? ''
  expect(await client.rpc.request({ topic: theirs, method: 'wc_pairingPing', params: {} })).toMatchObject({
    result: true,
  })
})

const reasons = [
  { code: 5000, message: 'User rejected.' },
  { code: 5100, message: 'Unsupported chains.' },
  { code: 5104, message: 'Unsupported namespace key.' },
] as const

for (const reason of reasons) {
  test(`our page and theirs receive a wallet’s rejection with the code ${reason.code}`, async ({
    officialClient,
    ours,
  }) => {
    const [client, them] = [await ours(), await officialClient()]
    const offer = await client.proposer.propose({ optionalNamespaces })
    them.on('session_proposal', ({ id }) => void them.reject({ id, reason }))
    await them.core.pairing.pair({ uri: offer.uri })
    await expect(offer.settled).rejects.toMatchObject(reason)

    client.responder.on('proposal', ({ id }) => void client.responder.reject(id, reason))
    const { uri = '', approval } = await them.connect({ optionalNamespaces })
    const approved = approval()
    approved.catch(() => {})
    await client.responder.pair(uri)
    await expect(approved).rejects.toMatchObject(reason)
  })
}

// According to the specification, only wallets can update and extend sessions. The official wallet also accepts these requests
// from pages, so this test only covers our wallet.
test('our wallet rejects their page’s requests to update or extend a session', async ({
  officialClient,
  ours,
  signers: [signer, other],
}) => {
  const namespaces = granted(signer.address)
  const { them, client, page } = await connected('their page and our wallet', { officialClient, ours }, { namespaces })
  const { topic } = page
  const before = client.sessions.get(topic)
  // Do not check the error code, because their client does not always resolve `acknowledged`. The ping is answered after both
  // requests.
  for (const update of [them.update({ topic, namespaces: granted(other.address) }), them.extend({ topic })])
    (await update).acknowledged().catch(() => {})
  await them.ping({ topic })
  expect(client.sessions.get(topic)).toEqual(before)
})

test('our wallet rejects their expired link, and theirs rejects ours', async ({ officialClient, ours }) => {
  const [client, them] = [await ours(), await officialClient()]
  const old = (uri: string): string =>
    uri.replace(/expiryTimestamp=\d+/, `expiryTimestamp=${Math.floor(Date.now() / 1000) - 1}`)
  const offer = await client.proposer.propose({ optionalNamespaces })
  await expect(them.core.pairing.pair({ uri: old(offer.uri) })).rejects.toThrow()
  const { uri = '' } = await them.connect({ optionalNamespaces })
  await expect(client.responder.pair(old(uri))).rejects.toMatchObject({ code: 'pairing/expired' })
})

test('our page keeps its session with their wallet after a reload', async ({
  officialClient,
  ours,
  signers: [signer],
}) => {
  const { client, page, wallet } = await connected(
    'our page and their wallet',
    { officialClient, ours },
    { namespaces: granted(signer.address) },
  )
  wallet.answer(async () => ({ result: '0x5167' }))
  client.close()
  const again = await ours({ records: client.rpc.storage })
  const restored = ownPageController(again, page.topic)
  await restored.ping()
  expect(await restored.request({ chainId, method: 'personal_sign', params: [] })).toBe('0x5167')
  const ended = next(again, 'ended')
  await wallet.end({ code: 6000, message: 'Bye' })
  await ended
})
