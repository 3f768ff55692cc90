import { createPublicClient, erc20Abi, http, numberToHex, parseEther, verifyMessage } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localChain, type ScriptedProvider, scriptedWallet, testAccounts } from './index.ts'
import { type Anvil, deployTestToken, startAnvil } from './node/index.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
}, 120_000)
afterAll(() => anvil.stop())

const [ada, bob] = testAccounts

async function connected(
  options: Parameters<typeof scriptedWallet>[0] = {},
): Promise<ReturnType<typeof scriptedWallet>> {
  const wallet = scriptedWallet({ chains: [anvil.chain], ...options })
  await wallet.provider.request({ method: 'eth_requestAccounts' })
  return wallet
}

test('the wallet announces itself immediately and on request', () => {
  const page = new EventTarget()
  const seen: unknown[] = []
  page.addEventListener('eip6963:announceProvider', (event) => seen.push((event as CustomEvent).detail))
  const wallet = scriptedWallet({ name: 'One' })
  const stop = wallet.announce(page)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  stop()
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(seen).toEqual([
    { info: wallet.info, provider: wallet.provider },
    { info: wallet.info, provider: wallet.provider },
  ])
})

test('no account is exposed until the user approves', async () => {
  const { provider, script } = scriptedWallet({ chains: [anvil.chain] })
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  script.decline()
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
  script.approve()
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ada.address])
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([ada.address])
})

test('signatures are valid, and an account that is not exposed cannot sign', async () => {
  const { provider } = await connected()
  const signature = await provider.request({ method: 'personal_sign', params: ['0x6869', ada.address] })
  expect(await verifyMessage({ address: ada.address, message: 'hi', signature: signature as `0x${string}` })).toBe(true)
  await expect(provider.request({ method: 'personal_sign', params: ['0x6869', bob.address] })).rejects.toMatchObject({
    code: 4100,
  })
})

test('transactions are mined', async () => {
  const { provider } = await connected()
  const reader = createPublicClient({ chain: anvil.chain, transport: http(anvil.url), pollingInterval: 20 })
  const before = await reader.getBalance({ address: bob.address })
  const hash = await provider.request({
    method: 'eth_sendTransaction',
    params: [{ from: ada.address, to: bob.address, value: numberToHex(parseEther('1')) }],
  })
  await reader.waitForTransactionReceipt({ hash: hash as `0x${string}` })
  expect(await reader.getBalance({ address: bob.address })).toBe(before + parseEther('1'))
})

test('the test accounts have a balance of the test token', async () => {
  const token = await deployTestToken({ chain: anvil.chain })
  const reader = createPublicClient({ chain: anvil.chain, transport: http(anvil.url) })
  const balance = await reader.readContract({
    address: token.address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [ada.address],
  })
  expect(balance).toBe(10_000_000_000n)
  expect(await reader.readContract({ address: token.address, abi: erc20Abi, functionName: 'symbol' })).toBe('TUSD')
})

test('held prompts wait for release(), and release("decline") declines only the held prompts', async () => {
  const { provider, script } = await connected()
  script.hold()
  const signature = provider.request({ method: 'personal_sign', params: ['0x6869', ada.address] })
  await Promise.resolve()
  expect(script.waiting.map(({ method }) => method)).toEqual(['personal_sign'])
  script.release('decline')
  await expect(signature).rejects.toMatchObject({ code: 4001 })
  expect(await provider.request({ method: 'personal_sign', params: ['0x6869', ada.address] })).toMatch(/^0x/)
})

test('the page can switch to a chain only if the wallet supports it or the page adds it, and each switch emits an event', async () => {
  const other = localChain({ id: 31338, rpcUrl: anvil.url })
  const { provider } = await connected({ chains: [anvil.chain, other] })
  const chains = received(provider, 'chainChanged')
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] })
  expect(chains).toEqual(['0x7a6a'])
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a6a')
  await expect(
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] }),
  ).rejects.toMatchObject({ code: 4902 })
  await provider.request({
    method: 'wallet_addEthereumChain',
    params: [{ chainId: '0x1', chainName: 'New', rpcUrls: [anvil.url] }],
  })
  expect(chains).toEqual(['0x7a6a', '0x1'])
})

test('locking, unlocking and revoking permissions emit events to the page', async () => {
  const { provider, script } = await connected()
  const accounts = received(provider, 'accountsChanged')
  script.lock()
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  script.unlock()
  await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
  expect(accounts).toEqual([[], [ada.address], []])
  expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([])
})

test('a dead wallet never responds, not even to pending requests, and a revived wallet responds only to new requests', async () => {
  const { provider, script } = await connected()
  script.hold()
  let settled = false
  const lost = provider.request({ method: 'personal_sign', params: ['0x6869', ada.address] }).finally(() => {
    settled = true
  })
  void lost
  script.die()
  void provider.request({ method: 'eth_chainId' })
  script.revive()
  script.release()
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  expect(settled).toBe(false)
  expect(script.requests.map(({ outcome }) => outcome)).toEqual(['answered', 'waiting', 'lost', 'answered'])
})

test('if `remember` is set, the page’s permission is kept after a reload', async () => {
  const items = new Map<string, string>()
  const remember = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  await connected({ remember })
  const reloaded = scriptedWallet({ chains: [anvil.chain], remember })
  expect(await reloaded.provider.request({ method: 'eth_accounts' })).toEqual([ada.address])
})

test('an override replaces or wraps the wallet’s own response', async () => {
  const { provider, script } = await connected()
  const stop = script.on('eth_chainId', async (_call, next) => `${String(await next())}00`)
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a6900')
  stop()
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
})

function received(provider: ScriptedProvider, event: string): unknown[] {
  const values: unknown[] = []
  provider.on(event, (value: never) => values.push(value))
  return values
}
