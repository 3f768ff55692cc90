import { frameTexts } from '@latchkey/protocol/frame/messages'
import type { KeysMe } from '@latchkey/protocol/http/keys'
import { postConnectionMe, postConnectionSignOut } from '@latchkey/protocol/http/keys/crossSite'
import type { CryptoEnvironment } from '@latchkey/vault'
import type { AccountSession } from '../accountSession.ts'
import type { CrossSiteCaller, CrossSiteFrame, FrameContext } from '../frameContext.ts'
import type { HandoverRequest, HandoverResponse, WindowConnection } from '../handover/handoverMessages.ts'
import { isKeysFailure, type KeysApiClient } from '../keysApiClient.ts'
import { PublicError } from '../publicError.ts'
import type { ServerClock } from '../serverClock.ts'
import type { EmbeddedWallet, OpenedWallet } from '../wallet/embeddedWallet.ts'
import { createConnectionStorage, createStoredText, type StorageWindow } from './connectionStorage.ts'
import { createWindowHandover, unwrapResponse } from './createWindowHandover.ts'

/** The dependencies of a cross-site frame. */
export interface CrossSiteFrameDependencies {
  readonly window: StorageWindow &
    Pick<Window, 'open' | 'setTimeout' | 'clearTimeout' | 'addEventListener' | 'removeEventListener'> & {
      readonly document: Document
    }
  readonly keysClient: KeysApiClient
  readonly environment: CryptoEnvironment
  readonly clock: Pick<ServerClock, 'set'>
  /** The origin of the embedding page. */
  readonly page: string
}

/** Creates the cross-site frame for one page. */
export function createCrossSiteFrame({
  window,
  keysClient,
  environment,
  clock,
  page,
}: CrossSiteFrameDependencies): CrossSiteFrame {
  const connectionStorage = createConnectionStorage(window, page)

  const session: AccountSession = {
    async me() {
      const connection = connectionStorage.get()
      if (!connection) return undefined
      try {
        const me = await keysClient(postConnectionMe, { body: { token: connection.token, page } })
        clock.set(me.now)
        // The token gives no access to the record, devices or passkeys.
        return { ...me, record: null, devices: [], passkeys: [] } satisfies KeysMe
      } catch (error) {
        if (!isKeysFailure(error, 'session/none')) throw error
        // A newer login might have replaced the connection during the request.
        if (connectionStorage.get()?.token === connection.token) connectionStorage.set(undefined)
        return undefined
      }
    },
    userName: () => undefined,
    resultUri: () => undefined,
    signedIn() {},
    async signOut() {
      const connection = connectionStorage.get()
      connectionStorage.set(undefined)
      if (connection) await keysClient(postConnectionSignOut, { body: { token: connection.token, page } })
    },
  }

  const wallet: EmbeddedWallet = {
    async open(me) {
      const connection = connectionStorage.get()
      if (connection?.userId !== me.user.id) throw new PublicError('Not signed in')
      return walletWithoutKeys(connection)
    },
    async loginWithPasskey() {
      throw new PublicError(loginInWindowMessage)
    },
    opened() {
      const connection = connectionStorage.get()
      return connection && walletWithoutKeys(connection)
    },
    lock() {},
  }

  const answerInWindow = async (
    context: FrameContext,
    request: HandoverRequest['action'],
    { origin, id }: CrossSiteCaller,
  ): Promise<Exclude<HandoverResponse, { kind: 'refused' }>> => {
    const question = (): HandoverRequest => ({
      version: 1,
      action: request,
      origin,
      theme: context.settings.theme(),
      language: window.document.documentElement.lang,
      accountType: context.settings.accountType('eip155'),
    })
    const handover = createWindowHandover({ window, keysClient, environment, question })
    try {
      const subject = { kind: 'window', origin, wants: request.kind, handover } as const
      return unwrapResponse(await context.approvals.ask({ id, subject, perform: () => handover.answer }))
    } catch (error) {
      // Do not report a request as rejected or aborted while the window is executing it.
      const isOver =
        !(error instanceof PublicError) ||
        ![frameTexts.rejected, frameTexts.aborted].some((text) => text === error.message)
      if (isOver || (await handover.takeBack())) throw error
      return unwrapResponse(await handover.answer)
    }
  }

  return {
    session,
    wallet,
    choices: createStoredText(window, `choices:${page}`),
    async connect(context, params, caller) {
      const request = { kind: 'connect', email: params?.email, provider: params?.provider } as const
      const response = await context.shared('window', () => answerInWindow(context, request, caller))
      if (response.kind !== 'connected') throw new PublicError('The window did not respond')
      connectionStorage.set(response.connection)
      return response.social
    },
    async request(context, request, caller) {
      const me = await session.me()
      const connection = connectionStorage.get()
      if (!me || !connection) throw new PublicError('Not signed in')
      const action = { kind: 'request', userId: connection.userId, email: connection.email, request } as const
      const response = await answerInWindow(context, action, caller)
      if (response.kind !== 'done') throw new PublicError('The window did not respond')
      const { batch, single } = response
      if (batch) context.batches.set(...(batch as [string, (typeof batch)[1]]))
      const after = connectionStorage.get()
      if (after && after.token === connection.token && after.single !== single)
        connectionStorage.set({ ...after, single })
      return response.result
    },
  }
}

/** The error message for login methods that are not available on a cross-site page. */
export const loginInWindowMessage = 'On this page, users log in through a wallet window: call CONNECT_WINDOW'

function walletWithoutKeys({ userId, addresses, single }: WindowConnection): OpenedWallet {
  return {
    userId,
    addresses,
    single,
    get vault(): never {
      throw new PublicError('The keys are only available in a window')
    },
    get protecting(): never {
      throw new PublicError('The keys are only available in a window')
    },
  }
}
