import { Button } from '@latchkey/ui'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { ContinueContext, ContinueInWindow } from './ContinueInWindow.tsx'
import { type MessageKey, t } from './messages.ts'
import type { PressKind } from './pressGuard.ts'
import { dwellMs, usePress, useVisibility, visibilityNotes } from './useApprovalGuards.ts'

/** What can follow from an approval. `unknown`: nobody can tell. `high`: more than what is on screen can be lost. */
export type ApprovalRisk = 'normal' | 'unknown' | 'high'

/** The risk of several things that are approved together. */
export function highestRisk(parts: readonly { readonly risk: ApprovalRisk }[]): ApprovalRisk {
  return (['high', 'unknown'] as const).find((risk) => parts.some((part) => part.risk === risk)) ?? 'normal'
}

/** What the two buttons of an approval need. */
export interface ApprovalButtonsProps {
  /** What the approving button is called; without it there is only the other. */
  readonly yes?: MessageKey | undefined
  /** [cancel, or close where there is no `yes`] */
  readonly no?: MessageKey | undefined
  /** [normal] `unknown` waits longer, `high` waits and asks a second time at another place. */
  readonly risk?: ApprovalRisk | undefined
  /** What is asked the second time. */
  readonly confirm?: MessageKey | undefined
  /** Something is missing before an approval means anything. */
  readonly notYet?: boolean
  readonly doing: boolean
  readonly onYes?: () => void
  readonly onNo: () => void
}

/**
 * Cancel and approve. An approval counts only from a person who has seen what decides, by a press that no stray click makes
 * (`visibilityGuard.ts`, `pressGuard.ts`). In a frame that a page shows there is no approving button, but one that continues in a window.
 */
export function ApprovalButtons(props: ApprovalButtonsProps): ReactNode {
  const elsewhere = useContext(ContinueContext)
  if (elsewhere && props.yes) return <ContinueInWindow {...elsewhere} doing={props.doing} onNo={props.onNo} />
  return <GuardedButtons {...props} />
}

function GuardedButtons({
  yes,
  no,
  risk = 'normal',
  confirm = 'confirmText',
  notYet = false,
  doing,
  onYes,
  onNo,
}: ApprovalButtonsProps): ReactNode {
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const second = useRef<HTMLButtonElement>(null)
  const [isConfirming, setConfirming] = useState(false)
  const [mustLeave, setMustLeave] = useState(false)
  const { guard, visibility } = useVisibility(root, isConfirming ? dwellMs.normal : dwellMs[risk])

  const approve = (kind: PressKind): void => {
    setMustLeave(false)
    // A finger leaves no way by which it came, and what presses for a person has none: they say it again at another place.
    if (isConfirming || (risk !== 'high' && kind !== 'touch' && kind !== 'assistive')) {
      onYes?.()
      return
    }
    setConfirming(true)
    // The second button waits for itself, from its first moment.
    guard.current?.restart(dwellMs.normal)
  }
  const pressing = { guard, isOff: notYet || doing, pressed: approve, mustLeave: setMustLeave }
  usePress(button, { ...pressing, isOff: pressing.isOff || isConfirming, key: yes })
  usePress(second, { ...pressing, key: isConfirming })
  useEffect(() => {
    // Spoken at once, and not yet on the button.
    if (isConfirming) root.current?.querySelector<HTMLElement>('.decide-confirm p')?.focus()
  }, [isConfirming])

  const isOff = notYet || visibility !== 'armed'
  const note = doing ? undefined : visibilityNotes[visibility]
  return (
    <div className="decide" ref={root}>
      {isConfirming && !doing && (
        <section className="decide-confirm" aria-label={t('confirmTitle')}>
          <p tabIndex={-1} className="decide-question">
            {t(confirm)}
          </p>
          <Button ref={second} kind="primary" data-guarded aria-disabled={isOff || undefined}>
            {t('confirm')}
          </Button>
        </section>
      )}
      <div data-single={yes ? undefined : true}>
        <Button wide onClick={onNo} disabled={doing} data-guarded>
          {t(no ?? (yes ? 'cancel' : 'close'))}
        </Button>
        {yes && (
          <Button
            ref={button}
            kind="primary"
            wide
            busy={doing}
            data-guarded
            aria-disabled={isOff || isConfirming || undefined}
          >
            {t(yes)}
          </Button>
        )}
      </div>
      {yes && <p role="status">{note ? t(note) : mustLeave && !doing ? t('approveLeave') : ' '}</p>}
    </div>
  )
}
