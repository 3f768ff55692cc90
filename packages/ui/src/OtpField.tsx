import {
  type ClipboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import css from './OtpField.css?inline'
import { useStyleSheet } from './stylesheetRegistry.ts'

/** Props for `OtpField`. */
export interface OtpFieldProps {
  /** The accessible name. */
  readonly label: string
  /** The digits entered so far, at most `length`. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called when the code is complete, whether it was typed, pasted or filled in by the browser. */
  readonly onComplete: (value: string) => void
  /** The number of digits. Default: 6. */
  readonly length?: number | undefined
  /** The error message for the code. */
  readonly error?: string | undefined
  /** Whether the code is being checked. In this state, the code cannot be edited, but the field keeps its focus. */
  readonly busy?: boolean | undefined
  readonly disabled?: boolean | undefined
  /** Whether to focus the field on mount. Use this only in views that contain no other field. */
  readonly autoFocus?: boolean | undefined
}

/** Returns the digits in `text`. Converts Arabic, Persian and full-width digits to ASCII, and drops all other characters. */
export function digitsOf(text: string): string {
  let digits = ''
  for (const char of text.normalize('NFKC')) {
    const code = char.charCodeAt(0)
    if (code >= 0x30 && code <= 0x39) digits += char
    // Arabic and Persian keyboards type different digits.
    else if (code >= 0x660 && code <= 0x669) digits += code - 0x660
    else if (code >= 0x6f0 && code <= 0x6f9) digits += code - 0x6f0
  }
  return digits
}

/**
 * Renders a field for a short numeric code, displayed as boxes. The field is a single input, so that pasting, autofill and
 * dictation work, screen readers read a single name, and mobile keyboards see a single field. The boxes are decorative.
 */
export function OtpField(props: OtpFieldProps): ReactNode {
  const { label, value, onChange, onComplete, length = 6, error, busy, disabled, autoFocus } = props
  useStyleSheet(css)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [selection, setSelection] = useState<readonly [from: number, to: number]>([value.length, value.length])

  // Runs before the surrounding frame moves focus to the heading.
  useEffect(() => {
    if (autoFocus) field.current?.focus({ preventScroll: true })
  }, [autoFocus])

  // Autofill changes the value without a selection event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of the value
  useLayoutEffect(() => updateSelection(), [value])

  // Selects a rejected code before the error is painted, so that the next digit replaces the code however fast it is typed.
  useLayoutEffect(() => {
    if (error !== undefined) field.current?.select()
  }, [error])

  const change = (typed: string): void => {
    const digits = digitsOf(typed).slice(0, length)
    if (digits === value) return
    onChange(digits)
    if (digits.length === length) onComplete(digits)
  }
  const updateSelection = (): void => {
    const input = field.current
    if (input) setSelection([input.selectionStart ?? 0, input.selectionEnd ?? 0])
  }
  /** Selects the digit in the box that was clicked, or moves the caret to the end if that box is empty. */
  const place = (event: MouseEvent<HTMLInputElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const box = Math.floor(((event.clientX - left) / width) * length)
    const from = Math.min(box, value.length)
    event.currentTarget.setSelectionRange(from, Math.min(from + 1, value.length))
  }
  /** Replaces the whole value if a complete code is pasted, wherever the caret is. */
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const digits = digitsOf(event.clipboardData.getData('text/plain'))
    if (digits.length < length || busy) return
    event.preventDefault()
    change(digits)
  }
  const boxes = Array.from({ length }, (_, box) => box)
  return (
    <div className="otp">
      <label htmlFor={id} className="hidden">
        {label}
      </label>
      <div
        className="otp-boxes"
        dir="ltr"
        data-error={error !== undefined || undefined}
        data-busy={busy || undefined}
        data-disabled={disabled || undefined}
      >
        {boxes.map((box) => (
          <span
            key={box}
            className="otp-box"
            aria-hidden="true"
            data-active={
              box === Math.min(selection[0], length - 1) || (box >= selection[0] && box < selection[1]) || undefined
            }
            data-filled={box < value.length || undefined}
          >
            {value[box]}
          </span>
        ))}
        <input
          ref={field}
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          value={value}
          readOnly={busy}
          disabled={disabled}
          aria-busy={busy || undefined}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}n`}
          onChange={(event) => change(event.currentTarget.value)}
          onPaste={paste}
          onSelect={updateSelection}
          onKeyUp={updateSelection}
          onFocus={updateSelection}
          onClick={place}
        />
      </div>
      {error !== undefined && (
        <p className="field-note otp-note" id={`${id}n`} data-error role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
