import {
  deleteTransfer,
  getTransfer,
  type KeysTransfer,
  postTransfer,
  postTransferStep,
  type TransferStep,
  transferSteps,
} from '@latchkey/protocol/http/keys'
import { type Bytes, type CryptoEnvironment, KeyError, type UnlockedVault } from '@latchkey/vault'
import {
  requestDeviceTransfer,
  respondToDeviceTransfer,
  shuffleWordChoices,
  type VaultIdentity,
} from '@latchkey/vault/deviceTransfer'
import { isKeysFailure, type KeysApiClient } from '../keysApiClient.ts'

/** The dependencies of both sides of a transfer. */
interface TransferDependencies {
  readonly keysClient: KeysApiClient
  readonly environment: CryptoEnvironment
  /** Aborts the transfer when the user leaves the page. */
  readonly signal: AbortSignal
}

/** The dependencies of the new device. */
export interface RequestTransferDependencies extends TransferDependencies {
  /** Shows the four words. Resolves to `true` if the user confirms that the other device shows the same words. */
  readonly compare: (words: readonly string[]) => Promise<boolean>
}

/** The dependencies of the approving device. */
export interface ApproveTransferDependencies extends TransferDependencies {
  /** Shows several sets of four words. Resolves to the index of the set that the user picks, or `undefined` if no set matches. */
  readonly pick: (choices: readonly (readonly string[])[]) => Promise<number | undefined>
  /** How the wallet was unlocked to approve the transfer: with the user's own key, or with an email code and the device key. */
  readonly openedWith: 'key' | 'code'
  /** Asks for a final confirmation after the user picks the right words. */
  readonly confirm: () => Promise<boolean>
}

/**
 * Requests the vault key for this new device from another device. The user compares words on both devices, because otherwise an
 * attacker in the middle could obtain the vault key from the old device, or give the new device the attacker's vault.
 */
export async function requestTransfer(
  dependencies: RequestTransferDependencies,
  {
    subject,
    onPosted,
  }: {
    readonly subject: VaultIdentity
    /** Called when the other device can see the request. */
    readonly onPosted?: (transfer: KeysTransfer) => void
  },
): Promise<Bytes> {
  const { keysClient, environment, signal } = dependencies
  const asking = await requestDeviceTransfer(environment, subject)
  const { transfer } = await keysClient(postTransfer, { body: { commitment: asking.commitment }, signal })
  return endOnFailure(dependencies, transfer, async () => {
    onPosted?.(transfer)
    const offer = await waitForStep(dependencies, transfer, 'offer')
    const { reveal, words, accept } = await asking.reveal(offer)
    await sendStep(dependencies, transfer, 'reveal', reveal)
    const same = await dependencies.compare(words)
    dependencies.signal.throwIfAborted()
    if (!same) throw new KeyError('approval/mismatch')
    return accept(await waitForStep(dependencies, transfer, 'sealed'))
  })
}

/**
 * Sends the vault key from a device with an unlocked vault to the device that requested `transfer`. The user has one attempt to
 * pick the other device's words from several sets and then confirms, because a single confirmation could be an accidental press.
 */
export async function approveTransfer(
  dependencies: ApproveTransferDependencies,
  { transfer, opened }: { readonly transfer: KeysTransfer; readonly opened: UnlockedVault },
): Promise<void> {
  await endOnFailure(dependencies, transfer, async () => {
    const answering = await respondToDeviceTransfer(dependencies.environment, opened.record, transfer.commitment)
    await sendStep(dependencies, transfer, 'offer', answering.offer, { openedWith: dependencies.openedWith })
    const { words, sealVaultKey } = await answering.verifyReveal(await waitForStep(dependencies, transfer, 'reveal'))
    const { choices, correctIndex } = shuffleWordChoices(dependencies.environment, words)
    const picked = await dependencies.pick(choices)
    dependencies.signal.throwIfAborted()
    if (picked === undefined) throw new KeyError('approval/mismatch')
    if (picked !== correctIndex) throw new KeyError('approval/wrong-words')
    const confirmed = await dependencies.confirm()
    dependencies.signal.throwIfAborted()
    if (!confirmed) throw new KeyError('approval/refused')
    await sendStep(dependencies, transfer, 'sealed', await sealVaultKey(opened))
  })
}

/** Rejects a transfer, so that the other device does not wait until the transfer expires. */
export async function refuseTransfer(
  { keysClient }: Pick<TransferDependencies, 'keysClient'>,
  { id }: { id: string },
): Promise<void> {
  await keysClient(deleteTransfer, { params: { id } })
}

/**
 * Cancels the transfer on both devices if this side fails. If the server has already deleted the transfer, the other device
 * rejected it.
 */
async function endOnFailure<Result>(
  dependencies: TransferDependencies,
  transfer: KeysTransfer,
  talk: () => Promise<Result>,
): Promise<Result> {
  try {
    return await talk()
  } catch (error) {
    if (isKeysFailure(error, 'transfer/unknown', 'transfer/out-of-turn')) throw new KeyError('approval/refused')
    await refuseTransfer(dependencies, transfer).catch(() => undefined)
    throw error
  }
}

async function sendStep(
  { keysClient, signal }: TransferDependencies,
  { id }: KeysTransfer,
  step: TransferStep,
  value: string,
  more: { readonly openedWith?: 'key' | 'code' } = {},
): Promise<void> {
  await keysClient(postTransferStep, { params: { id, step }, body: { value, ...more }, signal })
}

/**
 * Waits for the other device's value for `step`, using long polling. Rejects if the transfer has been cancelled or has expired.
 */
async function waitForStep(
  { keysClient, environment, signal }: TransferDependencies,
  request: KeysTransfer,
  step: TransferStep,
): Promise<string> {
  const before = transferSteps.indexOf(step)
  // The duration is measured with the local clock, which can differ from the server's clock.
  const until = environment.clock.now() + (request.expiresAt - request.createdAt)
  while (environment.clock.now() < until) {
    signal.throwIfAborted()
    const { transfer } = await keysClient(getTransfer, { params: { id: request.id, steps: String(before) }, signal })
    const value = transfer[step]
    if (value !== null) return value
  }
  throw new KeyError('approval/expired')
}
