import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Icon, type IconProps } from './Icon.tsx'

/** Props for `Notice`. */
export interface NoticeProps {
  /** The kind of message. `error` is announced assertively. Default: `info`. */
  readonly kind?: 'info' | 'success' | 'warning' | 'error' | undefined
  /** A short line above the text. */
  readonly title?: string | undefined
  readonly children?: ReactNode
  /** A button after the text that offers a way to continue. */
  readonly action?:
    | {
        readonly label: string
        readonly onClick: () => void
        readonly busy?: boolean | undefined
        /** The button's icon. Default: `retry`. */
        readonly icon?: IconProps['name'] | undefined
      }
    | undefined
}

/** Renders a message that explains what happened, why, and what the user can do about it. */
export function Notice({ kind = 'info', title, children, action }: NoticeProps): ReactNode {
  return (
    <div className="notice" data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={kind === 'info' ? 'info' : kind === 'success' ? 'check' : 'warning'} />
      <div className="notice-text">
        {title !== undefined && <p className="notice-title">{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {action && (
          <Button size="small" icon={action.icon ?? 'retry'} busy={action.busy} onClick={action.onClick}>
            {action.label}
          </Button>
        )}
      </div>
    </div>
  )
}
