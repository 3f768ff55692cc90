import { chainFromWire, frameTexts } from '@latchkey/protocol/frame/messages'
import { methodClass } from '@latchkey/protocol/frame/rpcMethods'
import { complaintAbout } from '@latchkey/protocol/frame/rpcSchemas'
import type { Method } from '../house.ts'
import { Refusal } from '../refusal.ts'
import { isServed } from '../settings.ts'

/** A wallet request: read, asked about on a screen of ours, or refused. */
export const rpcRequest: Method<'RPC_REQUEST'> = async (house, says, asker) => {
  const { method, params } = says
  const kind = methodClass(method)
  if (kind === 'refused') throw new Refusal(frameTexts.notAllowed)
  const complaint = complaintAbout(method, params)
  if (complaint) throw new Refusal(complaint)

  const family = says.chainNamespace ?? (method.startsWith('solana_') ? 'solana' : 'eip155')
  const chain = says.chainId === undefined ? house.settings.chain(family) : chainFromWire(says.chainId, family)
  if (!chain || !isServed(chain)) throw new Refusal('This network is not supported')
  const { away } = house
  // They are kept by the frame, which keeps nothing here: no visitor is led to a window for a refusal.
  if (away && /^wallet_(grant|revoke)Permissions$/.test(method)) throw new Refusal(frameTexts.notAllowed)
  if (away && kind === 'unsafe')
    return house.approvals.during(asker.id, async (approvals) =>
      (await away()).request(
        { ...house, approvals },
        { method, params, chainId: chain, chainNamespace: family },
        asker,
      ),
    )
  const asked = { id: asker.id, origin: asker.origin, chain, method, params }
  if (kind === 'safe') return (await import('../requests/read.ts')).read(house, asked)
  // From the first moment, so that what the page takes back, or signs out of, while it is being prepared is never asked.
  return house.approvals.during(asker.id, async (approvals) =>
    (await import('../requests/approve.ts')).approve({ ...house, approvals }, asked),
  )
}
