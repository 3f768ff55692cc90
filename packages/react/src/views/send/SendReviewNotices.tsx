import type { Send, SendReview, SendWarning } from '@latchkey/core'
import { Checkbox, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { exactAmount } from '../tokens/tokenAmounts.ts'
import { AddressComparison } from './AddressComparison.tsx'
import { sendFailureMessages } from './sendFailureMessages.ts'
import { sendWarningMessages } from './sendWarningMessages.ts'

export { FeeProblem } from './FeeProblem.tsx'

/** Renders the serious warnings about a transfer, then `children`, and the checkbox for confirming the warnings. */
export function SeriousWarnings({
  send,
  warnings,
  isConfirmed,
  review,
  children,
}: {
  readonly send: Send
  readonly warnings: readonly SendWarning[]
  readonly isConfirmed: boolean
  readonly review: SendReview
  readonly children?: ReactNode
}): ReactNode {
  const text = useTranslations(sendWarningMessages)
  return (
    <>
      {warnings.map((warning) => (
        <Warning
          key={warning.kind === 'unchecked' ? warning.what : warning.kind}
          warning={warning}
          review={review}
          text={text}
        />
      ))}
      {children}
      {warnings.length > 0 && (
        <Checkbox checked={isConfirmed} onChange={send.confirmWarnings}>
          {text(acknowledgementOf(warnings))}
        </Checkbox>
      )}
    </>
  )
}

/** Renders why a token cannot be sent: its contract reports a different symbol or number of decimals. */
export function RefusedToken({ warning }: { readonly warning: SendWarning }): ReactNode {
  const text = useTranslations(sendWarningMessages)
  const failureText = useTranslations(sendFailureMessages)
  return warning.kind === 'symbol' ? (
    <Notice kind="error" title={text('review.symbol.title')}>
      {text.rich('review.symbol.body', { symbol: <bdi>{warning.symbol}</bdi> })}
    </Notice>
  ) : (
    <Notice kind="error" title={failureText('send.fail.title')}>
      {failureText('send.fail.decimals')}
    </Notice>
  )
}

/** Returns the message key for the checkbox that confirms the warnings. */
function acknowledgementOf(warnings: readonly SendWarning[]): `review.acknowledge${'' | 'Amount' | 'Withheld'}` {
  if (warnings.every(isOfWithheld)) return 'review.acknowledgeWithheld'
  const isOfToken = warnings.every(({ kind }) => ['unchecked', 'similar-symbol', 'withheld'].includes(kind))
  return isOfToken ? 'review.acknowledgeAmount' : 'review.acknowledge'
}

/** Whether a warning is about the part of the amount that the token withholds. */
function isOfWithheld(warning: SendWarning): boolean {
  return warning.kind === 'withheld' || (warning.kind === 'unchecked' && warning.what === 'withheld')
}

function Warning({
  warning,
  review: { to, token },
  text,
}: {
  readonly warning: SendWarning
  readonly review: SendReview
  readonly text: Translator<Source & typeof sendWarningMessages>
}): ReactNode {
  switch (warning.kind) {
    case 'look-alike':
      return (
        <Notice kind="error" title={text('review.lookAlike.title')}>
          <p>{text(`review.lookAlike.${warning.relation}`)}</p>
          <AddressComparison
            addresses={[
              { label: text('review.lookAlike.this'), address: to },
              { label: text(`review.lookAlike.other.${warning.relation}`), address: warning.address },
            ]}
          />
          <p>{text('review.lookAlike.marked')}</p>
        </Notice>
      )
    case 'name-changed':
      return (
        <Notice kind="error" title={text('review.nameChanged.title')}>
          <p>{text('review.nameChanged.body')}</p>
          <AddressComparison
            addresses={[
              { label: text('review.lookAlike.this'), address: to },
              { label: text('review.lookAlike.other.sent'), address: warning.address },
            ]}
          />
        </Notice>
      )
    case 'zero-address':
      return (
        <Notice kind="error" title={text('review.zero.title')}>
          {text('review.zero.body')}
        </Notice>
      )
    case 'token-contract':
      return (
        <Notice kind="error" title={text('review.tokenContract.title')}>
          {text('review.tokenContract.body')}
        </Notice>
      )
    case 'repeat':
      return (
        <Notice kind="error" title={text('review.repeat.title')}>
          {text('review.repeat.body')}
        </Notice>
      )
    case 'checksum':
      return <Notice kind="error">{text('review.checksum')}</Notice>
    case 'similar-symbol':
      return (
        <Notice kind="warning">{text.rich('review.similarSymbol', { symbol: <bdi>{warning.symbol}</bdi> })}</Notice>
      )
    case 'contract-elsewhere':
      return <Notice kind="error">{text('review.contractElsewhere', { network: warning.network })}</Notice>
    case 'withheld':
      return (
        <Notice kind="warning">
          {text.rich('review.withheld', {
            withheld: <bdi>{exactAmount(warning.withheld, token, text.locale)}</bdi>,
            received: <bdi>{exactAmount(warning.received, token, text.locale)}</bdi>,
          })}
        </Notice>
      )
    case 'unchecked':
      // These are not serious, so `SendWarnings` renders them.
      if (warning.what === 'history' || warning.what === 'contract') return null
      return <Notice kind="warning">{text(`review.unchecked.${warning.what}`)}</Notice>
    default:
      return null
  }
}
