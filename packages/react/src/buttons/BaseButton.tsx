import { type ReactNode, useCallback, useRef } from 'react'
import { applyTheme } from '../applyTheme.ts'
import { useStore } from '../hooks/useStore.ts'
import { useButtonTranslations } from '../i18n/useButtonTranslations.ts'
import { useLoadState, useModalLoader } from '../modalLoader.ts'

/** The size of a button in the page. `small` and `large` of an object hold below and from 640 px. */
export type ButtonSize = 'small' | 'medium' | 'large'

/** One value, or one below and one from 640 px of width. */
export type PerBreakpoint<T> = T | { readonly small: T; readonly large: T }

/** What every button in the page takes. */
export interface BaseButtonProps {
  /** [medium] */
  readonly size?: PerBreakpoint<ButtonSize> | undefined
  readonly disabled?: boolean | undefined
  /** Added to `latchkey-button`. */
  readonly className?: string | undefined
}

interface Inside extends BaseButtonProps {
  readonly kind: 'connect' | 'account' | 'network'
  readonly status: string
  readonly busy: boolean
  /** Spoken in place of what is drawn, where that would be a riddle. */
  readonly name?: string | undefined
  /** What is wrong, for the pointer that rests on it. */
  readonly hint?: string | undefined
  readonly onPress: () => void
  readonly children: ReactNode
}

/** The one element under all three buttons, so that focus survives the change from "connect" to the account. */
export function BaseButton({
  kind,
  status,
  busy,
  name,
  hint,
  size = 'medium',
  disabled,
  className,
  onPress,
  children,
}: Inside): ReactNode {
  const door = useModalLoader()
  const text = useButtonTranslations()
  const isOpen = useStore((state) => state.modal.open)
  const last = useLoadState()
  const entry = last?.by === (kind === 'network' ? 'network' : 'main') ? last : undefined
  const failed = entry?.failed === true
  const comes = entry?.failed === false
  const sizes = typeof size === 'string' ? { small: size, large: size } : size
  const theme = useStore((state) => state.theme)
  const undo = useRef<() => void>(undefined)
  // On the element itself, before it is painted: a server cannot know what the page looks like.
  const themed = useCallback(
    (element: HTMLElement | null) => {
      undo.current?.()
      undo.current = element ? applyTheme(element, theme, 'data-scheme', element.parentElement ?? element) : undefined
    },
    [theme],
  )
  return (
    <button
      ref={themed}
      type="button"
      className={className === undefined ? 'latchkey-button' : `latchkey-button ${className}`}
      data-kind={kind}
      data-status={failed ? 'failed' : status}
      data-scheme={theme.mode === 'system' ? undefined : theme.mode}
      data-size={sizes.small}
      data-size-large={sizes.large}
      aria-label={failed ? undefined : name}
      title={hint}
      aria-haspopup="dialog"
      aria-busy={busy || comes || undefined}
      // From the press on, so that a screen reader says what becomes of it.
      aria-live={entry && 'polite'}
      // Behind an open modal nothing turns: what there is to wait for, the modal says.
      data-turns={comes || (busy && !isOpen) || undefined}
      disabled={disabled}
      onPointerEnter={door.prefetch}
      onFocus={door.prefetch}
      onClick={onPress}
    >
      {failed ? <span>{text('button.loadFailed')}</span> : children}
    </button>
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
