import type { Send, SendWarning } from '@latchkey/core'
import { Checkbox, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { AddressComparison } from './AddressComparison.tsx'
import { sendFailureMessages } from './sendFailureMessages.ts'
import { sendWarningMessages } from './sendWarningMessages.ts'

export { FeeProblem } from './FeeProblem.tsx'

/** Renders the serious warnings about a transfer, then `children`, and the checkbox for confirming the warnings. */
export function SeriousWarnings({
  send,
  warnings,
  isConfirmed,
  to,
  children,
}: {
  readonly send: Send
  readonly warnings: readonly SendWarning[]
  readonly isConfirmed: boolean
  readonly to: string
  readonly children?: ReactNode
}): ReactNode {
  const text = useTranslations(sendWarningMessages)
  return (
    <>
      {warnings.map((warning) => (
        <Warning
          key={warning.kind === 'unchecked' ? warning.what : warning.kind}
          warning={warning}
          to={to}
          text={text}
        />
      ))}
      {children}
      {warnings.length > 0 && (
        <Checkbox checked={isConfirmed} onChange={send.confirmWarnings}>
          {text(warnings.every(isOfToken) ? 'review.acknowledgeAmount' : 'review.acknowledge')}
        </Checkbox>
      )}
    </>
  )
}

/** Renders why a token is not sent: its contract does not match the displayed balance or symbol. */
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

/** Whether a warning is about the token instead of the recipient. */
const isOfToken = ({ kind }: SendWarning): boolean => kind === 'unchecked' || kind === 'similar-symbol'

function Warning({
  warning,
  to,
  text,
}: {
  readonly warning: SendWarning
  readonly to: string
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
    case 'unchecked':
      return (
        <Notice kind="warning">
          {text(warning.what === 'symbol' ? 'review.unchecked.symbol' : 'review.unchecked.decimals')}
        </Notice>
      )
    default:
      return null
  }
}
