import { parseTypedData } from '@latchkey/vault/signers/typedData'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { analyzeCalls } from '../decoders/analyzeCalls.ts'
import { readContracts } from '../decoders/contractFacts.ts'
import { decodeTypedData } from '../decoders/decodeTypedData.ts'
import { describeCall } from '../decoders/describeCall.ts'
import { describeSimulation } from '../decoders/describeSimulation.ts'
import { describeTypedData } from '../decoders/describeTypedData.ts'
import type { EffectDescription, Shown } from '../decoders/effectDescription.ts'
import { contractsOfTypedData } from '../decoders/recognizeTypedData.ts'
import { sampleNode } from '../decoders/testing/sampleNode.ts'
import { transactionSamples } from '../decoders/testSamples/transactions.ts'
import { typedDataSamples } from '../decoders/testSamples/typedData.ts'
import { untrusted } from '../decoders/untrustedText.ts'
import { setLanguage } from '../texts/pickLanguage.ts'
import { EffectDetails, Notices, type ValueContext, ViewFacts } from './EffectDetails.tsx'

interface Drawn {
  readonly id: string
  readonly views: readonly Pick<EffectDescription, 'facts' | 'notices'>[]
  readonly context: ValueContext
  readonly node: ReactNode
}

let all: readonly Drawn[] = []
beforeAll(async () => {
  all = await drawings()
}, 60_000)

/** Renders the views of every sample. */
async function drawings(): Promise<readonly Drawn[]> {
  const calls = transactionSamples.map(async ({ id, from, chainId, contracts: world, simulation, calls }) => {
    const chain = `eip155:${chainId}` as const
    const request = calls.map(({ to, value, data }) => ({ to, value, data }))
    const understood = await analyzeCalls(sampleNode({ contracts: world, simulation }), {
      chain,
      account: from,
      calls: request,
    })
    const { contracts } = understood
    const context = { chain, contracts }
    const views = understood.readings.map((reading) => describeCall(reading, { account: from, contracts }))
    const changes = describeSimulation(understood.simulation, contracts)
    const node = (
      <>
        {views.map((view, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <EffectDetails key={at} view={view} context={context} />
        ))}
        <Notices notices={changes.notices} context={context} />
        <ViewFacts facts={changes.facts} context={context} />
      </>
    )
    return [{ id, views: [...views, changes], context, node }]
  })
  const signed = typedDataSamples.map(async ({ id, account, chainId, contracts: world, typedData }) => {
    const chain = `eip155:${chainId}` as const
    let typed: ReturnType<typeof parseTypedData>
    try {
      typed = parseTypedData(typedData)
    } catch {
      return []
    }
    const contracts = await readContracts(sampleNode({ contracts: world }), {
      chain,
      account,
      addresses: contractsOfTypedData(typed),
    })
    const reading = decodeTypedData(typed, { account, chainId, own: [], contracts })
    if (reading.kind === 'refused') return []
    const context = { chain, contracts }
    const view = describeTypedData(reading.meaning, { now: 1_800_000_000n, contracts })
    return [{ id, views: [view], context, node: <EffectDetails view={view} context={context} /> }]
  })
  return (await Promise.all([...calls, ...signed])).flat()
}

let takeAway = (): void => {}
afterEach(async () => {
  takeAway()
  await setLanguage(document, { visitor: ['en'] })
})

function draw(node: ReactNode): HTMLElement {
  takeAway()
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  flushSync(() => root.render(node))
  takeAway = () => {
    root.unmount()
    place.remove()
  }
  return place
}

const digits = (text: string): string => text.replace(/\D/g, '')

