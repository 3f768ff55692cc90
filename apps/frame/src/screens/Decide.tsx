import { Button } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Sight, type SightWatch, watchSight } from './sight.ts'
import { say, type Word } from './words.ts'

/** What the two buttons need. */
export interface DecideProps {
  /** What yes is called; without it there is only no. */
  readonly yes?: Word | undefined
  /** [cancel, or close where there is no yes] */
  readonly no?: Word | undefined
  /** There is something to wait for before a yes means anything. */
  readonly notYet?: boolean
  readonly doing: boolean
  readonly onYes?: () => void
  readonly onNo: () => void
}

/**
 * No and yes. A yes counts only from a person who has seen it: the press must be the browser's own (`isTrusted`), begin and end here,
 * and the button must have been seen for a while before it began.
 */
export function Decide({ yes, no, notYet = false, doing, onYes, onNo }: DecideProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const watch = useRef<SightWatch>(undefined)
  const pressed = useRef(false)
  const [sight, setSight] = useState<Sight>('waiting')

  useEffect(() => {
    if (!yes || !button.current) return
    const needs = {
      window,
      setTimeout: window.setTimeout.bind(window),
      clearTimeout: window.clearTimeout.bind(window),
    }
    const started = watchSight(button.current, needs, () => setSight(started.now()))
    const look = (event: PointerEvent): void => {
      if (event.isTrusted) started.pointerAt(event)
    }
    watch.current = started
    window.addEventListener('pointermove', look)
    window.addEventListener('pointerdown', look, { capture: true })
    return () => {
      started.stop()
      window.removeEventListener('pointermove', look)
      window.removeEventListener('pointerdown', look, { capture: true })
    }
  }, [yes])

  const off = notYet || sight !== 'armed'
  const note = off && !doing ? noteOf(notYet ? 'armed' : sight) : undefined
  const begins = (trusted: boolean): void => {
    pressed.current = trusted && !notYet && watch.current?.now() === 'armed'
  }
  return (
    <div className="decide">
      <div data-single={yes ? undefined : true}>
        <Button wide onClick={onNo} disabled={doing}>
          {say(no ?? (yes ? 'cancel' : 'close'))}
        </Button>
        {yes && (
          <Button
            ref={button}
            kind="primary"
            wide
            busy={doing}
            aria-disabled={off || undefined}
            onPointerDown={(event) => begins(event.nativeEvent.isTrusted)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === ' ') begins(event.nativeEvent.isTrusted && !event.repeat)
            }}
            onClick={(event) => {
              const counts = pressed.current && event.nativeEvent.isTrusted && watch.current?.now() === 'armed'
              pressed.current = false
              if (counts && !notYet) onYes?.()
            }}
          >
            {say(yes)}
          </Button>
        )}
      </div>
      {yes && <p role="status">{note ? say(note) : ' '}</p>}
    </div>
  )
}

function noteOf(sight: Sight): Word | undefined {
  const notes: Readonly<Record<Sight, Word | undefined>> = {
    armed: undefined,
    waiting: 'waiting',
    covered: 'covered',
    small: 'small',
    hidden: 'hiddenWindow',
  }
  return notes[sight]
}
