import type { Network } from '@latchkey/core/adapter'
import { useMemo } from 'react'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { type TokenFormat, useTokenFormat } from '../tokens/useTokenFormat.ts'
import { transactionMessages } from './transactionMessages.ts'

/** The translator for the messages about activity. */
export type TransactionTranslator = Translator<Source & typeof transactionMessages>

/** The formatting that the rows of the activity share. */
export interface TransactionFormat extends Omit<TokenFormat, 'text'> {
  readonly text: TransactionTranslator
  /** The network of the transactions, whose explorer the rows link to. */
  readonly network: Network | undefined
}

/** Returns the format for the activity on a network. Pass the same format to all rows. */
export function useTransactionFormat(network: Network | undefined): TransactionFormat {
  const text = useTranslations(transactionMessages)
  const format = useTokenFormat()
  return useMemo(() => ({ ...format, text, network }), [format, text, network])
}
