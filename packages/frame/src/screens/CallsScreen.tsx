import { formatUnits } from '@latchkey/protocol/amount'
import { Amount, Notice, Skeleton } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { ApprovalContext, ApprovalView, Quote } from '../approvals/approvalViewModel.ts'
import { describeCall } from '../decoders/describeCall.ts'
import { describeSimulation } from '../decoders/describeSimulation.ts'
import { untrusted } from '../decoders/untrustedText.ts'
import { networkName } from '../networks/networkNames.ts'
import { publicErrorMessage } from '../publicError.ts'
import { t } from '../texts/translations.ts'
import { ApprovalButtons, highestRisk } from './ApprovalButtons.tsx'
import { BackupNotice, Facts, NetworkAndAccount, Origin, type ScreenProps, Sheet } from './approvalScreenParts.tsx'
import { EffectDetails, Notices, RawCall, type ValueContext, ViewFacts } from './EffectDetails.tsx'
import { RequiredFacts } from './RequiredFacts.tsx'
import { SanitizedText } from './SanitizedText.tsx'

/** The maximum age of a quote, in milliseconds. An older quote is fetched again before an approval counts. */
const staleAfterMs = 60_000

/** Returns a key for the displayed content of a quote. The key does not include the fee, because the fee is a maximum. */
function shownBy(quote: Quote, { account }: ApprovalContext): string {
  const { readings, simulation, contracts, willFail, balance, payer, begins, replaces } = quote
  const tokens = Object.entries(contracts).map(([address, { kind, symbol, decimals }]) => [
    address,
    kind,
    symbol,
    decimals,
  ])
  const views = [
    ...readings.map((reading) => describeCall(reading, { account, contracts })),
    describeSimulation(simulation, contracts),
  ]
  return JSON.stringify([views, tokens.sort(), willFail, payer, begins, replaces, balance], (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

/** Shows the effects, the cost and the balance changes of one or more transactions. The signed data is exactly what is shown. */
export function CallsScreen({
  subject,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenProps & { readonly subject: ApprovalView & { readonly kind: 'calls' } }): ReactNode {
  const { calls } = subject
  const [prepared, setPrepared] = useState<Quote | { readonly failed: string }>()
  const [isChecking, setChecking] = useState(false)
  const [round, setRound] = useState(0)
  const requestedAt = useRef(0)
  const ask = useCallback(async () => {
    requestedAt.current = Date.now()
    return await subject.prepare().catch((error: unknown) => ({ failed: publicErrorMessage(error) }))
  }, [subject])
  const begin = useCallback(() => {
    setPrepared(undefined)
    void ask().then(setPrepared)
  }, [ask])
  useEffect(begin, [begin])

  const coin = networkName(setting.chain)
  const ready = prepared && 'fee' in prepared ? prepared : undefined
  const isStale = useCallback(() => Math.abs(Date.now() - requestedAt.current) > staleAfterMs, [])
  /** Fetches the quote again. If the displayed content has changed, the new content is shown and requires its own approval. */
  const check = useCallback(
    async (quote: Quote): Promise<boolean> => {
      setChecking(true)
      const next = await ask()
      setChecking(false)
      if ('fee' in next && shownBy(next, subject.setting) === shownBy(quote, subject.setting)) return true
      setPrepared(next)
      setRound((before) => before + 1)
      return false
    },
    [ask, subject],
  )
  useEffect(() => {
    const look = (): void => {
      if (ready && !isChecking && isStale()) void check(ready)
    }
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [ready, isChecking, isStale, check])
  const approve = async (): Promise<void> => {
    if (!ready || !isStale() || (await check(ready))) onYes(ready)
  }
  const needed = ready && (ready.payer ? 0n : ready.fee) + calls.reduce((sum, { value }) => sum + value, 0n)
  const tooPoor = ready !== undefined && needed !== undefined && needed > ready.balance
  const many = calls.length > 1
  const context: ValueContext = { chain: setting.chain, contracts: ready?.contracts ?? {} }
  const views = ready?.readings.map((reading) =>
    describeCall(reading, { account: setting.account, contracts: context.contracts }),
  )
  const changes = ready && describeSimulation(ready.simulation, context.contracts)
  return (
    <Sheet
      title={t(many ? 'batchTitle' : (views?.[0]?.title ?? 'callTitle'))}
      footer={
        <ApprovalButtons
          // Resets the buttons, so that a press in progress does not carry over to the new content.
          key={round}
          yes="approve"
          risk={highestRisk([...(views ?? []), ...(changes ? [changes] : [])])}
          notYet={!ready || tooPoor || isChecking}
          doing={doing}
          onYes={() => void approve()}
          onNo={onNo}
        />
      }
    >
      <RequiredFacts>
        <Origin origin={setting.origin} wants={many ? 'asksBatch' : 'asksSend'} behind={behind} />
        {ready?.begins === 'code' && (
          // The delegation is permanent, so this notice comes before the list of steps, which can be long.
          <Notice kind="warning" title={t('beginsCodeTitle')}>
            {t('beginsCode')}
          </Notice>
        )}
        {ready?.replaces && (
          <Notice kind="warning" title={t('replacesTitle')}>
            {t('replaces')}
          </Notice>
        )}
        {ready?.willFail && (
          <Notice kind="error" title={t('willFail')}>
            <SanitizedText text={untrusted(ready.willFail)} maxLength={300} />
          </Notice>
        )}
        {tooPoor && (
          <Notice kind="error">{t(ready.payer ? 'tooPoorAmount' : 'tooPoor', { symbol: coin.symbol })}</Notice>
        )}
        {many && <Notice>{t(subject.isOne ? 'batchAsOne' : 'batchInTurn')}</Notice>}
        {!prepared && <Skeleton width="100%" />}
        {views?.map((view, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls stay in their order
          <section key={at} className="effect">
            {many && (
              <h2 className="section">
                {t('step', { at: at + 1, count: views.length })}: {t(view.title)}
              </h2>
            )}
            <EffectDetails view={view} context={context} />
            {view.raw && <RawCall raw={view.raw} />}
          </section>
        ))}
        {changes && (
          <section className="effect">
            <h2 className="section">{t('changes')}</h2>
            <Notices notices={changes.notices} context={context} />
            <ViewFacts facts={changes.facts} context={context} />
          </section>
        )}
        {prepared && 'failed' in prepared && (
          <Notice kind="error" title={t('prepareFailed')} action={{ label: t('retry'), onClick: begin }}>
            <SanitizedText text={untrusted(prepared.failed)} maxLength={300} />
          </Notice>
        )}
        <Facts
          facts={[
            {
              name: t('fee'),
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
                  name: t('payer'),
                  value: ready.payer === 'page' ? new URL(setting.origin).host : t('payerOperator'),
                }
              : undefined,
          ]}
        />
        <NetworkAndAccount setting={setting} />
      </RequiredFacts>
      {ready?.begins === 'contract' && <Notice>{t('beginsContract')}</Notice>}
      <BackupNotice onProtect={onProtect} />
    </Sheet>
  )
}
