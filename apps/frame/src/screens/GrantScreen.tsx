import { formatUnits } from '@latchkey/protocol/amount'
import { Address, Amount, Button, Notice } from '@latchkey/ui'
import { Fragment, type ReactNode, useState } from 'react'
import { networkName } from '../networks.ts'
import {
  altogether,
  type Grant,
  type Limits,
  type Permission,
  type Spent,
  type Tokens,
  usedAt,
} from '../permissions/grant.ts'
import type { Subject } from '../subject.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import { DecidingFacts } from './DecidingFacts.tsx'
import { type Fact, Facts, Origin, Protect, type ScreenFacts, Sheet, Where, Whole } from './parts.tsx'
import { periodText } from './period.ts'
import { timeOf } from './times.ts'
import { say } from './words.ts'

/** A page asks to act without asking: every limit in plain words. What is shown here is what is kept. */
export function GrantScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenFacts & { readonly subject: Subject & { readonly kind: 'grant' } }): ReactNode {
  return (
    <Sheet
      title={say('grantTitle')}
      footer={<ApprovalButtons yes="approve" risk="high" doing={doing} onYes={() => onYes()} onNo={onNo} />}
    >
      <DecidingFacts>
        <Origin origin={setting.origin} wants="asksGrant" behind={behind} />
        <Notice kind="warning">{say('grantText')}</Notice>
        <LimitFacts limits={subject.limits} tokens={subject.tokens} />
        <Where setting={setting} />
      </DecidingFacts>
      <Notice kind="info">{say('grantKept')}</Notice>
      <Protect onProtect={onProtect} />
    </Sheet>
  )
}

/** A page gives a permission up. */
export function RevokeScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
}: ScreenFacts & { readonly subject: Subject & { readonly kind: 'revoke' } }): ReactNode {
  return (
    <Sheet
      title={say('revokeTitle')}
      footer={<ApprovalButtons yes="takeBack" doing={doing} onYes={() => onYes()} onNo={onNo} />}
    >
      <DecidingFacts>
        <Origin origin={setting.origin} wants="asksRevoke" behind={behind} />
        <Notice kind="info">{say('revokeText')}</Notice>
        <LimitFacts limits={subject.grant} tokens={subject.grant.tokens} />
        <Where setting={{ ...setting, chain: subject.grant.chain }} />
      </DecidingFacts>
    </Sheet>
  )
}

/** What all pages may do, with a way to take each back. */
export function GrantsScreen({
  subject,
  setting,
  behind,
  onYes,
}: ScreenFacts & { readonly subject: Subject & { readonly kind: 'grants' } }): ReactNode {
  return (
    <Sheet
      title={say('grantsTitle')}
      footer={
        <div className="decide">
          <div data-single>
            <Button wide kind="primary" onClick={() => onYes()}>
              {say('done')}
            </Button>
          </div>
        </div>
      }
    >
      <Origin origin={setting.origin} wants="asksGrants" behind={behind} />
      {subject.grants.length === 0 && <Notice kind="info">{say('grantsNone')}</Notice>}
      {subject.grants.map((grant) => (
        <OneGrant
          key={grant.context}
          grant={grant}
          now={subject.now}
          isOnly={subject.grants.length === 1}
          revoke={subject.revoke}
        />
      ))}
      {subject.grants.length > 0 && <Notice kind="info">{say('grantKept')}</Notice>}
    </Sheet>
  )
}

