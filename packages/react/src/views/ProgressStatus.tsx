import { ProgressRing, type ProgressRingProps, Stack, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'

/** What is waited for. */
export interface ProgressStatusProps {
  readonly state: ProgressRingProps['state']
  /** What the ring goes around: a logo. */
  readonly logo: ReactNode
  readonly title: ReactNode
  /** A sentence, or more than one as they are to be drawn. */
  readonly body?: ReactNode
}

/** A ring around whom we wait for, and in words how it stands; a failure is spoken at once. */
export function ProgressStatus({ state, logo, title, body }: ProgressStatusProps): ReactNode {
  const failed = state === 'failed'
  return (
    <>
      <ProgressRing state={state}>{logo}</ProgressRing>
      <div role="status" aria-live={failed ? 'assertive' : 'polite'}>
        <Stack gap={4} align="center">
          <Text kind="row" tone={failed ? 'danger' : 'strong'}>
            {title}
          </Text>
          {typeof body === 'string' ? <Text tone="soft">{body}</Text> : body}
        </Stack>
      </div>
    </>
  )
}
