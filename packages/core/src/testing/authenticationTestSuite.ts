import { type AccountId, accountId, addressOf, chainOf, namespaceOf } from '@latchkey/protocol/caip'
import { writeMessage } from '@latchkey/siwx/message'
import type { AuthenticationAdapter, SignInFields, SignInSession } from '../signIn/signInTypes.ts'

/** The setup for testing an authentication adapter: the adapter, accounts that can sign, and its clock. */
export interface AuthenticationSubject {
  /** The adapter to test, without any sessions. */
  readonly authentication: AuthenticationAdapter
  /** An account, the same address on a second network, and a second address on the first network. */
  readonly accounts: readonly [account: AccountId, sameAddress: AccountId, otherAddress: AccountId]
  /** Signs with the account's key, in the encoding of its chain family. */
  sign(params: { readonly account: AccountId; readonly message: string }): Promise<string>
  /**
   * The sessions that the adapter stores: `each` for one session per account, or `newest` for back ends that store only the last
   * session.
   */
  readonly holds: 'each' | 'newest'
  /** Whether `setSessions` stores only one of several sessions. Defaults to `true` if `holds` is `newest`. */
  readonly setsOne?: boolean
  /** Advances the clock of the adapter and its back end. Omit it if sessions do not expire on their own. */
  pass?(ms: number): void | Promise<void>
  /** Cleans up. */
  close?(): void | Promise<void>
}

/** A requirement that every authentication adapter must meet. */
export interface AuthenticationCase {
  /** The requirement as a sentence, for the test's title. */
  readonly name: string
  /** Creates a subject, checks the requirement and cleans up. Rejects with an `Error` that describes the violation. */
  run(): Promise<void>
}

/** A time after which every session has expired. */
const longEnoughMs = 400 * 86_400_000

/**
 * Returns the requirements for authentication adapters as test cases for any runner. `make` is called for each test.
 *
 * @example
 * for (const { name, run } of authenticationTestSuite(make)) test(name, run)
 */
