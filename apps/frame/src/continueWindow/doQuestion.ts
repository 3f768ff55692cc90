import { frameTexts } from '@latchkey/protocol/frame/messages'
import { getVaultConfig } from '@latchkey/protocol/http/vault'
import { postConnection } from '@latchkey/protocol/http/vaultWindow'
import type { Approvals } from '../approvals.ts'
import type { HandoverAnswer } from '../handover/messages.ts'
import type { House } from '../house.ts'
import { rpcRequest } from '../methods/rpcRequest.ts'
import type { Desk, SocialSignIn } from '../page/desk.ts'
import { Refusal } from '../refusal.ts'
import type { Batch } from '../requests/batch.ts'
import { createRpc } from '../rpc.ts'
import type { Settings } from '../settings.ts'
import { createShared } from '../shared.ts'
import type { Subject } from '../subject.ts'
import type { OpenWallet } from '../wallet.ts'
import { beginning } from './beginning.ts'
import type { TakenQuestion } from './takeQuestion.ts'

/** What doing a question takes. */
export interface Doing {
  readonly window: Window & typeof globalThis
  readonly desk: Desk
  readonly settings: Settings
  readonly taken: TakenQuestion
  readonly opened: OpenWallet
  /** How the person came in, where that was by a provider, for this very question. */
  readonly social?: SocialSignIn | undefined
}

/** Asks the person what the page asks, with their wallet open, and does it after a yes. Throws where they say no, or it does not work. */
export async function doQuestion(doing: Doing): Promise<HandoverAnswer> {
  const { desk, taken, opened, social } = doing
  const { asks, origin } = taken.question
  // From the yes on the frame does not take it back.
  const approvals = beginning(desk.approvals, taken)
  const { userId, addresses, single } = opened
  if (asks.kind === 'connect') {
    const email = (await desk.me())?.user.email ?? null
    return approvals.ask({
      subject: { kind: 'connect', origin, email, address: addresses.eip155 },
      perform: async (): Promise<HandoverAnswer> => {
        const { token } = await desk.parts.vault(postConnection, { body: { page: origin } })
        const { eip155, solana } = addresses
        const held = { token, userId, email, addresses: { eip155, solana }, single }
        return { kind: 'connected', held, ...(social && { social }) }
      },
    })
  }
  const batches = new Map<string, Batch>()
  const asker = { id: undefined, origin, byPort: true, signal: new AbortController().signal }
  const result = await rpcRequest(houseOf({ ...doing, approvals, batches }), asks.request, asker)
  const [batch] = batches
  return { kind: 'done', result, single: opened.single, ...(batch && { batch }) }
}

/** Whether the person, or the page, took back what was asked. */
export function isTakenBack(error: unknown): boolean {
  return error instanceof Refusal && (error.message === frameTexts.rejected || error.message === frameTexts.aborted)
}

function houseOf({
  window,
  desk,
  settings,
  approvals,
  batches,
}: Doing & { readonly approvals: Approvals<Subject>; readonly batches: Map<string, Batch> }): House {
  const { vault, store, session, wallet } = desk.parts
  return {
    vault,
    store,
    session,
    settings,
    approvals,
    batches,
    signIns: new Map(),
    shared: createShared(),
    // Nobody logs in by popup here.
    popups: { begin() {}, send() {}, isSent: () => false, result: () => new Promise(() => {}) },
    wallet: async () => wallet,
    rpc: createRpc({ fetch: (input, init) => window.fetch(input, init) }),
    // Permissions are given on pages of the same site: here each request has a window, and so a yes.
    config: async () => ({ ...(await vault(getVaultConfig)), smartSessions: false }),
    grants: () => Promise.reject(new Refusal('There are no permissions on this page')),
    visitor: async () => undefined,
    reload() {},
  }
}
