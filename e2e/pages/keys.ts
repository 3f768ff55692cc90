import { createVault } from '../../apps/frame/src/keys/create.ts'
import { parseRecord, systemMachine, type WrapperKey } from '../../apps/frame/src/keys/index.ts'
import { kitKey, kitText, newKitCode, readKitCode } from '../../apps/frame/src/keys/kit.ts'
import { openVault } from '../../apps/frame/src/keys/open.ts'
import { askPasskey, localPasskeyOptions, makePasskey } from '../../apps/frame/src/keys/passkey.ts'
import { memoryStore } from '../../apps/frame/src/keys/testing/memoryStore.ts'

// The keys of the frame in a real browser, with nothing around them: each question of the test is one function.

const machine = systemMachine()
const store = memoryStore()
const user = 'user-1'

const page = {
  /** Makes a passkey and a vault under it; the address, the passkey's id and all that a server would have been sent. */
  async make() {
    const made = await makePasskey(window, {
      challenge: 'AAAAAAAAAAAAAAAAAAAAAA',
      rp: { name: 'Keys', id: 'localhost' },
      user: { id: 'AQID', name: 'ada@example.org', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    })
    const key = made.key ?? (await askPasskey(window, localPasskeyOptions(machine, [made.id]))).key
    if (!key) throw new Error('This passkey computes nothing.')
    const vault = await createVault({ user, key, name: 'Passkey', machine, store })
    return { id: made.id, address: vault.record.addresses.eip155, sent: JSON.stringify([made.response, store.saved]) }
  },
  /** Adds a recovery kit to the vault, opened with the passkey; its code. */
  async addKit() {
    const vault = await opened(await passkeyOf())
    const code = newKitCode(machine)
    await vault.addWrapper(await kitKey(machine, code), 'Paper')
    return kitText(code)
  },
  /** The address of the vault, opened with the passkey. */
  openWithPasskey: async () => (await opened(await passkeyOf())).record.addresses.eip155,
  /** The address of the vault, opened with a typed code. */
  async openWithKit(typed: string) {
    const read = readKitCode(typed)
    if (!('code' in read)) throw new Error('A slip.')
    return (await opened(await kitKey(machine, read.code))).record.addresses.eip155
  },
}

async function passkeyOf(): Promise<WrapperKey> {
  const ids = parseRecord(store.saved!).wrappers.flatMap(({ kind, id }) => (kind === 'passkey' ? [id] : []))
  const { key } = await askPasskey(window, localPasskeyOptions(machine, ids))
  if (!key) throw new Error('This passkey computes nothing.')
  return key
}

function opened(key: WrapperKey) {
  return openVault({ user, record: parseRecord(store.saved!), key, machine, store })
}

/** What the test may ask. */
export type KeysPage = typeof page

Object.assign(window, { keys: page })
