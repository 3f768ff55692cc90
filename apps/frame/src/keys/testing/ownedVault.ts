import { createVault } from '../create.ts'
import { kitKey, newKitCode } from '../kit.ts'
import type { Bytes, DeviceSecret, Machine } from '../ports.ts'
import type { UnlockedVault } from '../unlocked.ts'
import { deviceKey, passkeyKey, type WrapperKey } from '../wrappers.ts'
import { memoryDevice } from './memoryDevice.ts'
import { type MemoryStore, memoryStore } from './memoryStore.ts'

/** All that the owner of a vault has, and what the server keeps. */
export interface Owned {
  readonly user: string
  readonly machine: Machine
  readonly store: MemoryStore
  readonly vault: UnlockedVault
  readonly device: DeviceSecret
  readonly serverHalf: Bytes
  readonly prfOutput: Bytes
  readonly kitCode: Bytes
  readonly keys: { readonly device: WrapperKey; readonly passkey: WrapperKey; readonly kit: WrapperKey }
}

/** A vault with all three kinds of keys, saved at version 3. */
export async function ownedVault(machine: Machine, user = 'user-1'): Promise<Owned> {
  const store = memoryStore()
  const [device, serverHalf, prfOutput, kitCode] = [
    await memoryDevice(machine.random(32)),
    machine.random(32),
    machine.random(32),
    newKitCode(machine),
  ]
  const keys = {
    device: deviceKey('device-1', device, serverHalf),
    passkey: passkeyKey('cGFzc2tleS0x', prfOutput),
    kit: await kitKey(machine, kitCode),
  }
  const vault = await createVault({ user, key: keys.device, name: 'Laptop', machine, store })
  await vault.addWrapper(keys.passkey, 'Phone')
  await vault.addWrapper(keys.kit, 'Paper')
  return { user, machine, store, vault, device, serverHalf, prfOutput, kitCode, keys }
}
