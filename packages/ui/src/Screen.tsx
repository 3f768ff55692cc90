import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'

/** The interface between a view and its container, which is the modal or a page. */
export interface ScreenFrame {
  /** The ID for the heading, which labels the dialog. */
  readonly headingId: string
  /** Called when a view has mounted, so that focus can move to its heading. */
  arrived(heading: HTMLElement): void
  /** Called when nothing on the page has focus, for example because the focused button was only shown until it was clicked. */
  lostFocus?(heading: HTMLElement): void
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
  useEffect(() => {
    if (heading.current && document.activeElement === document.body) frame?.lostFocus?.(heading.current)
  })
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
