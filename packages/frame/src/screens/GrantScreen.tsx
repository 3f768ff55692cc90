import { formatUnits } from '@latchkey/protocol/amount'
import { Address, Amount, Button, Notice } from '@latchkey/ui'
import { Fragment, type ReactNode, useState } from 'react'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { networkName } from '../networks/networkNames.ts'
import {
  amountUsedAt,
  type Grant,
  type GrantLimits,
  type GrantUsage,
  type Permission,
  type TokenMetadataByAddress,
  totalAllowance,
} from '../permissions/grant.ts'
import { t } from '../texts/translations.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import {
  BackupNotice,
  type Fact,
  Facts,
  FullAddress,
  NetworkAndAccount,
  Origin,
  type ScreenProps,
  Sheet,
} from './approvalScreenParts.tsx'
import { periodText } from './formatPeriod.ts'
import { formatTime } from './formatTime.ts'
import { RequiredFacts } from './RequiredFacts.tsx'

/** Shows a permission request with every limit. The stored grant is exactly what is shown. */
export function GrantScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenProps & { readonly subject: ApprovalView & { readonly kind: 'grant' } }): ReactNode {
  return (
    <Sheet
      title={t('grantTitle')}
      footer={<ApprovalButtons yes="approve" risk="high" doing={doing} onYes={() => onYes()} onNo={onNo} />}
    >
      <RequiredFacts>
        <Origin origin={setting.origin} wants="asksGrant" behind={behind} />
        <Notice kind="warning">{t('grantText')}</Notice>
        <LimitFacts limits={subject.limits} tokens={subject.tokens} />
        <NetworkAndAccount setting={setting} />
      </RequiredFacts>
      <Notice kind="info">{t('grantKept')}</Notice>
      <BackupNotice onProtect={onProtect} />
    </Sheet>
  )
}

/** Asks the user whether to revoke a permission at the page's request. */
export function RevokeScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
}: ScreenProps & { readonly subject: ApprovalView & { readonly kind: 'revoke' } }): ReactNode {
  return (
    <Sheet
      title={t('revokeTitle')}
      footer={<ApprovalButtons yes="takeBack" doing={doing} onYes={() => onYes()} onNo={onNo} />}
    >
      <RequiredFacts>
        <Origin origin={setting.origin} wants="asksRevoke" behind={behind} />
        <Notice kind="info">{t('revokeText')}</Notice>
        <LimitFacts limits={subject.grant} tokens={subject.grant.tokens} />
        <NetworkAndAccount setting={{ ...setting, chain: subject.grant.chain }} />
      </RequiredFacts>
    </Sheet>
  )
}

/** Lists all pages' permissions, each with a button to revoke it. */
export function GrantsScreen({
  subject,
  setting,
  behind,
  onYes,
}: ScreenProps & { readonly subject: ApprovalView & { readonly kind: 'grants' } }): ReactNode {
  return (
    <Sheet
      title={t('grantsTitle')}
      footer={
        <div className="decide">
          <div data-single>
            <Button wide kind="primary" onClick={() => onYes()}>
              {t('done')}
            </Button>
          </div>
        </div>
      }
    >
      <Origin origin={setting.origin} wants="asksGrants" behind={behind} />
      {subject.grants.length === 0 && <Notice kind="info">{t('grantsNone')}</Notice>}
      {subject.grants.map((grant) => (
        <GrantSummary
          key={grant.context}
          grant={grant}
          now={subject.now}
          isOnly={subject.grants.length === 1}
          revoke={subject.revoke}
        />
      ))}
      {subject.grants.length > 0 && <Notice kind="info">{t('grantKept')}</Notice>}
    </Sheet>
  )
}

function GrantSummary({
  grant,
  now,
  isOnly,
  revoke,
}: {
  readonly grant: Grant
  /** The current time in seconds. */
  readonly now: number
  /** Whether this is the only permission. Otherwise, the permission is collapsed. */
  readonly isOnly: boolean
  readonly revoke: (context: string) => Promise<unknown>
}): ReactNode {
  const [state, setState] = useState<'active' | 'busy' | 'failed' | 'gone'>('active')
  const take = (): void => {
    setState('busy')
    revoke(grant.context).then(
      () => setState('gone'),
      () => setState('failed'),
    )
  }
  return (
    <details className="fold" open={isOnly}>
      <summary>
        <b dir="ltr">{new URL(grant.origin).host}</b>
      </summary>
      <div className="grant">
        {state === 'failed' && <Notice kind="error">{t('grantsFailed')}</Notice>}
        {state === 'gone' ? (
          <Notice kind="success">{t('grantsTaken')}</Notice>
        ) : (
          <>
            <LimitFacts limits={grant} tokens={grant.tokens} spent={{ ...grant.spent, now }} />
            <Facts
              facts={[
                { name: t('network'), value: networkName(grant.chain).name },
                { name: t('account'), value: <Address address={grant.account} /> },
              ]}
            />
            <Button wide busy={state === 'busy'} onClick={take}>
              {t('grantsTake')}
            </Button>
          </>
        )}
      </div>
    </details>
  )
}

