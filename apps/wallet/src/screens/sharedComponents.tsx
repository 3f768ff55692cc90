import { Button, Icon, IconButton, Notice, Screen, Spinner, WalletLogo } from '@latchkey/ui'
import type { Metadata } from '@latchkey/walletconnect'
import type { Verdict } from '@latchkey/walletconnect/verify'
import { type ReactNode, useEffect, useState } from 'react'
import { hostOf } from '../dappName.ts'
import { escapeInvisible } from '../decodeMessageText.ts'

/** A wallet screen with an optional back button. */
export function Page({
  title,
  onBack,
  footer,
  children,
}: {
  readonly title: string
  readonly onBack?: (() => void) | undefined
  readonly footer?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <main className="page">
      {/* The app's top-level heading. Screens and lists use lower heading levels. */}
      <h1 className="hidden">Web wallet</h1>
      {onBack && (
        <span className="page-back">
          <IconButton icon="back" label="Back" onClick={onBack} />
        </span>
      )}
      <Screen title={title} footer={footer}>
        {children}
      </Screen>
    </main>
  )
}

/** Renders the requesting page's self-reported metadata. The host comes first because a page can choose any name. */
export function Requester({
  from,
  wants,
  verdict,
}: {
  readonly from: Metadata
  readonly wants: string
  /** The verify service's verdict. */
  readonly verdict?: Verdict | undefined
}): ReactNode {
  const host = hostOf(from.url)
  const isSecure = from.url.startsWith('https://') || /^((.+\.)?localhost|127(\.\d+){3})(:\d+)?$/.test(host)
  const icon = from.icons.find((src) => src.startsWith('https://'))
  return (
    <section className="from" aria-label="Requesting page">
      <WalletLogo name={from.name || host} src={icon} />
      <div className="from-text">
        <b dir="ltr">{host || 'No address given'}</b>
        <span>
          {from.name ? `“${escapeInvisible(from.name).slice(0, 80)}” ` : ''}
          {wants}
        </span>
        <small>{whoseWord(verdict)}</small>
        {!isSecure && (
          <small data-tone="danger">
            This page does not use HTTPS, so others on the network can read and change it.
          </small>
        )}
      </div>
    </section>
  )
}

/**
 * Returns a note on whether the page's address can be trusted. The note does not present a `valid` verdict as proof, because a
 * client that is not a browser can fake it.
 */
function whoseWord(verdict: Verdict | undefined): string {
  switch (verdict) {
    case 'valid':
      return 'Self-reported. The verify service confirmed this address, but the service can be deceived.'
    case 'invalid':
    case 'scam':
      return 'Self-reported.'
    default:
      return 'Self-reported and not verified.'
  }
}

/** A warning that is shown if the verify service contradicts the page's self-reported URL or lists the page as a scam. */
export function OriginWarning({ verdict }: { readonly verdict: Verdict | undefined }): ReactNode {
  if (verdict === 'scam')
    return (
      <Notice kind="error" title="This page is a known scam">
        The verify service warns about this page. Reject the request.
      </Notice>
    )
  if (verdict === 'invalid')
    return (
      <Notice kind="error" title="This page is not what it claims to be">
        The verify service saw it at a different address. Reject the request unless you know why.
      </Notice>
    )
  return null
}

/** An entry in a list of facts. */
export interface Fact {
  readonly name: string
  readonly value: ReactNode
  /** Whether the value is displayed below the name. */
  readonly long?: boolean
  readonly tone?: 'strong' | 'danger' | undefined
}

/** A list of names and values. */
export function FactList({ facts }: { readonly facts: readonly (Fact | undefined)[] }): ReactNode {
  return (
    <dl className="facts">
      {facts
        .filter((fact) => fact !== undefined)
        .map(({ name, value, long, tone }) => (
          <div key={name} data-long={long || undefined} data-tone={tone}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A bulleted list. */
export function BulletList({
  label,
  points,
}: {
  readonly label: string
  readonly points: readonly string[]
}): ReactNode {
  if (points.length === 0) return null
  return (
    <section className="points">
      <h3>{label}</h3>
      <ul>
        {points.map((point) => (
          <li key={point}>
            <Icon name="check" size={16} />
            {point}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Renders text in a scrollable box, such as a message to sign. */
export function TextBox({ name, text, code }: { name: string; text: string; code?: boolean }): ReactNode {
  return (
    // A scrollable region must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className="textBox" role="region" aria-label={name} tabIndex={0} data-code={code || undefined}>
      {text}
    </div>
  )
}

/** A collapsible section. */
export function Disclosure({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <details className="fold">
      <summary>{label}</summary>
      {children}
    </details>
  )
}

/** The reject and approve buttons. The approve button is disabled at first to guard against accidental clicks. */
export function ApprovalButtons({
  yes,
  no = 'Reject',
  isDoing,
  isDanger,
  onYes,
  onNo,
}: {
  readonly yes?: string | undefined
  readonly no?: string
  readonly isDoing: boolean
  readonly isDanger: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}): ReactNode {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSeen(true), 500)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="decide">
      <div className="decide-row">
        <Button wide disabled={isDoing} onClick={onNo}>
          {no}
        </Button>
        {yes && (
          <Button wide kind={isDanger ? 'danger' : 'primary'} busy={isDoing} disabled={!isSeen} onClick={onYes}>
            {yes}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Renders the time that is left until `at` (epoch milliseconds). */
export function Countdown({ at }: { readonly at: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span role="timer">{formatDuration(at - now)}</span>
}

/** Formats a duration, such as "4 min 31 s" or "6 days". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)} hours`
  return `${Math.round(seconds / 86_400)} days`
}

/** A progress indicator. */
export function Loading({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="waiting" role="status">
      <Spinner />
      <span>{children}</span>
    </div>
  )
}
