import { systemEnvironment } from '@latchkey/vault'
import { KeyError } from '@latchkey/vault/errors'
import { openRecoveryKit, type RecoveredKeys } from '@latchkey/vault/openRecoveryKit'
import { keyErrorMessages, recoveryCodeErrorMessage, translatePage } from './translatePage.ts'

// The recovery page is a single self-contained file that the user opens from disk while offline. It cannot access the network.

const t = translatePage(document, navigator)
const { form, file, code, alert, result } = made()
const environment = systemEnvironment()

form.addEventListener('submit', (event) => {
  event.preventDefault()
  result.replaceChildren()
  alert.textContent = ''
  open().then(show, (error: unknown) => {
    const known = error instanceof KeyError ? keyErrorMessages[error.code] : undefined
    alert.textContent = t(known ?? 'unsupported')
  })
})

// Clears the results, so that a page restored from the back/forward cache does not display them.
addEventListener('pagehide', forget)

async function open(): Promise<RecoveredKeys | string> {
  const [picked] = file.files ?? []
  if (!picked) return t('noFile')
  if (picked.size > 100_000) return t('notRecoveryFile')
  const found = await openRecoveryKit(environment, { file: await picked.text(), code: code.value })
  return 'error' in found ? recoveryCodeErrorMessage(t, found) : found
}

function show(found: RecoveredKeys | string): void {
  if (typeof found === 'string') {
    alert.textContent = found
    return
  }
  code.value = ''
  const words = element('ol')
  // The words are always English and therefore left-to-right, whatever the page's language is.
  words.dir = 'ltr'
  words.append(...found.words.map((word) => element('li', word)))
  const { eip155, solana, bip122, bip122Taproot, cosmos, polkadot } = found.addresses
  const forgetting = element('button', t('clear'))
  forgetting.type = 'button'
  forgetting.addEventListener('click', forget)
  const heading = element('h2', t('words'))
  heading.tabIndex = -1
  result.replaceChildren(
    heading,
    element('p', t('wordsText')),
    words,
    element('h2', t('accounts')),
    pairs([
      [t('evmAccounts'), eip155],
      ['Solana', solana],
      ['Bitcoin (native SegWit)', bip122],
      ['Bitcoin (Taproot)', bip122Taproot],
      ['Cosmos', cosmos],
      ['Polkadot', polkadot],
    ]),
    element('h2', t('privateKeys')),
    element('p', t('privateKeysText')),
    pairs([
      [t('evmKey'), found.evmKey],
      [t('solanaKey'), found.solanaKey],
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
  for (const [name, value] of rows) {
    if (value === undefined) continue
    const field = element('dd', value)
    field.dir = 'ltr'
    list.append(element('dt', name), field)
  }
  return list
}

function made() {
  const file = element('input')
  Object.assign(file, { id: 'file', type: 'file', accept: '.json,application/json' })
  const code = element('textarea')
  Object.assign(code, { id: 'code', dir: 'ltr', autocomplete: 'off', spellcheck: false, rows: 2 })
  const alert = element('p')
  alert.role = 'alert'
  const submit = element('button', t('open'))
  submit.type = 'submit'
  const form = element('form')
  form.append(labelled(t('file'), file), labelled(t('code'), code), submit, alert)
  const result = element('section')
  const main = element('main')
  main.append(element('h1', t('heading')), element('p', t('intro')), form, result)
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
