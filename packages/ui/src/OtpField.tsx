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

/** What a code's field needs. */
export interface OtpFieldProps {
  /** Its name, spoken. */
  readonly label: string
  /** Digits only, at most `length` of them. */
  readonly value: string
  readonly onChange: (value: string) => void
  /** The last digit came: typed, pasted or filled in by the browser. */
  readonly onComplete: (value: string) => void
  /** [6] */
  readonly length?: number | undefined
  /** What is wrong with the code, in a sentence. */
  readonly error?: string | undefined
  /** The code is being looked at: nothing can be changed, and the focus stays. */
  readonly busy?: boolean | undefined
  readonly disabled?: boolean | undefined
  /** Takes the focus when it appears: a view that is nothing but this field. */
  readonly autoFocus?: boolean | undefined
}

/** `text` as the digits in it, whatever script they are written in. */
export function digitsOf(text: string): string {
  let digits = ''
  for (const char of text.normalize('NFKC')) {
    const code = char.charCodeAt(0)
    if (code >= 0x30 && code <= 0x39) digits += char
    // Arabic and Persian keyboards have digits of their own.
    else if (code >= 0x660 && code <= 0x669) digits += code - 0x660
    else if (code >= 0x6f0 && code <= 0x6f9) digits += code - 0x6f0
  }
  return digits
}

/**
 * A code of a few digits, drawn as boxes. It is one field: what is pasted, filled in from a message or dictated arrives whole, a
 * screen reader reads one name, and the keyboard of a phone sees one place to fill. The boxes are a picture of it.
 */
export function OtpField(props: OtpFieldProps): ReactNode {
  const { label, value, onChange, onComplete, length = 6, error, busy, disabled, autoFocus } = props
  useStyleSheet(css)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [at, setAt] = useState<readonly [from: number, to: number]>([value.length, value.length])

  // Before the frame around the view looks for a heading to focus.
  useEffect(() => {
    if (autoFocus) field.current?.focus({ preventScroll: true })
  }, [autoFocus])

  // What is filled in by somebody else moves the caret without a word.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field follows the value
  useLayoutEffect(() => look(), [value])

  // A code that was refused is marked whole: the next digit replaces it.
  useEffect(() => {
    if (error !== undefined) field.current?.select()
  }, [error])

  const change = (typed: string): void => {
    const digits = digitsOf(typed).slice(0, length)
    if (digits === value) return
    onChange(digits)
    if (digits.length === length) onComplete(digits)
  }
  const look = (): void => {
    const input = field.current
    if (input) setAt([input.selectionStart ?? 0, input.selectionEnd ?? 0])
  }
  /** A press on a box that is filled marks its digit, elsewhere the caret goes behind the last. */
  const place = (event: MouseEvent<HTMLInputElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const box = Math.floor(((event.clientX - left) / width) * length)
    const from = Math.min(box, value.length)
    event.currentTarget.setSelectionRange(from, Math.min(from + 1, value.length))
  }
  /** A whole code takes the place of what was there, wherever the caret stood. */
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
            data-active={box === Math.min(at[0], length - 1) || (box >= at[0] && box < at[1]) || undefined}
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
          onSelect={look}
          onKeyUp={look}
          onFocus={look}
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
