import { Component, type ErrorInfo, type ReactNode } from 'react'

interface Props {
  /** Rendered when the children throw. Call `retry` to render the children again. */
  readonly fallback: (retry: () => void) => ReactNode
  readonly onError: (error: unknown, info: ErrorInfo) => void
  readonly children: ReactNode
}

/** Catches render errors in its children and renders a fallback that can retry. */
export class ErrorBoundary extends Component<Props, { readonly broken: boolean }> {
  override readonly state: { readonly broken: boolean } = { broken: false }

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError(error, info)
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback(() => this.setState({ broken: false })) : this.props.children
  }
}
