import { timeAgo } from '@latchkey/protocol/timeAgo'
import { useEffect, useMemo, useState } from 'react'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { useClock } from '../useClock.ts'
import { type AmountFormat, createAmountFormat } from './amountFormat.ts'
import { tokenMessages } from './tokenMessages.ts'

/** The translator for the messages about tokens. */
export type TokenTranslator = Translator<Source & typeof tokenMessages>

/** What the rows of a list share: the language, the number formats and the current time. */
export interface TokenFormat extends AmountFormat {
  readonly text: TokenTranslator
  /** The current time in epoch milliseconds, which is updated every minute. */
  readonly now: number
  /** Returns the time since `at` (epoch milliseconds), such as "5 min ago". */
  ago(at: number): string
  /** Returns the display name of a price's source. */
  source(source: string): string
}

const minuteMs = 60_000

/** Returns the format for a list of tokens. Pass the same format to all rows. */
export function useTokenFormat(): TokenFormat {
  const text = useTranslations(tokenMessages)
  const clock = useClock()
  const [now, setNow] = useState(() => clock.now())
  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` schedules the next update
  useEffect(() => clock.after(minuteMs, () => setNow(clock.now())), [clock, now])
  const amounts = useMemo(() => createAmountFormat(text.locale), [text.locale])
  return useMemo(
    () => ({
      ...amounts,
      text,
      now,
      ago(at) {
        const { count, unit } = timeAgo(at, now)
        return unit === 'sec' ? text('tokens.ago.sec') : text(`tokens.ago.${unit}`, { count: text.number(count) })
      },
      source(source) {
        switch (source) {
          case 'uniswap-v3':
            return 'Uniswap v3'
          case 'stablecoin':
          case 'external':
          case 'wallet':
            return text(`tokens.source.${source}`)
          default:
            return source
        }
      },
    }),
    [amounts, text, now],
  )
}