export function authenticationTestSuite(
  make: () => AuthenticationSubject | Promise<AuthenticationSubject>,
): readonly AuthenticationCase[] {
  const requirement = (name: string, check: (subject: AuthenticationSubject) => Promise<void>): AuthenticationCase => ({
    name,
    async run() {
      const subject = await make()
      try {
        await check(subject)
      } finally {
        await subject.close?.()
      }
    },
  })

  return [
    requirement(
      'each message is for this page and contains a different nonce',
      async ({ authentication, accounts: [account] }) => {
        const requests = { account, chain: chainOf(account) }
        const [first, second, early] = await Promise.all([
          authentication.createMessage(requests),
          authentication.createMessage(requests),
          authentication.createMessage({ chain: requests.chain }),
        ])
        expect(new URL(first.uri).host === first.domain, `${first.uri} is not on ${first.domain}`)
        expect(new Set([first.nonce, second.nonce, early.nonce]).size === 3, 'a nonce was used twice')
        expect(/^[a-z0-9]{8,}$/i.test(first.nonce), `"${first.nonce}" is not at least 8 letters and digits`)
      },
    ),
    requirement('the account that signed is signed in', async (subject) => {
      const [account] = subject.accounts
      await isSignedIn(subject, account, false)
      await signIn(subject, account)
      const [session] = await subject.authentication.getSessions(account)
      expect(session?.data.chainId === chainOf(account), `the session is for ${session?.data.chainId}`)
      expect(
        session.data.accountAddress.toLowerCase() === addressOf(account).toLowerCase(),
        `the session is for ${session.data.accountAddress}`,
      )
    }),
    requirement('EVM addresses are compared case-insensitively, but other addresses are not', async (subject) => {
      const [account] = subject.accounts
      await signIn(subject, account)
      const isEvm = namespaceOf(account) === 'eip155'
      await isSignedIn(subject, accountId(chainOf(account), addressOf(account).toLowerCase()), isEvm)
    }),
    requirement('signing in on one network does not sign the account in on a different network', async (subject) => {
      const [account, sameAddress] = subject.accounts
      await signIn(subject, account)
      await isSignedIn(subject, sameAddress, false)
      await isSignedIn(subject, account)
    }),
    requirement('signing in with one account does not sign a different account in', async (subject) => {
      const [account, , otherAddress] = subject.accounts
      await signIn(subject, account)
      await isSignedIn(subject, otherAddress, false)
    }),
    requirement('messages that are created concurrently are all valid', async (subject) => {
      const [account, , otherAddress] = subject.accounts
      const [first, second] = await Promise.all([propose(subject, account), propose(subject, otherAddress)])
      await subject.authentication.addSession(first)
      await subject.authentication.addSession(second)
      await isSignedIn(subject, otherAddress)
    }),
    requirement('a new session does not remove other accounts’ sessions', async (subject) => {
      const { accounts, holds } = subject
      for (const account of accounts) await signIn(subject, account)
      const held = holds === 'each' ? accounts : accounts.slice(-1)
      for (const account of held) await isSignedIn(subject, account)
    }),
    requirement('revoking a session removes only that session', async (subject) => {
      const [first, sameAddress, otherAddress] = subject.accounts
      const all = subject.holds === 'each' ? [first, sameAddress, otherAddress] : [otherAddress]
      for (const account of all) await signIn(subject, account)
      await subject.authentication.revokeSession(first)
      for (const account of all) if (account !== first) await isSignedIn(subject, account)
      await subject.authentication.revokeSession(otherAddress)
      await isSignedIn(subject, otherAddress, false)
      if (subject.holds === 'each') await isSignedIn(subject, sameAddress)
    }),
    requirement(
      'revoking a session that does not exist does not fail',
      async ({ authentication, accounts: [account] }) => {
        await Promise.all([authentication.revokeSession(account), authentication.revokeSession(account)])
      },
    ),
    requirement('a signature from a different account is rejected and does not change any session', async (subject) => {
      const [account, , otherAddress] = subject.accounts
      await signIn(subject, account)
      const { data, message } = await propose(subject, otherAddress)
      const signature = await subject.sign({ account, message })
      await rejects(
        subject.authentication.addSession({ data, message, signature }),
        'the signature of another account was accepted',
      )
      await isSignedIn(subject, account)
      await isSignedIn(subject, otherAddress, false)
    }),
    requirement('data that differs from the signed message is ignored', async (subject) => {
      const [account, , otherAddress] = subject.accounts
      const { data, ...signed } = await propose(subject, account)
      await subject.authentication
        .addSession({ data: { ...data, accountAddress: addressOf(otherAddress) }, ...signed })
        .catch(() => undefined)
      await isSignedIn(subject, otherAddress, false)
    }),
    requirement('a signature is valid for only one sign-in', async (subject) => {
      const [account] = subject.accounts
      const session = await propose(subject, account)
      await subject.authentication.addSession(session)
      await subject.authentication.revokeSession(account)
      await rejects(subject.authentication.addSession(session), 'a signature was accepted twice')
      await rejects(subject.authentication.setSessions([session]), 'a signature was accepted twice')
      await isSignedIn(subject, account, false)
    }),
    requirement(
      'setSessions() replaces all sessions, but changes nothing if a new session is invalid',
      async (subject) => {
        const { authentication, accounts, holds, setsOne = holds === 'newest' } = subject
        const [account, sameAddress, otherAddress] = accounts
        await signIn(subject, account)
        const good = await propose(subject, otherAddress)
        const bad = { ...good, signature: await subject.sign({ account, message: good.message }) }
        const other = await propose(subject, sameAddress)
        await rejects(authentication.setSessions(setsOne ? [bad] : [other, bad]), 'an invalid session was accepted')
        await isSignedIn(subject, account)

        const fresh = await propose(subject, otherAddress)
        await authentication.setSessions([fresh])
        await isSignedIn(subject, otherAddress)
        await isSignedIn(subject, account, false)
      },
    ),
    requirement('setSessions() with an empty list signs out all accounts', async (subject) => {
      const [account] = subject.accounts
      await signIn(subject, account)
      await subject.authentication.setSessions([])
      await isSignedIn(subject, account, false)
    }),
    requirement('a session expires', async (subject) => {
      const [account] = subject.accounts
      if (!subject.pass) return
      await signIn(subject, account)
      await subject.pass(longEnoughMs)
      await isSignedIn(subject, account, false)
    }),
  ]
}

/** Returns a signed session for `account` that has not been verified yet. */
async function propose({ authentication, sign }: AuthenticationSubject, account: AccountId): Promise<SignInSession> {
  const chain = chainOf(account)
  const words = await authentication.createMessage({ account, chain })
  const data: SignInFields = { ...words, chainId: chain, accountAddress: addressOf(account) }
  const message = await (authentication.writeMessage?.(data) ?? writeMessage(data))
  return { data, message, signature: await sign({ account, message }) }
}

async function signIn(subject: AuthenticationSubject, account: AccountId): Promise<void> {
  await subject.authentication.addSession(await propose(subject, account))
}

async function isSignedIn(
  { authentication }: AuthenticationSubject,
  account: AccountId,
  expected = true,
): Promise<void> {
  const { length } = await authentication.getSessions(account)
  expect(length > 0 === expected, `${account} is ${expected ? 'not ' : ''}signed in`)
}

async function rejects(attempt: Promise<unknown>, otherwise: string): Promise<void> {
  const failed = await attempt.then(
    () => false,
    () => true,
  )
  expect(failed, otherwise)
}

function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`The adapter violates a requirement: ${otherwise}.`)
}
