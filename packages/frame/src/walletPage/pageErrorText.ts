import { frameTexts } from '@latchkey/protocol/frame/messages'
import type { KeysFailure } from '@latchkey/protocol/http/keys'
import { KeyError } from '@latchkey/vault'
import { KeysServerError } from '../keysApiClient.ts'
import { publicErrorMessage } from '../publicError.ts'
import { type MessageKey, t } from '../texts/translations.ts'

/** Returns the message to display for an error on the wallet page. Known errors have a translated message. */
export function pageErrorText(error: unknown): string {
  if (error instanceof KeyError) return keyErrorText(error)
  if (error instanceof KeysServerError) {
    const { code, seconds = 30 } = error.failure
    return t(serverErrors[code] ?? 'errorUnknown', { seconds })
  }
  const message = publicErrorMessage(error)
  return message.startsWith(frameTexts.serverAway) ? t('errorUnreachable') : message
}

function keyErrorText({ code }: KeyError): string {
  if (code === 'vault/locked') return t('pageLocked')
  if (code === 'wrapper/last') return t('removeLast')
  if (code === 'wrapper/too-many') return t('pageTooMany')
  // The server's record is older than the last version seen, belongs to a different user, or was forged.
  return t(code === 'vault/conflict' ? 'pageConflict' : 'pageRecord')
}

const serverErrors: { readonly [Code in KeysFailure['code']]?: MessageKey } = {
  'email/invalid': 'errorEmail',
  'email/throttled': 'errorThrottled',
  'limit/reached': 'errorThrottled',
  'mail/failed': 'errorMail',
  'code/wrong': 'errorCode',
  'code/expired': 'errorCodeExpired',
  'approval/expired': 'errorLinkExpired',
  'session/none': 'errorSignedOut',
  'session/stale': 'errorSignedOut',
  'session/other-account': 'errorOtherAccount',
  'device/revoked': 'recoverRemoved',
  'handover/unknown': 'errorTooLong',
  'handover/taken': 'errorOtherWindow',
  'social/declined': 'errorDeclined',
  'social/failed': 'errorSignIn',
  'social/unknown-provider': 'errorNotOffered',
  'farcaster/unavailable': 'errorNotOffered',
  'farcaster/failed': 'errorSignIn',
  'passkey/refused': 'passkeyFailed',
}
