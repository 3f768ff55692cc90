import { addressOf, chainOf, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter, Connector, Session } from '../adapter.ts'

/**
 * The setup for testing an adapter: the adapter on a page with a wallet that approves requests, and functions that control the
 * wallet.
 */
export interface AdapterSubject<N extends Namespace = Namespace> {
  /** The adapter to test, not yet connected. */
  readonly adapter: Adapter<N>
  /** The `id` of the wallet's connector. */
  readonly connectorId: string
  /** Makes the wallet reject all further requests. */
  refuse(): void
  /** Makes the wallet revoke this page's authorization, so that a silent connection must fail. */
  forget(): void
  /** Makes the wallet switch to a different account. Omit it if the wallet cannot switch accounts. */
  changeAccount?(): void
  /** Makes the wallet switch to a different chain. Omit it if the wallet cannot switch chains. */
  changeChain?(): void
  /** Cleans up the page. */
  close?(): void | Promise<void>
}

/** A requirement that every adapter must meet. */
export interface AdapterCase {
  /** The requirement as a sentence, for the test's title. */
  readonly name: string
  /** Creates a subject, checks the requirement and cleans up. Rejects with an `Error` that describes the violation. */
  run(): Promise<void>
}

/**
 * Returns the requirements for adapters as test cases for any runner. `make` is called for each test.
 *
 * @example
 * for (const { name, run } of adapterTestSuite(() => ({ adapter, connectorId, refuse, forget }))) test(name, run)
 */
export function adapterTestSuite<N extends Namespace>(
  make: () => AdapterSubject<N> | Promise<AdapterSubject<N>>,
): readonly AdapterCase[] {
  const requirement = (
    name: string,
    check: (subject: AdapterSubject<N>, signal: AbortSignal) => Promise<void>,
  ): AdapterCase => ({
    name,
    async run() {
      const subject = await make()
      const page = new AbortController()
      try {
        await check(subject, page.signal)
      } finally {
        page.abort()
        await subject.close?.()
      }
    },
  })
  const connected = async (subject: AdapterSubject<N>, signal: AbortSignal): Promise<Session<N>> =>
    (await appearing(subject, signal)).connect({ signal })

  return [
    requirement('all networks have the adapter’s namespace', async ({ adapter }) => {
      for (const { chainNamespace, caipNetworkId } of adapter.networks) {
        expect(chainNamespace === adapter.namespace, `${caipNetworkId} has the namespace ${chainNamespace}`)
        expect(namespaceOf(caipNetworkId) === adapter.namespace, `${caipNetworkId} is not in ${adapter.namespace}`)
      }
    }),
    requirement('a discovered wallet has an ID, a name and the adapter’s namespace', async (subject, signal) => {
      const connector = await appearing(subject, signal)
      expect(connector.name !== '', 'the connector has no name')
      expect(
        connector.namespace === subject.adapter.namespace,
        `the connector has the namespace ${connector.namespace}`,
      )
      expect(
        /^(https:|data:image\/|$)/.test(connector.icon ?? ''),
        'the icon is neither an https URL nor an image data URL',
      )
    }),
    requirement('no wallets are reported after discovery is aborted', async ({ adapter }) => {
      const page = new AbortController()
      page.abort()
      let found = 0
      adapter.discover(() => found++, page.signal)
      await turn()
      expect(found === 0, `${found} connectors were reported`)
    }),
    requirement('connecting returns accounts on the session’s chain', async (subject, signal) => {
      const session = await connected(subject, signal)
      expect(session.accounts.length > 0, 'the session has no account')
      for (const account of session.accounts) {
        expect(chainOf(account) === session.chain, `${account} is not on ${session.chain}`)
        expect(addressOf(account) !== '', 'an account has no address')
      }
    }),
    requirement('connect() rejects with user/rejected if the user declines', async (subject, signal) => {
      const connector = await appearing(subject, signal)
      subject.refuse()
      const error = await failureOf(connector.connect({ signal }))
      expect(isLatchkeyError(error, 'user/rejected'), `connect failed with ${String(error)}`)
    }),
    requirement(
      'a silent connection rejects with wallet/not-authorized if the page is not authorized',
      async (subject, signal) => {
        const connector = await appearing(subject, signal)
        subject.forget()
        const error = await failureOf(connector.connect({ silent: true, signal }))
        expect(isLatchkeyError(error, 'wallet/not-authorized'), `the silent connect failed with ${String(error)}`)
      },
    ),
    requirement('an account change emits an event and updates the session', async (subject, signal) => {
      if (!subject.changeAccount) return
      const session = await connected(subject, signal)
      const [before] = session.accounts
      const changed = new Promise<readonly string[]>((resolve) => session.on('accounts', resolve))
      subject.changeAccount()
      const [account] = await changed
      expect(account !== before && account === session.accounts[0], `the session’s account is ${session.accounts[0]}`)
    }),
    requirement('a chain change emits an event and updates the accounts', async (subject, signal) => {
      if (!subject.changeChain) return
      const session = await connected(subject, signal)
      const before = session.chain
      const changed = new Promise<string>((resolve) => session.on('chain', resolve))
      subject.changeChain()
      const chain = await changed
      expect(chain !== before && chain === session.chain, `the session’s chain is ${session.chain}`)
      expect(chainOf(session.accounts[0]) === chain, `the account stayed on ${session.accounts[0]}`)
    }),
    requirement('a disconnected session emits no events', async (subject, signal) => {
      const session = await connected(subject, signal)
      let events = 0
      session.on('accounts', () => events++)
      session.on('chain', () => events++)
      await session.disconnect()
      subject.changeAccount?.()
      subject.changeChain?.()
      await turn()
      expect(events === 0, `${events} events were emitted after disconnecting`)
    }),
  ]
}

function appearing<N extends Namespace>(subject: AdapterSubject<N>, signal: AbortSignal): Promise<Connector<N>> {
  return new Promise((resolve) => {
    subject.adapter.discover((connector) => {
      if (connector.id === subject.connectorId) resolve(connector)
    }, signal)
  })
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => new Error('the promise was fulfilled'),
    (error: unknown) => error,
  )
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

function expect(truth: boolean, otherwise: string): asserts truth {
  if (!truth) throw new Error(`The adapter violates a requirement: ${otherwise}.`)
}
