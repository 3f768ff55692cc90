import {
  type ButtonHTMLAttributes,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
} from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'

/** What a button needs: everything a native button takes, and its looks. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** `primary` once per view; `quiet` looks like a link. [secondary] */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  /** [medium: 48 px] small: 36 px with a 44 px target. */
  readonly size?: 'medium' | 'small' | undefined
  /** As wide as its place. [false] */
  readonly wide?: boolean | undefined
  /** Shows a spinner, keeps its width and focus, and ignores presses. */
  readonly busy?: boolean | undefined
  readonly icon?: IconName | undefined
}

/** A press that does something. It keeps its focus while busy, so a keyboard never loses its place. */
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

/** What a link that looks like a button needs. */
export interface LinkButtonProps extends Pick<ButtonProps, 'kind' | 'size' | 'wide' | 'icon'> {
  readonly href: string
  /** Where it opens. [_blank] */
  readonly target?: '_blank' | '_self' | '_top' | undefined
  readonly onClick?: (() => void) | undefined
  readonly children: ReactNode
}

/** A link in the looks of a button. Other sites open beside ours and learn nothing about the page. */
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

/** What an icon button needs: a name is not optional. */
export interface IconButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style' | 'children'> {
  readonly icon: IconName
  /** Its name, spoken and shown as a tooltip. */
  readonly label: string
  readonly busy?: boolean | undefined
}

/** A round 44 px target with a drawing in it. */
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
