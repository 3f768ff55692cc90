import { Icon, type IconName, Text, useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import css from './Explain.css?inline'

/** What an explanation is made of. */
export interface ExplainProps {
  readonly points: readonly { readonly icon: IconName; readonly title: string; readonly body: string }[]
}

/** Two or three things worth knowing, each with a drawing. */
export function Explain({ points }: ExplainProps): ReactNode {
  useCss(css)
  return (
    <ul className="explain">
      {points.map(({ icon, title, body }) => (
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
