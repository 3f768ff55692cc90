import type { Session } from '@latchkey/core/adapter'
import { fakeNetwork } from '@latchkey/core/testing'
import { fromBase58, fromBase64, toBase58, toBase64, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf, type Namespace } from '@latchkey/protocol/caip'
import { signWith } from '@latchkey/siwx/testing'
import { cosmosVerifier } from '@latchkey/siwx/verify/cosmos'
import type { GrantedNamespaces } from '@latchkey/walletconnect'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionDecoder,
  getTransactionEncoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { expect, test } from 'vitest'
import type { WalletConnectBitcoinProvider } from './bitcoinSession.ts'
import type { WalletConnectCosmosProvider } from './cosmosSession.ts'
import type { WalletConnectPolkadotProvider } from './polkadotSession.ts'
import { methodsOf } from './proposedNamespaces.ts'
import type { WalletConnectSolanaProvider } from './solanaSession.ts'
import { type WalletConnectHarness, type WireQuestion, walletConnectHarness } from './testing/harness.ts'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const olderSolana = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const westend = 'polkadot:e143f23803ac50e8f6f8e62695d1ce9e'
const polkadot = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const cosmos = 'cosmos:cosmoshub-4'
const ada = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const key = new Uint8Array(32).fill(7)
const publicKey = ed25519.getPublicKey(key)
const sol = toBase58(publicKey)
const other = toBase58(ed25519.getPublicKey(new Uint8Array(32).fill(8)))

/** Returns the namespace that a wallet grants on `chains` for `addresses`. */
function grant(
  namespace: Namespace,
  chains: readonly string[],
  addresses: readonly string[],
  methods?: string[],
): GrantedNamespaces {
  return {
    [namespace]: {
      chains,
      methods: methods ?? methodsOf[namespace],
      events: ['accountsChanged', 'chainChanged'],
      accounts: chains.flatMap((chain) => addresses.map((item) => `${chain}:${item}`)),
    },
  }
}

/** Returns a transaction that `sol` pays for, with a memo that `other` also signs. */
function transactionOf(version: 'legacy' | 0): Uint8Array {
  // The version is cast to 0, because the types differ between versions in ways that do not matter here.
  const paid = setTransactionMessageFeePayer(address(sol), createTransactionMessage({ version: version as 0 }))
  const timed = setTransactionMessageLifetimeUsingBlockhash(
    { blockhash: toBase58(new Uint8Array(32).fill(9)) as Blockhash, lastValidBlockHeight: 1n },
    paid,
  )
  const message = appendTransactionMessageInstruction(
    {
      programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      accounts: [{ address: address(other), role: 2 }],
      data: toUtf8('hello'),
    },
    timed,
  )
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)))
}

/** Whether `sol`'s signature in `transaction` is valid, according to a different library. */
function isSigned(transaction: Uint8Array): boolean {
  const { signatures, messageBytes } = getTransactionDecoder().decode(transaction)
  const signature = signatures[address(sol)]
  return (
    signature !== null && signature !== undefined && ed25519.verify(signature, new Uint8Array(messageBytes), publicKey)
  )
}

const signatureOf = (transaction: Uint8Array): Uint8Array =>
  ed25519.sign(new Uint8Array(getTransactionDecoder().decode(transaction).messageBytes), key)

const signedWhole = (transaction: Uint8Array): Uint8Array => {
  const signed = transaction.slice()
  signed.set(signatureOf(transaction), 1)
  return signed
}

/** Simulates a Solana wallet according to the public reference. If `alone` is `true`, it returns signatures only. */
const solanaWallet =
  ({ alone = false } = {}) =>
  ({ method, params }: WireQuestion): unknown => {
    const { message, transaction, transactions } = params as {
      message: string
      transaction: string
      transactions: string[]
    }
    const bytes = fromBase64(transaction ?? '') ?? new Uint8Array()
    switch (method) {
      case 'solana_signMessage':
        return { signature: toBase58(ed25519.sign(fromBase58(message) ?? new Uint8Array(), key)) }
      case 'solana_signTransaction': {
        const signature = toBase58(signatureOf(bytes))
        return alone ? { signature } : { signature, transaction: toBase64(signedWhole(bytes)) }
      }
      case 'solana_signAllTransactions':
        return { transactions: transactions.map((encoded) => toBase64(signedWhole(fromBase64(encoded) as Uint8Array))) }
      default:
        return { signature: toBase58(signatureOf(bytes)) }
    }
  }

