import { Button, Notice, Text } from '@latchkey/ui'
import { type Context, createContext, type ReactNode } from 'react'
import type { ApprovalWindowState } from '../approvals/approvalWindowState.ts'
import { t } from '../texts/translations.ts'

/** The state of an approval that continues in a window, and a function that opens the window. */
export interface ContinueParameters {
  readonly state: ApprovalWindowState
  readonly open: () => void
}

/**
 * Set in a frame. Requests cannot be approved in a frame, because the embedding page could crop or mask the frame without being
 * detected.
 */
export const ApprovalWindowContext: Context<ContinueParameters | undefined> = createContext<
  ContinueParameters | undefined
>(undefined)

/**
 * Renders the cancel button and a button that opens the approval window. Opening the window approves nothing, so the button is
 * not guarded.
 */
export function ContinueInWindowButtons({
  state,
  open,
  doing,
  onNo,
  text = 'request',
}: ContinueParameters & {
  readonly doing: boolean
  readonly onNo: () => void
  /** The purpose of the window. Defaults to an approval. */
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

/** Renders a message in which the host is isolated in its own text direction. */
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
