import { formatUnits } from '@latchkey/protocol/amount'
import type { ChainId } from '@latchkey/protocol/caip'
import { Amount, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { SolanaReading, SolanaStep } from '../decoders/solanaTransaction.ts'
import { type MessageKey, t } from '../texts/translations.ts'
import { ApprovalButtons, type ApprovalRisk, highestRisk } from './ApprovalButtons.tsx'
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
import { RequiredFacts } from './RequiredFacts.tsx'
import { TextBox } from './SanitizedText.tsx'

/**
 * Solana mainnet. A transaction does not specify its network, so a transaction requested for a different network can also be
 * valid on mainnet.
 */
const mainNetwork: ChainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** Shows every step of one or more Solana transactions, their cost and who pays. */
export function SolanaScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenProps & { readonly subject: ApprovalView & { readonly kind: 'solana' } }): ReactNode {
  const { readings, send } = subject
  const many = readings.length > 1
  const [only] = readings
  const title = many ? 'batchTitle' : only?.steps.length === 1 && only.steps[0] ? titleOf(only.steps[0]) : 'callTitle'
  const own = readings.filter(({ payer }) => payer === setting.account)
  const fee = own.reduce((sum, item) => sum + item.fee, 0n)
  return (
    <Sheet
      title={t(title)}
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
      <RequiredFacts>
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
        {setting.chain !== mainNetwork && <Notice kind="warning">{t('solanaTest')}</Notice>}
        {!send && <Notice>{t('signOnly')}</Notice>}
        <Facts
          facts={[
            {
              name: t('fee'),
              value: own.length === 0 ? t('otherPays') : <Sol lamports={fee} />,
            },
          ]}
        />
        <NetworkAndAccount setting={setting} />
      </RequiredFacts>
      <BackupNotice onProtect={onProtect} />
    </Sheet>
  )
}

function riskOf({ steps, hidden }: SolanaReading): ApprovalRisk {
  const isHigh = (step: SolanaStep): boolean =>
    step.kind === 'handOver' || (step.kind === 'allow' && step.amount === 'unlimited')
  if (steps.some(isHigh)) return 'high'
  // An account that only the network can resolve could be any account.
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
      {step && <h2 className="section">{t('stepOf', step)}</h2>}
      {reading.hidden > 0 && <Notice kind="warning">{t('hiddenAccounts', { count: reading.hidden })}</Notice>}
      {reading.steps.map((item, at) => (
        <SolanaStepFacts
          // biome-ignore lint/suspicious/noArrayIndexKey: steps stay in their order
          key={at}
          step={item}
          account={account}
          named={several || step !== undefined}
          level={step ? 'h3' : 'h2'}
        />
      ))}
    </>
  )
}

function SolanaStepFacts({
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
      {named && <Heading className="section">{t(titleOf(step))}</Heading>}
      {warning && <Notice kind={warning.kind}>{t(warning.word)}</Notice>}
      {step.kind === 'sendToken' && step.hasRules && <Notice kind="warning">{t('tokenRules')}</Notice>}
      {step.kind === 'memo' ? <TextBox name={t('memo')} text={step.text} /> : <Facts facts={factsOf(step, account)} />}
    </>
  )
}

function titleOf({ kind }: SolanaStep): MessageKey {
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

function warningOf(step: SolanaStep): { readonly kind: 'warning' | 'error'; readonly word: MessageKey } | undefined {
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
        { name: t('amount'), value: <Sol lamports={step.amount} />, strong: true },
        step.from === account ? undefined : { name: t('from'), value: <FullAddress address={step.from} /> },
        { name: t('to'), value: <FullAddress address={step.to} /> },
      ]
    case 'sendToken':
      return [
        unitsOf(step.amount, step.decimals),
        step.token === undefined ? undefined : { name: t('token'), value: <FullAddress address={step.token} /> },
        { name: t('from'), value: <FullAddress address={step.from} /> },
        { name: t('to'), value: <FullAddress address={step.to} /> },
      ]
    case 'allow':
      return [
        step.amount === 'unlimited'
          ? { name: t('amount'), value: t('unlimited'), danger: true, strong: true }
          : unitsOf(step.amount, step.decimals),
        { name: t('spender'), value: <FullAddress address={step.spender} /> },
        { name: t('account'), value: <FullAddress address={step.account} /> },
      ]
    case 'handOver':
      return [
        { name: t('account'), value: <FullAddress address={step.account} />, danger: true },
        { name: t('to'), value: <FullAddress address={step.to} />, danger: true },
      ]
    case 'close':
      return [
        { name: t('account'), value: <FullAddress address={step.account} /> },
        { name: t('to'), value: <FullAddress address={step.to} /> },
      ]
    case 'burn':
      return [
        { ...unitsOf(step.amount, undefined), danger: true },
        { name: t('account'), value: <FullAddress address={step.account} /> },
      ]
    case 'open':
      return [
        { name: t('account'), value: <FullAddress address={step.account} /> },
        { name: t('owner'), value: <FullAddress address={step.owner} /> },
      ]
    case 'unknown':
      return [
        { name: t('program'), value: <FullAddress address={step.program} /> },
        { name: t('callData'), value: step.data === '0x' ? '–' : <bdi className="long">{step.data}</bdi> },
      ]
  }
}

function unitsOf(amount: bigint, decimals: number | undefined): Fact {
  if (decimals === undefined)
    return { name: t('amountRaw'), value: <Amount value={String(amount)} places={0} />, strong: true }
  return {
    name: t('amount'),
    value: <Amount value={formatUnits(amount, decimals)} places={decimals} />,
    strong: true,
  }
}

function Sol({ lamports }: { readonly lamports: bigint }): ReactNode {
  return <Amount value={formatUnits(lamports, 9)} symbol="SOL" places={9} />
}