const providerOf = <Provider>(session: Session<Namespace>): Provider => session.provider as Provider

test.each([
  ['eip155', 'eip155:1', ada],
  ['solana', solana, sol],
  ['bip122', bitcoin, 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'],
  ['polkadot', westend, '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'],
  ['cosmos', cosmos, 'cosmos1sx2ul03l4stq8f5dgqnu7tv2pnpy5xtlj7v9kd'],
] as const)('accounts on %s that have no address are ignored [R5.7]', async (namespace, chain, whole) => {
  const page = await walletConnectHarness({ networks: [chain], grants: grant(namespace, [chain], ['', whole]) })
  expect((await page.connect<Namespace>(namespace)).accounts).toEqual([`${chain}:${whole}`])
})

test('a remote Solana wallet signs messages with a valid signature [R1.1] [R1.5]', async () => {
  const page = await walletConnectHarness({
    networks: [solana],
    grants: grant('solana', [solana], [sol]),
    answer: solanaWallet(),
  })
  const session = await page.connect('solana')
  expect([session.chain, session.accounts]).toEqual([solana, [`${solana}:${sol}`]])
  const message = toUtf8('Sign in to Shop')
  const signature = await session.can.signMessage?.({ account: session.accounts[0], message })
  expect(ed25519.verify(signature ?? new Uint8Array(), message, publicKey)).toBe(true)
  expect(page.requests).toEqual([
    { chainId: solana, method: 'solana_signMessage', params: { message: toBase58(message), pubkey: sol } },
  ])
  const stranger = { account: `${solana}:${other}` as const, message }
  await expect(session.can.signMessage?.(stranger)).rejects.toMatchObject({ code: 'wallet/not-authorized' })
})

test.each([
  ['a legacy transaction if the wallet returns the whole transaction', 'legacy', false],
  ['a legacy transaction if the wallet returns only the signature', 'legacy', true],
  ['a versioned transaction if the wallet returns the whole transaction', 0, false],
  ['a versioned transaction if the wallet returns only the signature', 0, true],
] as const)('the Wallet Standard feature signs %s [R1.5]', async (_, version, alone) => {
  const page = await walletConnectHarness({
    networks: [solana],
    grants: grant('solana', [solana], [sol]),
    answer: solanaWallet({ alone }),
  })
  const { features } = providerOf<WalletConnectSolanaProvider>(await page.connect('solana'))
  const transaction = transactionOf(version)
  const account = { address: sol }
  const signed = await features['solana:signTransaction']?.signTransaction({ account, transaction })
  expect([isSigned(transaction), signed?.map(({ signedTransaction }) => isSigned(signedTransaction))]).toEqual([
    false,
    [true],
  ])
  const sent = await features['solana:signAndSendTransaction']?.signAndSendTransaction({
    account,
    transaction,
    options: { skipPreflight: true },
  })
  expect(sent).toEqual([{ signature: signatureOf(transaction) }])
  expect(page.requests.at(-1)).toMatchObject({
    method: 'solana_signAndSendTransaction',
    params: { transaction: toBase64(transaction), sendOptions: { skipPreflight: true } },
  })
})

test('several transactions are signed in one request if the wallet supports it, and one at a time otherwise', async () => {
  const two = { account: { address: sol }, transaction: transactionOf(0) }
  for (const [methods, requests] of [
    [methodsOf.solana, ['solana_signAllTransactions']],
    [['solana_signTransaction'], ['solana_signTransaction', 'solana_signTransaction']],
  ] as const) {
    const page = await walletConnectHarness({
      networks: [solana],
      grants: grant('solana', [solana], [sol], [...methods]),
      answer: solanaWallet(),
    })
    const { features } = providerOf<WalletConnectSolanaProvider>(await page.connect('solana'))
    const signed = await features['solana:signTransaction']?.signTransaction(two, two)
    expect(signed?.map(({ signedTransaction }) => isSigned(signedTransaction))).toEqual([true, true])
    expect(page.requests.map(({ method }) => method)).toEqual(requests)
  }
})

test('features whose method was not granted are absent, and responses are validated', async () => {
  const page = await walletConnectHarness({
    networks: [solana],
    grants: grant('solana', [solana], [sol], ['solana_signMessage', 'solana_signTransaction']),
    answer: ({ method }) =>
      method === 'solana_signMessage'
        ? { signature: '2' }
        : { signature: toBase58(new Uint8Array(64)), transaction: '%' },
  })
  const session = await page.connect('solana')
  const { features, request } = providerOf<WalletConnectSolanaProvider>(session)
  expect(Object.keys(features)).toEqual(['solana:signMessage', 'solana:signTransaction'])
  await expect(request({ method: 'solana_signAndSendTransaction' })).rejects.toMatchObject({ code: 4200 })
  const wrong = { code: 'wallet/failed' }
  const requests = { account: session.accounts[0], message: toUtf8('hi') }
  await expect(session.can.signMessage?.(requests)).rejects.toMatchObject(wrong)
  const foreign = { account: { address: bitcoin }, transaction: transactionOf(0) }
  await expect(features['solana:signTransaction']?.signTransaction(foreign)).rejects.toMatchObject(wrong)
})

test('a wallet that uses Solana’s older ID receives the older ID, while the page uses the current ID', async () => {
  const page = await walletConnectHarness({
    networks: [solana],
    grants: grant('solana', [olderSolana], [sol]),
    answer: solanaWallet(),
  })
  const session = await page.connect('solana')
  expect([session.chain, session.accounts]).toEqual([solana, [`${solana}:${sol}`]])
  await session.can.signMessage?.({ account: session.accounts[0], message: toUtf8('hi') })
  expect(page.requests.map(({ chainId }) => chainId)).toEqual([olderSolana])
})

test('requests to a remote Bitcoin wallet follow the public reference [R1.5]', async () => {
  const payment = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
  const txid = 'ab'.repeat(32)
  const page = await walletConnectHarness({
    networks: [bitcoin],
    grants: grant('bip122', [bitcoin], [payment]),
    answer({ method }) {
      if (method === 'getAccountAddresses') return [{ address: payment, path: "m/84'/0'/0'/0/0" }]
      if (method === 'signMessage') return { address: payment, signature: toHex(new Uint8Array(65).fill(3)).slice(2) }
      return method === 'signPsbt' ? { psbt: 'cHNidP8=', txid } : { txid }
    },
  })
  const session = await page.connect('bip122')
  const events: string[] = []
  session.on('sent', () => events.push('sent'))
  const provider = providerOf<WalletConnectBitcoinProvider>(session)
  const account = session.accounts[0]
  expect(await session.can.signMessage?.({ account, message: toUtf8('hi') })).toEqual(new Uint8Array(65).fill(3))
  expect(await session.can.send?.({ to: 'bc1qother', amount: 1_500n })).toEqual({ hash: txid })
  expect(await provider.getAccountAddresses()).toMatchObject([{ address: payment }])
  const signInputs = [{ address: payment, index: 0 }]
  expect(await provider.signPsbt({ psbt: 'cHNidP8=', signInputs, broadcast: true })).toMatchObject({ txid })
  expect(page.requests.map(({ method, params }) => [method, params])).toEqual([
    ['signMessage', { account: payment, address: payment, message: 'hi' }],
    ['sendTransfer', { account: payment, recipientAddress: 'bc1qother', amount: '1500' }],
    ['getAccountAddresses', { account: payment }],
    ['signPsbt', { account: payment, psbt: 'cHNidP8=', signInputs, broadcast: true }],
  ])
  expect(events).toEqual(['sent', 'sent'])
  await expect(session.can.send?.({ to: 'x', amount: 0n })).rejects.toMatchObject({ code: 'wallet/failed' })
})

test('Polkadot and Cosmos wallets support the methods that the host configures [R1.5]', async () => {
  const dot = '5F3sa2TJAWMqDhXG6jhV4N8ko9SxwGy8TpaNS1repo5EYjQX'
  const atom = 'cosmos1sguafvgmel6f880ryvq8efh9522p8zvmrzlcrq'
  const methods = {
    polkadot: ['polkadot_signMessage'],
    cosmos: ['cosmos_getAccounts', 'cosmos_signAmino', 'cosmos_signDirect'],
  }
  const page = await walletConnectHarness({
    networks: [polkadot, cosmos],
    options: { methods },
    grants: {
      ...grant('polkadot', [polkadot], [dot], methods.polkadot),
      ...grant('cosmos', [cosmos], [atom], methods.cosmos),
    },
    answer: ({ method }) =>
      method === 'polkadot_signMessage'
        ? { signature: '0x0102' }
        : [{ algo: 'secp256k1', address: atom, pubkey: 'AA==' }],
  })
  const ofPolkadot = await page.connect('polkadot')
  const ofCosmos = await page.connect('cosmos')
  expect(page.offers.filter(Boolean)).toHaveLength(1)
  const account = ofPolkadot.accounts[0]
  expect(await ofPolkadot.can.signMessage?.({ account, message: toUtf8('hi') })).toEqual(new Uint8Array([1, 2]))
  const cosmosProvider = providerOf<WalletConnectCosmosProvider>(ofCosmos)
  expect(await cosmosProvider.getAccounts()).toMatchObject([{ address: atom }])
  await expect(providerOf<WalletConnectPolkadotProvider>(ofPolkadot).signTransaction({})).rejects.toMatchObject({
    code: 'wallet/unsupported',
  })
  expect(cosmosProvider.address).toBe(atom)
  for (const sign of ['signAmino', 'signDirect'] as const) {
    await expect(cosmosProvider[sign]({ memo: 'x' })).rejects.toMatchObject({ code: 'wallet/failed' })
    const params = { signerAddress: atom, signDoc: { memo: 'x' } }
    expect(page.requests.at(-1)).toMatchObject({ method: `cosmos_${sign}`, params })
  }
})

test('a signed Cosmos document proves ownership of the account (ADR-36) [R1.5]', async () => {
  const signer = signWith('cosmos', 7)
  const account = signer.account(cosmos)
  const address = addressOf(account)
  const requests: unknown[] = []
  const page = await walletConnectHarness({
    networks: [cosmos],
    options: { methods: { cosmos: ['cosmos_signAmino'] } },
    grants: grant('cosmos', [cosmos], [address], ['cosmos_signAmino']),
    async answer({ params }) {
      requests.push(params)
      return { signature: JSON.parse(await signer.sign('hi')) }
    },
  })
  const session = await page.connect('cosmos')
  const signed = await session.can.signMessage?.({ account: session.accounts[0], message: toUtf8('hi') })
  const signature = new TextDecoder().decode(signed)
  expect(await cosmosVerifier()({ account, message: 'hi', signature })).toBe(true)
  expect(requests).toMatchObject([
    { signerAddress: address, signDoc: { msgs: [{ value: { signer: address, data: 'aGk=' } }] } },
  ])
})

// --- One session with several namespaces

const evmAndSolana = { ...grant('eip155', ['eip155:1'], [ada]), ...grant('solana', [solana], [sol, other]) }
const both = { networks: ['eip155:1', solana] as const, grants: evmAndSolana }

/** Collects the events that `session` emits. */
function eventsOf(session: Session<Namespace>): unknown[] {
  const events: unknown[] = []
  for (const event of ['accounts', 'chain', 'health', 'disconnect'] as const)
    session.on(event, (value) => events.push([event, value]))
  return events
}

/** Connects both chain families in a session and collects their events. */
async function connected(page: WalletConnectHarness) {
  const evm = await page.connect('eip155')
  const sols = await page.connect('solana')
  await page.clock.pass(10)
  return { evm, sols, events: { evm: eventsOf(evm), sols: eventsOf(sols) } }
}

test('one pairing connects all chain families, and disconnecting one family disconnects all of them', async () => {
  const page = await walletConnectHarness(both)
  const { evm, events } = await connected(page)
  expect(page.offers.filter(Boolean)).toHaveLength(1)
  await evm.disconnect()
  await page.clock.pass(10)
  expect(events).toEqual({ evm: [], sols: [['disconnect', undefined]] })
  expect(page.wallet.sessions.all()).toEqual([])
})

test('aborting one family’s connection does not affect the other family, and does not require a new pairing', async () => {
  const page = await walletConnectHarness(both)
  const evm = await page.connect('eip155')
  const events = eventsOf(evm)
  const taken = page.connect('solana', { signal: AbortSignal.abort() })
  await expect(taken).rejects.toMatchObject({ code: 'request/aborted' })
  await page.clock.pass(3_000)
  expect([events, page.wallet.sessions.all().length]).toEqual([[], 1])
  expect((await page.connect('solana')).accounts).toHaveLength(2)
  expect(page.offers.filter(Boolean)).toHaveLength(1)
})

test('events for one family do not affect the other family', async () => {
  const page = await walletConnectHarness(both)
  const { events } = await connected(page)
  await page.acts.emit(page.topic(), solana, { name: 'accountsChanged', data: [`${solana}:${other}`] })
  await page.clock.pass(10)
  // Ignored, because the address in this event belongs to the other family.
  await page.acts.emit(page.topic(), 'eip155:1', { name: 'accountsChanged', data: [`eip155:1:${sol}`] })
  await page.clock.pass(10)
  expect(events).toEqual({ evm: [], sols: [['accounts', [`${solana}:${other}`, `${solana}:${sol}`]]] })
})

test('a family that the wallet revokes is disconnected, and the other family stays connected', async () => {
  const page = await walletConnectHarness(both)
  const { events, evm } = await connected(page)
  await page.acts.update(page.topic(), grant('eip155', ['eip155:1'], [ada]))
  await page.clock.pass(10)
  expect(events).toEqual({ evm: [], sols: [['disconnect', undefined]] })
  expect(evm.accounts).toEqual([`eip155:1:${ada}`])
})

test('an expired session disconnects all families', async () => {
  const first = await walletConnectHarness(both)
  await connected(first)
  const topic = first.topic()
  first.detach()
  const stored = (await first.records.get(`session:${topic}`)) as object
  await first.records.set(`session:${topic}`, { ...stored, expiry: Math.floor(first.clock.now() / 1000) + 60 })
  const page = await walletConnectHarness({ ...both, grants: 'silence', before: first })
  const events = [
    eventsOf(await page.connect('eip155', { silent: true })),
    eventsOf(await page.connect('solana', { silent: true })),
  ]
  await page.clock.pass(50_000)
  expect(events).toEqual([[], []])
  await page.clock.pass(10_000)
  expect(events).toEqual([[['disconnect', undefined]], [['disconnect', undefined]]])
})

test('addresses that differ only in case are one account, and switching between approved chains sends no request', async () => {
  const page = await walletConnectHarness({
    networks: [polkadot, westend],
    grants: grant('polkadot', [polkadot, westend], ['5F3sa2TJ', '5f3SA2tj']),
  })
  const session = await page.connect('polkadot')
  expect(session.accounts).toEqual([`${polkadot}:5F3sa2TJ`])
  const events = eventsOf(session)
  const { length } = page.relay.calls
  const network = fakeNetwork<'polkadot'>(westend)
  await session.can.switchChain?.(network)
  expect(session.accounts).toEqual([`${westend}:5F3sa2TJ`])
  expect([session.chain, events, page.relay.calls.length]).toEqual([westend, [['chain', westend]], length])
  const unknown = fakeNetwork<'polkadot'>('polkadot:other')
  await expect(session.can.switchChain?.(unknown)).rejects.toMatchObject({ code: 'network/unsupported' })
})
