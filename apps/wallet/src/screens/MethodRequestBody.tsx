import { formatUnits } from '@latchkey/protocol/amount'
import { toHex } from '@latchkey/protocol/bytes'
import { Address, Notice, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { hostOf } from '../dappName.ts'
import { decodeText, formatJson } from '../decodeMessageText.ts'
import { readTokenCall, type TokenNames, tokenNames, unlimitedAllowance } from '../erc20.ts'
import { addressOn } from '../grantNamespaces.ts'
import type { Ask } from '../networks.ts'
import type { PendingMethodCall } from '../requestQueue.ts'
import { previewTransaction, type TransactionPreview } from '../transactionPreview.ts'
import { Disclosure, FactList, OriginWarning, Requester, TextBox } from './sharedComponents.tsx'

/** Returns the title of a request and the label of its approve button. */
export function titleOf(call: ApprovalRequest): { readonly title: string; readonly yes: string } {
  switch (call.type) {
    case 'signText':
      return { title: 'Sign this message?', yes: 'Sign' }
    case 'signTyped':
      return { title: 'Sign this data?', yes: 'Sign' }
    case 'sendTransaction':
      return { title: 'Send this transaction?', yes: 'Send' }
    case 'signTransaction':
      return { title: 'Sign this transaction?', yes: 'Sign' }
    case 'switchNetwork':
      return { title: 'Change the network?', yes: 'Change' }
    case 'signSolana': {
      const many = call.transactions.length > 1
      if (call.response === 'send') return { title: 'Send this transaction?', yes: 'Send' }
      return { title: many ? `Sign ${call.transactions.length} transactions?` : 'Sign this transaction?', yes: 'Sign' }
    }
  }
}

/** Renders a method request: the page, a summary, and the full request in a collapsed section. */
export function MethodRequestBody({
  question,
  ask,
}: {
  readonly question: PendingMethodCall
  readonly ask: Ask
}): ReactNode {
  const { from, call, method, params, verdict } = question
  const { account, network } = call
  return (
    <>
      <OriginWarning verdict={verdict} />
      <Requester from={from} wants="sent a request" verdict={verdict} />
      <RequestDetails question={question} ask={ask} />
      <FactList
        facts={[
          { name: 'Account', value: `${account.name}, ${addressOn(account, network.id).slice(0, 6)}…` },
          { name: call.type === 'switchNetwork' ? 'Current network' : 'Network', value: network.name },
        ]}
      />
      <Disclosure label="Full request">
        <TextBox name={method} text={`${method}\n${formatJson(params)}`} code />
      </Disclosure>
    </>
  )
}

function RequestDetails({ question, ask }: { readonly question: PendingMethodCall; readonly ask: Ask }): ReactNode {
  const { call, from } = question
  switch (call.type) {
    case 'signText':
      return <Message bytes={call.bytes} page={hostOf(from.url)} />
    case 'signTyped': {
      const { domain, primaryType, message } = call.typed
      const contract = typeof domain?.verifyingContract === 'string' ? domain.verifyingContract : undefined
      return (
        <>
          {/permit|approv|allow/i.test(primaryType) && (
            <Notice kind="warning">
              This may let someone else spend your tokens at any time without asking you again.
            </Notice>
          )}
          <FactList
            facts={[
              { name: 'For', value: String(domain?.name ?? 'not specified') },
              contract ? { name: 'Contract', value: <Address address={contract} whole />, long: true } : undefined,
              { name: 'Kind', value: primaryType },
            ]}
          />
          <TextBox name="What you sign" text={formatJson(message)} code />
        </>
      )
    }
    case 'sendTransaction':
    case 'signTransaction':
      return <Transaction call={call} ask={ask} />
    case 'switchNetwork':
      return <Text>The page wants to switch to {call.to.name}.</Text>
    case 'signSolana':
      return call.transactions.map(({ message }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
        <FactList key={at} facts={solanaFacts(message.instructions, call.network.currency)} />
      ))
  }
}

function Message({ bytes, page }: { readonly bytes: Uint8Array; readonly page: string }): ReactNode {
  const message = decodeText(bytes)
  const elsewhere = message.is === 'text' && message.signInTo !== undefined && message.signInTo !== page
  return (
    <>
      {elsewhere && (
        <Notice kind="error" title="This signs you in somewhere else">
          {page ? `The page says it is ${page}` : 'The page does not say who it is'}, and the message is for{' '}
          {message.signInTo}. Anyone who receives it can sign in there as you.
        </Notice>
      )}
      {message.is === 'bytes' && (
        <Notice kind="warning">This is not text and cannot be read. Sign it only if you know what it is for.</Notice>
      )}
      <TextBox name="What you sign" text={message.text || '(nothing)'} code={message.is === 'bytes'} />
    </>
  )
}

function Transaction({
  call: task,
  ask,
}: {
  readonly call: Extract<ApprovalRequest, { type: 'sendTransaction' | 'signTransaction' }>
  readonly ask: Ask
}): ReactNode {
  const [preview, setPreview] = useState<TransactionPreview>()
  const [names, setNames] = useState<TokenNames>()
  const { transaction, network } = task
  const { to, value = 0n, data = '0x' } = transaction
  const call = to ? readTokenCall(data) : undefined
  useEffect(() => {
    let isOn = true
    void previewTransaction(task, ask).then((found) => isOn && setPreview(found))
    if (to && readTokenCall(data)) void tokenNames(to, { network, ask }).then((found) => isOn && setNames(found))
    return () => {
      isOn = false
    }
  }, [task, ask, to, data, network])
  const { symbol, decimals } = network.currency
  const bytes = (data.length - 2) / 2
  return (
    <>
      {preview && 'fails' in preview && (
        <Notice kind="warning" title="This would fail">
          {preview.fails}
        </Notice>
      )}
      {task.type === 'signTransaction' && (
        <Notice kind="warning">The page receives the signed transaction and can send it at any time.</Notice>
      )}
      {call?.does === 'allow' && call.amount > 0n && (
        <Notice kind="warning">
          {call.amount >= unlimitedAllowance
            ? 'Someone else can take all of these tokens, now and in the future, without asking you again.'
            : 'Someone else can take this amount of your tokens without asking you again.'}
        </Notice>
      )}
      <FactList
        facts={[
          ...(call && to
            ? [
                {
                  name: call.does === 'send' ? 'You send' : 'They can take',
                  value: tokenAmount(call.amount, names),
                  tone: 'strong' as const,
                },
                { name: call.does === 'send' ? 'To' : 'Who', value: <Address address={call.who} whole />, long: true },
                { name: 'Token (self-reported)', value: <Address address={to} whole />, long: true },
                value > 0n ? { name: 'And', value: `${formatUnits(value, decimals)} ${symbol}` } : undefined,
              ]
            : [
                { name: 'You send', value: `${formatUnits(value, decimals)} ${symbol}`, tone: 'strong' as const },
                to
                  ? { name: 'To', value: <Address address={to} whole />, long: true }
                  : { name: 'To', value: 'A new contract' },
                bytes > 0
                  ? { name: 'Function', value: `${data.slice(0, 10)}, with ${bytes} bytes of data` }
                  : { name: 'Data', value: 'None' },
              ]),
          {
            name: 'Maximum fee',
            value:
              preview === undefined
                ? '…'
                : 'fee' in preview
                  ? `${short(formatUnits(preview.fee, decimals))} ${symbol}`
                  : 'unknown',
          },
        ]}
      />
    </>
  )
}

/** Formats a token amount. Uses the token's smallest unit if the contract does not report its decimals. */
function tokenAmount(amount: bigint, names: TokenNames | undefined): string {
  if (amount >= unlimitedAllowance) return names ? `All ${names.symbol}` : 'All of them'
  return names ? `${formatUnits(amount, names.decimals)} ${names.symbol}` : `${amount} smallest units`
}

function solanaFacts(
  instructions: Extract<ApprovalRequest, { type: 'signSolana' }>['transactions'][number]['message']['instructions'],
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): readonly { readonly name: string; readonly value: ReactNode; readonly long?: boolean; readonly tone?: 'strong' }[] {
  return instructions.flatMap(({ program, transfer, accounts, data }, at) => {
    const step = instructions.length > 1 ? `${at + 1}. ` : ''
    if (transfer)
      return [
        {
          name: `${step}You send`,
          value: `${formatUnits(transfer.lamports, decimals)} ${symbol}`,
          tone: 'strong' as const,
        },
        { name: `${step}To`, value: <Address address={transfer.to} whole />, long: true },
      ]
    return [
      { name: `${step}Program`, value: <Address address={program} whole />, long: true },
      {
        name: `${step}With`,
        value: `${accounts} accounts, data ${toHex(data.subarray(0, 16))}${data.length > 16 ? '…' : ''}`,
      },
    ]
  })
}

/** Truncates an amount to at most four significant decimals. */
function short(amount: string): string {
  return /^\d+\.0*\d{1,4}|^\d+/.exec(amount)?.[0] ?? amount
}
