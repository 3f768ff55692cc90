import { systemEnvironment } from '@latchkey/vault'
import { KeyError } from '@latchkey/vault/errors'
import { openRecoveryKit, type RecoveredKeys } from '@latchkey/vault/openRecoveryKit'
import { keyErrorMessages, recoveryCodeErrorMessage } from './messages.ts'

// The recovery page: a single self-contained file that is opened from disk, offline. It cannot access the network.

const { form, file, code, alert, result } = made()
const environment = systemEnvironment()

form.addEventListener('submit', (event) => {
  event.preventDefault()
  result.replaceChildren()
  alert.textContent = ''
  open().then(show, (error: unknown) => {
    const known = error instanceof KeyError ? keyErrorMessages[error.code] : undefined
    alert.textContent = known ?? 'This browser cannot open the file. Try a current Chrome, Edge, Firefox or Safari.'
  })
})

// Clear the results, so that a page restored from the back/forward cache does not display them.
addEventListener('pagehide', forget)

async function open(): Promise<RecoveredKeys | string> {
  const [picked] = file.files ?? []
  if (!picked) return 'Choose the recovery file first.'
  if (picked.size > 100_000) return 'This is not a recovery file.'
  const found = await openRecoveryKit(environment, { file: await picked.text(), code: code.value })
  return 'error' in found ? recoveryCodeErrorMessage(found) : found
}

function show(found: RecoveredKeys | string): void {
  if (typeof found === 'string') {
    alert.textContent = found
    return
  }
  code.value = ''
  const words = element('ol')
  words.append(...found.words.map((word) => element('li', word)))
  const { eip155, solana, bip122, bip122Taproot, cosmos, polkadot } = found.addresses
  const forgetting = element('button', 'Clear this page')
  forgetting.type = 'button'
  forgetting.addEventListener('click', forget)
  const heading = element('h2', 'Your recovery words')
  heading.tabIndex = -1
  result.replaceChildren(
    heading,
    element(
      'p',
      'Enter these 24 words, in this order, in a wallet that you trust. Anyone who sees them controls your accounts.',
    ),
    words,
    element('h2', 'Your accounts'),
    pairs([
      ['Ethereum and other EVM chains', eip155],
      ['Solana', solana],
      ['Bitcoin (native SegWit)', bip122],
      ['Bitcoin (Taproot)', bip122Taproot],
      ['Cosmos', cosmos],
      ['Polkadot', polkadot],
    ]),
    element('h2', 'Private keys of individual accounts'),
    element('p', 'For wallets that do not accept recovery words.'),
    pairs([
      ['EVM private key', found.evmKey],
      ['Solana private key', found.solanaKey],
    ]),
    forgetting,
  )
  heading.focus()
}

function forget(): void {
  form.reset()
  alert.textContent = ''
  result.replaceChildren()
}

function pairs(rows: readonly (readonly [string, string | undefined])[]): HTMLElement {
  const list = element('dl')
  for (const [name, value] of rows) if (value !== undefined) list.append(element('dt', name), element('dd', value))
  return list
}

function made() {
  const file = element('input')
  Object.assign(file, { id: 'file', type: 'file', accept: '.json,application/json' })
  const code = element('textarea')
  Object.assign(code, { id: 'code', autocomplete: 'off', spellcheck: false, rows: 2 })
  const alert = element('p')
  alert.role = 'alert'
  const submit = element('button', 'Open')
  submit.type = 'submit'
  const form = element('form')
  form.append(labelled('Recovery file', file), labelled('Recovery code', code), submit, alert)
  const result = element('section')
  const main = element('main')
  main.append(
    element('h1', 'Open your recovery kit'),
    element(
      'p',
      'This page works without a server. Save it, go offline, then choose your recovery file and enter your recovery code.',
    ),
    form,
    result,
  )
  document.body.append(main)
  return { form, file, code, alert, result }
}

function labelled(text: string, field: HTMLElement): DocumentFragment {
  const label = element('label', text)
  label.htmlFor = field.id
  const both = document.createDocumentFragment()
  both.append(label, field)
  return both
}

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, text?: string): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  if (text !== undefined) made.textContent = text
  return made
}
