import type { KeysTransfer } from '@latchkey/protocol/http/keys'
import { useEffect, useRef, useState } from 'react'
import { deviceApprovalErrorKey } from '../screens/deviceApprovalErrorKey.ts'
import { type MessageKey, t } from '../texts/translations.ts'
import type { DeviceApprovalSession } from './deviceRequests.ts'
import type { WalletPageController } from './walletPageController.ts'

/** A step of the approval: from the request, through the choice of the other device's words, to the transfer of the key. */
export type DeviceApprovalStep =
  | { readonly at: 'requested' }
  | { readonly at: 'waiting' }
  | { readonly at: 'refusing' }
  | {
      readonly at: 'picking'
      readonly sets: readonly (readonly string[])[]
      readonly pick: (picked: number | undefined) => void
    }
  /** `isLow` specifies whether the approve button is in the lower half. The button is in the half that was not clicked last. */
  | { readonly at: 'confirming'; readonly isLow: boolean; readonly confirm: (confirmed: boolean) => void }
  | { readonly at: 'transferring' }
  | { readonly at: 'failed'; readonly because: MessageKey }

/** The parameters of `useDeviceApproval`. */
export interface DeviceApprovalParameters {
  readonly controller: Pick<WalletPageController, 'refuse'>
  readonly transfer: KeysTransfer
  /** The wallet opened for this request, or `undefined` before reauthentication. */
  readonly approving: DeviceApprovalSession | undefined
  /** Whether the owner navigated here themselves. If not, the exchange does not start. */
  readonly isOwner: boolean
  /** Called with a message once the request is approved or rejected. */
  readonly onDone: (note: string) => void
}

/** Runs the exchange with the other device while the component is mounted. */
export function useDeviceApproval({ controller, transfer, approving, isOwner, onDone }: DeviceApprovalParameters): {
  readonly step: DeviceApprovalStep
  readonly refuse: () => void
} {
  const [step, setStep] = useState<DeviceApprovalStep>(
    transfer.offer === null
      ? { at: approving ? 'waiting' : 'requested' }
      : { at: 'failed', because: 'requestElsewhere' },
  )
  const exchange = useRef<AbortController>(undefined)
  const newest = useRef(onDone)
  useEffect(() => {
    newest.current = onDone
  })

  useEffect(() => {
    if (!approving || !isOwner || transfer.offer !== null) return
    const abort = new AbortController()
    exchange.current = abort
    const { signal } = abort
    approving.approveDevice({ signal, ...userDecisions(signal, setStep) }).then(
      () => newest.current(t('requestDone', { name: transfer.name })),
      (error: unknown) => {
        if (!signal.aborted) setStep({ at: 'failed', because: deviceApprovalErrorKey(error) })
      },
    )
    return () => abort.abort()
  }, [approving, isOwner, transfer])

  return {
    step,
    refuse() {
      exchange.current?.abort()
      setStep({ at: 'refusing' })
      // If the rejection does not reach the server, the request expires after ten minutes.
      controller
        .refuse(transfer)
        .catch(() => undefined)
        .finally(() => newest.current(t('requestRefused', { name: transfer.name })))
    },
  }
}

/** Returns the callbacks that ask the user for decisions during the exchange. Each decision is a separate step. */
function userDecisions(
  signal: AbortSignal,
  setStep: (step: DeviceApprovalStep) => void,
): Pick<Parameters<DeviceApprovalSession['approveDevice']>[0], 'pick' | 'confirm'> {
  let isLow = true
  const decided = <Decision>(show: (decide: (decision: Decision) => void) => void): Promise<Decision> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      show(resolve)
    })
  return {
    pick: (sets) =>
      decided<number | undefined>((decide) =>
        setStep({
          at: 'picking',
          sets,
          pick: (picked) => {
            // After a click in the upper half, the approve button is in the lower half, and vice versa.
            if (picked !== undefined) isLow = picked < sets.length / 2
            decide(picked)
          },
        }),
      ),
    confirm: () =>
      decided<boolean>((decide) =>
        setStep({
          at: 'confirming',
          isLow,
          confirm: (confirmed) => {
            if (confirmed) setStep({ at: 'transferring' })
            decide(confirmed)
          },
        }),
      ),
  }
}
