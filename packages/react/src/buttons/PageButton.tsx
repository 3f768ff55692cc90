import { type ReactNode, useSyncExternalStore } from 'react'
import { useModalDoor } from '../door.ts'
import { useStore } from '../hooks/useStore.ts'

/** The size of a button in the page. `small` and `large` of an object hold below and from 640 px. */
export type ButtonSize = 'small' | 'medium' | 'large'

/** One value, or one below and one from 640 px of width. */
export type PerBreakpoint<T> = T | { readonly small: T; readonly large: T }

/** What every button in the page takes. */
export interface PageButtonProps {
  /** [medium] */
  readonly size?: PerBreakpoint<ButtonSize> | undefined
  readonly disabled?: boolean | undefined
  /** Added to `latchkey-button`. */
  readonly className?: string | undefined
}

interface Inside extends PageButtonProps {
  readonly kind: 'connect' | 'account' | 'network'
  readonly status: string
  readonly busy: boolean
  /** Spoken in place of what is drawn, where that would be a riddle. */
  readonly name?: string | undefined
  readonly onPress: () => void
  readonly children: ReactNode
}

const nothing = (): undefined => undefined

/** The one element under all three buttons, so that focus survives the change from "connect" to the account. */
export function PageButton({
  kind,
  status,
  busy,
  name,
  size = 'medium',
  disabled,
  className,
  onPress,
  children,
}: Inside): ReactNode {
  const door = useModalDoor()
  const isOpen = useStore((state) => state.modal.open)
  const here = useSyncExternalStore(door.chunk.subscribe, door.chunk.get, nothing) !== undefined
  const sizes = typeof size === 'string' ? { small: size, large: size } : size
  const waits = busy || (isOpen && !here)
  return (
    <button
      type="button"
      className={className === undefined ? 'latchkey-button' : `latchkey-button ${className}`}
      data-kind={kind}
      data-status={status}
      data-size={sizes.small}
      data-size-large={sizes.large}
      aria-label={name}
      aria-haspopup="dialog"
      aria-busy={waits || undefined}
      disabled={disabled}
      onPointerEnter={door.prefetch}
      onFocus={door.prefetch}
      onClick={onPress}
    >
      {children}
      {waits && <Arc />}
    </button>
  )
}

function Arc(): ReactNode {
  return (
    <svg
      className="latchkey-button-arc"
      width="16"
      height="16"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="9" strokeOpacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" />
    </svg>
  )
}

/** A picture of 20 px beside a button's words; its room is kept from the first frame. */
export function ButtonPicture({ src, round }: { readonly src: string; readonly round?: boolean }): ReactNode {
  return (
    <img
      className="latchkey-button-picture"
      data-round={round || undefined}
      src={src}
      alt=""
      width="20"
      height="20"
      decoding="async"
    />
  )
}
