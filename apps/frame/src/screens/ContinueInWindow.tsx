import { Button, Notice, Text } from '@latchkey/ui'
import { type Context, createContext, type ReactNode } from 'react'
import type { ApprovalWindowState } from '../approvalWindow/approvalWindowState.ts'
import { t } from './messages.ts'

/** How an approval is continued in a window. */
export interface ContinueParameters {
  readonly state: ApprovalWindowState
  readonly open: () => void
}

/** Set where approvals are not given: in a frame, which the page around it may crop or mask unseen by any browser. */
export const ContinueContext: Context<ContinueParameters | undefined> = createContext<ContinueParameters | undefined>(
  undefined,
)

/** Cancel, and the way to the window. The press approves nothing, so it may be given blindly. */
export function ContinueInWindow({
  state,
  open,
  doing,
  onNo,
  text = 'request',
}: ContinueParameters & {
  readonly doing: boolean
  readonly onNo: () => void
  /** What is done in the window. [an approval] */
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

/** A sentence with the host in its own direction. */
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
