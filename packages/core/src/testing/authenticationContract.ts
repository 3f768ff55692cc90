import { type AccountId, accountId, addressOf, chainOf, namespaceOf } from '@latchkey/protocol/caip'
import { writeMessage } from '@latchkey/siwx/message'
import type { AuthenticationAdapter, SignInFields, SignInSession } from '../signIn/signInTypes.ts'

/** The setup for testing an authentication adapter: the adapter, accounts that can sign, and its clock. */
export interface AuthenticationSubject {
  /** The adapter to test, without any sessions. */
  readonly authentication: AuthenticationAdapter
  /** An account, the same address on a second network, and a second address on the first network. */
  readonly accounts: readonly [one: AccountId, elsewhere: AccountId, neighbour: AccountId]
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
 * for (const { name, run } of authenticationContract(make)) test(name, run)
 */
export function authenticationContract(
  make: () => AuthenticationSubject | Promise<AuthenticationSubject>,
): readonly AuthenticationCase[] {
  const contract = (name: string, check: (subject: AuthenticationSubject) => Promise<void>): AuthenticationCase => ({
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
    contract(
      'each message is for this page and contains a different nonce',
      async ({ authentication, accounts: [account] }) => {
        const requests = { account, chain: chainOf(account) }
        const [one, other, early] = await Promise.all([
          authentication.createMessage(requests),
          authentication.createMessage(requests),
          authentication.createMessage({ chain: requests.chain }),
        ])
        expect(new URL(one.uri).host === one.domain, `${one.uri} is not on ${one.domain}`)
        expect(new Set([one.nonce, other.nonce, early.nonce]).size === 3, 'a nonce was used twice')
        expect(/^[a-z0-9]{8,}$/i.test(one.nonce), `"${one.nonce}" is not at least 8 letters and digits`)
      },
    ),
    contract('the account that signed is signed in', async (subject) => {
      const [one] = subject.accounts
      await isSignedIn(subject, one, false)
      await signIn(subject, one)
      const [session] = await subject.authentication.getSessions(one)
      expect(session?.data.chainId === chainOf(one), `the session is for ${session?.data.chainId}`)
      expect(
        session.data.accountAddress.toLowerCase() === addressOf(one).toLowerCase(),
        `the session is for ${session.data.accountAddress}`,
      )
    }),
    contract('EVM addresses are compared case-insensitively, but other addresses are not', async (subject) => {
      const [one] = subject.accounts
      await signIn(subject, one)
      const isEvm = namespaceOf(one) === 'eip155'
      await isSignedIn(subject, accountId(chainOf(one), addressOf(one).toLowerCase()), isEvm)
    }),
    contract('signing in on one network does not sign the account in on a different network', async (subject) => {
      const [one, elsewhere] = subject.accounts
      await signIn(subject, one)
      await isSignedIn(subject, elsewhere, false)
      await isSignedIn(subject, one)
    }),
    contract('signing in with one account does not sign a different account in', async (subject) => {
      const [one, , neighbour] = subject.accounts
      await signIn(subject, one)
      await isSignedIn(subject, neighbour, false)
    }),
    contract('messages that are created concurrently are all valid', async (subject) => {
      const [one, , neighbour] = subject.accounts
      const [first, second] = await Promise.all([propose(subject, one), propose(subject, neighbour)])
      await subject.authentication.addSession(first)
      await subject.authentication.addSession(second)
      await isSignedIn(subject, neighbour)
    }),
    contract('a new session does not remove other accounts’ sessions', async (subject) => {
      const { accounts, holds } = subject
      for (const account of accounts) await signIn(subject, account)
      const held = holds === 'each' ? accounts : accounts.slice(-1)
      for (const account of held) await isSignedIn(subject, account)
    }),
    contract('revoking a session removes only that session', async (subject) => {
      const [one, elsewhere, neighbour] = subject.accounts
      const all = subject.holds === 'each' ? [one, elsewhere, neighbour] : [neighbour]
      for (const account of all) await signIn(subject, account)
      await subject.authentication.revokeSession(one)
      for (const account of all) if (account !== one) await isSignedIn(subject, account)
      await subject.authentication.revokeSession(neighbour)
      await isSignedIn(subject, neighbour, false)
      if (subject.holds === 'each') await isSignedIn(subject, elsewhere)
    }),
    contract('revoking a session that does not exist does not fail', async ({ authentication, accounts: [one] }) => {
      await Promise.all([authentication.revokeSession(one), authentication.revokeSession(one)])
    }),
    contract('a signature from a different account is rejected and does not change any session', async (subject) => {
      const [one, , neighbour] = subject.accounts
      await signIn(subject, one)
      const { data, message } = await propose(subject, neighbour)
      const signature = await subject.sign({ account: one, message })
      await rejects(
        subject.authentication.addSession({ data, message, signature }),
        'the signature of another account was accepted',
      )
      await isSignedIn(subject, one)
      await isSignedIn(subject, neighbour, false)
    }),
    contract('data that differs from the signed message is ignored', async (subject) => {
      const [one, , neighbour] = subject.accounts
      const { data, ...signed } = await propose(subject, one)
      await subject.authentication
        .addSession({ data: { ...data, accountAddress: addressOf(neighbour) }, ...signed })
        .catch(() => undefined)
      await isSignedIn(subject, neighbour, false)
    }),
    contract('a signature is valid for only one sign-in', async (subject) => {
      const [one] = subject.accounts
      const session = await propose(subject, one)
      await subject.authentication.addSession(session)
      await subject.authentication.revokeSession(one)
      await rejects(subject.authentication.addSession(session), 'a signature was accepted twice')
      await rejects(subject.authentication.setSessions([session]), 'a signature was accepted twice')
      await isSignedIn(subject, one, false)
    }),
    contract(
      'setSessions() replaces all sessions, but changes nothing if a new session is invalid',
      async (subject) => {
        const { authentication, accounts, holds, setsOne = holds === 'newest' } = subject
        const [one, elsewhere, neighbour] = accounts
        await signIn(subject, one)
        const good = await propose(subject, neighbour)
        const bad = { ...good, signature: await subject.sign({ account: one, message: good.message }) }
        const other = await propose(subject, elsewhere)
        await rejects(authentication.setSessions(setsOne ? [bad] : [other, bad]), 'an invalid session was accepted')
        await isSignedIn(subject, one)

        const fresh = await propose(subject, neighbour)
        await authentication.setSessions([fresh])
        await isSignedIn(subject, neighbour)
        await isSignedIn(subject, one, false)
      },
    ),
    contract('setSessions() with an empty list signs out all accounts', async (subject) => {
      const [one] = subject.accounts
      await signIn(subject, one)
      await subject.authentication.setSessions([])
      await isSignedIn(subject, one, false)
    }),
    contract('a session expires', async (subject) => {
      const [one] = subject.accounts
      if (!subject.pass) return
      await signIn(subject, one)
      await subject.pass(longEnoughMs)
      await isSignedIn(subject, one, false)
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
  if (!holds) throw new Error(`The adapter violates the authentication contract: ${otherwise}.`)
}
