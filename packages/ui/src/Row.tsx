import { Children, type ReactNode, useId } from 'react'
import { Icon, type IconDrawing, type IconName } from './Icon.tsx'
import { Spinner } from './Spinner.tsx'

/** A tag at the end of a row. */
export interface Tag {
  readonly text: string
  /** The color of the tag. Default: `neutral`. */
  readonly tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | undefined
}

/** Props for `Row`. The children are the label. */
export interface RowProps {
  /** A 40 px logo, an `Avatar`, the name of an icon, or one of `moreIcons`. */
  readonly icon?: Exclude<ReactNode, string> | IconName | IconDrawing
  readonly children: ReactNode
  /** A second line, which is dimmed. */
  readonly detail?: ReactNode
  readonly tag?: Tag | undefined
  /** Content at the end of the row: the name of an icon (`chevron`, `external`, `check`) or custom content. */
  readonly trailing?: 'chevron' | 'external' | 'check' | ReactNode
  readonly disabled?: boolean | undefined
  readonly busy?: boolean | undefined
  /** Whether the row is the current selection. */
  readonly current?: boolean | undefined
  /** Makes the row a link that opens in a new tab. */
  readonly href?: string | undefined
  /** Whether to show the row in red, for destructive actions. */
  readonly danger?: boolean | undefined
  /** Called when the row is clicked. Without `onClick` and `href`, the row is plain text. */
  readonly onClick?: (() => void) | undefined
}

const iconNames: readonly string[] = ['chevron', 'external', 'check']

/** Renders a 56 px list row with an icon, a label and an optional trailing icon. */
export function Row(props: RowProps): ReactNode {
  const { icon, children, detail, tag, trailing, disabled, busy, current, href, danger, onClick } = props
  const inside = (
    <>
      {icon !== undefined && icon !== null && (
        <span className="row-icon">{isIcon(icon) ? <Icon name={icon} size={24} /> : icon}</span>
      )}
      <span className="row-text">
        <span className="row-label" dir="auto">
          {children}
        </span>
        {detail !== undefined && detail !== null && <span className="row-detail">{detail}</span>}
      </span>
      {tag && (
        <span className="tag" data-tone={tag.tone ?? 'neutral'}>
          {tag.text}
        </span>
      )}
      {busy ? <Spinner /> : <End trailing={trailing} />}
    </>
  )
  const attributes = {
    className: 'row',
    'data-danger': danger || undefined,
    'aria-current': current || undefined,
  } as const
  if (href !== undefined && !disabled)
    return (
      <a {...attributes} href={href} target="_blank" rel="noopener noreferrer" onClick={onClick}>
        {inside}
      </a>
    )
  if (onClick === undefined && !disabled && href === undefined) return <div {...attributes}>{inside}</div>
  return (
    <button
      type="button"
      {...attributes}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {inside}
    </button>
  )
}

function isIcon(icon: RowProps['icon']): icon is IconName | IconDrawing {
  return typeof icon === 'string' || (typeof icon === 'object' && icon !== null && 'paths' in icon)
}

function End({ trailing }: { trailing: RowProps['trailing'] }): ReactNode {
  if (trailing === undefined || trailing === null || trailing === false) return null
  if (typeof trailing !== 'string' || !iconNames.includes(trailing)) return <span className="row-end">{trailing}</span>
  return (
    <span className="row-end">
      <Icon name={trailing === 'chevron' ? 'forward' : (trailing as 'external' | 'check')} />
    </span>
  )
}

/** Props for `Group`. */
export interface GroupProps {
  /** The heading. If there is no heading, `name` is the accessible name. */
  readonly label?: string | undefined
  readonly name?: string | undefined
  /** Content at the end of the heading line. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** Renders a list of rows under a heading. */
export function Group({ label, name, aside, children }: GroupProps): ReactNode {
  const id = useId()
  return (
    <section className="group">
      {(label !== undefined || aside !== undefined) && (
        <div className="group-head">
          {label !== undefined && (
            <h3 className="group-label" id={id}>
              {label}
            </h3>
          )}
          {aside}
        </div>
      )}
      <ul
        className="group-list"
        aria-labelledby={label === undefined ? undefined : id}
        aria-label={label === undefined ? name : undefined}
      >
        {Children.toArray(children).map((child, at) => (
          <li key={typeof child === 'object' && 'key' in child && child.key !== null ? child.key : at}>{child}</li>
        ))}
      </ul>
    </section>
  )
}
