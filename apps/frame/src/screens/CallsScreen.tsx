import { formatUnits } from '@latchkey/protocol/amount'
import { Amount, Notice, Skeleton } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { networkName } from '../networks.ts'
import type { CallReading } from '../readable/call.ts'
import { sentenceFor } from '../refusal.ts'
import type { TokenFacts } from '../requests/tokenFacts.ts'
import type { Quote } from '../requests/transaction.ts'
import type { Subject } from '../subject.ts'
import { Decide } from './Decide.tsx'
import { type Fact, Facts, Origin, type ScreenFacts, Sheet, TextBox, Where, Whole } from './parts.tsx'
import { say, type Word } from './words.ts'

/** One transaction or several: what each does, what it costs, and what changes. What is shown here is what is signed. */
export function CallsScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenFacts & { readonly subject: Subject & { readonly kind: 'calls' } }): ReactNode {
  const { readings } = subject
  const [prepared, setPrepared] = useState<Quote | { readonly failed: string }>()
  const ask = useCallback(() => {
    setPrepared(undefined)
    subject.prepare().then(setPrepared, (error: unknown) => setPrepared({ failed: sentenceFor(error) }))
  }, [subject])
  useEffect(ask, [ask])

  const coin = networkName(setting.chain)
  const ready = prepared && 'fee' in prepared ? prepared : undefined
  const needed = ready && (ready.payer ? 0n : ready.fee) + readings.reduce((sum, { value }) => sum + value, 0n)
  const tooPoor = ready !== undefined && needed !== undefined && needed > ready.balance
  const many = readings.length > 1
  return (
    <Sheet
      title={say(many ? 'batchTitle' : titleOf(readings[0]))}
      footer={<Decide yes="approve" notYet={!ready || tooPoor} doing={doing} onYes={() => onYes(ready)} onNo={onNo} />}
    >
      <Origin origin={setting.origin} wants={many ? 'asksBatch' : 'asksSend'} behind={behind} />
      {ready?.begins === 'code' && (
        // It stays: not to be found below many steps.
        <Notice kind="warning" title={say('beginsCodeTitle')}>
          {say('beginsCode')}
        </Notice>
      )}
      {ready?.willFail && (
        <Notice kind="error" title={say('willFail')}>
          {ready.willFail}
        </Notice>
      )}
      {tooPoor && (
        <Notice kind="error">{say(ready.payer ? 'tooPoorAmount' : 'tooPoor', { symbol: coin.symbol })}</Notice>
      )}
      {many && <Notice>{say(subject.isOne ? 'batchAsOne' : 'batchInTurn')}</Notice>}
      {readings.map((reading, at) => (
        <CallFacts
          // biome-ignore lint/suspicious/noArrayIndexKey: calls stay in their order
          key={at}
          reading={reading}
          coin={coin}
          tokens={ready?.tokens ?? (prepared ? {} : undefined)}
          step={many ? { at: at + 1, count: readings.length } : undefined}
        />
      ))}
      {ready?.changes && <Changes changes={ready.changes} coin={coin} tokens={ready.tokens} />}
      {prepared && 'failed' in prepared && (
        <Notice kind="error" title={say('prepareFailed')} action={{ label: say('retry'), onClick: ask }}>
          {prepared.failed}
        </Notice>
      )}
      <Facts
        facts={[
          {
            name: say('fee'),
            value: ready ? (
              <Amount value={formatUnits(ready.fee, coin.decimals)} symbol={coin.symbol} places={6} />
            ) : prepared ? (
              '–'
            ) : (
              <Skeleton width="90px" />
            ),
          },
          ready?.payer
            ? {
                name: say('payer'),
                value: ready.payer === 'page' ? new URL(setting.origin).host : say('payerOperator'),
              }
            : undefined,
        ]}
      />
      {ready?.begins === 'contract' && <Notice>{say('beginsContract')}</Notice>}
      <Where setting={setting} onProtect={onProtect} />
    </Sheet>
  )
}

type Coin = ReturnType<typeof networkName>
type Tokens = Readonly<Record<string, TokenFacts>>

function CallFacts({
  reading,
  coin,
  tokens,
  step,
}: {
  readonly reading: CallReading
  readonly coin: Coin
  /** `undefined` while the network is asked. */
  readonly tokens: Tokens | undefined
  readonly step: { readonly at: number; readonly count: number } | undefined
}): ReactNode {
  const title = titleOf(reading)
  const facts = factsOf(reading, coin, tokens)
  const warning = warningOf(reading)
  return (
    <>
      {step && (
        <h2 className="section">
          {say('step', step)}: {say(title)}
        </h2>
      )}
      {warning && <Notice kind={warning.kind}>{say(warning.word)}</Notice>}
      <Facts facts={facts} />
      {reading.kind === 'unknown' && (
        <details className="fold">
          <summary>{say('callData')}</summary>
          <TextBox name={say('callData')} text={reading.data} code />
        </details>
      )}
    </>
  )
}

