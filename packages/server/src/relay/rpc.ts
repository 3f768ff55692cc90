import { writeFrame } from '@latchkey/protocol/relay'
import type { RelayCalls } from '../ports.ts'
import { type Door, DoorError, greetingOf } from './door.ts'
import type { Mailboxes } from './mailbox.ts'
import { type Relay, relayLimits } from './relay.ts'

/** The relay for `POST /rpc`, where a refusal at the door is an error of JSON-RPC with its HTTP status. */
export function relayCalls({
  relay,
  door,
  mailboxes,
}: {
  relay: Pick<Relay, 'call'>
  door: Pick<Door, 'admit'>
  mailboxes: Pick<Mailboxes, 'ping' | 'isOutOfMemory'>
}): RelayCalls {
  return {
    bytes: relayLimits.frame,
    ping: () => mailboxes.ping(),
    isOutOfMemory: () => mailboxes.isOutOfMemory?.() ?? false,
    async call(request, address, read) {
      try {
        const guest = await door.admit(greetingOf(request, address))
        return { status: 200, body: await relay.call(guest, await read()) }
      } catch (error) {
        if (!(error instanceof DoorError)) throw error
        const { message, tag, status } = error
        return { status, body: writeFrame('null', { error: { code: -32000, message, data: tag } }) }
      }
    },
  }
}
