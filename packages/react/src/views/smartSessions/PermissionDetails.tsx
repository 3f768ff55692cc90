import type { GrantedPermission, SmartSession } from '@latchkey/core/permissions'
import { formatUnits } from '@latchkey/protocol/amount'
import { Address, Amount, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { formatDateTime, formatPeriod } from './formatTime.ts'
import css from './smartSessions.css?inline'
import { useSmartSessionTranslations } from './useSmartSessionTranslations.ts'

interface Detail {
  readonly name: string
  readonly value: ReactNode
}

/** Renders all limits of a session in plain language. */
export function PermissionDetails({ session }: { readonly session: SmartSession }): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useSmartSessionTranslations()
  const network = latchkey.network(session.chain)
  const coin = network?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const amount = (permission: Exclude<GrantedPermission, { kind: 'contract' }>, value: bigint): ReactNode => {
    const unit = permission.kind === 'coin' ? coin : permission
    if (unit.decimals === undefined) return String(value)
    return (
      <Amount value={formatUnits(value, unit.decimals)} symbol={unit.symbol ?? ''} places={18} locale={text.locale} />
    )
  }
  const detailsOf = (permission: GrantedPermission): readonly Detail[] => {
    if (permission.kind === 'contract')
      return [
        { name: text('sessions.contract'), value: <Address address={permission.address} whole /> },
        ...permission.functions.map((name) => ({ name: '', value: <bdi dir="ltr">{name}</bdi> })),
      ]
    const period = formatPeriod(permission.period, text.locale)
    return [
      ...(permission.kind === 'token'
        ? [{ name: permission.symbol ?? '', value: <Address address={permission.token} whole /> }]
        : [{ name: text('sessions.coin', { symbol: coin.symbol }), value: '' }]),
      { name: text('sessions.most', { period }), value: amount(permission, permission.allowance) },
      { name: text('sessions.used'), value: amount(permission, permission.used) },
    ]
  }
  const { state, expiry, revokedAt, recipients, calls, maxCalls } = session
  const ends = { active: 'sessions.until', expired: 'sessions.ended', revoked: 'sessions.taken' } as const
  const groups: readonly (readonly Detail[])[] = [
    ...session.permissions.map(detailsOf),
    ...(recipients
      ? [
          recipients.map((recipient, at) => ({
            name: at === 0 ? text('sessions.recipients') : '',
            value: <Address address={recipient} whole />,
          })),
        ]
      : []),
    [
      { name: text(ends[state]), value: formatDateTime(revokedAt ?? expiry, text.locale) },
      {
        name: text('sessions.calls'),
        value:
          maxCalls === undefined
            ? text.number(calls)
            : text('sessions.callsOf', { count: text.number(calls), most: text.number(maxCalls) }),
      },
      { name: text('sessions.network'), value: network?.name ?? session.chain },
      { name: text('sessions.account'), value: <Address address={session.address} /> },
    ],
  ]
  return (
    <div className="limits">
      {groups.map((details, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed
        <dl key={at}>
          {details.map(({ name, value }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed
            <div key={place}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ))}
    </div>
  )
}

/** Renders a one-line summary of a session. */
export function PermissionSummary({ session }: { readonly session: SmartSession }): ReactNode {
  const latchkey = useLatchkey()
  const text = useSmartSessionTranslations()
  const coin = latchkey.network(session.chain)?.nativeCurrency ?? { symbol: '', decimals: 18 }
  // Every session includes an allowance in the native coin to pay for fees, so a token permission is more informative.
  const primary =
    session.permissions.find(({ kind }) => kind === 'token') ?? session.permissions.find(({ kind }) => kind === 'coin')
  if (!primary || primary.kind === 'contract') return session.context.slice(0, 10)
  const unit = primary.kind === 'coin' ? coin : primary
  return (
    <>
      {unit.decimals === undefined ? (
        String(primary.allowance)
      ) : (
        <Amount value={formatUnits(primary.allowance, unit.decimals)} symbol={unit.symbol ?? ''} locale={text.locale} />
      )}
      {' · '}
      {formatPeriod(primary.period, text.locale)}
    </>
  )
}
