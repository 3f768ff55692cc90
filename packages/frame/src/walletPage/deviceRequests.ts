import { getTransfers, type KeysMe, type KeysTransfer } from '@latchkey/protocol/http/keys'
import { type CryptoEnvironment, KeyError } from '@latchkey/vault'
import type { KeysApiClient } from '../keysApiClient.ts'
import type { ApproveTransferDependencies } from '../wallet/deviceTransfer.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { ReauthenticationProof } from './reauthentication.ts'

/**
 * A session that was opened by reauthentication to approve one device request. It can only be used once and only for that device.
 */
export interface DeviceApprovalSession {
  readonly opened: OpenedWallet
  readonly transfer: KeysTransfer
  approveDevice(decisions: Pick<ApproveTransferDependencies, 'signal' | 'pick' | 'confirm'>): Promise<void>
}

/** Other devices' requests to access the wallet. */
export interface DeviceRequests {
  /** Resolves to the pending requests of other devices, newest first. */
  requests(): Promise<readonly KeysTransfer[]>
  /** Reauthenticates for this request only. A wallet that was opened for a different purpose cannot approve a device. */
  approving(me: KeysMe, proof: ReauthenticationProof, transfer: KeysTransfer): Promise<DeviceApprovalSession>
  refuse(transfer: KeysTransfer): Promise<void>
}

/** Creates the device requests. `reauthenticate` opens the wallet again after the user provides a credential. */
export function createDeviceRequests({
  keysClient,
  environment,
  reauthenticate,
}: {
  readonly keysClient: KeysApiClient
  readonly environment: CryptoEnvironment
  readonly reauthenticate: (me: KeysMe, proof: ReauthenticationProof) => Promise<OpenedWallet>
}): DeviceRequests {
  return {
    requests: async () => (await keysClient(getTransfers)).transfers.filter(({ isMine, sealed }) => !isMine && !sealed),
    async approving(me, proof, transfer) {
      const opened = await reauthenticate(me, proof)
      let isSpent = false
      return {
        opened,
        transfer,
        async approveDevice(decisions) {
          if (isSpent) throw new KeyError('approval/refused')
          isSpent = true
          const { approveTransfer } = await import('../wallet/deviceTransfer.ts')
          const openedWith = proof.kind === 'code' ? 'code' : 'key'
          await approveTransfer(
            { keysClient, environment, openedWith, ...decisions },
            { transfer, opened: opened.vault },
          )
        },
      }
    },
    async refuse(transfer) {
      const { refuseTransfer } = await import('../wallet/deviceTransfer.ts')
      await refuseTransfer({ keysClient }, transfer)
    },
  }
}
