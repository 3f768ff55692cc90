import {
  type ButtonHTMLAttributes,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
} from 'react'
import { Icon, type IconProps } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'

/** Props for `Button`, which include the props of a native button. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** The appearance. Use `primary` once per view. `quiet` looks like a link. Default: `secondary`. */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  /** The size. `medium` is 48 px tall. `small` is 36 px tall, with a 44 px target. Default: `medium`. */
  readonly size?: 'medium' | 'small' | undefined
  /** Whether the button fills the available width. */
  readonly wide?: boolean | undefined
  /** Whether to show a spinner and ignore clicks. The button keeps its width and focus. */
  readonly busy?: boolean | undefined
  readonly icon?: IconProps['name'] | undefined
}

/** Renders a button. It keeps focus while busy, so that keyboard users do not lose their place. */
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

/** Props for `LinkButton`. */
export interface LinkButtonProps extends Pick<ButtonProps, 'kind' | 'size' | 'wide' | 'icon'> {
  readonly href: string
  /** The link's target. Default: `_blank`. */
  readonly target?: '_blank' | '_self' | '_top' | undefined
  readonly onClick?: (() => void) | undefined
  readonly children: ReactNode
}

/** Renders a link that looks like a button. The linked page does not receive an opener or referrer. */
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

/** Props for `IconButton`. The label is required. */
export interface IconButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'children'> {
  readonly icon: IconProps['name']
  /** The accessible name, which is also shown as a tooltip. */
  readonly label: string
  readonly busy?: boolean | undefined
}

/** Renders a round 44 px button with an icon. */
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
