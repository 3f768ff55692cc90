import { grantedChains, type ProposalEvent } from '@latchkey/walletconnect'
import { dappName } from './dappName.ts'
import { errorText } from './errorText.ts'
import { grantNamespaces } from './grantNamespaces.ts'
import type { PendingConnect } from './requestQueue.ts'
import { requestTimeoutMs, type WalletContext } from './walletContext.ts'

/** Shows a page's request to connect. */
export function receiveConnectRequest(context: WalletContext, { id, topic, proposal, attested }: ProposalEvent): void {
  const { clock, networks, store } = context
  const key = `connect:${topic}:${id}`
  const from = proposal.proposer.metadata
  context.show({
    key,
    kind: 'connect',
    id,
    topic,
    from,
    proposal,
    grant: grantNamespaces(proposal, { account: store.get().account, networks }),
    expiresAt: (proposal.expiryTimestamp ?? 0) * 1000 || clock.now() + requestTimeoutMs,
    state: { at: 'open' },
  })
  void context.verifyOrigin(key, attested, from)
}

/** Approves the request, which connects the page with the granted namespaces. */
export async function approveConnectRequest(context: WalletContext, request: PendingConnect): Promise<void> {
  const { responder, store, queue, pairing, connections } = context
  const { key, id, grant, from } = request
  if ('refused' in grant) return
  queue.update(key, { state: { at: 'doing' } })
  try {
    const session = await responder.approve(id, { namespaces: grant.granted })
    context.remove(key)
    context.refreshConnections()
    connections.look(session.topic, grantedChains(session.namespaces)[0] as string)
    store.toast('success', `Connected to ${dappName(from)}. You can go back to the page.`)
  } catch (error) {
    context.remove(key)
    pairing.fail(`${dappName(from)} is not connected. ${errorText(error)}`)
  }
}
