import type { Token } from '@latchkey/core'
import { Icon, useStyleSheet, VisuallyHidden, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useId } from 'react'
import css from './AmountField.css?inline'
import { amountInput } from './amountInput.ts'
import { groupedAmount, shownAmount } from './tokenAmounts.ts'

/** Props for `AmountField`. */
export interface AmountFieldProps {
  /** The accessible name. */
  readonly label: string
  /** The amount as plain decimal text with a point, such as `0.5`. It can be incomplete, such as `0.` */
  readonly value: string
  /** The number of decimal places that can be entered. */
  readonly decimals: number
  /** The language, whose decimal separator is shown. */
  readonly locale: string
  /** Text before the amount, such as `$`. */
  readonly prefix?: string | undefined
  /** Called with plain decimal text. Input that is not a number is ignored. */
  readonly onChange?: ((plain: string) => void) | undefined
  readonly readOnly?: boolean | undefined
  /** The error message. */
  readonly error?: ReactNode
  /** Whether the amount is wrong. Default: whether there is an error message. */
  readonly invalid?: boolean | undefined
  /** The visible label above the amount, such as "You pay". */
  readonly heading?: string | undefined
  /** Content at the end of the amount's line, such as a `TokenButton`. */
  readonly trailing?: ReactNode
  /** Content below the amount, such as its value in another unit. */
  readonly below?: ReactNode
}

/** The number of characters from which the amount is shown in a smaller font. */
const longLength = 11

/** The number of characters from which the amount has a separate line, so that no digit is hidden by the token. */
const veryLongLength = 15

/** Renders a field for an amount, in a large font. */
export function AmountField({
  label,
  value,
  decimals,
  locale,
  prefix,
  onChange,
  readOnly,
  error,
  invalid = error !== undefined,
  heading,
  trailing,
  below,
}: AmountFieldProps): ReactNode {
  useStyleSheet(css)
  const id = useId()
  return (
    <>
      <div className="amount-field" data-error={invalid || undefined}>
        {heading !== undefined && (
          <span className="amount-heading" aria-hidden="true">
            {heading}
          </span>
        )}
        <div className="amount-line">
          {prefix !== undefined && (
            <span className="amount-prefix" aria-hidden="true">
              {prefix}
            </span>
          )}
          <input
            dir="ltr"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="next"
            placeholder="0"
            aria-label={label}
            aria-invalid={invalid || undefined}
            aria-describedby={error === undefined ? undefined : id}
            data-long={value.length >= veryLongLength ? 'very' : value.length >= longLength || undefined}
            value={readOnly && value !== '' ? groupedAmount(value, locale) : shownAmount(value, locale)}
            readOnly={readOnly}
            onChange={(event) => {
              const plain = amountInput(event.currentTarget.value, { decimals })
              if (plain !== undefined) onChange?.(plain)
            }}
          />
          {trailing}
        </div>
        {below !== undefined && <div className="amount-below">{below}</div>}
      </div>
      {error !== undefined && (
        <p className="amount-error" id={id} role="alert">
          {error}
        </p>
      )}
    </>
  )
}

/** Renders the button for choosing a token. */
export function TokenButton({
  token,
  label,
  placeholder,
  disabled,
  onClick,
}: {
  readonly token: Pick<Token, 'name' | 'symbol' | 'iconUrl' | 'hidden'> | undefined
  /** The accessible name, such as "Token: ETH". */
  readonly label: string
  /** The text while no token is selected. */
  readonly placeholder: string
  readonly disabled?: boolean | undefined
  readonly onClick: () => void
}): ReactNode {
  useStyleSheet(css)
  return (
    <button
      type="button"
      className="token-button"
      data-empty={token === undefined || undefined}
      aria-label={token ? label : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      {token && (
        <WalletLogo
          name={token.symbol || token.name}
          src={token.hidden ? undefined : token.iconUrl}
          size={24}
          shape="round"
        />
      )}
      <span>{token ? <bdi>{token.symbol || token.name}</bdi> : placeholder}</span>
      <Icon name="down" size={16} />
    </button>
  )
}

/** Renders a small button in a line of text, such as "Max". */
export function TextButton({
  children,
  hint,
  disabled,
  onClick,
}: {
  readonly children: ReactNode
  /** Text that follows for screen readers, if the visible text is not sufficient. */
  readonly hint?: string | undefined
  readonly disabled?: boolean | undefined
  readonly onClick: () => void
}): ReactNode {
  useStyleSheet(css)
  return (
    <button type="button" className="text-button" title={hint} disabled={disabled} onClick={onClick}>
      {children}
      {hint !== undefined && <VisuallyHidden> {hint}</VisuallyHidden>}
    </button>
  )
}
