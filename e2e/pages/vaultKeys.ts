import { parseRecord, systemEnvironment, type UnlockKey } from '@latchkey/vault'
import { createVault } from '@latchkey/vault/createVault'
import { openVault } from '@latchkey/vault/openVault'
import {
  formatRecoveryCode,
  generateRecoveryCode,
  parseRecoveryCode,
  recoveryCodeUnlockKey,
} from '@latchkey/vault/recoveryKit'
import { memoryVaultStore } from '@latchkey/vault/testing'
import { createPasskey, getPasskey, prfRequestOptions } from '@latchkey/vault/webAuthn'

// Runs the frame's key modules in a real browser without the frame. Tests call the functions in `window.keys`.

const environment = systemEnvironment()
const store = memoryVaultStore()
const user = 'user-1'

const page = {
  /** Creates a passkey and a vault that the passkey unlocks. Resolves to the address and the data that a server would receive. */
  async make() {
    const made = await createPasskey(window, {
      challenge: 'AAAAAAAAAAAAAAAAAAAAAA',
      rp: { name: 'Keys', id: 'localhost' },
      user: { id: 'AQID', name: 'ada@example.org', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    })
    const key = made.key ?? (await getPasskey(window, prfRequestOptions(environment, [made.id]))).key
    if (!key) throw new Error('The passkey returned no PRF output.')
    const vault = await createVault({ user, key, name: 'Passkey', environment, store })
    return {
      id: made.id,
      address: vault.record.addresses.eip155,
      sent: JSON.stringify([made.response, store.savedText]),
    }
  },
  /** Opens the vault with the passkey and adds a recovery kit. Resolves to the recovery code. */
  async addKit() {
    const vault = await opened(await passkeyOf())
    const code = generateRecoveryCode(environment)
    await vault.addWrapper(await recoveryCodeUnlockKey(environment, code), 'Paper')
    return formatRecoveryCode(code)
  },
  /** Opens the vault with the passkey. Resolves to the vault's address. */
  openWithPasskey: async () => (await opened(await passkeyOf())).record.addresses.eip155,
  /** Opens the vault with a recovery code. Resolves to the vault's address. */
  async openWithKit(typed: string) {
    const read = parseRecoveryCode(typed)
    if (!('code' in read)) throw new Error('The recovery code is invalid.')
    return (await opened(await recoveryCodeUnlockKey(environment, read.code))).record.addresses.eip155
  },
}

async function passkeyOf(): Promise<UnlockKey> {
  const ids = parseRecord(store.savedText!).wrappers.flatMap(({ kind, id }) => (kind === 'passkey' ? [id] : []))
  const { key } = await getPasskey(window, prfRequestOptions(environment, ids))
  if (!key) throw new Error('The passkey returned no PRF output.')
  return key
}

function opened(key: UnlockKey) {
  return openVault({ user, record: parseRecord(store.savedText!), key, environment, store })
}

/** The functions that tests can call. */
export type KeysPage = typeof page

Object.assign(window, { keys: page })