function titleOf(reading: CallReading | undefined): Word {
  const titles = {
    send: 'sendTitle',
    deploy: 'deployTitle',
    sendToken: 'sendTitle',
    allow: 'allowTitle',
    allowAll: 'allowAllTitle',
    sendItem: 'sendItemTitle',
    unknown: 'callTitle',
  } as const
  return reading ? titles[reading.kind] : 'callTitle'
}

function warningOf(
  reading: CallReading,
): { readonly kind: 'info' | 'warning' | 'error'; readonly word: Word } | undefined {
  if (reading.kind === 'unknown') return { kind: 'warning', word: 'callUnknown' }
  if (reading.kind === 'allow' && reading.amount === 0n) return { kind: 'info', word: 'revoke' }
  if (reading.kind === 'allow') return { kind: reading.amount === 'unlimited' ? 'error' : 'warning', word: 'allow' }
  if (reading.kind === 'allowAll')
    return reading.allowed ? { kind: 'error', word: 'allowAll' } : { kind: 'info', word: 'revoke' }
  return undefined
}

function factsOf(reading: CallReading, coin: Coin, tokens: Tokens | undefined): readonly (Fact | undefined)[] {
  const native: Fact | undefined =
    reading.value > 0n
      ? {
          name: say(reading.kind === 'send' ? 'amount' : 'with'),
          value: <Coins value={reading.value} coin={coin} />,
          strong: true,
        }
      : undefined
  switch (reading.kind) {
    case 'send':
      return [
        native ?? { name: say('amount'), value: <Coins value={0n} coin={coin} />, strong: true },
        { name: say('to'), value: <Whole address={reading.to} /> },
      ]
    case 'deploy':
      return [{ name: say('contract'), value: say('deploy', { bytes: reading.bytes }) }, native]
    case 'sendToken':
      return [
        tokenAmount(reading.token, reading.amount, tokens),
        reading.from === undefined ? undefined : { name: say('from'), value: <Whole address={reading.from} /> },
        { name: say('to'), value: <Whole address={reading.to} /> },
        { name: say('token'), value: <Whole address={reading.token} /> },
        native,
      ]
    case 'allow':
      return [
        reading.amount === 'unlimited'
          ? { name: say('amount'), value: say('unlimited'), danger: true, strong: true }
          : tokenAmount(reading.token, reading.amount, tokens),
        { name: say('spender'), value: <Whole address={reading.spender} /> },
        { name: say('token'), value: <Whole address={reading.token} /> },
        native,
      ]
    case 'allowAll':
      return [
        { name: say('operator'), value: <Whole address={reading.operator} />, danger: reading.allowed },
        { name: say('collection'), value: <Whole address={reading.token} /> },
        native,
      ]
    case 'sendItem':
      return [
        { name: say('number'), value: reading.count === 1n ? String(reading.id) : `${reading.count} × ${reading.id}` },
        { name: say('from'), value: <Whole address={reading.from} /> },
        { name: say('to'), value: <Whole address={reading.to} /> },
        { name: say('collection'), value: <Whole address={reading.token} /> },
        native,
      ]
    case 'unknown':
      return [
        native,
        { name: say('contract'), value: <Whole address={reading.to} /> },
        { name: say('callCode'), value: reading.selector },
      ]
  }
}

function Coins({ value, coin }: { readonly value: bigint; readonly coin: Coin }): ReactNode {
  return <Amount value={formatUnits(value, coin.decimals)} symbol={coin.symbol} places={18} />
}

/** Never a count of smallest units under the name of an amount. */
function tokenAmount(token: string, amount: bigint, tokens: Tokens | undefined): Fact {
  if (!tokens) return { name: say('amount'), value: <Skeleton width="90px" />, strong: true }
  const value = <TokenAmount token={token} amount={amount} tokens={tokens} />
  return { name: say(tokens[token.toLowerCase()] ? 'amount' : 'amountRaw'), value, strong: true }
}

function TokenAmount({ token, amount, tokens }: { token: string; amount: bigint; tokens: Tokens }): ReactNode {
  const facts = tokens[token.toLowerCase()]
  return facts ? (
    <Amount value={formatUnits(amount, facts.decimals)} symbol={facts.symbol} places={facts.decimals} />
  ) : (
    <Amount value={String(amount)} places={0} />
  )
}

function Changes({
  changes,
  coin,
  tokens,
}: {
  changes: NonNullable<Quote['changes']>
  coin: Coin
  tokens: Tokens
}): ReactNode {
  return (
    <>
      <h2 className="section">{say('changes')}</h2>
      {changes.length === 0 ? (
        <Notice>{say('changesNone')}</Notice>
      ) : (
        <Facts
          facts={changes.map(({ token, amount }) => {
            const size = amount < 0n ? -amount : amount
            return {
              name: token === undefined ? coin.symbol : (tokens[token]?.symbol ?? token),
              // The sign stays before its number, also among words that run the other way.
              value: (
                <bdi dir="ltr">
                  {amount < 0n ? '−' : '+'}
                  {token === undefined ? (
                    <Coins value={size} coin={coin} />
                  ) : (
                    <TokenAmount token={token} amount={size} tokens={tokens} />
                  )}
                </bdi>
              ),
            }
          })}
        />
      )}
    </>
  )
}
