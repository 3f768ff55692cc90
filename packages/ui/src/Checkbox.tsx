import { type ReactNode, useId } from 'react'
import css from './Checkbox.css?inline'
import { Icon } from './Icon.tsx'
import { useStyleSheet } from './stylesheetRegistry.ts'

/** Props for `Checkbox`. The children are the label, and can contain links. */
export interface CheckboxProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: ReactNode
  readonly disabled?: boolean | undefined
}

/** Renders a styled native checkbox. The label is part of the click target. */
export function Checkbox({ checked, onChange, children, disabled }: CheckboxProps): ReactNode {
  useStyleSheet(css)
  const id = useId()
  return (
    <div className="check">
      <span className="check-box">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <Icon name="check" size={16} />
      </span>
      <label htmlFor={id}>{children}</label>
    </div>
  )
}
