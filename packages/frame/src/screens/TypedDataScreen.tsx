import type { ChainId } from '@latchkey/protocol/caip'
import { Notice } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { NamedValue, TypedDataFields } from '../decoders/decodeTypedData.ts'
import { describeTypedData } from '../decoders/describeTypedData.ts'
import type { EffectDescription } from '../decoders/effectDescription.ts'
import { networkName } from '../networks/networkNames.ts'
import { t } from '../texts/translations.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import {
  BackupNotice,
  Facts,
  FullAddress,
  NetworkAndAccount,
  Origin,
  type ScreenProps,
  Sheet,
} from './approvalScreenParts.tsx'
import { EffectDetails, MessageWithNodes } from './EffectDetails.tsx'
import { RequiredFacts } from './RequiredFacts.tsx'
import { SanitizedText } from './SanitizedText.tsx'

/** Shows typed data to sign (as a permit, an order or unknown data), or the reason why the data is refused. */
export function TypedDataScreen({
  reading,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenProps & { readonly reading: TypedDataFields }): ReactNode {
  const refused = reading.kind === 'refused'
  // The time is fixed on the first render, so that the content does not change while it is displayed.
  const [now] = useState(() => BigInt(Math.floor(Date.now() / 1000)))
  const view = refused ? undefined : describeTypedData(reading.meaning, { now, contracts: reading.contracts })
  return (
    <Sheet
      title={t(view?.title ?? 'refusedTitle')}
      footer={
        <ApprovalButtons
          yes={refused ? undefined : 'sign'}
          risk={view?.risk}
          doing={doing}
          onYes={() => onYes()}
          onNo={onNo}
        />
      }
    >
      <RequiredFacts>
        <Origin origin={setting.origin} wants="asks" behind={behind} />
        {refused ? (
          <Notice kind="error" title={t('refusedTitle')}>
            {reading.because === 'other-network' ? (
              <MessageWithNodes
                word="refusedNetwork"
                fill={(name) =>
                  name === 'claimed' ? <SanitizedText text={reading.claimed} /> : networkName(setting.chain).name
                }
              />
            ) : (
              t(reading.because === 'own-account' ? 'refusedOwn' : 'refusedData')
            )}
          </Notice>
        ) : (
          view && <Fields reading={reading} view={view} chain={setting.chain} />
        )}
        <NetworkAndAccount setting={setting} />
      </RequiredFacts>
      <BackupNotice onProtect={onProtect} />
    </Sheet>
  )
}

function Fields({
  reading,
  view,
  chain,
}: {
  readonly reading: TypedDataFields & { readonly kind: 'typedData' }
  readonly view: EffectDescription
  readonly chain: ChainId
}): ReactNode {
  const { domain, meaning, fields, primaryType, contracts } = reading
  return (
    <>
      <EffectDetails view={view} context={{ chain, contracts }} />
      {domain.chainId === undefined && <Notice kind="warning">{t('dataAnywhere')}</Notice>}
      {(domain.name !== undefined || domain.contract !== undefined) && (
        <Facts
          facts={[
            domain.name === undefined ? undefined : { name: t('dataFor'), value: <SanitizedText text={domain.name} /> },
            domain.contract === undefined
              ? undefined
              : { name: t('contract'), value: <FullAddress address={domain.contract} /> },
          ]}
        />
      )}
      <details className="fold" open={meaning.kind === 'unknown'} data-whole={meaning.kind === 'unknown' || undefined}>
        <summary>
          {t('fields')} (<SanitizedText text={primaryType} />)
        </summary>
        <Tree values={fields} />
      </details>
    </>
  )
}

function Tree({ values }: { readonly values: readonly NamedValue[] }): ReactNode {
  return (
    <ul className="tree">
      {values.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields stay in their order
        <li key={at}>
          <span className="tree-name">
            <SanitizedText text={name} />
          </span>{' '}
          {'untrusted' in value ? <SanitizedText text={value} lines /> : <Tree values={value} />}
        </li>
      ))}
    </ul>
  )
}
