import type { AuditEntry, AuditEvent } from '@latchkey/protocol/http/keys'
import { type MessageKey, t } from '../texts/translations.ts'

const messageKeys: Readonly<Record<AuditEvent, MessageKey>> = {
  'account-made': 'auditAccountMade',
  'signed-in-by-email': 'auditByEmail',
  'signed-in-by-social': 'auditBySocial',
  'signed-in-by-passkey': 'auditByPasskey',
  'signed-in-by-farcaster': 'auditByFarcaster',
  'signed-out': 'auditSignedOut',
  'signed-out-everywhere': 'auditSignedOutEverywhere',
  'code-refused': 'auditCodeRefused',
  'device-approved': 'auditDeviceApproved',
  'device-added': 'auditDeviceAdded',
  'device-removed': 'auditDeviceRemoved',
  'half-given': 'auditOpened',
  'half-refused': 'auditRefused',
  'vault-made': 'auditVaultMade',
  'vault-changed': 'auditVaultChanged',
  'passkey-added': 'auditPasskeyAdded',
  'passkey-removed': 'auditPasskeyRemoved',
  'email-change-asked': 'auditEmailAsked',
  'email-changed': 'auditEmailChanged',
  'transfer-asked': 'auditTransferAsked',
  'transfer-sealed': 'auditTransferSealed',
  'transfer-refused': 'auditTransferRefused',
}

/** Returns the description of an audit entry. */
export function auditEntryText({ event, about }: Pick<AuditEntry, 'event' | 'about'>): string {
  return t(messageKeys[event], { about: about ?? '' }).trim()
}

/** Whether an entry should be highlighted as a warning. */
export function isWarning({ event }: Pick<AuditEntry, 'event'>): boolean {
  return event === 'code-refused' || event === 'half-refused' || event === 'transfer-refused'
}
