import { formatUnits } from '@latchkey/protocol/amount'
import type { StorageEntry } from '../../storage/storageEntry.ts'
import { inUnit } from './deriveSendState.ts'
import { emptyInputs, type SendDraft, type SendInputs } from './sendDraft.ts'
import type { Send, SendReview, SendState } from './sendTypes.ts'

/** The user's input. It is stored, so that a reload does not clear it. */
export interface StoredInputs {
  /** The methods of the form that change the inputs. */
  readonly setters: Pick<Send, 'setAmount' | 'setMax' | 'setRecipient' | 'setToken' | 'setUnit'>
  get(): SendInputs
  /** Fills in the host's values. */
  fill(values: NonNullable<Parameters<Send['open']>[0]>): void
  /** Clears everything but the token, after the transfer has been sent. */
  clear(): void
  /** Restores the inputs of a transfer that was not executed, unless the user has begun another one. */
  restore(review: SendReview): void
}

/** Creates a `StoredInputs`, which starts with the stored inputs. */
export function createStoredInputs({
  draft,
  state,
  changed,
  lookUp,
}: {
  readonly draft: StorageEntry<SendDraft>
  state(): SendState
  /** Called after the user or the host has changed the inputs. */
  changed(): void
  /** Looks up the recipient. With `now`, without waiting until the user stops typing. */
  lookUp(now?: boolean): void
}): StoredInputs {
  let inputs = draft.get()?.inputs ?? emptyInputs

  const set = (next: SendInputs): void => {
    inputs = next
    const sent = draft.get()?.sent
    draft.set({ inputs, ...(sent && { sent }) })
  }
  const enter = (next: SendInputs): void => {
    set(next)
    changed()
  }
  /** Returns the inputs with an amount that is neither a rounded amount nor the maximum. */
  const withAmount = (amount: string): SendInputs => {
    const { exact: _, ...rest } = inputs
    return { ...rest, amount, isMax: false }
  }

  return {
    setters: {
      setToken: (token) => enter({ ...withAmount(inputs.isMax ? '' : inputs.amount), token }),
      setAmount: (amount) => enter(withAmount(amount)),
      setUnit: (unit) => enter({ ...inputs, ...inUnit(unit, inputs, state()) }),
      setMax: () => enter({ ...withAmount(''), isMax: true, unit: 'token' }),
      setRecipient(recipient) {
        if (recipient === inputs.recipient) return
        enter({ ...inputs, recipient })
        lookUp()
      },
    },
    get: () => inputs,
    fill({ token, amount, to }) {
      enter({
        ...(amount === undefined ? inputs : { ...withAmount(amount), unit: 'token' }),
        ...(token !== undefined && { token }),
        ...(to !== undefined && { recipient: to }),
      })
      if (to !== undefined) lookUp(true)
    },
    clear() {
      set({ ...emptyInputs, token: inputs.token })
      lookUp()
    },
    restore({ token, amount, to, name }) {
      if (inputs.amount !== '' || inputs.recipient !== '' || inputs.isMax) return
      const entered = withAmount(formatUnits(amount, token.decimals))
      enter({ ...entered, unit: 'token', token: token.id, recipient: name ?? to })
      lookUp(true)
    },
  }
}
