import { scriptedWallet } from '@latchkey/testing'
import { privateKeyToAccount } from 'viem/accounts'
import type { Environment } from '../environment.ts'
import { promptForApproval } from './approvalPrompt.ts'

const announced = Symbol.for('crumb.testWallet')

/** Announces a wallet that contains the local environment's funded accounts. Only the first call per page has an effect. */
export function announceTestWallet(world: Environment): void {
  const page = window as unknown as { [announced]?: boolean }
  if (page[announced]) return
  page[announced] = true
  const wallet = scriptedWallet({
    name: 'Test Wallet',
    rdns: 'dev.latchkey.test-wallet',
    accounts: world.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey)),
    chains: world.chains,
    remember: true,
    ask: (prompt) => promptForApproval({ prompt, world }),
  })
  wallet.announce(window)
}
