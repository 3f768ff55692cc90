import type { Send, SendState, SendWarning } from '@latchkey/core'
import { Checkbox, Notice, Spinner, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { AddressComparison } from './AddressComparison.tsx'
import type { SendReviewTranslator } from './useSendReviewTranslations.ts'

/** Renders the warnings about a transfer, and the checkbox for confirming the serious ones. */
export function SendWarnings({
  send,
  state: { warnings, warningsConfirmed },
  to,
  text,
}: {
  readonly send: Send
  readonly state: Pick<SendState, 'warnings' | 'warningsConfirmed'>
  readonly to: string
  readonly text: SendReviewTranslator
}): ReactNode {
  if (warnings.status === 'loading')
    return (
      <div className="send-party" role="status">
        <Spinner />
        <Text tone="soft">{text('review.checking')}</Text>
      </div>
    )
  const all = warnings.value ?? []
  const serious = all.filter(({ isSerious }) => isSerious)
  return (
    <>
      {all.map((warning) => (
        <Warning
          key={warning.kind === 'unchecked' ? warning.what : warning.kind}
          warning={warning}
          to={to}
          text={text}
        />
      ))}
      {serious.length > 0 && (
        <Checkbox checked={warningsConfirmed} onChange={send.confirmWarnings}>
          {text(serious.every(isOfToken) ? 'review.acknowledgeAmount' : 'review.acknowledge')}
        </Checkbox>
      )}
    </>
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
  readonly text: SendReviewTranslator
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
    case 'symbol':
      return (
        <Notice kind="error" title={text('review.symbol.title')}>
          {text.rich('review.symbol.body', { symbol: <bdi>{warning.symbol}</bdi> })}
        </Notice>
      )
    case 'similar-symbol':
      return (
        <Notice kind="warning">{text.rich('review.similarSymbol', { symbol: <bdi>{warning.symbol}</bdi> })}</Notice>
      )
    case 'contract-elsewhere':
      return <Notice kind="error">{text('review.contractElsewhere', { network: warning.network })}</Notice>
    case 'contract':
      return <Notice kind="warning">{text('review.contract')}</Notice>
    case 'own-address':
      return <Notice>{text('review.own')}</Notice>
    case 'first-time':
      return <Notice>{text('review.firstTime')}</Notice>
    case 'only-in-history':
      return <Notice>{text('review.onlyInHistory')}</Notice>
    case 'unchecked':
      return <Notice {...(warning.isSerious && { kind: 'warning' })}>{text(`review.unchecked.${warning.what}`)}</Notice>
    // The view shows why the transfer is refused.
    case 'decimals':
      return null
  }
}
