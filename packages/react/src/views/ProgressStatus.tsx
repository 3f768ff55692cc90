import { ProgressRing, type ProgressRingProps, Stack, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'

/** Props of `ProgressStatus`. */
export interface ProgressStatusProps {
  readonly state: ProgressRingProps['state']
  /** The logo inside the ring. */
  readonly logo: ReactNode
  readonly title: ReactNode
  /** Text, or nodes for several lines of text. */
  readonly body?: ReactNode
}

/** A logo in a progress ring with a status text. A failure is announced assertively to screen readers. */
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
