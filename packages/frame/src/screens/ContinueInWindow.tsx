import { Button, Notice, Text } from '@latchkey/ui'
import { type Context, createContext, type ReactNode } from 'react'
import type { ApprovalWindowState } from '../approvalWindow/approvalWindowState.ts'
import { t } from './translations.ts'

/** The state of an approval that continues in a window, and how to open it. */
export interface ContinueParameters {
  readonly state: ApprovalWindowState
  readonly open: () => void
}

/** Set in frames, where approval is not possible: the embedding page could crop or mask a frame without the browser reporting it. */
export const ContinueContext: Context<ContinueParameters | undefined> = createContext<ContinueParameters | undefined>(
  undefined,
)

/** The cancel button, and a button that opens the approval window. The press approves nothing, so it needs no guard. */
export function ContinueInWindow({
  state,
  open,
  doing,
  onNo,
  text = 'request',
}: ContinueParameters & {
  readonly doing: boolean
  readonly onNo: () => void
  /** The purpose of the window. [an approval] */
  readonly text?: 'connect' | 'request'
}): ReactNode {
  const host = <bdi dir="ltr">{window.location.host}</bdi>
  return (
    <div className="decide">
      {state === 'blocked' && <Notice kind="warning">{t('windowBlocked')}</Notice>}
      <Button
        wide
        kind="primary"
        icon="external"
        busy={doing || state === 'opening'}
        onClick={(event) => {
          if (event.nativeEvent.isTrusted) open()
        }}
      >
        {t(state === 'open' || state === 'blocked' ? 'windowAgain' : 'windowContinue')}
      </Button>
      <Button wide onClick={onNo} disabled={doing}>
        {t('cancel')}
      </Button>
      <div role="status">
        <Text kind="label" tone="soft">
          <Filled
            sentence={t(state === 'open' ? 'windowOpen' : text === 'connect' ? 'awayWindowText' : 'windowText')}
            host={host}
          />
        </Text>
      </div>
    </div>
  )
}

/** A message with the host isolated in its own text direction. */
function Filled({ sentence, host }: { readonly sentence: string; readonly host: ReactNode }): ReactNode {
  const [before, after] = sentence.split('{host}')
  return (
    <>
      {before}
      {host}
      {after}
    </>
  )
}
