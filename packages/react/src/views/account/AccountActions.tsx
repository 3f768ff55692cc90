import type { WalletFeature } from '@latchkey/core'
import { Icon, type IconDrawing, moreIcons, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { viewMessages } from '../viewMessages.ts'
import css from './accountLists.css?inline'
import { accountMessages } from './accountMessages.ts'
import { featureViews } from './walletFeatures.ts'

const icons: Readonly<Record<WalletFeature, IconDrawing>> = {
  onramp: moreIcons.buy,
  swaps: moreIcons.swap,
  receive: moreIcons.receive,
  send: moreIcons.send,
}
const labels = {
  onramp: 'account.buy',
  swaps: 'account.swap',
  receive: 'account.receive',
  send: 'account.send',
} as const
const messages = { ...viewMessages, ...accountMessages } as const

/** Renders the account's actions as buttons next to each other. */
export function AccountActions({ features }: { readonly features: readonly WalletFeature[] }): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
  return (
    <ul className="me-actions" aria-label={text('account.actions')}>
      {features.map((feature) => (
        <li key={feature}>
          <button
            type="button"
            // The views themselves report when they are opened, because hosts can open them, too.
            onClick={() => latchkey.modal.push(featureViews[feature])}
          >
            <Icon name={icons[feature]} size={24} />
            <span>{text(labels[feature])}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
