import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'

/** The interface between a view and its container, which is the modal or a page. */
export interface ScreenFrame {
  /** The ID for the heading, which labels the dialog. */
  readonly headingId: string
  /** Called when a view has mounted, so that focus can move to its heading. */
  arrived(heading: HTMLElement): void
  /** The heading level: 1 on a page, and 2 in a modal. */
  readonly level: 1 | 2
}

/** The React context that provides the views with their container. */
export const ScreenFrameContext: React.Context<ScreenFrame | undefined> = createContext<ScreenFrame | undefined>(
  undefined,
)

/** Props for `Screen`. */
export interface ScreenProps {
  /** The view's heading. It labels the dialog and is the first text that screen readers read. */
  readonly title: string
  /** Whether to hide the heading visually. The account view, for example, shows the network instead. */
  readonly hideTitle?: boolean | undefined
  /** The alignment. Use `center` for views with a single message, to center text and images. Default: `start`. */
  readonly align?: 'start' | 'center' | undefined
  /** Content below the body that stays visible while the body scrolls. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** Renders a view, with its heading in the 60 px header, its body, and an optional footer. */
export function Screen({ title, hideTitle, align = 'start', footer, children }: ScreenProps): ReactNode {
  const frame = useContext(ScreenFrameContext)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (heading.current) frame?.arrived(heading.current)
  }, [frame])
  const Heading = frame?.level === 1 ? 'h1' : 'h2'
  return (
    <div className="screen">
      <div className="screen-head">
        <Heading ref={heading} id={frame?.headingId} tabIndex={-1} className={hideTitle ? 'hidden' : undefined}>
          {title}
        </Heading>
      </div>
      <div className="screen-body" data-align={align}>
        {children}
      </div>
      {footer !== undefined && footer !== null && <div className="screen-foot">{footer}</div>}
    </div>
  )
}

/** Props for `Stack`. */
export interface StackProps {
  /** The gap in px. Default: 12. */
  readonly gap?: 0 | 4 | 8 | 12 | 16 | 20 | 24 | undefined
  /** The direction in which the elements are placed. Default: `column`. */
  readonly direction?: 'column' | 'row' | undefined
  /** The alignment of the elements. Default: `stretch`. */
  readonly align?: 'stretch' | 'start' | 'center' | undefined
  readonly children: ReactNode
}

/** Renders a column or row of elements with equal gaps. */
export function Stack({ gap = 12, direction = 'column', align = 'stretch', children }: StackProps): ReactNode {
  return (
    <div className="stack" data-direction={direction} data-align={align} style={{ gap }}>
      {children}
    </div>
  )
}

/** Props for `Text`. */
export interface TextProps {
  /** The size and weight: 20/600 for `title`, 16/500 for `row`, 14/400 for `body`, and 12/500 for `label`. Default: `body`. */
  readonly kind?: 'title' | 'row' | 'body' | 'label' | undefined
  /** The color. Default: `strong`. */
  readonly tone?: 'strong' | 'soft' | 'danger' | 'success' | undefined
  readonly children: ReactNode
}

/** Renders a paragraph in one of four sizes. */
export function Text({ kind = 'body', tone = 'strong', children }: TextProps): ReactNode {
  return (
    <p className="text" data-kind={kind} data-tone={tone}>
      {children}
    </p>
  )
}

/** Renders text that only screen readers read. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="hidden">{children}</span>
}

/**
 * Renders a live region. Changes are announced politely, or assertively if `urgent` is set. Keep it mounted while its content
 * changes.
 */
export function LiveRegion({
  urgent,
  children,
}: {
  readonly urgent?: boolean | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="hidden" role={urgent ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
