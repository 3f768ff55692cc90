import { Address, Button, Icon, moreIcons, Notice, Screen, Stack, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { ApprovalContext } from '../approvals/approvalViewModel.ts'
import { networkName } from '../networks/networkNames.ts'
import { type MessageKey, t } from '../texts/translations.ts'

/** Common props for approval screens. */
export interface ScreenProps {
  readonly setting: ApprovalContext
  readonly doing: boolean
  readonly behind: number
  readonly onYes: (choice?: unknown) => void
  readonly onNo: () => void
  /** Opens the backup screen. `undefined` if the wallet has a second key. */
  readonly onProtect: (() => void) | undefined
}

/** Renders a screen that fills the frame. */
export function Sheet({
  title,
  footer,
  children,
}: {
  readonly title: string
  readonly footer: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <main className="sheet">
      <Screen title={title} footer={footer}>
        {children}
      </Screen>
    </main>
  )
}

/** Shows the requesting page's origin as reported by the browser, never a name that the page provides. */
export function Origin({ origin, wants, behind }: { origin: string; wants: MessageKey; behind: number }): ReactNode {
  const { protocol, host } = new URL(origin)
  const secure = protocol === 'https:' || /(^|\.)localhost(:|$)|^127\.|^\[::1\]/.test(host)
  return (
    <div className="origin">
      <Icon name={secure ? moreIcons.network : 'warning'} size={24} />
      <div className="origin-text">
        <b dir="ltr">{secure && protocol === 'https:' ? host : origin}</b>
        <span>{t(wants)}</span>
        {!secure && <span data-tone="danger">{t('insecure')}</span>}
        {behind > 0 && <span>{t('more', { count: behind })}</span>}
      </div>
    </div>
  )
}

/** An entry in a list of facts. */
export interface Fact {
  readonly name: string
  readonly value: ReactNode
  readonly danger?: boolean
  /** Whether to emphasize the fact. */
  readonly strong?: boolean
}

/** Shows facts as names and values. */
export function Facts({ facts }: { readonly facts: readonly (Fact | undefined)[] }): ReactNode {
  return (
    <dl className="facts">
      {facts
        .filter((fact) => fact !== undefined)
        .map(({ name, value, danger, strong }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and facts stay in their order
          <div key={at} data-tone={danger ? 'danger' : undefined} data-strong={strong || undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/**
 * Shows the network and the account. Both are required facts, because the same amount has a different value on a different
 * network.
 */
export function NetworkAndAccount({ setting }: Pick<ScreenProps, 'setting'>): ReactNode {
  const { name, isTest } = networkName(setting.chain)
  return (
    <Facts
      facts={[
        { name: t('network'), value: isTest ? t('testNetwork', { name }) : name },
        { name: t('account'), value: <Address address={setting.account} /> },
        setting.isContract ? { name: t('accountKind'), value: t('contractAccount') } : undefined,
      ]}
    />
  )
}

/** Shows a notice with a button that opens the backup screen, if the wallet has only one key. */
export function BackupNotice({ onProtect }: Pick<ScreenProps, 'onProtect'>): ReactNode {
  if (!onProtect) return null
  return (
    <Notice kind="warning">
      <Stack align="start" gap={8}>
        <Text>{t('protectNow')}</Text>
        <Button size="small" icon={moreIcons.shield} onClick={onProtect}>
          {t('protectIt')}
        </Button>
      </Stack>
    </Notice>
  )
}

/** Shows the full address of a recipient or spender. */
export function FullAddress({ address }: { readonly address: string }): ReactNode {
  return <Address address={address} whole />
}

/** Shows the verification words, which are the same on both devices. */
export function VerificationWords({ words }: { readonly words: readonly string[] }): ReactNode {
  return (
    <ol className="words" aria-label={t('deviceWords')}>
      {words.map((word, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words can repeat and keep their order
        <li key={at}>{word}</li>
      ))}
    </ol>
  )
}
