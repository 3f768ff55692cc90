import { Amount, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { networkName } from '../networks.ts'
import type { Meaning, NamedValue, TypedDataReading } from '../readable/typedData.ts'
import { Decide } from './Decide.tsx'
import { type Fact, Facts, Origin, type ScreenFacts, Sheet, Where, Whole } from './parts.tsx'
import { timeOf } from './times.ts'
import { say, type Word } from './words.ts'

/** Named fields to be signed, called what they are: a permission, an order, or unknown. */
export function TypedDataScreen({
  reading,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenFacts & { readonly reading: TypedDataReading }): ReactNode {
  const refused = reading.kind === 'refused'
  return (
    <Sheet
      title={say(refused ? 'refusedTitle' : titleOf(reading.meaning))}
      footer={<Decide yes={refused ? undefined : 'sign'} doing={doing} onYes={() => onYes()} onNo={onNo} />}
    >
      <Origin origin={setting.origin} wants="asks" behind={behind} />
      {refused ? (
        <Notice kind="error" title={say('refusedTitle')}>
          {reading.because === 'other-network'
            ? say('refusedNetwork', { claimed: reading.claimed, network: networkName(setting.chain).name })
            : say(reading.because === 'own-account' ? 'refusedOwn' : 'refusedData')}
        </Notice>
      ) : (
        <Fields reading={reading} />
      )}
      <Where setting={setting} onProtect={onProtect} />
    </Sheet>
  )
}

function Fields({ reading }: { readonly reading: TypedDataReading & { readonly kind: 'typedData' } }): ReactNode {
  const { domain, meaning, fields, primaryType } = reading
  return (
    <>
      <Explained meaning={meaning} />
      {domain.chainId === undefined && <Notice kind="warning">{say('dataAnywhere')}</Notice>}
      {(domain.name !== undefined || domain.contract !== undefined) && (
        <Facts
          facts={[
            domain.name === undefined ? undefined : { name: say('dataFor'), value: domain.name },
            domain.contract === undefined
              ? undefined
              : { name: say('contract'), value: <Whole address={domain.contract} /> },
          ]}
        />
      )}
      <details className="fold" open={meaning.kind === 'unknown'}>
        <summary>
          {say('fields')} ({primaryType})
        </summary>
        <Tree values={fields} />
      </details>
    </>
  )
}

function titleOf(meaning: Meaning): Word {
  const titles = {
    permit: 'permitTitle',
    transfer: 'transferTitle',
    order: 'orderTitle',
    unknown: 'dataTitle',
  } as const
  return titles[meaning.kind]
}

function Explained({ meaning }: { readonly meaning: Meaning }): ReactNode {
  if (meaning.kind === 'unknown') return <Notice kind="warning">{say('dataUnknown')}</Notice>
  if (meaning.kind === 'order')
    return (
      <>
        <Notice kind={meaning.many ? 'error' : 'warning'}>{say(meaning.many ? 'orderMany' : 'order')}</Notice>
        {!meaning.many && (
          <Facts
            facts={[
              { name: say('offers'), value: items(meaning.gives) },
              { name: say('asksFor'), value: items(meaning.gets), danger: meaning.gets === 0 },
            ]}
          />
        )}
      </>
    )
  const unlimited = meaning.permissions.some(({ amount }) => amount === 'unlimited')
  return (
    <>
      <Notice kind={unlimited || meaning.kind === 'transfer' ? 'error' : 'warning'}>
        {say(meaning.kind)}
        {unlimited && ` ${say('permitUnlimited')}`}
      </Notice>
      <Facts
        facts={[
          ...meaning.permissions.flatMap(({ token, amount }, at): readonly Fact[] => {
            const number = meaning.permissions.length > 1 ? ` ${at + 1}` : ''
            return [
              amount === 'unlimited'
                ? { name: say('amount') + number, value: say('unlimited'), danger: true, strong: true }
                : // Nobody was asked how the token counts itself.
                  {
                    name: say('amountRaw') + number,
                    value: <Amount value={String(amount)} places={0} />,
                    strong: true,
                  },
              { name: say('token') + number, value: <Whole address={token} /> },
            ]
          }),
          { name: say('spender'), value: <Whole address={meaning.spender} /> },
          {
            name: say('until'),
            value: meaning.until === undefined ? say('noEnd') : timeOf(Number(meaning.until) * 1000),
            danger: meaning.until === undefined,
          },
        ]}
      />
    </>
  )
}

function items(count: number): string {
  return say('items', { count })
}

function Tree({ values }: { readonly values: readonly NamedValue[] }): ReactNode {
  return (
    <ul className="tree">
      {values.map(({ name, value }) => (
        <li key={name}>
          <span className="tree-name">{name}</span>{' '}
          {typeof value === 'string' ? <bdi>{value}</bdi> : <Tree values={value} />}
        </li>
      ))}
    </ul>
  )
}