function OneGrant({
  grant,
  now,
  isOnly,
  revoke,
}: {
  readonly grant: Grant
  /** Seconds. */
  readonly now: number
  /** Several are a list first, each opened by a press. */
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
        {state === 'failed' && <Notice kind="error">{say('grantsFailed')}</Notice>}
        {state === 'gone' ? (
          <Notice kind="success">{say('grantsTaken')}</Notice>
        ) : (
          <>
            <LimitFacts limits={grant} tokens={grant.tokens} spent={{ ...grant.spent, now }} />
            <Facts
              facts={[
                { name: say('network'), value: networkName(grant.chain).name },
                { name: say('account'), value: <Address address={grant.account} /> },
              ]}
            />
            <Button wide busy={state === 'busy'} onClick={take}>
              {say('grantsTake')}
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
  readonly limits: Limits
  readonly tokens: Tokens
  readonly spent?: Spent & { readonly now: number }
}): ReactNode {
  const { permissions, recipients, callsMost, expiry } = limits
  const blind = permissions.some((one) => one.kind === 'token' && !tokens[one.token])
  return (
    <>
      {blind && <Notice kind="warning">{say('grantNoSymbol')}</Notice>}
      {permissions.map((permission, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: permissions stay in their order
        <Fragment key={at}>
          {permission.kind === 'contract' ? (
            <>
              <h2 className="section">{say('grantContract')}</h2>
              <Notice kind="warning">
                {say('grantSelectorText')} {say('grantContractText')}
              </Notice>
              <Facts facts={contractFacts(permission, limits)} />
            </>
          ) : (
            <Facts
              facts={allowanceFacts(permission, limits, tokens, spent && usedAt(permission, spent.used[at], spent.now))}
            />
          )}
        </Fragment>
      ))}
      <Facts
        facts={
          recipients
            ? recipients.map((one, at) => ({
                name: at === 0 ? say('grantReceivers') : `${say('grantReceivers')} ${at + 1}`,
                value: <Whole address={one} />,
              }))
            : [{ name: say('grantReceivers'), value: say('grantAnybody'), danger: true }]
        }
      />
      <Facts
        facts={[
          { name: say('grantUntil'), value: timeOf(expiry * 1000) },
          callsMost === undefined ? undefined : { name: say('grantCalls'), value: String(callsMost) },
        ]}
      />
    </>
  )
}

type AllowancePermission = Exclude<Permission, { kind: 'contract' }>

function allowanceFacts(
  permission: AllowancePermission,
  { chain, expiry }: Limits,
  tokens: Tokens,
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
      // What a token calls itself stands beside amounts only: it could call itself anything.
      name: permission.kind === 'coin' ? say('grantCoins', { symbol: coin.symbol }) : say('grantTokens'),
      value: (
        <>
          {text(permission.most)} {periodText(permission.period)}
        </>
      ),
      strong: true,
    },
    used === undefined || used === 0n ? undefined : { name: say('grantUsed'), value: text(used) },
    { name: say('grantAltogether'), value: text(altogether(permission, expiry)) },
    permission.kind === 'token' ? { name: say('token'), value: <Whole address={permission.token} /> } : undefined,
  ]
}

function contractFacts(
  { address, functions }: Permission & { readonly kind: 'contract' },
  { chain }: Limits,
): readonly Fact[] {
  const coin = networkName(chain)
  const signs = { EQUAL: '=', LESS_THAN: '<', GREATER_THAN: '>' } as const
  return [
    { name: say('contract'), value: <Whole address={address} /> },
    ...functions.map(({ name, selector, inputs, rules, valueMost }, at) => ({
      name: functions.length > 1 ? `${say('grantFunction')} ${at + 1}` : say('grantFunction'),
      value: (
        <span className="function" dir="ltr">
          <b>{selector}</b>
          <small>
            {say('grantClaim')} {name}({inputs.map(({ type }) => type).join(',')})
          </small>
          {inputs.map((input, place) => {
            const rule = rules[place]
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: arguments stay in their order
              <span key={place}>
                {place + 1} ({input.type}) {rule ? `${signs[rule.operator]} ${rule.value}` : `= ${say('grantAny')}`}
              </span>
            )
          })}
          {valueMost > 0n && (
            <span>
              {say('grantWith')}{' '}
              <Amount value={formatUnits(valueMost, coin.decimals)} symbol={coin.symbol} places={18} />
            </span>
          )}
        </span>
      ),
    })),
  ]
}
