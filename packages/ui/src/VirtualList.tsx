import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useTransition,
} from 'react'
import { useStyleSheet } from './stylesheetRegistry.ts'
import css from './VirtualList.css?inline'
import { virtualRange } from './virtualRange.ts'

/** Props for `VirtualList`. */
export interface VirtualListProps<Item> {
  /** The accessible name of the list. */
  readonly label: string
  readonly items: readonly Item[]
  /** The total number of items, including those that are not loaded yet. Default: the number of `items`. */
  readonly count?: number | undefined
  readonly keyOf: (item: Item) => string
  /** Renders an item into a box of `rowHeight`, with one focusable element, or with none if `isPlain` is set. */
  readonly children: (item: Item, at: number) => ReactNode
  /** Renders an item that is not loaded yet. */
  readonly placeholder?: (() => ReactNode) | undefined
  /** Called when items that are not loaded yet come close to the visible area, with the index of the last of them. */
  readonly onMissing?: ((upTo: number) => void) | undefined
  /** The number of columns. Default: 1. */
  readonly columns?: number | undefined
  /** The height of a row in px. Default: 56. */
  readonly rowHeight?: number | undefined
  /** The gap between rows and columns in px. Default: 8. */
  readonly gap?: number | undefined
  /** Whether the items contain no buttons or links. The list itself can then be focused and scrolled with the keyboard. */
  readonly isPlain?: boolean | undefined
  /** When this value changes, the list scrolls to its start. */
  readonly scrollKey?: string | undefined
  /** The maximum height of the visible list, as a CSS value. Default: `min(400px, 60vh)`. */
  readonly height?: string | undefined
}

// The number of rows that are rendered above and below the visible rows.
const overscan = 3

/** Renders a virtualized list with fixed row heights, list semantics and arrow key navigation. */
export function VirtualList<Item>(props: VirtualListProps<Item>): ReactNode {
  useStyleSheet(css)
  const {
    label,
    items,
    keyOf,
    children,
    placeholder,
    onMissing,
    columns = 1,
    rowHeight = 56,
    gap = 8,
    height = 'min(400px, 60vh)',
    scrollKey,
    isPlain,
  } = props
  const count = Math.max(props.count ?? 0, items.length)
  const box = useRef<HTMLDivElement>(null)
  const focusNext = useRef<number | undefined>(undefined)
  const scrollTop = useRef(0)
  // Only the index of the first visible row is stored as state, so scrolling within a row does not cause a re-render.
  const [row, setRow] = useState(0)
  const [seen, setSeen] = useState(400)
  const step = rowHeight + gap

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    // The observer is also called after the first layout.
    const watch = new ResizeObserver(() => setSeen(element.clientHeight))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `scrollKey` only triggers the effect
  useLayoutEffect(() => {
    if (scrollTop.current > 0) box.current?.scrollTo(0, 0)
    setRow(0)
  }, [scrollKey])

  const range = virtualRange({ count, columns, rowHeight, gap, scrollTop: row * step, height: seen + step, overscan })
  const missing = range.to > items.length && items.length < count

  // biome-ignore lint/correctness/useExhaustiveDependencies: `items` triggers the next request if there are still too few items
  useEffect(() => {
    if (missing) onMissing?.(range.to - 1)
  }, [missing, range.to, items, onMissing])

  useLayoutEffect(() => {
    if (focusNext.current === undefined) return
    const entry = box.current?.querySelector<HTMLElement>(`[data-at="${focusNext.current}"]`)
    if (!entry) return
    focusNext.current = undefined
    entry.querySelector<HTMLElement>('button, a')?.focus()
  })

  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const entry = (event.target as HTMLElement).closest<HTMLElement>('[data-at]')
    if (!entry || !box.current) return
    const side = getComputedStyle(box.current).direction === 'rtl' ? -1 : 1
    const page = Math.max(1, Math.floor(seen / step)) * columns
    const steps: Record<string, number> = {
      ArrowDown: columns,
      ArrowUp: -columns,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
      ...(columns > 1 ? { ArrowRight: side, ArrowLeft: -side } : {}),
    }
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    const to = Math.min(items.length - 1, Math.max(0, Number(entry.dataset.at) + by))
    const top = Math.floor(to / columns) * step
    const view = box.current
    if (top < view.scrollTop) view.scrollTop = top
    else if (top + rowHeight > view.scrollTop + view.clientHeight) view.scrollTop = top + rowHeight - view.clientHeight
    focusNext.current = to
    const target = view.querySelector<HTMLElement>(`[data-at="${to}"] :is(button, a)`)
    if (target) {
      focusNext.current = undefined
      target.focus({ preventScroll: true })
    }
  }

  // A long jump renders many items, so it uses a transition to keep scrolling responsive. The next jump starts only after the
  // current one has been rendered, because a transition that restarts in every frame might never finish. Short steps are rendered
  // immediately.
  const [isJumping, startJump] = useTransition()
  const follow = (): void => {
    const to = Math.max(0, Math.floor(scrollTop.current / step))
    if (Math.abs(to - row) <= overscan) setRow(to)
    else if (!isJumping) startJump(() => setRow(to))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the user may have scrolled further during a jump
  useEffect(() => {
    if (!isJumping) follow()
  }, [isJumping])

  const entries: ReactNode[] = []
  for (let at = range.from; at < range.to; at++) {
    const item = items[at]
    entries.push(
      <Entry
        key={item === undefined ? at : keyOf(item)}
        item={item}
        at={at}
        count={count}
        height={rowHeight}
        draw={children}
        placeholder={placeholder}
      />,
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key handler only moves focus between the buttons inside
    <div
      className="virtual"
      ref={box}
      tabIndex={isPlain ? 0 : undefined}
      role={isPlain ? 'region' : undefined}
      aria-label={isPlain ? label : undefined}
      style={{ blockSize: `min(${range.total}px + var(--list-end), ${height})` }}
      onScroll={(event) => {
        scrollTop.current = event.currentTarget.scrollTop
        follow()
      }}
      onKeyDown={isPlain ? undefined : move}
    >
      <div style={{ blockSize: range.total }}>
        <ul
          aria-label={label}
          style={{
            transform: `translateY(${range.offset}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            gap,
          }}
        >
          {entries}
        </ul>
      </div>
    </div>
  )
}

interface EntryProps<Item> {
  readonly item: Item | undefined
  readonly at: number
  readonly count: number
  readonly height: number
  readonly draw: (item: Item, at: number) => ReactNode
  readonly placeholder: (() => ReactNode) | undefined
}

// Memoized, so that scrolling renders only the items that come into view.
const Entry = memo(function Entry({ item, at, count, height, draw, placeholder }: EntryProps<unknown>): ReactNode {
  return (
    <li data-at={at} style={{ blockSize: height }} aria-setsize={count} aria-posinset={at + 1}>
      {item === undefined ? placeholder?.() : draw(item, at)}
    </li>
  )
}) as <Item>(props: EntryProps<Item>) => ReactNode
