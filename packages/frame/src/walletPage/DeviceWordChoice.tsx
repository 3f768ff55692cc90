import { Button, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useRef, useState } from 'react'
import { dwellMs, type GuardedPress, usePress, useVisibility, visibilityNotes } from '../guards/useApprovalGuards.ts'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import { t } from '../texts/translations.ts'

/** Displays the other device's words among several sets of words. The first valid click is final, even if it is wrong. */
export function DeviceWordChoice({
  sets,
  onPick,
}: {
  readonly sets: readonly (readonly string[])[]
  /** Called with the index of the chosen set, or `undefined` if the user chooses none. */
  readonly onPick: (picked: number | undefined) => void
}): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const [mustLeave, setMustLeave] = useState(false)
  const { guard, visibility } = useVisibility(list, dwellMs.normal)
  const isOff = visibility !== 'armed'
  const note = visibilityNotes[visibility] ?? (mustLeave ? 'approveLeave' : undefined)
  return (
    <Sheet
      title={t('requestPick')}
      footer={
        <Button wide onClick={() => onPick(undefined)}>
          {t('requestNone')}
        </Button>
      }
    >
      <Text>{t('requestPickText')}</Text>
      <ul ref={list} className="word-sets" aria-label={t('requestSets')} data-deciding>
        {sets.map((words, at) => (
          <li key={words.join(' ')}>
            <WordSet {...{ words, guard, isOff, mustLeave: setMustLeave }} pressed={() => onPick(at)} />
          </li>
        ))}
      </ul>
      <Stack>
        <div role="status">{note && <Text tone="soft">{t(note)}</Text>}</div>
      </Stack>
    </Sheet>
  )
}

function WordSet({ words, ...pressing }: Omit<GuardedPress, 'key'> & { readonly words: readonly string[] }): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  usePress(button, { ...pressing, key: words })
  return (
    <button ref={button} type="button" aria-disabled={pressing.isOff || undefined}>
      {words.map((word) => (
        <span key={word}>{word} </span>
      ))}
    </button>
  )
}
