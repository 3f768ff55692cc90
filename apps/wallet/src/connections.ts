import type { Clock } from '@latchkey/protocol/clock'
import { read } from '@latchkey/protocol/parseWithSchema'
import { type Client, grantedChains, type KeyValueStorage, type Session, walletSessions } from '@latchkey/walletconnect'
import * as v from 'valibot'
import { errorText } from './errorText.ts'
import { accountsOn, addressOn } from './grantNamespaces.ts'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'

/** A connected page. */
export interface Connection {
  readonly session: Session
  /** The wallet account shown to the page. */
  readonly account: Account | undefined
  /** The page's active network (CAIP-2). */
  readonly chain: string | undefined
  /** Whether the page has yet to confirm a change. */
  readonly confirming: boolean
}

/** The connected pages, with methods to update them. */
export interface Connections {
  all(): readonly Connection[]
  /** Sets a page's active network. */
  look(topic: string, chain: string): void
  forget(topic: string): void
  /** Extends the session by seven days. Resolves to whether the page confirmed the extension. */
  extend(topic: string): Promise<boolean>
  /** Switches a page to a different account. */
  showAccount(topic: string, account: Account): Promise<void>
  /** Switches a page to a different network. */
  moveTo(topic: string, network: Network): Promise<void>
}

/** How long to wait for a page to confirm a change. */
const tellMs = 15_000

const lookSchema = v.object({ chain: v.string() })

/** Creates the connections for `client`. Calls `changed` after every change, and `failed` with a user-facing error message. */
export async function createConnections({
  client,
  records,
  accounts,
  clock,
  changed,
  failed,
}: {
  readonly client: Client
  readonly records: KeyValueStorage
  readonly accounts: readonly Account[]
  readonly clock: Clock
  readonly changed: () => void
  readonly failed: (sentence: string) => void
}): Promise<Connections> {
  const { update, extend, emit } = walletSessions(client.rpc, client.sessions)
  const looks = new Map<string, string>()
  const confirming = new Set<string>()
  for (const [key, value] of await records.list('look:')) {
    const stored = read(lookSchema, value)
    if (stored) looks.set(key.slice('look:'.length), stored.chain)
  }

  const shownAt = ({ namespaces }: Session): Account | undefined => {
    const granted = new Set(
      Object.values(namespaces).flatMap((namespace) => namespace.accounts.map((id) => id.toLowerCase())),
    )
    const chains = grantedChains(namespaces)
    return accounts.find((account) => accountsOn(account, chains).some((id) => granted.has(id.toLowerCase())))
  }

  /** Sends a change to a page. Resolves to whether the page confirmed it in time. A closed page receives the change later. */
  const confirm = async (topic: string, send: () => Promise<void>): Promise<boolean> => {
    confirming.add(topic)
    changed()
    const delivery = send().then(
      () => true,
      (error: unknown) => {
        failed(errorText(error))
        return false
      },
    )
    let cancel = (): void => {}
    const late = new Promise<undefined>((resolve) => {
      cancel = clock.after(tellMs, () => resolve(undefined))
    })
    const delivered = await Promise.race([delivery, late])
    cancel()
    confirming.delete(topic)
    changed()
    if (delivered === undefined) {
      failed('The page has not responded. It will be updated once it is open again.')
      void delivery.then(changed)
    }
    return delivered === true
  }

  const emitEvent = (topic: string, chain: string, name: string, data: unknown): Promise<void> =>
    emit(topic, chain, { name, data }).catch(() => {
      // Ignore the error, because the page might not have been granted this event.
    })

  const look = (topic: string, chain: string): void => {
    looks.set(topic, chain)
    void records.set(`look:${topic}`, { chain })
    changed()
  }

  return {
    all: () =>
      client.sessions.all().map((session) => {
        const chains = grantedChains(session.namespaces)
        const on = looks.get(session.topic)
        return {
          session,
          account: shownAt(session),
          chain: on && chains.includes(on) ? on : chains[0],
          confirming: confirming.has(session.topic),
        }
      }),
    look,
    forget(topic) {
      looks.delete(topic)
      void records.remove(`look:${topic}`)
    },
    extend: (topic) => confirm(topic, () => extend(topic)),

    async showAccount(topic, account) {
      const session = client.sessions.get(topic)
      if (!session) return
      const namespaces = Object.fromEntries(
        Object.entries(session.namespaces).map(([name, namespace]) => {
          const chains = grantedChains({ [name]: namespace })
          return [name, { ...namespace, accounts: accountsOn(account, chains) }]
        }),
      )
      if (!(await confirm(topic, () => update(topic, namespaces)))) return
      const chains = grantedChains(session.namespaces)
      for (const family of ['eip155:', 'solana:']) {
        const chain = chains.find((id) => id.startsWith(family))
        if (chain) await emitEvent(topic, chain, 'accountsChanged', [addressOn(account, chain)])
      }
    },

    async moveTo(topic, network) {
      const session = client.sessions.get(topic)
      if (!session) return
      const [family = ''] = network.id.split(':')
      if (!grantedChains(session.namespaces).includes(network.id)) {
        const granted = session.namespaces[family]
        const account = shownAt(session)
        if (!granted || !account) return
        const wider = {
          ...granted,
          chains: [...(granted.chains ?? []), network.id],
          accounts: [...granted.accounts, ...accountsOn(account, [network.id])],
        }
        if (!(await confirm(topic, () => update(topic, { ...session.namespaces, [family]: wider })))) return
      }
      look(topic, network.id)
      if (family === 'eip155')
        await emitEvent(topic, network.id, 'chainChanged', Number(network.id.slice('eip155:'.length)))
    },
  }
}
