import { type KeyboardEvent, type ReactNode, useId } from 'react'
import css from './SegmentedControl.css?inline'
import { useStyleSheet } from './stylesheetRegistry.ts'

/** Props for `SegmentedControl`. */
export interface SegmentedControlProps<Key extends string> {
  /** The accessible name of the tab list. */
  readonly label: string
  readonly tabs: readonly { readonly key: Key; readonly label: string }[]
  readonly value: Key
  readonly onChange: (key: Key) => void
  /** The panel of the selected tab. */
  readonly children?: ReactNode
}

/** Renders tabs on one line, with arrow key navigation, and a panel for the selected tab. */
export function SegmentedControl<Key extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: SegmentedControlProps<Key>): ReactNode {
  useStyleSheet(css)
  const id = useId()
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = tabs.findIndex(({ key }) => key === value)
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, Home: -at, End: tabs.length - 1 - at }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const to = (at + step + tabs.length) % tabs.length
    const next = tabs[to]
    if (!next) return
    onChange(next.key)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}${tab.key}`}
            aria-selected={tab.key === value}
            aria-controls={`${id}panel`}
            tabIndex={tab.key === value ? 0 : -1}
            onClick={() => onChange(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${value}`}>
        {children}
      </div>
    </>
  )
}
