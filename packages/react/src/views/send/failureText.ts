import { formatUnits } from '@latchkey/protocol/amount'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { FeeCurrency } from './SendFee.tsx'
import type { SendTranslator } from './useSendTranslations.ts'

const known = [
  'recipient-minimum',
  'sender-minimum',
  'not-a-recipient',
  'no-token',
  'token-refuses',
  'decimals',
] as const

/** Returns why the network would not execute a transfer. `undefined` if the error is about something else. */
export function failureText(
  error: LatchkeyError,
  { text, currency, network }: { text: SendTranslator; currency: FeeCurrency; network: string },
): string | undefined {
  if (!isLatchkeyError(error, 'send/would-fail')) return undefined
  const { reason, minimum = '0' } = error.details
  const found = known.find((name) => name === reason)
  if (!found) return text('send.fail.node', { reason })
  const least = `${formatUnits(BigInt(minimum), currency.decimals)}\u2009${currency.symbol}`
  return text(`send.fail.${found}`, { network, minimum: least })
}
