import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'

/** What the frame around a view (the modal, or a page) wants to know of it. */
export interface ScreenFrame {
  /** The id that the heading must carry, so that the dialog is named after it. */
  readonly headingId: string
  /** Called when a view stands on screen, so that focus can move to its heading. */
  arrived(heading: HTMLElement): void
  /** 1 alone on a page, 2 in a modal. */
  readonly level: 1 | 2
}

/** The frame around the views below it. */
export const ScreenFrameContext: React.Context<ScreenFrame | undefined> = createContext<ScreenFrame | undefined>(
  undefined,
)

/** What a screen needs. */
export interface ScreenProps {
  /** The view's heading. The dialog is named after it, and it is what a screen reader reads first. */
  readonly title: string
  /** Spoken, not drawn (Account shows the network instead). */
  readonly hideTitle?: boolean | undefined
  /** `center` for views that tell one thing: text and pictures in the middle. [start] */
  readonly align?: 'start' | 'center' | undefined
  /** Below the body; stays in sight while the body scrolls. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** One view: its heading in the 60 px strip at the top, its body, and a footer within a thumb's reach. */
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

/** What a stack needs. */
export interface StackProps {
  /** In px. [12] */
  readonly gap?: 0 | 4 | 8 | 12 | 16 | 20 | 24 | undefined
  /** [column] */
  readonly direction?: 'column' | 'row' | undefined
  /** [stretch] */
  readonly align?: 'stretch' | 'start' | 'center' | undefined
  readonly children: ReactNode
}

/** Things below (or beside) each other at an even distance. */
export function Stack({ gap = 12, direction = 'column', align = 'stretch', children }: StackProps): ReactNode {
  return (
    <div className="stack" data-direction={direction} data-align={align} style={{ gap }}>
      {children}
    </div>
  )
}

/** What text needs. */
export interface TextProps {
  /** `title` 20/600, `row` 16/500, `body` 14/400, `label` 12/500. [body] */
  readonly kind?: 'title' | 'row' | 'body' | 'label' | undefined
  /** [strong] */
  readonly tone?: 'strong' | 'soft' | 'danger' | 'success' | undefined
  readonly children: ReactNode
}

/** A paragraph in one of the four sizes. */
export function Text({ kind = 'body', tone = 'strong', children }: TextProps): ReactNode {
  return (
    <p className="text" data-kind={kind} data-tone={tone}>
      {children}
    </p>
  )
}

/** Words for screen readers only. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="hidden">{children}</span>
}

/** A place whose changes are spoken, politely or at once. Keep it in the page while its words change. */
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
