import type { Send, SendReview, SendState, SendWarning } from '@latchkey/core'
import { Notice, Spinner, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { FeatureFallback } from '../useLazyFeature.tsx'
import type { Loaded } from '../useLazyModule.ts'
import type { SendReviewTranslator } from './useSendReviewTranslations.ts'

/**
 * Renders the warnings about a transfer. `notices` renders the serious ones, which the user must confirm. While it is loading,
 * the recipient is shown as still being checked.
 */
export function SendWarnings({
  send,
  state: { warnings, warningsConfirmed },
  notices: part,
  review,
  text,
}: {
  readonly send: Send
  readonly state: Pick<SendState, 'warnings' | 'warningsConfirmed'>
  readonly notices: Loaded<typeof import('./SendReviewNotices.tsx')>
  readonly review: SendReview
  readonly text: SendReviewTranslator
}): ReactNode {
  const notices = part.value
  const all = warnings.value ?? []
  const found = all.filter(({ isSerious }) => isSerious)
  const isMissing = found.length > 0 && !notices
  if (isMissing && part.failed) return <FeatureFallback access={part} />
  if (warnings.status === 'loading' || isMissing)
    return (
      <div className="send-party" role="status">
        <Spinner />
        <Text tone="soft">{text('review.checking')}</Text>
      </div>
    )
  const others = all.map(
    (warning) => !warning.isSerious && <Other key={keyOf(warning)} warning={warning} text={text} />,
  )
  if (found.length === 0 || !notices) return others
  return (
    <notices.SeriousWarnings send={send} warnings={found} isConfirmed={warningsConfirmed} review={review}>
      {others}
    </notices.SeriousWarnings>
  )
}

const keyOf = (warning: SendWarning): string => (warning.kind === 'unchecked' ? warning.what : warning.kind)

function Other({ warning, text }: { readonly warning: SendWarning; readonly text: SendReviewTranslator }): ReactNode {
  switch (warning.kind) {
    case 'contract':
      return <Notice kind="warning">{text('review.contract')}</Notice>
    case 'own-address':
      return <Notice>{text('review.own')}</Notice>
    case 'first-time':
      return <Notice>{text('review.firstTime')}</Notice>
    case 'only-in-history':
      return <Notice>{text('review.onlyInHistory')}</Notice>
    case 'unchecked':
      return (
        (warning.what === 'history' || warning.what === 'contract') && (
          <Notice>{text(`review.unchecked.${warning.what}`)}</Notice>
        )
      )
    // `RefusedToken` explains why a token cannot be sent. The other warnings are serious.
    default:
      return null
  }
}