/** Returns what must be shown for a value: full addresses, and all digits of numbers. */
function proofOf(value: Shown): { addresses: readonly string[]; numbers: readonly bigint[] } {
  switch (value.kind) {
    case 'address':
      return { addresses: [value.address], numbers: [] }
    case 'token':
      return { addresses: [value.token], numbers: [] }
    case 'number':
      return { addresses: [], numbers: [value.value] }
    case 'item':
      return { addresses: [], numbers: value.count === 1n ? [value.id] : [value.id, value.count] }
    case 'orderItem': {
      const { itemType, id, startAmount, endAmount } = value.item
      const ids = id !== undefined && !itemType.endsWith('Criteria') ? [id] : []
      const isOne = itemType.startsWith('erc') && itemType !== 'erc20' && startAmount === 1n && endAmount === 1n
      return { addresses: [], numbers: isOne ? ids : [...ids, startAmount, endAmount] }
    }
    case 'amount':
      return { addresses: [], numbers: [value.amount] }
    default:
      return { addresses: [], numbers: [] }
  }
}

test.each(['en', 'ar'])(
  'in the language %s, shows every fact of every sample in full',
  async (language) => {
    await setLanguage(document, { visitor: [language] })
    expect(all.length).toBeGreaterThan(200)
    for (const { id, views, node } of all) {
      const place = draw(node)
      const text = place.textContent ?? ''
      expect(text, id).not.toMatch(/\{\w+\}|undefined|NaN|\[object/)
      const rows = [...place.querySelectorAll('.facts > div')]
      expect(rows.length, id).toBe(views.flatMap(({ facts }) => facts).length)
      for (const [at, { value }] of views.flatMap(({ facts }) => facts).entries()) {
        const row = rows[at]?.querySelector('dd')?.textContent ?? ''
        const { addresses, numbers } = proofOf(value)
        for (const address of addresses)
          expect(row.replace(/\s/g, '').toLowerCase(), id).toContain(address.toLowerCase())
        // This test only checks the digits. Other tests check the decimal point.
        for (const number of numbers) expect(digits(row), id).toContain(String(number).replace(/0+$/, ''))
        expect(row.trim(), id).not.toBe('')
      }
      expect(place.querySelectorAll('.notice').length, id).toBe(views.flatMap(({ notices }) => notices).length)
    }
  },
  60_000,
)

const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const fake = `0x${'fa'.repeat(20)}`
const me = `0x${'a1'.repeat(20)}`

test('a token’s name is shown without quotation marks only if its issuer has published the token’s address', () => {
  const contracts = {
    [usdc]: { kind: 'erc20', symbol: untrusted('USDC'), decimals: 6 },
    [fake]: { kind: 'erc20', symbol: untrusted('USDC'), decimals: 6 },
  } as const
  const view = (token: string): EffectDescription =>
    describeCall(
      { kind: 'sendToken', token, value: 0n, from: me, to: fake, amount: 5_000_000n },
      { account: me, contracts },
    )
  const on = (chain: ValueContext['chain'], token: string): string =>
    draw(<EffectDetails view={view(token)} context={{ chain, contracts }} />).querySelector('.headline')?.textContent ??
    ''
  expect(on('eip155:1', usdc)).toMatch(/^You send 5 USDC to /)
  expect(on('eip155:1', fake)).toMatch(/^You send 5 “USDC” 0xfafa…fafa to /)
  // On a different network, anyone could own the address of USDC on Ethereum.
  expect(on('eip155:10', usdc)).toMatch(/^You send 5 “USDC” 0xa0b8…eb48 to /)
})

test('a symbol with hidden characters, line breaks or excessive length stays within its quotation marks', () => {
  const symbol = `US\u202eDC\n${'€'.repeat(500)}`
  const contracts = { [fake]: { kind: 'erc20', symbol: untrusted(symbol), decimals: undefined } } as const
  const view = describeCall(
    { kind: 'allowToken', token: fake, value: 0n, spender: me, amount: 7n, change: 'set' },
    { account: me, contracts },
  )
  const text = draw(<EffectDetails view={view} context={{ chain: 'eip155:1', contracts }} />).textContent ?? ''
  expect(text).toContain('7 smallest units of “US‹U+202E›DC‹U+000A›')
  expect(text).not.toMatch(/[\u202e\n]|€{30}/)
})
