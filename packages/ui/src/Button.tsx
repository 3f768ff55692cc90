import {
  type ButtonHTMLAttributes,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
} from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'

/** Props of `Button`: those of a native button, and its appearance. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** Use `primary` once per view. `quiet` looks like a link. [secondary] */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  /** [medium] `medium` is 48 px tall, `small` is 36 px with a 44 px target. */
  readonly size?: 'medium' | 'small' | undefined
  /** Whether it fills the available width. [false] */
  readonly wide?: boolean | undefined
  /** Shows a spinner, keeps its width and focus, and ignores clicks. */
  readonly busy?: boolean | undefined
  readonly icon?: IconName | undefined
}

/** A button. It keeps its focus while busy, so that keyboard users do not lose their place. */
export const Button: ForwardRefExoticComponent<ButtonProps & RefAttributes<HTMLButtonElement>> = forwardRef(
  function Button({ kind = 'secondary', size = 'medium', wide, busy, icon, children, onClick, ...rest }, ref) {
    return (
      <button
        type="button"
        {...rest}
        ref={ref}
        className="button"
        data-kind={kind}
        data-size={size}
        data-wide={wide || undefined}
        data-busy={busy || undefined}
        aria-busy={busy || undefined}
        aria-disabled={busy || rest['aria-disabled'] || undefined}
        onClick={busy ? (event) => event.preventDefault() : onClick}
      >
        {icon && !busy && <Icon name={icon} />}
        {busy && <Spinner />}
        <span>{children}</span>
      </button>
    )
  },
)

/** Props of `LinkButton`. */
export interface LinkButtonProps extends Pick<ButtonProps, 'kind' | 'size' | 'wide' | 'icon'> {
  readonly href: string
  /** The link's target. [_blank] */
  readonly target?: '_blank' | '_self' | '_top' | undefined
  readonly onClick?: (() => void) | undefined
  readonly children: ReactNode
}

/** A link that looks like a button. Other sites open in a new tab without opener or referrer. */
export function LinkButton({
  kind = 'secondary',
  size = 'medium',
  wide,
  icon,
  href,
  target = '_blank',
  onClick,
  children,
}: LinkButtonProps): ReactNode {
  return (
    <a
      className="button"
      data-kind={kind}
      data-size={size}
      data-wide={wide || undefined}
      href={href}
      target={target}
      rel="noopener noreferrer"
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  )
}

/** Props of `IconButton`. The label is required. */
export interface IconButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'children'> {
  readonly icon: IconName
  /** The accessible name, also shown as a tooltip. */
  readonly label: string
  readonly busy?: boolean | undefined
}

/** A round 44 px button with an icon. */
export const IconButton: ForwardRefExoticComponent<IconButtonProps & RefAttributes<HTMLButtonElement>> = forwardRef(
  function IconButton({ icon, label, busy, onClick, ...rest }, ref) {
    return (
      <button
        type="button"
        title={label}
        {...rest}
        ref={ref}
        className="icon-button"
        aria-label={label}
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : onClick}
      >
        {busy ? <Spinner /> : <Icon name={icon} />}
      </button>
    )
  },
)
