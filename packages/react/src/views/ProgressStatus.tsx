import { ProgressRing, type ProgressRingProps, Stack, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'

/** Props for `ProgressStatus`. */
export interface ProgressStatusProps {
  readonly state: ProgressRingProps['state']
  /** The logo inside the ring. */
  readonly logo: ReactNode
  readonly title: ReactNode
  /** A string, or React nodes for text with several lines. */
  readonly body?: ReactNode
}

/** Renders a logo in a progress ring, with a status text. Screen readers announce a failure immediately. */
export function ProgressStatus({ state, logo, title, body }: ProgressStatusProps): ReactNode {
  const failed = state === 'failed'
  return (
    <>
      <ProgressRing state={state}>{logo}</ProgressRing>
      <div role="status" aria-live={failed || state === 'unknown' ? 'assertive' : 'polite'}>
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
