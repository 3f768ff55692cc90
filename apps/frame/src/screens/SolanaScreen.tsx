import { formatUnits } from '@latchkey/protocol/amount'
import type { ChainId } from '@latchkey/protocol/caip'
import { Amount, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { SolanaReading, SolanaStep } from '../readable/solana.ts'
import type { Subject } from '../subject.ts'
import { ApprovalButtons, type ApprovalRisk, highestRisk } from './ApprovalButtons.tsx'
import { DecidingFacts } from './DecidingFacts.tsx'
import { TextBox } from './PageText.tsx'
import { type Fact, Facts, Origin, Protect, type ScreenFacts, Sheet, Where, Whole } from './parts.tsx'
import { say, type Word } from './words.ts'

/** The network on which things have a price; a transaction names none, so one that is asked for elsewhere may be for it. */
const mainNetwork: ChainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** Solana transactions: each step of each, what it costs, and who pays. */
export function SolanaScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenFacts & { readonly subject: Subject & { readonly kind: 'solana' } }): ReactNode {
  const { readings, send } = subject
  const many = readings.length > 1
  const [only] = readings
  const title = many ? 'batchTitle' : only?.steps.length === 1 && only.steps[0] ? titleOf(only.steps[0]) : 'callTitle'
  const own = readings.filter(({ payer }) => payer === setting.account)
  const fee = own.reduce((sum, one) => sum + one.fee, 0n)
  return (
    <Sheet
      title={say(title)}
      footer={
        <ApprovalButtons
          yes={send ? 'approve' : 'sign'}
          risk={highestRisk(readings.map((reading) => ({ risk: riskOf(reading) })))}
          doing={doing}
          onYes={() => onYes()}
          onNo={onNo}
        />
      }
    >
      <DecidingFacts>
        <Origin origin={setting.origin} wants={many ? 'asksBatch' : send ? 'asksSend' : 'asks'} behind={behind} />
        {readings.map((reading, at) => (
          <Steps
            // biome-ignore lint/suspicious/noArrayIndexKey: transactions stay in their order
            key={at}
            reading={reading}
            account={setting.account}
            step={many ? { at: at + 1, count: readings.length } : undefined}
          />
        ))}
        {setting.chain !== mainNetwork && <Notice kind="warning">{say('solanaTest')}</Notice>}
        {!send && <Notice>{say('signOnly')}</Notice>}
        <Facts
          facts={[
            {
              name: say('fee'),
              value: own.length === 0 ? say('otherPays') : <Sol lamports={fee} />,
            },
          ]}
        />
        <Where setting={setting} />
      </DecidingFacts>
      <Protect onProtect={onProtect} />
    </Sheet>
  )
}

function riskOf({ steps, hidden }: SolanaReading): ApprovalRisk {
  const isHigh = (step: SolanaStep): boolean =>
    step.kind === 'handOver' || (step.kind === 'allow' && step.amount === 'unlimited')
  if (steps.some(isHigh)) return 'high'
  // An account that only the network can name may be anybody's.
  return hidden > 0 || steps.some(({ kind }) => kind === 'unknown') ? 'unknown' : 'normal'
}

function Steps({
  reading,
  account,
  step,
}: {
  readonly reading: SolanaReading
  readonly account: string
  readonly step: { readonly at: number; readonly count: number } | undefined
}): ReactNode {
  const several = reading.steps.length > 1
  return (
    <>
      {step && <h2 className="section">{say('stepOf', step)}</h2>}
      {reading.hidden > 0 && <Notice kind="warning">{say('hiddenAccounts', { count: reading.hidden })}</Notice>}
      {reading.steps.map((one, at) => (
        <OneStep
          // biome-ignore lint/suspicious/noArrayIndexKey: steps stay in their order
          key={at}
          step={one}
          account={account}
          named={several || step !== undefined}
          level={step ? 'h3' : 'h2'}
        />
      ))}
    </>
  )
}

