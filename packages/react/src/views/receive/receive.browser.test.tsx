import type { AccountDetails, State } from '@latchkey/core'
import { fakeAdapter } from '@latchkey/core/testing'
import { drawQr } from '@latchkey/ui'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { address, withConnection } from '../testing/samples.ts'
import { WalletCompatibleNetworks } from './WalletCompatibleNetworks.tsx'
import { WalletReceive } from './WalletReceive.tsx'

/** Returns a state in which the account has a type. */
const withType =
  (type: string, chain: 'eip155:1' | 'eip155:8453' = 'eip155:1') =>
  (initialState: State): State => {
    const now = withConnection(initialState)
    const { eip155 } = now.connections.byNamespace
    if (eip155?.status !== 'connected') return now
    const details: AccountDetails = { type }
    return {
      ...now,
      networks: { ...now.networks, active: chain },
      connections: {
        ...now.connections,
        byNamespace: { eip155: { ...eip155, accounts: [`${chain}:${address}`], chain, details } },
      },
    }
  }
const smartNetworks = { '@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS': '1,10' }
const rows = () => [...document.querySelectorAll('.group-list .row-label')].map((row) => row.textContent)

afterEach(async () => {
  vi.restoreAllMocks()
  await cleanup()
})

describe('WalletReceive', () => {
  test('shows a QR code that contains the address, and the full address in groups of four characters', async () => {
    await renderView(WalletReceive, undefined, { state: withConnection })
    const code = page.getByRole('img', { name: /QR code of your address/ })
    await expect.element(code).toBeVisible()
    // A test for QrCode verifies that scanners can read the code.
    expect(code.element().querySelector('path.qr-ink')?.getAttribute('d')).toBe(drawQr(address, false).modules)
    const whole = document.querySelector('.receive-address')
    expect(whole?.textContent).toBe(address)
    expect(
      [...(whole?.querySelectorAll('span > span, bdi > span') ?? [])].map(
        (group) => group.textContent?.replace('0x', '').length,
      ),
    ).toEqual(Array(10).fill(4))
    await expect.element(page.getByText('Send only assets on Ethereum', { exact: false })).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('selects the address if it cannot be written to the clipboard', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await renderView(WalletReceive, undefined, { state: withConnection })
    await button('Copy address').click()
    await expect.element(page.getByText(/The address is selected/)).toBeVisible()
    expect(getSelection()?.toString().replaceAll(/\s/g, '')).toBe(address)
    await expect.element(button('Copy address')).toBeVisible()
  })

  test('links to the networks on which the address is valid', async () => {
    const latchkey = await renderView(WalletReceive, undefined, { state: withConnection })
    await button('Compatible networks').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'WalletCompatibleNetworks', undefined]])
  })

  test('says that a smart account exists only on some networks, and warns on another network', async () => {
    await renderView(WalletReceive, undefined, { state: withType('smartAccount'), stored: smartNetworks })
    await expect.element(page.getByText(/^This is a smart account\. Send only assets on Ethereum/)).toBeVisible()
    expect(page.getByRole('alert').elements()).toEqual([])
    await renderView(WalletReceive, undefined, {
      state: withType('smartAccount', 'eip155:8453'),
      stored: smartNetworks,
    })
    await expect.element(page.getByRole('alert')).toHaveTextContent('Your smart account does not exist on Base.')
    expect(page.getByText(/Send only assets on Base/).elements()).toEqual([])
    expect(await axeFindings()).toEqual([])
  })
})

describe('WalletCompatibleNetworks', () => {
  test('lists the app’s networks of the same family, the active one first', async () => {
    await renderView(WalletCompatibleNetworks, undefined, { state: withType('eoa', 'eip155:8453') })
    await expect.poll(rows).toEqual(['Base', 'Ethereum', 'Optimism'])
    await expect.element(page.getByText(/This address is yours on all of these networks/)).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('lists only the networks on which a smart account exists', async () => {
    await renderView(WalletCompatibleNetworks, undefined, { state: withType('smartAccount'), stored: smartNetworks })
    await expect.poll(rows).toEqual(['Ethereum', 'Optimism'])
    await expect.element(page.getByText(/Your smart account exists only on these networks/)).toBeVisible()
  })

  test('does not claim that the address is valid everywhere if the wallet does not report the account type', async () => {
    await renderView(WalletCompatibleNetworks, undefined, { state: withConnection })
    await expect.element(page.getByText(/Your wallet may not support all of them.*than Ethereum/)).toBeVisible()
  })

  test('lists only the active network if the account is a contract there, which the wallet does not report', async () => {
    const adapter = (isContract: boolean) => ({
      ...fakeAdapter({ networks: [] }),
      isContract: async (params: { address: string }) => isContract && params.address === address,
    })
    await renderView(WalletCompatibleNetworks, undefined, {
      state: withConnection,
      options: { adapters: [adapter(true)] },
    })
    await expect.poll(rows).toEqual(['Ethereum'])
    await expect.element(page.getByText(/Your smart account exists only on these networks/)).toBeVisible()
    await renderView(WalletReceive, undefined, { state: withConnection, options: { adapters: [adapter(true)] } })
    await expect.element(page.getByText(/^This is a smart account\. Send only assets on Ethereum/)).toBeVisible()
    await renderView(WalletCompatibleNetworks, undefined, {
      state: withConnection,
      options: { adapters: [adapter(false)] },
    })
    await expect.poll(() => rows().length).toBeGreaterThan(1)
  })
})
