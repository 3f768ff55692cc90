import { formatUnits } from '@latchkey/protocol/amount'
import type { ChainId } from '@latchkey/protocol/caip'
import { Address, Amount, Notice } from '@latchkey/ui'
import { Fragment, type ReactNode } from 'react'
import { type Contracts, factsOf } from '../decoders/contractFacts.ts'
import type { EffectDescription, Line, Shown, ViewFact, ViewNotice } from '../decoders/effectDescription.ts'
import type { OrderItem } from '../decoders/typedDataParts.ts'
import { untrusted } from '../decoders/untrustedText.ts'
import { knownTokens } from '../networks/knownTokens.ts'
import { networkName } from '../networks/networkNames.ts'
import { type MessageKey, t } from '../texts/translations.ts'
import { type Fact, Facts, FullAddress } from './approvalScreenParts.tsx'
import { formatTime } from './formatTime.ts'
import { SanitizedText, TextBox } from './SanitizedText.tsx'

/** The context for formatting values: the network and facts about its contracts. */
export interface ValueContext {
  readonly chain: ChainId
  readonly contracts: Contracts
}

/** Shows an effect: a sentence with the consequence, the warnings and all required facts. */
export function EffectDetails({
  view,
  context,
}: {
  readonly view: EffectDescription
  readonly context: ValueContext
}): ReactNode {
  const { headline, notices, facts } = view
  return (
    <>
      <p className="headline" data-risk={view.risk}>
        <Sentence line={headline} context={context} />
      </p>
      <Notices notices={notices} context={context} />
      <ViewFacts facts={facts} context={context} />
    </>
  )
}

/** Shows the raw data of a call whose effect could not be determined. */
export function RawCall({ raw }: { readonly raw: NonNullable<EffectDescription['raw']> }): ReactNode {
  return (
    <details className="fold">
      <summary>{t('callData')}</summary>
      <Facts facts={[{ name: t('callCode'), value: <bdi dir="ltr">{raw.selector}</bdi> }]} />
      <TextBox name={t('callData')} text={untrusted(raw.data)} code />
    </details>
  )
}

/** Shows notices with their values filled in. */
export function Notices({
  notices,
  context,
}: {
  readonly notices: readonly ViewNotice[]
  readonly context: ValueContext
}): ReactNode {
  return notices.map(({ tone, ...line }) => (
    <Notice key={line.word} kind={tone}>
      <Sentence line={line} context={context} />
    </Notice>
  ))
}

/** Shows facts as names and values. */
export function ViewFacts({
  facts,
  context,
}: {
  readonly facts: readonly ViewFact[]
  readonly context: ValueContext
}): ReactNode {
  if (facts.length === 0) return null
  return (
    <Facts
      facts={facts.map(
        ({ name, number, value, danger, strong }): Fact => ({
          name: number === undefined ? t(name) : `${t(name)} ${number}`,
          value: <Value value={value} context={context} isWhole />,
          ...(danger && { danger }),
          ...(strong && { strong }),
        }),
      )}
    />
  )
}

/**
 * Renders a message whose placeholders are replaced by values. Each value is isolated in its own text direction, so that it
 * cannot reorder the text.
 */
export function Sentence({ line, context }: { readonly line: Line; readonly context: ValueContext }): ReactNode {
  return (
    <MessageWithNodes
      word={line.word}
      fill={(name) => {
        const value = line.blanks?.[name]
        return value && <Value value={value} context={context} />
      }}
    />
  )
}

/** Renders a message whose placeholders are replaced by React nodes. */
export function MessageWithNodes({
  word,
  fill,
}: {
  readonly word: MessageKey
  readonly fill: (name: string) => ReactNode
}): ReactNode {
  // Every second part is the name of a placeholder.
  return t(word)
    .split(/\{(\w+)\}/)
    .map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay in their order
      <Fragment key={at}>{at % 2 === 0 ? part : <bdi>{fill(part)}</bdi>}</Fragment>
    ))
}

interface ValueProps {
  readonly value: Shown
  readonly context: ValueContext
  /** Whether to show addresses in full. */
  readonly isWhole?: boolean
}

