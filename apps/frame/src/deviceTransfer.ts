import {
  deleteTransfer,
  getTransfer,
  postTransfer,
  postTransferStep,
  type TransferStep,
  transferSteps,
  type VaultTransfer,
} from '@latchkey/protocol/http/vault'
import {
  requestDeviceApproval,
  respondToDeviceApproval,
  shuffleWordChoices,
  type VaultIdentity,
} from './keys/deviceApproval.ts'
import { type Bytes, type CryptoEnvironment, KeyError, type UnlockedVault } from './keys/index.ts'
import { isVaultFailure, type VaultClient } from './vaultClient.ts'

/** What a transfer depends on, on both sides. */
interface TransferDependencies {
  readonly vault: VaultClient
  readonly environment: CryptoEnvironment
  /** Ends the waiting when the visitor leaves. */
  readonly signal: AbortSignal
}

/** What the new device depends on. */
export interface RequestTransferDependencies extends TransferDependencies {
  /** Shows the four words; `true` when the person says that the other device shows the same. */
  readonly compare: (words: readonly string[]) => Promise<boolean>
}

/** What the device that lets another one in depends on. */
export interface ApproveTransferDependencies extends TransferDependencies {
  /** Shows several sets of four words; answers with the one that the person picked, or `undefined` for none of them. */
  readonly pick: (choices: readonly (readonly string[])[]) => Promise<number | undefined>
  /** What the wallet was opened with for this: a key that only its owner has, or a code by mail and this device's own. */
  readonly openedWith: 'key' | 'code'
  /** Asks once more, after the right set was picked. */
  readonly confirm: () => Promise<boolean>
}

/**
 * On a new device: the vault's key, from a device that has it. Both sides compare: the old one would give the key to
 * whoever is in the middle, and the new one would take the vault of whoever is in the middle for its own.
 */
export async function requestTransfer(
  dependencies: RequestTransferDependencies,
  {
    subject,
    name,
    onPosted,
  }: {
    readonly subject: VaultIdentity
    readonly name: string
    /** Told once it can be found on the other device. */
    readonly onPosted?: (transfer: VaultTransfer) => void
  },
): Promise<Bytes> {
  const { vault, environment, signal } = dependencies
  const asking = await requestDeviceApproval(environment, subject)
  const { transfer } = await vault(postTransfer, { body: { name, commitment: asking.commitment }, signal })
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
 * On a device whose vault is open: gives its key to the device behind `transfer`. A yes could be a stray press, so the person finds the
 * words of the other device among others, once, and then says yes.
 */
export async function approveTransfer(
  dependencies: ApproveTransferDependencies,
  { transfer, opened }: { readonly transfer: VaultTransfer; readonly opened: UnlockedVault },
): Promise<void> {
  await endOnFailure(dependencies, transfer, async () => {
    const answering = await respondToDeviceApproval(dependencies.environment, opened.record, transfer.commitment)
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

/** Says no to a transfer, so that the other device need not wait for its end. */
export async function refuseTransfer(
  { vault }: Pick<TransferDependencies, 'vault'>,
  { id }: { id: string },
): Promise<void> {
  await vault(deleteTransfer, { params: { id } })
}

/** Whatever ends it on this side ends it on the other; what the server calls unknown was refused there. */
async function endOnFailure<Result>(
  dependencies: TransferDependencies,
  transfer: VaultTransfer,
  talk: () => Promise<Result>,
): Promise<Result> {
  try {
    return await talk()
  } catch (error) {
    if (isVaultFailure(error, 'transfer/unknown', 'transfer/out-of-turn')) throw new KeyError('approval/refused')
    await refuseTransfer(dependencies, transfer).catch(() => undefined)
    throw error
  }
}

async function sendStep(
  { vault, signal }: TransferDependencies,
  { id }: VaultTransfer,
  step: TransferStep,
  value: string,
  more: { readonly openedWith?: 'key' | 'code' } = {},
): Promise<void> {
  await vault(postTransferStep, { params: { id, step }, body: { value, ...more }, signal })
}

/** What the other device sent in `step`; the server holds each question for a while, and forgets transfers that are over. */
async function waitForStep(
  { vault, environment, signal }: TransferDependencies,
  request: VaultTransfer,
  step: TransferStep,
): Promise<string> {
  const before = transferSteps.indexOf(step)
  // By this device's own clock, which may be another than the server's.
  const until = environment.clock.now() + (request.expiresAt - request.createdAt)
  while (environment.clock.now() < until) {
    signal.throwIfAborted()
    const { transfer } = await vault(getTransfer, { params: { id: request.id, steps: String(before) }, signal })
    const value = transfer[step]
    if (value !== null) return value
  }
  throw new KeyError('approval/expired')
}
