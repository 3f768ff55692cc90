import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'

/** The interface between a view and its container (the modal or a page). */
export interface ScreenFrame {
  /** The ID for the heading, which labels the dialog. */
  readonly headingId: string
  /** Called when a view has mounted, so that focus can move to its heading. */
  arrived(heading: HTMLElement): void
  /** The heading level: 1 on a page, 2 in a modal. */
  readonly level: 1 | 2
}

/** The context of the views' container. */
export const ScreenFrameContext: React.Context<ScreenFrame | undefined> = createContext<ScreenFrame | undefined>(
  undefined,
)

/** Props of `Screen`. */
export interface ScreenProps {
  /** The view's heading. It labels the dialog and is the first text that screen readers read. */
  readonly title: string
  /** Whether to hide the heading visually (Account shows the network instead). */
  readonly hideTitle?: boolean | undefined
  /** `center` for views with a single message: text and images are centered. [start] */
  readonly align?: 'start' | 'center' | undefined
  /** Content below the body that stays visible while the body scrolls. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** A view: its heading in the 60 px header, its body, and an optional footer. */
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

/** Props of `Stack`. */
export interface StackProps {
  /** In px. [12] */
  readonly gap?: 0 | 4 | 8 | 12 | 16 | 20 | 24 | undefined
  /** [column] */
  readonly direction?: 'column' | 'row' | undefined
  /** [stretch] */
  readonly align?: 'stretch' | 'start' | 'center' | undefined
  readonly children: ReactNode
}

/** A column or row of elements with equal gaps. */
export function Stack({ gap = 12, direction = 'column', align = 'stretch', children }: StackProps): ReactNode {
  return (
    <div className="stack" data-direction={direction} data-align={align} style={{ gap }}>
      {children}
    </div>
  )
}

/** Props of `Text`. */
export interface TextProps {
  /** `title` 20/600, `row` 16/500, `body` 14/400, `label` 12/500. [body] */
  readonly kind?: 'title' | 'row' | 'body' | 'label' | undefined
  /** [strong] */
  readonly tone?: 'strong' | 'soft' | 'danger' | 'success' | undefined
  readonly children: ReactNode
}

/** A paragraph in one of four sizes. */
export function Text({ kind = 'body', tone = 'strong', children }: TextProps): ReactNode {
  return (
    <p className="text" data-kind={kind} data-tone={tone}>
      {children}
    </p>
  )
}

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="hidden">{children}</span>
}

/** A live region. Changes are announced politely, or assertively if `urgent`. Keep it mounted while its content changes. */
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
