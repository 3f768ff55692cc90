import {
  type ForwardRefExoticComponent,
  forwardRef,
  type InputHTMLAttributes,
  type ReactNode,
  type RefAttributes,
  useId,
} from 'react'

/** What a field needs: everything a native input takes, and its surroundings. */
export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'children'> {
  /** Its name. Always spoken; drawn unless `hideLabel`. */
  readonly label: string
  readonly hideLabel?: boolean | undefined
  /** What is wrong with it, in a sentence. */
  readonly error?: string | undefined
  /** Help below it, while nothing is wrong. */
  readonly hint?: string | undefined
  readonly leading?: ReactNode
  readonly trailing?: ReactNode
}

/** One line of text to type. 16 px, so that no phone zooms in on it. */
export const TextField: ForwardRefExoticComponent<TextFieldProps & RefAttributes<HTMLInputElement>> = forwardRef(
  function TextField({ label, hideLabel, error, hint, leading, trailing, ...rest }, ref) {
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
