import type { WalletFeature } from '@latchkey/core'
import { Icon, type IconDrawing, moreIcons, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { viewMessages } from '../viewMessages.ts'
import { accountMessages } from './accountMessages.ts'
import css from './lists.css?inline'
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
// Sending reports that it was opened itself, because hosts can open it, too.
const events = { onramp: 'SELECT_BUY_CRYPTO', swaps: 'OPEN_SWAP' } as const

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
            onClick={() => {
              if (feature === 'onramp' || feature === 'swaps') latchkey.track({ event: events[feature] })
              latchkey.modal.push(featureViews[feature])
            }}
          >
            <Icon name={icons[feature]} size={24} />
            <span>{text(labels[feature])}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
