import { join } from 'node:path'
import type { LocalChain, LoggedRequest } from '@latchkey/testing'
import { test as base, expect, type Page } from '@playwright/test'
import type { InjectedWallet } from './injectWallets.ts'

/** A Playwright worker's local environment. */
export interface World {
  readonly port: number
  readonly facts: {
    readonly demo: string
    readonly connect: string
    /** The URL of the WalletConnect relay. */
    readonly relay: string
    /** The origin of the embedded wallet's frame. */
    readonly keys: string
    /** The URL of the web wallet. */
    readonly wallet: string
    /** The URL of a local paymaster (ERC-7677). */
    readonly paymaster: string
    readonly chains: readonly [LocalChain, LocalChain]
    readonly solana: { readonly chainId: string; readonly url: string }
    readonly token: { readonly address: `0x${string}`; readonly symbol: string }
    /** The Uniswap exchange on the first chain. The environment starts without it if its bytecode could not be downloaded. */
    readonly exchange?: {
      readonly contracts: { readonly router: `0x${string}`; readonly wrappedNative: `0x${string}` }
      readonly tokens: Readonly<
        Record<'usdc' | 'usdt', { readonly address: `0x${string}`; readonly name: string; readonly symbol: string }>
      >
    }
    /** ENS on the first chain, and the domain of the names that the server registers. */
    readonly names?: {
      readonly zone: string
      readonly example: { readonly name: string; readonly address: `0x${string}` }
      readonly universalResolver: `0x${string}`
    }
    readonly accounts: readonly { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }[]
  }
}

/** A wallet to inject into the page. Fields that are omitted default to values for the first test account. */
export type WalletSetup = Partial<InjectedWallet> & { readonly name: string; readonly account?: number }

/** Controls an injected wallet from the test. */
export interface WalletController {
  script(order: string, ...args: readonly unknown[]): Promise<void>
  requests(): Promise<readonly LoggedRequest[]>
}

interface WorkerFixtures {
  world: World
}

interface Fixtures {
  /** The origin of the host pages. */
  pages: string
  /** Injects wallets into every document that the page loads. */
  withWallets: (...wanted: WalletSetup[]) => Promise<void>
  wallet: (name: string) => WalletController
  /** The console errors and warnings that the test expects. Any other error or warning fails the test. */
  allowedConsole: RegExp[]
  consoleCheck: undefined
}

/** Playwright's `test`, extended with the local environment, injected wallets and a check for unexpected console messages. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
    async ({}, use) => {
      await use(await requestWorld())
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  pages: async ({ world }, use) => {
    await use(`http://pages.demo.localhost:${world.port}`)
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) => {
    await use([])
  },
  consoleCheck: [
    async ({ page, allowedConsole }, use) => {
      const noise: string[] = []
      await page.addInitScript(() => {
        addEventListener('unhandledrejection', ({ reason }) =>
          console.error(`unhandled rejection: ${reason?.stack ?? reason}`),
        )
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`policy violation: ${violatedDirective} ${blockedURI}`),
        )
      })
      const watchConsole = (target: Page): void => {
        target.on('console', (message) => {
          if (message.type() === 'error' || message.type() === 'warning')
            noise.push(`${message.type()}: ${message.text()} ${message.location().url}`)
        })
        target.on('pageerror', (error) => noise.push(`page error: ${error.stack ?? error.message}`))
      }
      watchConsole(page)
      // Windows at `/approve` and `/continue` are also checked.
      page.context().on('page', (opened) => {
        opened
          .waitForURL(({ pathname }) => pathname === '/approve' || pathname === '/continue')
          .then(
            () => watchConsole(opened),
            () => undefined,
          )
      })
      await use(undefined)
      expect(noise.filter((line) => !allowedConsole.some((known) => known.test(line)))).toEqual([])
    },
    { auto: true },
  ],
  withWallets: async ({ page, world }, use) => {
    await use(async (...wanted) => {
      const wallets: InjectedWallet[] = wanted.map(({ account = 0, ...setup }) => ({
        accounts: [account, (account + 1) % 3].flatMap((at) => world.facts.accounts[at] ?? []),
        chains: world.facts.chains,
        remember: true,
        rdns: `test.${setup.name.toLowerCase().replace(/\W+/g, '-')}`,
        ...setup,
      }))
      await page.addInitScript({ path: join(import.meta.dirname, '../.pages/inject/inject.js') })
      await page.addInitScript((all) => {
        if (location.protocol.startsWith('http')) window.injectWallets(all)
      }, wallets)
    })
  },
  wallet: async ({ page }, use) => {
    await use((name) => ({
      script: (order, ...args) =>
        page.evaluate(
          ([who, what, how]) => {
            const script = window.wallets[who as string]?.script as unknown as Record<
              string,
              (...all: unknown[]) => void
            >
            script[what as string]?.(...(how as unknown[]))
          },
          [name, order, args] as const,
        ),
      requests: () =>
        page.evaluate((who) => JSON.parse(JSON.stringify(window.wallets[who]?.script.requests ?? [])), name),
    }))
  },
})

export { expect }

/** Resolves to the worker's local environment, which the first request starts. Meant for tests that do not use our fixtures. */
export async function requestWorld(): Promise<World> {
  const { LATCHKEY_WORLDS, TEST_PARALLEL_INDEX } = process.env
  const answer = await fetch(`${LATCHKEY_WORLDS}/${TEST_PARALLEL_INDEX}`)
  if (!answer.ok) throw new Error(`The local environment did not start: ${await answer.text()}`)
  return (await answer.json()) as World
}

/** Opens the modal with the page's own button and connects the wallet `name`. */
export async function connectWith(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await expect(accountButton(page)).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Returns the page's account button, which is visible once an account is connected. */
export function accountButton(page: Page): ReturnType<Page['getByRole']> {
  // The settings, which can still be closing, have rows that begin with the same word.
  return page.getByRole('button', { name: /^Account (?!name|type|settings)/ })
}

/** Presses Disconnect in the open account view until it takes effect. A click can miss it, because the prices above it move it when they load. */
export async function disconnect(page: Page): Promise<void> {
  const button = page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true })
  await expect(button).toBeVisible()
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 3_000 })
    await expect(button).toBeHidden({ timeout: 5_000 })
  }).toPass()
}