function Value({ value, context, isWhole = false }: ValueProps): ReactNode {
  switch (value.kind) {
    case 'address':
      return isWhole ? <FullAddress address={value.address} /> : <Address address={value.address} />
    case 'token':
      return <TokenName token={value.token} context={context} isWhole={isWhole} />
    case 'amount':
      return <AmountValue amount={value.amount} token={value.token} context={context} />
    case 'number':
      return <Amount value={String(value.value)} places={0} />
    case 'items':
      return t('items', { count: value.count })
    case 'item':
      return (
        <MessageWithNodes
          word={value.count === 1n ? 'itemOf' : 'itemsOf'}
          fill={(name) => {
            if (name === 'count') return String(value.count)
            if (name === 'id') return String(value.id)
            return <TokenName token={value.token} context={context} />
          }}
        />
      )
    case 'orderItem':
      return <OrderItemValue item={value.item} context={context} />
    case 'time':
      return formatEndTime(value.at)
    case 'untrusted':
      return <SanitizedText text={value.text} />
    case 'message':
      return t(value.word)
  }
}

/**
 * Shows a token's name in quotation marks with its address, because any token can call itself "USDC". If the issuer has published
 * the address, the name is shown without quotation marks.
 */
function TokenName({
  token,
  context,
  isWhole = false,
}: {
  token: string
  context: ValueContext
  isWhole?: boolean
}): ReactNode {
  const { symbol } = factsOf(context.contracts, token)
  const isKnown = knownTokens(context.chain).includes(token.toLowerCase())
  const name = symbol && <SanitizedText text={symbol} maxLength={20} />
  if (!isWhole)
    return name ? (
      isKnown ? (
        name
      ) : (
        <>
          “{name}” <Address address={token} />
        </>
      )
    ) : (
      <Address address={token} />
    )
  return (
    <span className="token">
      {name && (
        <span>
          {isKnown ? name : <>“{name}”</>}
          {!isKnown && <small>{t('unverified')}</small>}
        </span>
      )}
      <FullAddress address={token} />
    </span>
  )
}

/**
 * Formats an amount with its unit. If the decimals are unknown, the amount is shown in the smallest unit and never as a number of
 * tokens.
 */
function AmountValue({
  amount,
  token,
  context,
}: {
  amount: bigint
  token: string | undefined
  context: ValueContext
}): ReactNode {
  if (token === undefined) {
    const { symbol, decimals } = networkName(context.chain)
    return <Amount value={formatUnits(amount, decimals)} symbol={symbol} places={decimals} />
  }
  const { decimals, kind } = factsOf(context.contracts, token)
  const name = <TokenName token={token} context={context} />
  if (kind !== 'erc20' || decimals === undefined)
    return (
      <MessageWithNodes
        word="smallestUnits"
        fill={(blank) => (blank === 'amount' ? <Amount value={String(amount)} places={0} /> : name)}
      />
    )
  return (
    <>
      <Amount value={formatUnits(amount, decimals)} places={decimals} /> {name}
    </>
  )
}

function OrderItemValue({ item, context }: { item: OrderItem; context: ValueContext }): ReactNode {
  const { itemType, token, id, startAmount, endAmount } = item
  const at = (amount: bigint): ReactNode => {
    if (itemType === 'coin') return <AmountValue amount={amount} token={undefined} context={context} />
    if (itemType === 'erc20') return <AmountValue amount={amount} token={token} context={context} />
    const collection = <TokenName token={token} context={context} />
    if (itemType.endsWith('Criteria'))
      return (
        <>
          {amount !== 1n && `${amount} × `}
          <MessageWithNodes word={id === 0n ? 'anyItemOf' : 'setItemOf'} fill={() => collection} />
        </>
      )
    return (
      <MessageWithNodes
        word={amount === 1n ? 'itemOf' : 'itemsOf'}
        fill={(blank) => (blank === 'collection' ? collection : blank === 'id' ? String(id) : String(amount))}
      />
    )
  }
  if (startAmount === endAmount) return at(startAmount)
  return <MessageWithNodes word="amountRange" fill={(blank) => at(blank === 'start' ? startAmount : endAmount)} />
}

/** The last second of the year 9999. A later expiry is shown as no expiry. */
const lastSecond = 253_402_300_799n

function formatEndTime(seconds: bigint): string {
  return seconds > lastSecond ? t('noEnd') : formatTime(Number(seconds) * 1000)
}
