import { afterEach, describe, expect, test, vi } from 'vitest'
import { evm } from './evmAdapter.ts'
import type { EvmSession } from './evmSession.ts'
import { isInsideSafeApp } from './isInsideSafeApp.ts'
import { safeProvider } from './safeProvider.ts'

const safeAddress = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
type Answer = (params: unknown) => unknown

/** Creates a page in an iframe whose parent is a fake Safe app. */
function framedPage(answers: Record<string, Answer>, { answerFrom = 'https://app.safe.global' } = {}) {
  const sent: { message: { id: string; method: string; params: unknown; env: unknown }; target: string }[] = []
  const page = new EventTarget() as unknown as Window
  const parent = {
    postMessage(message: (typeof sent)[number]['message'], target: string) {
      sent.push({ message, target })
      const answer = answers[message.method]
      if (!answer) return
      queueMicrotask(() => {
        let data: unknown
        try {
          data = { id: message.id, success: true, version: '9.1.0', data: answer(message.params) }
        } catch (error) {
          data = { id: message.id, success: false, version: '9.1.0', error: (error as Error).message }
        }
        page.dispatchEvent(Object.assign(new Event('message'), { origin: answerFrom, source: parent, data }))
      })
    },
  }
  Object.assign(page, { parent, crypto: globalThis.crypto, location: { ancestorOrigins: ['https://app.safe.global'] } })
  return { page, sent }
}

const info = { getSafeInfo: () => ({ safeAddress, chainId: 100, threshold: 2, owners: [] }) }

describe('detecting Safe', () => {
  const page = (location: unknown, framed = true) =>
    ({ location, parent: framed ? {} : undefined }) as unknown as Window
  test.each<[string, unknown, boolean]>([
    ['returns true if Safe embeds the page', { ancestorOrigins: ['https://app.safe.global'] }, true],
    [
      'returns false if a different site embeds the page',
      { ancestorOrigins: ['https://app.safe.global.evil.example'] },
      false,
    ],
    [
      'returns false if Safe embeds a different site that embeds the page',
      { ancestorOrigins: ['https://evil.example', 'https://app.safe.global'] },
      false,
    ],
    ['returns false if there are no ancestor origins', { ancestorOrigins: [] }, false],
    ['returns false in a browser that does not support ancestorOrigins', {}, false],
  ])('%s', (_, location, inside) => {
    expect(isInsideSafeApp(page(location))).toBe(inside)
  })
})

describe('the Safe provider', () => {
  test('returns accounts without prompting the user, and posts messages only to Safe’s origin', async () => {
    const { page, sent } = framedPage(info)
    const provider = safeProvider(page)
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([safeAddress])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x64')
    expect(sent.map(({ target }) => target)).toEqual(['https://app.safe.global', 'https://app.safe.global'])
  })

  test('ignores a response from a different origin', async () => {
    vi.useFakeTimers()
    const { page } = framedPage(info, { answerFrom: 'https://evil.example' })
    const asking = safeProvider(page).request({ method: 'eth_accounts' })
    const outcome = expect(asking).rejects.toMatchObject({ code: 4900 })
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
    vi.useRealTimers()
  })

  test('rejects an invalid response', async () => {
    const { page } = framedPage({ getSafeInfo: () => ({ safeAddress: 'me', chainId: '1' }) })
    await expect(safeProvider(page).request({ method: 'eth_accounts' })).rejects.toThrow('invalid response')
  })

  test('sends transactions, and finds the receipt by the hash that Safe returns', async () => {
    const { page, sent } = framedPage({
      sendTransactions: () => ({ safeTxHash: '0x5afe' }),
      getTxBySafeTxHash: () => ({ txHash: '0xc4a1' }),
      rpcCall: (params) => params,
    })
    const provider = safeProvider(page)
    const tx = { from: safeAddress, to: safeAddress, value: '0x10' }
    expect(await provider.request({ method: 'eth_sendTransaction', params: [tx] })).toBe('0x5afe')
    expect(sent[0]?.message.params).toEqual({ txs: [{ to: safeAddress, value: '16', data: '0x' }] })
    expect(await provider.request({ method: 'eth_getTransactionReceipt', params: ['0x5afe'] })).toEqual({
      call: 'eth_getTransactionReceipt',
      params: ['0xc4a1'],
    })
  })

  test('decodes hex messages to text for signing, and rejects with 4001 if the user declines', async () => {
    const { page, sent } = framedPage({ signMessage: () => ({ signature: '0xab' }) })
    expect(await safeProvider(page).request({ method: 'personal_sign', params: ['0x6869', safeAddress] })).toBe('0xab')
    expect(sent[0]?.message.params).toEqual({ message: 'hi' })
    const refusing = framedPage({
      signMessage: () => {
        throw new Error('Transaction was rejected')
      },
    })
    await expect(
      safeProvider(refusing.page).request({ method: 'personal_sign', params: ['0x6869'] }),
    ).rejects.toMatchObject({
      code: 4001,
    })
  })

  test('eth_sign signs its second parameter, and returns no signature if the owners approve on-chain', async () => {
    const { page, sent } = framedPage({ signMessage: () => ({}) })
    const params = [safeAddress, '0x6869']
    expect(await safeProvider(page).request({ method: 'eth_sign', params })).toBe('0x')
    expect(sent[0]?.message.params).toEqual({ message: 'hi' })
  })

  test('rejects switching to a different chain', async () => {
    const { page } = framedPage(info)
    const provider = safeProvider(page)
    expect(await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x64' }] })).toBeNull()
    await expect(
      provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] }),
    ).rejects.toMatchObject({ code: 4200 })
  })
})

describe('the Safe connector', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('is found inside the Safe app, and connects and disconnects without prompting the user [R3.13] [R3.15]', async () => {
    const { page, sent } = framedPage(info)
    vi.stubGlobal('window', page)
    const stop = new AbortController()
    const found: Parameters<Parameters<ReturnType<typeof evm>['discover']>[0]>[0][] = []
    evm().discover((connector) => found.push(connector), stop.signal)
    expect(found.map(({ id, name, type }) => `${type} ${id} ${name}`)).toEqual(['EXTERNAL safe Safe'])
    const session = (await found[0]?.connect({ signal: stop.signal, silent: true })) as EvmSession
    expect(session.accounts).toEqual(['eip155:100:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'])
    await session.disconnect()
    expect(new Set(sent.map(({ message }) => message.method))).toEqual(new Set(['getSafeInfo']))
    stop.abort()
  })
})
