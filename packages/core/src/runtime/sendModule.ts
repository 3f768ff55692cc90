import { recentRecipients } from '../account/send/recentRecipients.ts'
import { createSend, type SendDependencies } from '../account/send/send.ts'
import { sendDraft } from '../account/send/sendDraft.ts'
import type { Send } from '../account/send/sendTypes.ts'
import type { Log } from '../lib/log.ts'
import { draftEntry } from '../storage/draftStorage.ts'
import type { RecordDependencies } from '../storage/storageEntry.ts'

/** Creates the form for sending tokens, with its draft and recent recipients in the browser's storage. */
export function createSendModule({
  storage,
  id,
  log,
  ...dependencies
}: Omit<SendDependencies, 'draft' | 'recent' | 'log'> & {
  readonly storage: RecordDependencies['storage']
  /** The `id` option of the instance. */
  readonly id: string | undefined
  readonly log: Pick<Log, 'info' | 'warn'>
}): Send {
  return createSend({
    ...dependencies,
    log,
    draft: draftEntry({ log, id }, 'send', sendDraft),
    recent: recentRecipients({ storage, log, id }),
  })
}