function LimitFacts({
  limits,
  tokens,
  spent,
}: {
  readonly limits: GrantLimits
  readonly tokens: TokenMetadataByAddress
  readonly spent?: GrantUsage & { readonly now: number }
}): ReactNode {
  const { permissions, recipients, callsMost, expiry } = limits
  const blind = permissions.some((item) => item.kind === 'token' && !tokens[item.token])
  return (
    <>
      {blind && <Notice kind="warning">{t('grantNoSymbol')}</Notice>}
      {permissions.map((permission, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: permissions stay in their order
        <Fragment key={at}>
          {permission.kind === 'contract' ? (
            <>
              <h2 className="section">{t('grantContract')}</h2>
              <Notice kind="warning">
                {t('grantSelectorText')} {t('grantContractText')}
              </Notice>
              <Facts facts={contractFacts(permission, limits)} />
            </>
          ) : (
            <Facts
              facts={allowanceFacts(
                permission,
                limits,
                tokens,
                spent && amountUsedAt(permission, spent.used[at], spent.now),
              )}
            />
          )}
        </Fragment>
      ))}
      <Facts
        facts={
          recipients
            ? recipients.map((item, at) => ({
                name: at === 0 ? t('grantReceivers') : `${t('grantReceivers')} ${at + 1}`,
                value: <FullAddress address={item} />,
              }))
            : [{ name: t('grantReceivers'), value: t('grantAnybody'), danger: true }]
        }
      />
      <Facts
        facts={[
          { name: t('grantUntil'), value: formatTime(expiry * 1000) },
          callsMost === undefined ? undefined : { name: t('grantCalls'), value: String(callsMost) },
        ]}
      />
    </>
  )
}

type AllowancePermission = Exclude<Permission, { kind: 'contract' }>

function allowanceFacts(
  permission: AllowancePermission,
  { chain, expiry }: GrantLimits,
  tokens: TokenMetadataByAddress,
  used: bigint | undefined,
): readonly (Fact | undefined)[] {
  const coin = networkName(chain)
  const unit = permission.kind === 'coin' ? coin : tokens[permission.token]
  const text = (amount: bigint): ReactNode =>
    unit ? (
      <Amount value={formatUnits(amount, unit.decimals)} symbol={unit.symbol} places={18} />
    ) : (
      <Amount value={String(amount)} places={0} />
    )
  return [
    {
      // A token's own name could be any text, so it is only shown next to amounts.
      name: permission.kind === 'coin' ? t('grantCoins', { symbol: coin.symbol }) : t('grantTokens'),
      value: (
        <>
          {text(permission.most)} {periodText(permission.period)}
        </>
      ),
      strong: true,
    },
    used === undefined || used === 0n ? undefined : { name: t('grantUsed'), value: text(used) },
    { name: t('grantAltogether'), value: text(totalAllowance(permission, expiry)) },
    permission.kind === 'token' ? { name: t('token'), value: <FullAddress address={permission.token} /> } : undefined,
  ]
}

function contractFacts(
  { address, functions }: Permission & { readonly kind: 'contract' },
  { chain }: GrantLimits,
): readonly Fact[] {
  const coin = networkName(chain)
  const signs = { EQUAL: '=', LESS_THAN: '<', GREATER_THAN: '>' } as const
  return [
    { name: t('contract'), value: <FullAddress address={address} /> },
    ...functions.map(({ name, selector, inputs, rules, valueMost }, at) => ({
      name: functions.length > 1 ? `${t('grantFunction')} ${at + 1}` : t('grantFunction'),
      value: (
        <span className="function" dir="ltr">
          <b>{selector}</b>
          <small>
            {t('grantClaim')} {name}({inputs.map(({ type }) => type).join(',')})
          </small>
          {inputs.map((input, place) => {
            const rule = rules[place]
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: arguments stay in their order
              <span key={place}>
                {place + 1} ({input.type}) {rule ? `${signs[rule.operator]} ${rule.value}` : `= ${t('grantAny')}`}
              </span>
            )
          })}
          {valueMost > 0n && (
            <span>
              {t('grantWith')} <Amount value={formatUnits(valueMost, coin.decimals)} symbol={coin.symbol} places={18} />
            </span>
          )}
        </span>
      ),
    })),
  ]
}
