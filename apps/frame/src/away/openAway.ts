import { frameTexts } from '@latchkey/protocol/frame/messages'
import type { VaultMe } from '@latchkey/protocol/http/vault'
import { postConnectionMe, postConnectionSignOut } from '@latchkey/protocol/http/vaultWindow'
import type { HandoverAnswer, HandoverQuestion, Held } from '../handover/messages.ts'
import type { Away, AwayAsker, House } from '../house.ts'
import type { CryptoEnvironment } from '../keys/environment.ts'
import { Refusal } from '../refusal.ts'
import type { ServerClock } from '../serverClock.ts'
import type { Session } from '../session.ts'
import { isVaultFailure, type VaultClient } from '../vaultClient.ts'
import type { OpenWallet, Wallet } from '../wallet.ts'
import { createHandover, resultOf } from './handover.ts'
import { createHolding, createKept, type HoldingWindow } from './holding.ts'

/** What it takes. */
export interface AwayNeeds {
  readonly window: HoldingWindow &
    Pick<Window, 'open' | 'setTimeout' | 'clearTimeout' | 'addEventListener' | 'removeEventListener'> & {
      readonly document: Document
    }
  readonly vault: VaultClient
  readonly environment: CryptoEnvironment
  readonly clock: Pick<ServerClock, 'heard'>
  /** The page that embeds us. */
  readonly page: string
}

/** Opens it for one page. */
export function openAway({ window, vault, environment, clock, page }: AwayNeeds): Away {
  const holding = createHolding(window, page)

  const session: Session = {
    async me() {
      const now = holding.get()
      if (!now) return undefined
      try {
        const me = await vault(postConnectionMe, { body: { token: now.token, page } })
        clock.heard(me.now)
        // The record, devices and passkeys are nothing that a token tells.
        return { ...me, record: null, devices: [], passkeys: [] } satisfies VaultMe
      } catch (error) {
        if (!isVaultFailure(error, 'session/none')) throw error
        // Another login may have come meanwhile.
        if (holding.get()?.token === now.token) holding.set(undefined)
        return undefined
      }
    },
    userName: () => undefined,
    cameBy: () => undefined,
    signedIn() {},
    async signOut() {
      const now = holding.get()
      holding.set(undefined)
      if (now) await vault(postConnectionSignOut, { body: { token: now.token, page } })
    },
  }

  const wallet: Wallet = {
    async open(me) {
      const now = holding.get()
      if (now?.userId !== me.user.id) throw new Refusal('Not signed in')
      return openOf(now)
    },
    async enter() {
      throw new Refusal(inWindow)
    },
    opened() {
      const now = holding.get()
      return now && openOf(now)
    },
    lock() {},
  }

  const handOver = async (
    house: House,
    asks: HandoverQuestion['asks'],
    { origin, id }: AwayAsker,
  ): Promise<Exclude<HandoverAnswer, { kind: 'refused' }>> => {
    const question = (): HandoverQuestion => ({
      version: 1,
      asks,
      origin,
      theme: house.settings.theme(),
      language: window.document.documentElement.lang,
      accountType: house.settings.accountType('eip155'),
    })
    const handover = createHandover({ window, vault, environment, question })
    try {
      const subject = { kind: 'window', origin, wants: asks.kind, handover } as const
      return resultOf(await house.approvals.ask({ id, subject, perform: () => handover.answer }))
    } catch (error) {
      // What the window is already doing is not called rejected or aborted.
      const isOver =
        !(error instanceof Refusal) || ![frameTexts.rejected, frameTexts.aborted].some((text) => text === error.message)
      if (isOver || (await handover.takeBack())) throw error
      return resultOf(await handover.answer)
    }
  }

  return {
    session,
    wallet,
    choices: createKept(window, `choices:${page}`),
    async connect(house, says, asker) {
      const asks = { kind: 'connect', email: says?.email, provider: says?.provider } as const
      const found = await house.shared('window', () => handOver(house, asks, asker))
      if (found.kind !== 'connected') throw new Refusal('The window gave no answer')
      holding.set(found.held)
      return found.social
    },
    async request(house, request, asker) {
      const me = await session.me()
      const now = holding.get()
      if (!me || !now) throw new Refusal('Not signed in')
      const asks = { kind: 'request', userId: now.userId, email: now.email, request } as const
      const found = await handOver(house, asks, asker)
      if (found.kind !== 'done') throw new Refusal('The window gave no answer')
      const { batch, single } = found
      if (batch) house.batches.set(...(batch as [string, (typeof batch)[1]]))
      const after = holding.get()
      if (after && after.token === now.token && after.single !== single) holding.set({ ...after, single })
      return found.result
    },
  }
}

/** What a page is told that asks for what only a window does. */
export const inWindow = 'On this page logging in is done in a window of the wallet: ask CONNECT_WINDOW'

function openOf({ userId, addresses, single }: Held): OpenWallet {
  return {
    userId,
    addresses,
    single,
    get vault(): never {
      throw new Refusal('The keys are in a window')
    },
    get protecting(): never {
      throw new Refusal('The keys are in a window')
    },
  }
}
