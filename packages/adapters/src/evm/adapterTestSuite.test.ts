import { adapterTestSuite } from '@latchkey/core/testing'
import { localChain, scriptedWallet, testAccounts } from '@latchkey/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, test, vi } from 'vitest'
import { evm } from './evmAdapter.ts'
import { eip1193 } from './evmConnector.ts'

const home = localChain({ id: 31337, rpcUrl: 'http://127.0.0.1:8545' })
const third = localChain({ id: 100, rpcUrl: 'http://127.0.0.1:8547', name: 'Third' })
const chains = [home, third]
const accounts = testAccounts.slice(0, 2).map(({ privateKey }) => privateKeyToAccount(privateKey))

const willing = () => {
  const wallet = scriptedWallet({ accounts, chains, rdns: 'io.willing', name: 'Willing' })
  return {
    wallet,
    subject: {
      connectorId: 'io.willing',
      refuse: () => wallet.script.decline(),
      forget: () => wallet.script.forget(),
      changeAccount: () => wallet.script.setAccounts([1]),
      changeChain: () => wallet.script.setChain(100),
    },
  }
}

describe('the adapter test suite with an announced wallet', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })
  const subjects = () => {
    const page = new EventTarget()
    vi.stubGlobal('window', page)
    const { wallet, subject } = willing()
    const silence = wallet.announce(page)
    return { ...subject, adapter: evm({ chains }), close: silence }
  }
  for (const { name, run } of adapterTestSuite<'eip155'>(subjects)) test(name, run)
})

describe('the adapter test suite with a configured provider', () => {
  const subjects = () => {
    const { wallet, subject } = willing()
    const own = eip1193({ id: 'io.willing', name: 'Willing', provider: wallet.provider })
    return { ...subject, adapter: evm({ chains, wallets: [own] }) }
  }
  for (const { name, run } of adapterTestSuite<'eip155'>(subjects)) test(name, run)
})
