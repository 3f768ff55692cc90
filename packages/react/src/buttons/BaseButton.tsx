import { type ReactNode, useCallback, useRef } from 'react'
import { applyTheme } from '../applyTheme.ts'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useStore } from '../hooks/useStore.ts'
import { useButtonTranslations } from '../i18n/useButtonTranslations.ts'
import { useLoadState, useModalLoader } from '../ModalLoaderContext.ts'

/** The size of a button. */
export type ButtonSize = 'small' | 'medium' | 'large'

/** A single value, or separate values for viewports narrower than 640 px (`small`) and all other viewports (`large`). */
export type PerBreakpoint<T> = T | { readonly small: T; readonly large: T }

/** Props shared by all buttons. */
export interface BaseButtonProps {
  /** The size of the button. Defaults to `medium`. */
  readonly size?: PerBreakpoint<ButtonSize> | undefined
  /** Whether the button is disabled. Defaults to `false`. */
  readonly disabled?: boolean | undefined
  /** A class name to add to `latchkey-button`. */
  readonly className?: string | undefined
}

interface Inside extends BaseButtonProps {
  readonly kind: 'connect' | 'account' | 'network'
  readonly status: string
  readonly busy: boolean
  /** The accessible name. Needed if the visible text is not clear enough on its own. */
  readonly name?: string | undefined
  /** A tooltip that explains a problem. */
  readonly hint?: string | undefined
  readonly onPress: () => void
  readonly children: ReactNode
}

/**
 * Renders the connect, account or network button. Because these buttons share one element, focus is kept when the connect button
 * turns into the account button.
 */
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
  const latchkey = useLatchkey()
  const modalLoader = useModalLoader()
  // The user is about to open the modal.
  const prefetch = (): void => modalLoader.prefetch(latchkey)
  const text = useButtonTranslations()
  const isOpen = useStore((state) => state.modal.open)
  const last = useLoadState()
  const entry = last?.by === (kind === 'network' ? 'network' : 'main') ? last : undefined
  const failed = entry?.failed === true
  const loading = entry?.failed === false
  const sizes = typeof size === 'string' ? { small: size, large: size } : size
  const theme = useStore((state) => state.theme)
  const undo = useRef<() => void>(undefined)
  // The theme is set in a ref callback, before the first paint, because the server does not know the page's color scheme.
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
      aria-busy={busy || loading || undefined}
      // Set once the button has been pressed, so that screen readers announce the result.
      aria-live={entry && 'polite'}
      // There is no spinner while the modal is open, because the modal shows the progress.
      data-turns={loading || (busy && !isOpen) || undefined}
      disabled={disabled}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={onPress}
    >
      {failed ? <span>{text('button.loadFailed')}</span> : children}
    </button>
  )
}

/** Renders a 20 px image in a button. The fixed size prevents a layout shift when the image loads. */
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
