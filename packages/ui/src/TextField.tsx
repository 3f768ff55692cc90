import {
  type ForwardRefExoticComponent,
  forwardRef,
  type InputHTMLAttributes,
  type ReactNode,
  type RefAttributes,
  useId,
} from 'react'
import { useStyleSheet } from './stylesheetRegistry.ts'
import css from './TextField.css?inline'

/** Props for `TextField`, which include the props of a native input. */
export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'children'> {
  /** The label. It is visible unless `hideLabel` is set, and always available to screen readers. */
  readonly label: string
  readonly hideLabel?: boolean | undefined
  /** The error message. */
  readonly error?: ReactNode
  /** Help text below the field. Replaced by the error message if there is an error. */
  readonly hint?: ReactNode
  readonly leading?: ReactNode
  readonly trailing?: ReactNode
}

/** Renders a single-line text field. Its font size is 16 px, to keep mobile browsers from zooming in. */
export const TextField: ForwardRefExoticComponent<TextFieldProps & RefAttributes<HTMLInputElement>> = forwardRef(
  function TextField({ label, hideLabel, error, hint, leading, trailing, ...rest }, ref) {
    useStyleSheet(css)
    const id = useId()
    const note = error ?? hint
    return (
      <div className="field">
        <label htmlFor={id} className={hideLabel ? 'hidden' : 'field-label'}>
          {label}
        </label>
        <span className="field-box" data-error={error !== undefined || undefined}>
          {leading}
          <input
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            {...rest}
            ref={ref}
            id={id}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={note === undefined ? undefined : `${id}n`}
          />
          {trailing}
        </span>
        {note !== undefined && (
          <p
            className="field-note"
            id={`${id}n`}
            data-error={error !== undefined || undefined}
            role={error === undefined ? undefined : 'alert'}
          >
            {note}
          </p>
        )}
      </div>
    )
  },
)
