import { Button } from '@latchkey/ui'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { PressKind } from '../guards/pressTarget.ts'
import { dwellMs, usePress, useVisibility, visibilityNotes } from '../guards/useApprovalGuards.ts'
import { type MessageKey, t } from '../texts/translations.ts'
import { ApprovalWindowContext, ContinueInWindowButtons } from './ContinueInWindowButtons.tsx'

/**
 * The risk of an approval. `unknown` means that the effect cannot be determined, and `high` means that the user can lose more
 * than is shown.
 */
export type ApprovalRisk = 'normal' | 'unknown' | 'high'

/** Returns the highest risk among several parts that are approved together. */
export function highestRisk(parts: readonly { readonly risk: ApprovalRisk }[]): ApprovalRisk {
  return (['high', 'unknown'] as const).find((risk) => parts.some((part) => part.risk === risk)) ?? 'normal'
}

/** Props for `ApprovalButtons`. */
export interface ApprovalButtonsProps {
  /** The label of the approve button. If absent, only the cancel button is shown. */
  readonly yes?: MessageKey | undefined
  /** The label of the cancel button. Defaults to "cancel", or to "close" if `yes` is absent. */
  readonly no?: MessageKey | undefined
  /**
   * The risk. `unknown` and `high` require a longer wait. `high` also requires a second press at a different position. Defaults
   * to `normal`.
   */
  readonly risk?: ApprovalRisk | undefined
  /** The question shown for the second press. */
  readonly confirm?: MessageKey | undefined
  /** Disables the approve button while required data is missing. */
  readonly notYet?: boolean
  readonly doing: boolean
  readonly onYes?: () => void
  readonly onNo: () => void
}

/**
 * Renders the cancel and approve buttons. A press only counts if the required content has been visible and the press was
 * deliberate (`visibilityGuard.ts`, `pressGuard.ts`). In an embedded frame, the approve button is replaced by a button that opens
 * a window.
 */
export function ApprovalButtons(props: ApprovalButtonsProps): ReactNode {
  const elsewhere = useContext(ApprovalWindowContext)
  if (elsewhere && props.yes) return <ContinueInWindowButtons {...elsewhere} doing={props.doing} onNo={props.onNo} />
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
    // Touch and assistive technology have no pointer path that could be checked, so they require a second press at a different
    // position.
    if (isConfirming || (risk !== 'high' && kind !== 'touch' && kind !== 'assistive')) {
      onYes?.()
      return
    }
    setConfirming(true)
    // The second button has its own waiting time.
    guard.current?.restart(dwellMs.normal)
  }
  const pressing = { guard, isOff: notYet || doing, pressed: approve, mustLeave: setMustLeave }
  usePress(button, { ...pressing, isOff: pressing.isOff || isConfirming, key: yes })
  usePress(second, { ...pressing, key: isConfirming })
  useEffect(() => {
    // Focus moves to the question instead of the button, so that screen readers announce the question immediately.
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