function OneStep({
  step,
  account,
  named,
  level: Heading,
}: {
  readonly step: SolanaStep
  readonly account: string
  readonly named: boolean
  readonly level: 'h2' | 'h3'
}): ReactNode {
  const warning = warningOf(step)
  return (
    <>
      {named && <Heading className="section">{say(titleOf(step))}</Heading>}
      {warning && <Notice kind={warning.kind}>{say(warning.word)}</Notice>}
      {step.kind === 'sendToken' && step.hasRules && <Notice kind="warning">{say('tokenRules')}</Notice>}
      {step.kind === 'memo' ? (
        <TextBox name={say('memo')} text={step.text} />
      ) : (
        <Facts facts={factsOf(step, account)} />
      )}
    </>
  )
}

function titleOf({ kind }: SolanaStep): Word {
  const titles = {
    send: 'sendTitle',
    sendToken: 'sendTitle',
    allow: 'allowTitle',
    handOver: 'handOverTitle',
    close: 'closeAccount',
    burn: 'burnTitle',
    open: 'openAccount',
    memo: 'memo',
    unknown: 'unknownTitle',
  } as const
  return titles[kind]
}

function warningOf(step: SolanaStep): { readonly kind: 'warning' | 'error'; readonly word: Word } | undefined {
  if (step.kind === 'unknown') return { kind: 'warning', word: 'stepUnknown' }
  if (step.kind === 'handOver') return { kind: 'error', word: 'handOver' }
  if (step.kind === 'burn') return { kind: 'error', word: 'burn' }
  if (step.kind === 'allow') return { kind: step.amount === 'unlimited' ? 'error' : 'warning', word: 'allow' }
  return undefined
}

function factsOf(step: Exclude<SolanaStep, { readonly kind: 'memo' }>, account: string): readonly (Fact | undefined)[] {
  switch (step.kind) {
    case 'send':
      return [
        { name: say('amount'), value: <Sol lamports={step.amount} />, strong: true },
        step.from === account ? undefined : { name: say('from'), value: <Whole address={step.from} /> },
        { name: say('to'), value: <Whole address={step.to} /> },
      ]
    case 'sendToken':
      return [
        unitsOf(step.amount, step.decimals),
        step.token === undefined ? undefined : { name: say('token'), value: <Whole address={step.token} /> },
        { name: say('from'), value: <Whole address={step.from} /> },
        { name: say('to'), value: <Whole address={step.to} /> },
      ]
    case 'allow':
      return [
        step.amount === 'unlimited'
          ? { name: say('amount'), value: say('unlimited'), danger: true, strong: true }
          : unitsOf(step.amount, step.decimals),
        { name: say('spender'), value: <Whole address={step.spender} /> },
        { name: say('account'), value: <Whole address={step.account} /> },
      ]
    case 'handOver':
      return [
        { name: say('account'), value: <Whole address={step.account} />, danger: true },
        { name: say('to'), value: <Whole address={step.to} />, danger: true },
      ]
    case 'close':
      return [
        { name: say('account'), value: <Whole address={step.account} /> },
        { name: say('to'), value: <Whole address={step.to} /> },
      ]
    case 'burn':
      return [
        { ...unitsOf(step.amount, undefined), danger: true },
        { name: say('account'), value: <Whole address={step.account} /> },
      ]
    case 'open':
      return [
        { name: say('account'), value: <Whole address={step.account} /> },
        { name: say('owner'), value: <Whole address={step.owner} /> },
      ]
    case 'unknown':
      return [
        { name: say('program'), value: <Whole address={step.program} /> },
        { name: say('callData'), value: step.data === '0x' ? '–' : <bdi className="long">{step.data}</bdi> },
      ]
  }
}

function unitsOf(amount: bigint, decimals: number | undefined): Fact {
  if (decimals === undefined)
    return { name: say('amountRaw'), value: <Amount value={String(amount)} places={0} />, strong: true }
  return {
    name: say('amount'),
    value: <Amount value={formatUnits(amount, decimals)} places={decimals} />,
    strong: true,
  }
}

function Sol({ lamports }: { readonly lamports: bigint }): ReactNode {
  return <Amount value={formatUnits(lamports, 9)} symbol="SOL" places={9} />
}
