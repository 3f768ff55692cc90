import { Icon, type IconProps, Text, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import css from './InfoList.css?inline'

/** Props for `InfoList`. */
export interface InfoListProps {
  readonly items: readonly { readonly icon: IconProps['name']; readonly title: string; readonly body: string }[]
}

/** Renders a list of explanations, each with an icon. */
export function InfoList({ items }: InfoListProps): ReactNode {
  useStyleSheet(css)
  return (
    <ul className="explain">
      {items.map(({ icon, title, body }) => (
        <li key={title}>
          <span className="explain-icon">
            <Icon name={icon} size={24} />
          </span>
          <div className="explain-text">
            <Text kind="row">{title}</Text>
            <Text tone="soft">{body}</Text>
          </div>
        </li>
      ))}
    </ul>
  )
}
