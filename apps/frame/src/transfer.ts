import {
  getTransfer,
  postTransfer,
  postTransferStep,
  type TransferStep,
  transferSteps,
  type VaultTransfer,
} from '@latchkey/protocol/http/vault'
import { answerApproval, askApproval, type Subject } from './keys/approval.ts'
import { type Bytes, KeyError, type Machine, type UnlockedVault } from './keys/index.ts'
import type { VaultClient } from './vaultClient.ts'

/** What a transfer needs on both sides. */
export interface TransferNeeds {
  readonly vault: VaultClient
  readonly machine: Machine
  /** Ends the waiting when the visitor leaves. */
  readonly signal: AbortSignal
  /** Shows the four words; `true` when the person says that the other device shows the same. */
  readonly compare: (words: readonly string[]) => Promise<boolean>
}

/**
 * On a new device: the vault's key, from a device that has it. Both sides compare: the old one would give the key to
 * whoever is in the middle, and the new one would take the vault of whoever is in the middle for its own.
 */
export async function askTransfer(
  needs: TransferNeeds,
  { subject, name }: { readonly subject: Subject; readonly name: string },
): Promise<Bytes> {
  const { vault, machine, signal } = needs
  const asking = await askApproval(machine, subject)
  const { transfer } = await vault(postTransfer, { body: { name, commitment: asking.commitment }, signal })
  const offer = await stepOf(needs, transfer, 'offer')
  const { reveal, words, accept } = await asking.reveal(offer)
  await take(needs, transfer, 'reveal', reveal)
  await mustAgree(needs, words)
  return accept(await stepOf(needs, transfer, 'sealed'))
}

/** On a device whose vault is open: gives its key to the device behind `transfer`, once the person has compared the words. */
export async function answerTransfer(
  needs: TransferNeeds,
  { transfer, opened }: { readonly transfer: VaultTransfer; readonly opened: UnlockedVault },
): Promise<void> {
  const answering = await answerApproval(needs.machine, opened.record, transfer.commitment)
  await take(needs, transfer, 'offer', answering.offer)
  const { words, give } = await answering.hear(await stepOf(needs, transfer, 'reveal'))
  await mustAgree(needs, words)
  await take(needs, transfer, 'sealed', await give(opened))
}

async function mustAgree({ compare, signal }: TransferNeeds, words: readonly string[]): Promise<void> {
  const same = await compare(words)
  signal.throwIfAborted()
  if (!same) throw new KeyError('approval/mismatch')
}

async function take(
  { vault, signal }: TransferNeeds,
  { id }: VaultTransfer,
  step: TransferStep,
  value: string,
): Promise<void> {
  await vault(postTransferStep, { params: { id, step }, body: { value }, signal })
}

/** What the other device sent in `step`; the server holds each question for a while, and forgets transfers that are over. */
async function stepOf(
  { vault, machine, signal }: TransferNeeds,
  asked: VaultTransfer,
  step: TransferStep,
): Promise<string> {
  const before = transferSteps.indexOf(step)
  while (machine.clock.now() < asked.expiresAt) {
    signal.throwIfAborted()
    const { transfer } = await vault(getTransfer, { params: { id: asked.id, steps: String(before) }, signal })
    const value = transfer[step]
    if (value !== null) return value
  }
  throw new KeyError('approval/expired')
}
